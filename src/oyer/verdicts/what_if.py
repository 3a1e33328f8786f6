"""What one changed label would do to the scores: one label can be a cliff. Pure.

The judge's other findings stay as they are; code reads, checks and scores the changed reply as it
does any reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oyer.arith import exact, round_to_show
from oyer.errors import InputError, Unscored, UsageError
from oyer.types import (
    AnyProtocol,
    Case,
    Found,
    JsonObject,
    LabelSite,
    Reading,
    Reply,
    Ruling,
)
from oyer.verdicts.again import merge_replies
from oyer.verdicts.core import examine
from oyer.verdicts.reader import read_reply

_PLACE = re.compile(r"(?:(\w+)\.)?(\w+)(?:\[(\d+)\]\.(\w+))?")


@dataclass(frozen=True, slots=True)
class ChangedLabel:
    """A label that a judge gave: where, to what, and what else it could have been."""

    where: str  # "hallucination.claims_checked[2].status"
    name: str  # for people: "claim 3"
    text: str  # the labelled words
    value: Any
    choices: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """The scores when one label is another."""

    label: ChangedLabel
    value: Any  # the other label
    scores: Mapping[str, float]
    total: float
    change: float  # of the total

    def __str__(self) -> str:
        return f"if {self.label.name} were {self.value}: {self.total:g} ({self.change:+g})"


def verdict_objects(case: Case, protocol: AnyProtocol, *replies: Reply) -> dict[str, JsonObject]:
    """The verdict objects of a judge's replies, by metric; `Unscored` when they cannot be used."""
    reply = merge_replies(case, protocol, replies)
    reading, _ = examine(case, protocol, read_reply(reply.text), reply.about)
    named = ((protocol.is_verdict(found.value), found.value) for found in reading.objects)
    return {metric: value for metric, value in named if metric is not None}


def labels(protocol: AnyProtocol, objects: Mapping[str, JsonObject]) -> Iterator[ChangedLabel]:
    """Every label in the verdict objects that could have been another."""
    for site in protocol.label_sites:
        given = objects.get(site.metric)
        if given is None:
            continue
        for at, item in _items(site, given):
            value = site.read(item.get(site.key))
            if value is None:
                continue
            place = f"{site.items}[{at}].{site.key}" if site.items else site.key
            name = f"{site.noun} {at + 1}" if site.items else site.noun
            yield ChangedLabel(
                where=f"{site.metric}.{place}",
                name=name,
                text=str(item.get(site.text, "")) if site.text else "",
                value=value,
                choices=site.choices,
            )


def _items(site: LabelSite, given: JsonObject) -> Sequence[tuple[int, JsonObject]]:
    if not site.items:
        return [(0, given)]
    listed = given.get(site.items)
    found = enumerate(listed if isinstance(listed, list) else ())
    return [(at, item) for at, item in found if isinstance(item, Mapping)]


def rule_with(
    case: Case,
    protocol: AnyProtocol,
    objects: Mapping[str, JsonObject],
    changes: JsonObject,
) -> Ruling:
    """The ruling when these labels (place -> label) are others; raises `Unscored` as ever."""
    changed = dict(objects)
    for where, value in changes.items():
        _set(changed, where, value)
    reading = Reading(tuple(Found(value, 0, 0) for value in changed.values()))
    return protocol.score(case, protocol.check(case, protocol.read(case, reading)))


def _set(objects: dict[str, JsonObject], where: str, value: Any) -> None:
    """Put a label in its place; the objects that were handed in stay as they are."""
    place = _PLACE.fullmatch(where)
    metric, key = (place[1], place[2]) if place else ("", "")
    given = objects.get(metric)
    if place is None or given is None:
        raise UsageError(f"there is no label at '{where}'")
    if place[3] is None:
        objects[metric] = {**given, key: value}
        return
    items, at = given.get(key), int(place[3])
    if not isinstance(items, list) or at >= len(items):
        raise UsageError(f"there is no label at '{where}'")
    items = [*items]
    items[at] = {**items[at], place[4]: value}
    objects[metric] = {**given, key: items}


def effects(
    case: Case, protocol: AnyProtocol, objects: Mapping[str, JsonObject]
) -> tuple[Effect, ...]:
    """What each label would do, were it another; the greatest change of the total first."""
    before = round_to_show(rule_with(case, protocol, objects, {}).total)
    found = []
    for label in labels(protocol, objects):
        for other in label.choices:
            if other == label.value:
                continue
            try:
                ruling = rule_with(case, protocol, objects, {label.where: other})
            except (Unscored, InputError):  # such a reply would have no score
                continue
            scores = {key: round_to_show(value) for key, value in ruling.scores.items()}
            total = round_to_show(ruling.total)
            change = round_to_show(exact(total) - exact(before))
            found.append(Effect(label, other, scores, total, change))
    return tuple(sorted(found, key=lambda effect: -abs(effect.change)))

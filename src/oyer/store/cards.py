"""The newest card of each judge and protocol, kept beside the runs that it was made from.

A card has parts, each with its run and date: `protocol` (how it keeps to the rules), `people` (what
labels show), `probes` (what planted faults show). A newer card replaces the parts that it has; what
only an older one had stays, under its own date.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from oyer.records import JsonObject
from oyer.store import codec
from oyer.store.aggregates import states_of
from oyer.store.store import Store

KIND = "judge card"
UNTOLD = "untold"  # the `use` of a judge that was not measured against people
PEOPLE, PROBES = "people", "probes"
#: What else of a card's body goes with a part.
_FIELDS = {
    PEOPLE: ("use", "sentence", "labels", "measures", "biases", "reviewed"),
    PROBES: ("probes", "probe_sentence"),
}

Body: TypeAlias = JsonObject


@dataclass(frozen=True, slots=True)
class CardPart:
    """One part of a card in plain words: questions and answers, of which run, made when."""

    name: str  # protocol | people | probes
    run: int
    date: str  # ISO, UTC
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card as it is shown elsewhere; `body` is all of it, as `oyer trust --json` prints it."""

    judge: str
    protocol: str
    run: int
    sentence: str  # how far the judge can be trusted, in plain words
    parts: tuple[CardPart, ...]
    body: Body

    @property
    def source(self) -> str:
        """Which runs it rests on: `run 3, 2026-11-17; probes: run 4, 2026-11-18`."""
        places = {part.name: f"run {part.run}, {part.date[:10]}" for part in self.parts}
        first = next(iter(places.values()), f"run {self.run}")
        others = [f"{name}: {place}" for name, place in places.items() if place != first]
        return "; ".join([first, *others])


def keep_card(store: Store, body: Body) -> None:
    """Keep a card in the place of an older one of the same judge and protocol."""
    name = _name(body["protocol"], body["judge"])
    older = store.state(KIND, name)
    if older is not None:
        body = merge_cards(json.loads(older), body)
    store.keep_state(KIND, name, json.dumps(body, ensure_ascii=True).encode("ascii")).result()


def merge_cards(older: Body, newer: Body) -> JsonObject:
    """The newer card, with what only the older one knows."""
    merged = dict(newer)
    merged["parts"] = dict(newer.get("parts", {}))
    for part in _only_in(older, newer):
        merged["parts"][part] = older["parts"][part]
        for name in _FIELDS[part]:
            merged[name] = older[name]
    return merged


def read_card(store: Store, judge: str, protocol: str) -> KeptCard | None:
    """The kept card of a judge (name as in verdicts) for a protocol (`judge-lock@4.3-S`)."""
    text = store.state(KIND, _name(protocol, judge))
    return None if text is None else _card(json.loads(text))


def read_cards(
    store: Store, protocol: str | None = None, judges: Collection[str] | None = None
) -> list[KeptCard]:
    """The cards of a store, or those of a protocol's judges."""
    cards = []
    for text in states_of(store, KIND).values():
        card = _card(json.loads(text))
        wanted = protocol in (None, card.protocol)
        if wanted and (judges is None or card.judge in judges):
            cards.append(card)
    return cards


def _only_in(older: Body, newer: Body) -> Iterator[str]:
    """The parts that the newer card must not lose."""
    known = older.get("parts", {})
    if PROBES in known and not newer.get("probes"):
        yield PROBES
    if PEOPLE in known and newer["use"] == UNTOLD and older["use"] != UNTOLD:
        yield PEOPLE


def _card(body: Body) -> KeptCard:
    sentences = (body["sentence"], body.get("probe_sentence", ""))
    parts = []
    for name, part in body.get("parts", {}).items():
        facts = tuple((str(question), str(answer)) for question, answer in part["facts"])
        parts.append(CardPart(name, part["run"], part["date"], facts))
    return KeptCard(
        judge=body["judge"],
        protocol=body["protocol"],
        run=body["run"],
        sentence=" ".join(filter(None, sentences)),
        parts=tuple(parts),
        body=body,
    )


def _name(protocol: str, judge: str) -> str:
    return codec.text(f"{protocol} {judge}")[:500]  # an index takes no more

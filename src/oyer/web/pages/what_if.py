"""What if a label were another: the score computed again by the protocol's own code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oyer.arith import shown
from oyer.errors import Unscored, UsageError
from oyer.types import Case, JsonObject, Protocol, Ruling, Step
from oyer.verdicts.what_if import labels, rule_with, verdict_objects
from oyer.web.site import PageRequest, Site


def labels_of(site: Site, asked: PageRequest) -> dict[str, Any]:
    """The labels of a verdict that could have been others."""
    found = _objects(site, str(asked.body.get("verdict", "")))
    if found is None:
        return {"labels": []}
    _, protocol, objects = found
    told = [
        {
            "where": label.where,
            "place": label.where.rpartition(".")[0],
            "name": label.name,
            "text": label.text,
            "value": str(label.value),
            "choices": [str(choice) for choice in label.choices],
        }
        for label in labels(protocol, objects)
    ]
    return {"labels": told}


def answer(site: Site, asked: PageRequest) -> dict[str, Any]:
    """The scores when some labels are others, and the steps that changed."""
    found = _objects(site, str(asked.body.get("verdict", "")))
    changes = asked.body.get("changes")
    if found is None or not isinstance(changes, Mapping):
        raise UsageError("There is no label to change here.")
    case, protocol, objects = found
    known = {label.where: label for label in labels(protocol, objects)}
    chosen = {}
    for where, value in changes.items():
        choices = {str(choice): choice for choice in known[where].choices} if where in known else {}
        if value not in choices:
            raise UsageError(f"'{value}' cannot stand at '{where}'.")
        chosen[where] = choices[value]
    before = rule_with(case, protocol, objects, {})
    try:
        after = rule_with(case, protocol, objects, chosen)
    except Unscored as why:
        raise UsageError(f"Then there would be no score: {why.detail}") from None
    return _told(protocol, before, after)


def _told(protocol: Protocol[Any], before: Ruling, after: Ruling) -> dict[str, Any]:
    old, new = _caps(protocol, before), _caps(protocol, after)
    return {
        "total": shown(after.total),
        "before": shown(before.total),
        "scores": {key: shown(value) for key, value in after.scores.items()},
        "lifted": [cap for cap in old if cap not in new],
        "fallen": [cap for cap in new if cap not in old],
        "steps": [_step(step) for step in after.trace if step not in before.trace],
    }


def _caps(protocol: Protocol[Any], ruling: Ruling) -> list[str]:
    """The caps that hold a score down, with the score they hold: "JL-CAP-…: coverage ≤ 7"."""
    return [
        f"{step.rule}: {step.formula}"
        for step in ruling.trace
        if protocol.is_cap(step.rule) and step.inputs.get("before") not in (None, step.value)
    ]


def _step(step: Step) -> dict[str, str]:
    value = step.value
    number = not isinstance(value, bool | str) and hasattr(value, "numerator")
    return {
        "rule": step.rule,
        "formula": step.formula,
        "value": f"{shown(value):g}" if number else str(value),
    }


def _objects(
    site: Site, verdict: str
) -> tuple[Case, Protocol[Any], Mapping[str, JsonObject]] | None:
    """The findings of the reply behind a verdict; None where there are none to change."""
    kept = site.store.verdict(verdict)
    stored = site.store.cases([kept.case_sha]).get(kept.case_sha)
    replies = site.store.replies([kept.task.ask]).get(kept.task.ask, [])
    if stored is None or not replies or kept.record["status"] != "scored":
        return None
    protocol = site.protocol(site.run(kept.run))
    try:
        objects = verdict_objects(stored.case, protocol, *(one.reply for one in replies))
    except Unscored:
        return None
    return stored.case, protocol, objects

"""What if a label were another: the score computed again by the protocol's own code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oyer.arith import round_to_show
from oyer.errors import Unscored, UsageError
from oyer.types import AnyProtocol, Case, JsonObject, Ruling, Step
from oyer.verdicts.what_if import ChangedLabel, labels, rule_with, verdict_objects
from oyer.web.site import JsonAnswer, PageRequest, Site


@dataclass(frozen=True, slots=True)
class ScoredReply:
    """What a verdict was made from: the case, and the judge's objects by metric."""

    case: Case
    protocol: AnyProtocol
    objects: Mapping[str, JsonObject]


def labels_of(site: Site, request: PageRequest) -> JsonAnswer:
    """The labels of a verdict that could have been others."""
    scored = _find_scored(site, str(request.body.get("verdict", "")))
    if scored is None:
        return {"labels": []}
    changeable = labels(scored.protocol, scored.objects)
    return {"labels": [_describe_label(label) for label in changeable]}


def answer(site: Site, request: PageRequest) -> JsonAnswer:
    """The scores when some labels are others, and the steps that changed."""
    scored = _find_scored(site, str(request.body.get("verdict", "")))
    changes = request.body.get("changes")
    if scored is None or not isinstance(changes, Mapping):
        raise UsageError("There is no label to change here.")
    case = scored.case
    protocol = scored.protocol
    objects = scored.objects
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
    return _describe_change(protocol, before, after)


def _describe_label(label: ChangedLabel) -> JsonAnswer:
    return {
        "where": label.where,
        "place": label.where.rpartition(".")[0],
        "name": label.name,
        "text": label.text,
        "value": str(label.value),
        "choices": [str(choice) for choice in label.choices],
    }


def _describe_change(protocol: AnyProtocol, before: Ruling, after: Ruling) -> JsonAnswer:
    old = _caps(protocol, before)
    new = _caps(protocol, after)
    return {
        "total": round_to_show(after.total),
        "before": round_to_show(before.total),
        "scores": {key: round_to_show(value) for key, value in after.scores.items()},
        "lifted": [cap for cap in old if cap not in new],
        "fallen": [cap for cap in new if cap not in old],
        "steps": [_step(step) for step in after.trace if step not in before.trace],
    }


def _caps(protocol: AnyProtocol, ruling: Ruling) -> list[str]:
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
        "value": f"{round_to_show(value):g}" if number else str(value),
    }


def _find_scored(site: Site, verdict_id: str) -> ScoredReply | None:
    """The findings of the reply behind a verdict; None where there are none to change."""
    verdict = site.store.verdict(verdict_id)
    stored = site.store.cases([verdict.case_sha]).get(verdict.case_sha)
    replies = site.store.replies([verdict.task.ask]).get(verdict.task.ask, [])
    if stored is None or not replies or verdict.record["status"] != "scored":
        return None
    protocol = site.protocol(site.run(verdict.run))
    try:
        objects = verdict_objects(stored.case, protocol, *(answer.reply for answer in replies))
    except Unscored:
        return None
    return ScoredReply(stored.case, protocol, objects)

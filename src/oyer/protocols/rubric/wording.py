"""A rubric's verdict in words: the critical fail, failed checks, the points and their reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from oyer.abilities import Reasons, Remark, Section
from oyer.protocols.rubric.rules import AXES
from oyer.records import VerdictRecord
from oyer.types import JsonObject, Wording


def explain(record: VerdictRecord) -> Reasons:
    """What decided the total, and why each axis has its points."""
    output = _mapping(record.get("output"))
    sections = (
        Section("critical", "Critical fail", tuple(_critical(output)), "bad"),
        Section("checks", "Checks of the rubric that failed", tuple(_checks(record)), "bad"),
        Section("said", "Why these points", tuple(_axes(record, output))),
    )
    return Reasons(
        _cause(record, output), tuple(section for section in sections if section.remarks)
    )


def tops(record: JsonObject) -> Mapping[str, float]:
    """The weights of the record's task: the highest value of each axis."""
    weights = _mapping(record.get("weights")) or _mapping(
        _mapping(record.get("output")).get("weights")
    )
    return {axis: float(weights[axis]) for axis in AXES if axis in weights}


def _cause(record: VerdictRecord, output: JsonObject) -> str:
    if "response.empty" in (record.get("notes") or ()):
        return "the response is empty"
    if output.get("critical_fail"):
        reason = output.get("critical_fail_reason")
        return f"a critical fail makes it 0{f' ({reason})' if reason else ''}"
    highest = tops(record)
    scores = record.get("scores") or {}
    lost = {axis: top - scores.get(axis, 0) for axis, top in highest.items()}
    worst = max(lost, key=lambda axis: lost[axis], default=None)
    if worst is None or not lost[worst]:
        return "every axis has all its points"
    cause = f"{_name(worst)} loses most, {lost[worst]:g} of {highest[worst]:g} points"
    failed = len(list(_checks(record)))
    return f"{cause}; {failed} of the rubric's checks failed" if failed else cause


def _critical(output: JsonObject) -> Iterator[Remark]:
    if output.get("critical_fail"):
        yield Remark(str(output.get("critical_fail_reason") or "no reason was given"))


def _checks(record: VerdictRecord) -> Iterator[Remark]:
    for check in record.get("checks") or ():
        if isinstance(check, Mapping) and not check.get("passed", True):
            yield Remark(str(check.get("id", "")), str(check.get("seen") or ""))


def _axes(record: VerdictRecord, output: JsonObject) -> Iterator[Remark]:
    highest = tops(record)
    scores = record.get("scores") or {}
    reasons = _mapping(output.get("reasoning"))
    for axis in AXES:
        if axis in scores:
            top = f" of {highest[axis]:g}" if axis in highest else ""
            points = f"{_name(axis)} {scores[axis]:g}{top}"
            yield Remark(str(reasons.get(axis) or "no reason was given"), points, f"score.{axis}")


def _name(axis: str) -> str:
    return axis.replace("_", " ")


def _mapping(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


WORDING = Wording(
    explain=explain,
    good="Out of 100, by the task's own rubric: what is good, its criteria say.",
    judged="response",
    tops=tops,
)

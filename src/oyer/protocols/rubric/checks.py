"""The findings held against the rubric and the response: every violation by its code."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from oyer.arith import round_to_show
from oyer.protocols.rubric.reply import RubricFindings, if_showable, is_defined, part, text_of
from oyer.protocols.rubric.rules import AXES, RULES, TYPE_NAMES
from oyer.text.quotes import find, source
from oyer.text.values import label, number
from oyer.types import Case, Checked, Evidence, Violation


def check(case: Case, findings: RubricFindings) -> Checked[RubricFindings]:
    """Look every quote up; name every rule that the reply breaks."""
    absent, evidence = _look_up(case, findings)
    violations = (
        *_type(findings),
        *_weights(findings),
        *_range(findings),
        *_total(findings),
        *_critical(findings),
        *_fields(findings),
        *_reasoning(findings),
        *_confidence(findings),
        *absent,
    )
    return Checked(findings, violations, evidence)


def _show(value: Fraction) -> str:
    return f"{round_to_show(value):g}" if if_showable(value) is not None else "a huge number"


def _type(findings: RubricFindings) -> Iterator[Violation]:
    """RB-TYPE."""
    rubric, reply = findings.rubric, findings.said
    if rubric.task_type is None:
        return
    stated = reply.get("task_type")
    if stated is not None and label(stated, TYPE_NAMES).value != rubric.task_type:
        detail = f"the rubric says {rubric.task_type}, the reply {_word(stated)}"
        yield Violation("task_type.wrong", "task_type", detail)
    inferred = reply.get("inferred_task_type")
    if text_of(inferred) or not isinstance(inferred, str | None):
        detail = f"the rubric has a type ({rubric.task_type}); nothing is to be inferred"
        yield Violation("inferred_task_type.misused", "inferred_task_type", detail)


def _weights(findings: RubricFindings) -> Iterator[Violation]:
    """RB-WEIGHTS."""
    for axis, stated in part(findings.said, "weights").items():
        weight = findings.weights.get(axis)
        if axis in AXES and number(stated, 100).value != weight:
            detail = f"{axis} weighs {weight}, the reply says {_word(stated)}"
            yield Violation("weights.wrong", f"weights.{axis}", detail)


def _range(findings: RubricFindings) -> Iterator[Violation]:
    """RB-AXIS: said of a critical fail's axes, too, though they are 0 then."""
    for axis, value in findings.axes.items():
        weight = findings.weights[axis]
        if value is not None and value > weight:
            counts = 0 if findings.applied else weight
            detail = f"{_show(value)} is above {weight}, and counts as {counts}"
            yield Violation("axis.range", f"score.{axis}", detail)


def _total(findings: RubricFindings) -> Iterator[Violation]:
    """RB-TOTAL: the stated total against the judge's own axes, clamped."""
    stated, axes = findings.total, findings.axes
    if findings.applied or "total_score" not in findings.said:
        return
    total = sum(min(value or 0, findings.weights[axis]) for axis, value in axes.items())
    if stated != total:
        claimed = _word(findings.said["total_score"]) if stated is None else _show(stated)
        detail = f"the axes sum to {_show(Fraction(total))}, the reply says {claimed}"
        yield Violation("arithmetic", "total_score", detail)


def _critical(findings: RubricFindings) -> Iterator[Violation]:
    """RB-CRITICAL."""
    critical, rubric = findings.critical, findings.rubric
    if not critical.said:
        if critical.reason:
            detail = "critical_fail is not true, yet there is a reason for it"
            yield Violation("critical.reason_misused", "critical_fail_reason", detail)
        return
    if not critical.reason:
        yield Violation("critical.no_reason", "critical_fail_reason", "a critical fail needs one")
    if not rubric.conditions:
        detail = "the rubric has no critical-fail conditions: not applied"
        yield Violation("critical.undefined", "critical_fail", detail)
    elif not is_defined(rubric, critical):
        detail = f"{', '.join(critical.ids)}: the rubric has {', '.join(rubric.conditions)}"
        yield Violation("critical.unknown_id", "critical_fail_id", f"{detail}: not applied")
    if findings.applied and any((*findings.axes.values(), findings.total)):
        detail = "a critical fail, yet the reply gives points: all are 0"
        yield Violation("critical.nonzero", "score", detail)


def _fields(findings: RubricFindings) -> Iterator[Violation]:
    """RB-FIELDS."""
    reply = findings.said
    if not text_of(reply.get("task_name")):
        yield Violation("field.missing", "task_name", "the name of the task is not given")
    if not part(reply, "weights") and not findings.ours:
        yield Violation("field.missing", "weights", "the weights are not given")
    if reply.get("total_score") is None and not findings.ours:
        yield Violation("field.missing", "total_score", "the total is not given")
    reasoning = part(reply, "reasoning")
    for axis in AXES:
        if not text_of(reasoning.get(axis)):
            detail = f"no reasoning is given for {axis}"
            yield Violation("field.missing", f"reasoning.{axis}", detail)


def _reasoning(findings: RubricFindings) -> Iterator[Violation]:
    """RB-REASONING."""
    longest = RULES["RB-REASONING"].values["longest"]
    reasoning = part(findings.said, "reasoning")
    for axis in AXES:
        text = reasoning.get(axis)
        if isinstance(text, str) and len(text) > longest:
            detail = f"{len(text)} characters; at most {longest}"
            yield Violation("reasoning.long", f"reasoning.{axis}", detail)


def _confidence(findings: RubricFindings) -> Iterator[Violation]:
    """RB-CONFIDENCE."""
    if findings.confidence is None:
        stated = findings.said.get("confidence")
        detail = "not stated" if stated is None else f"{_word(stated)}: not high, medium or low"
        yield Violation("confidence.unknown", "confidence", detail)


def _look_up(
    case: Case, findings: RubricFindings
) -> tuple[tuple[Violation, ...], tuple[Evidence, ...]]:
    """RB-QUOTE."""
    if not findings.quotes:
        return (), ()
    response = source("response", case.text("response"))
    spans = [(where, quote, find(quote, response)) for where, quote in findings.quotes]
    absent = tuple(
        Violation("evidence.absent", where, f"not in the response: {quote[:80]}")
        for where, quote, span in spans
        if span is None
    )
    return absent, tuple(Evidence(where, span) for where, _, span in spans if span is not None)


def _word(value: Any) -> str:
    return str(value)[:40] if isinstance(value, str | int | float) else type(value).__name__

"""Axes, total and critical fail, by the rules; and the object that the protocol prints."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from oyer.arith import round_to_show
from oyer.protocols.rubric.output import RubricOutput
from oyer.protocols.rubric.reply import RubricFindings, if_showable, part, read_stated, text_of
from oyer.protocols.rubric.rules import AXES, step
from oyer.types import Case, Checked, Number, Ruling, Step


def score(case: Case, checked: Checked[RubricFindings]) -> Ruling:
    """The ruling of a usable reply."""
    findings = checked.findings
    weights = step("RB-WEIGHTS", dict(findings.weights), sum(findings.weights.values()))
    trace = [_type_step(findings), weights]
    axes: dict[str, Fraction] = {}
    for axis in AXES:
        given = findings.axes[axis]
        weight = findings.weights[axis]
        axes[axis] = min(given or Fraction(0), Fraction(weight))
        if given is not None:
            inputs = {"axis": axis, "stated": if_showable(given), "weight": weight}
            trace.append(step("RB-AXIS", inputs, axes[axis]))
    trace += _costs(findings, axes)
    failed = [o.constraint for o in findings.outcomes if o.constraint.critical and not o.passed]
    if findings.critical.said or failed:
        if findings.applied:
            axes = dict.fromkeys(AXES, Fraction(0))
        fail: dict[str, object] = {
            "judge": bool(findings.critical.said),
            "ids": list(findings.critical.ids),
            "checks": [check.id for check in failed],
        }
        trace.append(step("RB-CRITICAL", fail, findings.applied))
    total = sum(axes.values(), Fraction(0))
    trace.append(step("RB-TOTAL", dict(axes), total))
    return Ruling(
        scores={**axes, "total": total},
        total=total,
        trace=tuple(trace),
        stated=read_stated(findings.said, findings.weights),
        output=_output(findings, axes, total),
        extra={
            "critical_fail": findings.applied,
            "confidence": findings.confidence,
            "task_type": findings.task_type,
            "weights": dict(findings.weights),
        },
    )


def _type_step(findings: RubricFindings) -> Step:
    inputs = {"rubric": findings.rubric.task_type, "inferred": findings.rubric.task_type is None}
    return step("RB-TYPE", inputs, findings.task_type)


def _costs(findings: RubricFindings, axes: dict[str, Fraction]) -> list[Step]:
    """RB-CHECK: what failed checks cost; changes `axes`."""
    steps: list[Step] = []
    for outcome in findings.outcomes:
        check = outcome.constraint
        if outcome.passed or check.axis is None:
            continue
        before = axes[check.axis]
        axes[check.axis] = max(Fraction(0), before - check.points)
        inputs = {"check": check.id, "axis": before, "points": check.points}
        steps.append(step("RB-CHECK", inputs, axes[check.axis]))
    return steps


def _output(
    findings: RubricFindings, axes: Mapping[str, Fraction], total: Fraction
) -> RubricOutput:
    """The original's object, its keys in order, our numbers in place of the judge's."""
    reply = findings.said
    reasoning = part(findings.said, "reasoning")
    failed = [o for o in findings.outcomes if o.constraint.critical and not o.passed]
    because = [f"{o.constraint.critical}: check {o.constraint.id}: {o.seen}" for o in failed]
    reason = findings.critical.reason or "; ".join(because)
    return {
        "task_name": findings.rubric.task or text_of(reply.get("task_name")),
        "task_type": findings.task_type,
        "inferred_task_type": None if findings.rubric.task_type else findings.task_type,
        "weights": dict(findings.weights),
        "score": {axis: plain(value) for axis, value in axes.items()},
        "total_score": plain(total),
        "reasoning": {axis: text_of(reasoning.get(axis)) for axis in AXES},
        "critical_fail": findings.applied,
        "critical_fail_reason": (reason or None) if findings.applied else None,
        "confidence": findings.confidence,
    }


def plain(value: Number) -> int | float:
    """A number as the original prints it: whole ones without a point."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else round_to_show(exact)

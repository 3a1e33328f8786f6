"""A panel's rubric replies as one (PANEL rules); what comes out is checked like any reply."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import chain

from oyer.protocols.rubric.reply import RubricFindings
from oyer.protocols.rubric.rules import AXES, CONFIDENCES, TYPE_NAMES
from oyer.protocols.voting import majority, middle, middle_label, nearest, plain, vote_on_listing
from oyer.types import Case, Checked, Pooled, Vote

STRICT_CONFIDENCES = tuple(reversed(CONFIDENCES))


def pool(case: Case, members: Mapping[str, Checked[RubricFindings]]) -> Pooled:
    """One object, and every vote that made it.

    Axes are the median of those who side with the panel on the critical fail and the task type: an
    overruled fail is no zero among them (RB-CRITICAL), and other weights are another scale.
    """
    findings = {name: checked.findings for name, checked in members.items()}
    fail = vote_on_listing(
        "critical fail", "critical_fail", {n: f.applied for n, f in findings.items()}
    )
    agreed = {name: f for name, f in findings.items() if f.applied is bool(fail.value)}
    types = {name: f.task_type for name, f in agreed.items()}
    kind = majority("task type", "task_type", types, TYPE_NAMES)
    siding = {name: f for name, f in agreed.items() if f.task_type == kind.value}
    axes = {axis: _axis(axis, siding, bool(fail.value)) for axis in AXES}
    sure = {name: f.confidence for name, f in findings.items() if f.confidence}
    votes = [fail, kind, *axes.values()]
    if sure:
        votes.append(middle_label("confidence", "confidence", sure, STRICT_CONFIDENCES))
    totals = {name: _total(f) for name, f in siding.items()}
    owner = nearest(totals, sum((vote.value for vote in axes.values()), Fraction(0)))
    nearest_reply = siding[owner].said
    reply: dict[str, object] = {
        "task_name": nearest_reply.get("task_name"),
        "task_type": kind.value,
        "inferred_task_type": None if siding[owner].rubric.task_type else kind.value,
        "score": {axis: plain(vote.value) for axis, vote in axes.items()},
        "reasoning": nearest_reply.get("reasoning"),
        "critical_fail": bool(fail.value),
        **_critical(siding, bool(fail.value)),
        "confidence": votes[-1].value if sure else None,
        "evidence": {axis: _quotes(axis, siding) for axis in AXES},
    }
    return Pooled((reply,), tuple(votes))


def _quotes(axis: str, siding: Mapping[str, RubricFindings]) -> list[str]:
    """What those who side with the panel quote for an axis."""
    quotes: list[str] = []
    for findings in siding.values():
        for where, quote in findings.quotes:
            if where.startswith(f"evidence.{axis}["):
                quotes.append(quote)
    return quotes


def _axis(axis: str, siding: Mapping[str, RubricFindings], failed: bool) -> Vote:
    """PANEL-MEDIAN of an axis, each number at most its weight (RB-AXIS)."""
    numbers = dict.fromkeys(siding, Fraction(0))
    if not failed:
        numbers = {name: _points(findings, axis) for name, findings in siding.items()}
    return middle(axis, f"score.{axis}", numbers)


def _total(findings: RubricFindings) -> Fraction:
    if findings.applied:
        return Fraction(0)
    return sum((_points(findings, axis) for axis in AXES), Fraction(0))


def _points(findings: RubricFindings, axis: str) -> Fraction:
    """RB-AXIS: at most the axis's weight."""
    return min(findings.axes[axis] or Fraction(0), Fraction(findings.weights[axis]))


def _critical(siding: Mapping[str, RubricFindings], failed: bool) -> dict[str, object]:
    """The reasons and ids of those who say that it fails."""
    if not failed:
        return {"critical_fail_reason": None, "critical_fail_id": None}
    criticals = [f.critical for f in siding.values() if f.critical.said]
    ids = dict.fromkeys(chain.from_iterable(critical.ids for critical in criticals))
    reasons = [critical.reason for critical in criticals if critical.reason]
    return {
        "critical_fail_reason": reasons[0] if reasons else None,
        "critical_fail_id": ", ".join(ids) or None,
    }

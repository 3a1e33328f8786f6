"""What a rubric's author sees in `oyer check`: what was understood, and all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from oyer.protocols.rubric.constraints import Constraint
from oyer.protocols.rubric.document import Rubric, read_rubric
from oyer.protocols.rubric.rules import TYPES
from oyer.types import Inspection


def inspect_rubric(text: str) -> Inspection:
    """A rubric's text as code reads it."""
    rubric, problems = read_rubric(text)
    found = sorted(problems.found, key=lambda problem: problem.line or 0)
    return Inspection(tuple(_rows(rubric)), tuple(found))


def _rows(rubric: Rubric) -> Iterator[tuple[str, str]]:
    yield "task", rubric.task or "no name"
    yield "task type", rubric.task_type or "none: the judge infers it"
    weights = rubric.weights or TYPES.get(rubric.task_type or "")
    if weights:
        source = "the rubric's own" if rubric.weights else f"those of {rubric.task_type}"
        shown = ", ".join(f"{axis} {points}" for axis, points in weights.items())
        yield "weights", f"{shown} ({source})"
    else:
        yield "weights", "those of the type that the judge infers"
    yield "axes", "; ".join(rubric.sections) or "no sections"
    for name, condition in rubric.conditions.items():
        yield "critical fail", f"{name}: {condition}"
    if not rubric.conditions:
        yield "critical fail", "none"
    yield "facts", f"{len(rubric.facts)} characters" if rubric.facts else "none"
    for check in rubric.constraints:
        yield "check", _describe(check)
    if not rubric.constraints:
        yield "check", "none"
    if rubric.unread:
        yield "for the judge only", "; ".join(rubric.unread)


def _describe(check: Constraint) -> str:
    wanted = ", ".join(f"{key} = {value}" for key, value in check.wanted.items())
    cost = "no points"
    if check.axis:
        cost = f"-{check.points} {check.axis}"
    if check.critical:
        cost = f"critical fail {check.critical}"
    return f"{check.id}: {wanted[:120]} ({cost})"

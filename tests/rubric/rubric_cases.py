"""A rubric, a reply and a verdict in one line each."""

from __future__ import annotations

import json
from typing import Any

from oyer.protocols.rubric import PROTOCOL
from oyer.protocols.rubric.rules import AXES
from oyer.types import Case, Reply, Verdict
from oyer.verdicts.core import audit

CONDITIONS = "## Critical Fail Conditions\n- CF-1: invents a fact\n- CF-2: names nobody\n"
RESPONSE = "The harbour bridge is closed on Monday, for repairs to “the deck”."


def rubric(task_type: str | None = "fact", conditions: str = CONDITIONS, more: str = "") -> str:
    head = "## Task: a notice\n" + (f"## task_type: {task_type}\n" if task_type else "")
    return f"{head}\n{conditions}\n{more}"


def said(*points: Any, **members: Any) -> dict[str, Any]:
    """A flawless reply of type fact, but for what is given; `...` leaves a member out."""
    made: dict[str, Any] = {
        "task_name": "a notice",
        "task_type": "fact",
        "inferred_task_type": None,
        "weights": dict(zip(AXES, (60, 30, 10), strict=True)),
        "score": dict(zip(AXES, points or (50, 20, 5), strict=True)),
        "total_score": sum(points) if all(type(p) is int for p in points) and points else 75,
        "reasoning": dict.fromkeys(AXES, "good"),
        "critical_fail": False,
        "critical_fail_reason": None,
        "confidence": "high",
    }
    made |= members
    return {key: value for key, value in made.items() if value is not ...}


def judged(reply: Any, text: str | None = None, response: str = RESPONSE) -> Verdict:
    fields = {"prompt": "Write a notice.", "response": response, "rubric": text or rubric()}
    written = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return audit(Case("1", fields), PROTOCOL, Reply(written, judge="judge"))


def codes(verdict: Verdict) -> list[str]:
    """What a reply broke, but for RB-FIELDS: most tests send only what they are about."""
    return [v.code for v in verdict.violations if v.code != "field.missing"]

"""A protocol that never changes: what the goldens' keys and store are made with."""

from __future__ import annotations

from typing import Any

from oyer.errors import Unscored
from oyer.types import (
    Ask,
    Case,
    Checked,
    Field,
    JsonObject,
    Prompt,
    Protocol,
    Reading,
    Rule,
    Ruling,
    Step,
)


def _read(case: Case, reading: Reading) -> JsonObject:
    for found in reading.objects:
        if isinstance(found.value.get("marks"), int):
            return found.value
    raise Unscored("missing_metric", "metric.missing", "the object has no marks", "golden")


def _check(case: Case, findings: JsonObject) -> Checked[JsonObject]:
    return Checked(findings)


def _score(case: Case, checked: Checked[JsonObject]) -> Ruling:
    marks = checked.findings["marks"]
    step = Step("GOLD-MARKS", "marks", {"marks": marks}, marks)
    return Ruling({"marks": marks}, marks, (step,), output={"marks": marks})


def _settle(case: Case) -> Ruling | None:
    """An empty text is decided by code alone."""
    if case.text("text").strip():
        return None
    step = Step("GOLD-EMPTY", "0 for an empty text", {"characters": 0}, 0)
    return Ruling({"marks": 0}, 0, (step,), output={"marks": 0})


def _prompt(case: Case, ask: Ask) -> Prompt:
    again = f"\nWrong before: {ask.complaint}" if ask.complaint else ""
    user = f"JUDGE {case.id} by {case.candidate or 'somebody'}\n{case.text('text')}{again}"
    return Prompt("Give marks.", user, nonce=ask.nonce, sha="90" * 32, max_tokens=50)


PROTOCOL: Protocol[Any] = Protocol(
    id="golden",
    version="1",
    title="Golden",
    fields=(Field("text"),),
    rules={
        "GOLD-MARKS": Rule("GOLD-MARKS", "marks", "the marks as given"),
        "GOLD-EMPTY": Rule("GOLD-EMPTY", "0", "an empty text has no marks"),
    },
    scale={"marks": (0, 10)},
    is_verdict=lambda value: "golden" if "marks" in value else None,
    read=_read,
    check=_check,
    score=_score,
    render=str,
    prompt=_prompt,
    settle=_settle,
)

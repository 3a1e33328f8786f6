"""A protocol of one mark, so that runs are tested without any real protocol's rules."""

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
        if "error" in found.value:
            raise Unscored("refused", "reply.refused", str(found.value["error"]))
        if isinstance(found.value.get("marks"), int):
            return found.value
    raise Unscored("missing_metric", "metric.missing", "the object has no marks", "toy")


def _score(case: Case, checked: Checked[JsonObject]) -> Ruling:
    marks = checked.findings["marks"]
    return Ruling({"marks": marks}, marks, (Step("TOY", "marks", {"marks": marks}, marks),))


def _prompt(case: Case, ask: Ask) -> Prompt:
    again = f"\nWrong: {ask.complaint}" if ask.complaint else ""
    user = f"CASE={case.id};{case.candidate or ''}\n{case.text('text')}{again}"
    return Prompt("Mark the text.", user, nonce=ask.nonce, sha="5" * 64, max_tokens=50)


def _settle(case: Case) -> Ruling | None:
    """Cases that code alone decides: nobody is asked."""
    return Ruling({"marks": 1}, 1, ()) if case.text("text").startswith("(code decides)") else None


def _checked(case: Case, findings: Any) -> Checked[Any]:
    return Checked(findings)


PROTOCOL: Protocol[Any] = Protocol(
    id="toy",
    version="1",
    title="Toy",
    fields=(Field("text"),),
    rules={"TOY": Rule("TOY", "marks", "the marks as given")},
    scale={"marks": (0, 10)},
    is_verdict=lambda value: "toy" if "marks" in value else None,
    read=_read,
    check=_checked,
    score=_score,
    render=str,
    prompt=_prompt,
    settle=_settle,
)

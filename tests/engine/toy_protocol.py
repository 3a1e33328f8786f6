"""A protocol of three lines and judges that say what they are told: real values, no mocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from oyer.errors import InputError, ProviderError, Unscored
from oyer.types import (
    Ask,
    Case,
    Checked,
    Field,
    JsonObject,
    Judge,
    Prompt,
    Protocol,
    Reading,
    Reply,
    Ruling,
    Step,
    Usage,
)


def _is_verdict(value: JsonObject) -> str | None:
    return "toy" if value.get("metric") == "toy" else None


def _read(case: Case, reading: Reading) -> JsonObject:
    for found in reading.objects:
        if "error" in found.value:
            raise Unscored("refused", "reply.refused", str(found.value["error"]))
        if isinstance(found.value.get("marks"), int):
            return found.value
    raise Unscored("missing_metric", "metric.missing", "the object has no marks", "toy")


def _score(case: Case, checked: Checked[JsonObject]) -> Ruling:
    marks = checked.findings["marks"]
    fail = checked.findings.get("fail")
    extra: dict[str, Any] = {} if fail is None else {"critical_fail": fail}
    value = 0 if fail else marks
    return Ruling({"marks": value}, value, (Step("TOY", "marks", {}, value),), extra=extra)


def _validate(case: Case) -> None:
    if not case.text("text").strip():
        raise InputError("is empty", field="text")


def _settle(case: Case) -> Ruling | None:
    return Ruling({"marks": 0}, 0, ()) if case.text("text") == "(nothing)" else None


def _prompt(case: Case, ask: Ask) -> Prompt:
    again = f"\nWrong: {ask.complaint}" if ask.complaint else ""
    return Prompt(
        "Mark.", f"{ask.nonce}\n{case.text('text')}{again}", nonce=ask.nonce, sha="5" * 64
    )


TOY: Protocol[JsonObject] = Protocol(
    id="toy",
    version="1",
    title="marks",
    fields=(Field("text"),),
    rules={},
    scale={"marks": (0, 100)},
    is_verdict=_is_verdict,
    read=_read,
    check=lambda case, findings: Checked(findings),
    score=_score,
    render=str,
    prompt=_prompt,
    validate=_validate,
    settle=_settle,
)


def says(marks: int, **more: Any) -> str:
    """A usable reply."""
    import json

    return json.dumps({"metric": "toy", "marks": marks, **more})


@dataclass
class Parrot(Judge):
    """Says its lines one after another, then the last one again; keeps what it was asked."""

    lines: Sequence[str | ProviderError]
    name: str = "parrot"
    cost: float | None = 0.5
    asked: list[Prompt] = field(default_factory=list)

    async def ask(self, prompt: Prompt) -> Reply:
        line = self.lines[min(len(self.asked), len(self.lines) - 1)]
        self.asked.append(prompt)
        if isinstance(line, ProviderError):
            raise line
        return Reply(line, self.name, Usage(10, 5, self.cost, 1, 0.1))

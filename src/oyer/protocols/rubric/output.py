"""What a rubric's verdict prints, typed: the original's object, keys in its order."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypedDict


class RubricOutput(TypedDict):
    """The single object of `--format protocol`; `score` and `reasoning` by axis."""

    task_name: str | None
    task_type: str | None
    inferred_task_type: str | None
    weights: Mapping[str, int] | None
    score: Mapping[str, int | float]
    total_score: int | float
    reasoning: Mapping[str, str]
    critical_fail: bool
    critical_fail_reason: str | None
    confidence: str | None


def render(output: object) -> str:
    """The single object, or why there is none."""
    return json.dumps(output, ensure_ascii=False, allow_nan=False, indent=2)

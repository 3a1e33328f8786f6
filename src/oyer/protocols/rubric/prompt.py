"""What a model is asked, with what code knows beforehand put to it as KNOWN."""

from __future__ import annotations

from oyer.protocols.prompting import PromptSheet
from oyer.protocols.rubric.constraints import CheckOutcome, decide
from oyer.protocols.rubric.document import Rubric, parse_rubric
from oyer.types import Ask, Case, Prompt

LANGUAGES = ("en", "ja")
SHEET = PromptSheet(
    __package__,
    frozenset({"RUBRIC", "KNOWN", "PROMPT", "RESPONSE"}),
    max_tokens=2048,
    names=(
        ("RUBRIC", ("rubric", "criteria", "ルーブリック")),
        ("PROMPT", ("prompt", "instruction", "question", "input", "入力プロンプト")),
        ("RESPONSE", ("response", "answer", "output", "completion", "回答")),
    ),
)


def prompt(case: Case, ask: Ask) -> Prompt:
    """The prompt of one case: in Japanese for a Japanese rubric, unless the user says otherwise."""
    rubric = parse_rubric(case.text("rubric"))
    texts = {
        "RUBRIC": case.text("rubric"),
        "KNOWN": list_known(rubric, decide(rubric.constraints, case.text("response"))),
        "PROMPT": case.text("prompt"),
        "RESPONSE": case.text("response"),
    }
    language = ask.language if ask.language in LANGUAGES else rubric.language
    return SHEET.prompt(case, ask, texts, f"prompt.{language}.md")


def list_known(rubric: Rubric, outcomes: tuple[CheckOutcome, ...]) -> str:
    """One fact a line: type, maxima, critical-fail ids, checks."""
    weights = rubric.weights_for(rubric.task_type) if rubric.task_type else rubric.weights
    maxima = ", ".join(f"{axis}={points}" for axis, points in (weights or {}).items())
    lines = [
        f"task_type: {rubric.task_type or 'the rubric names none; infer it'}",
        f"weights: {maxima or 'those of the task type'}",
        f"critical_fail_ids: {', '.join(rubric.conditions) or 'none'}",
        f"facts for the judge: {'in the rubric' if rubric.facts else 'none'}",
        *(_line(outcome) for outcome in outcomes),
    ]
    return "\n".join(lines)


def _line(outcome: CheckOutcome) -> str:
    check = outcome.constraint
    line = f"check {check.id}: {'passed' if outcome.passed else 'FAILED'} ({outcome.seen[:200]})"
    if outcome.passed:
        return line
    if check.axis:
        cost = f"{check.points} points on {check.axis}"
        line += f"; the program takes {cost} off itself, so do not deduct for it again"
    return line + (f"; this is {check.critical}" if check.critical else "")

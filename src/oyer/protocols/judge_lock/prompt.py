"""What a model is asked: `prompt.md`, or the user's own template, with both texts fenced."""

from __future__ import annotations

from oyer.protocols.prompting import PromptSheet
from oyer.types import Ask, Case, Prompt

SHEET = PromptSheet(
    __package__,
    frozenset({"ARTICLE", "SUMMARY"}),
    names=(("ARTICLE", ("article", "document", "source", "text")), ("SUMMARY", ("summary",))),
)


def prompt(case: Case, ask: Ask) -> Prompt:
    """The one-shot prompt of one case."""
    texts = {"ARTICLE": case.text("article"), "SUMMARY": case.text("summary")}
    return SHEET.prompt(case, ask, texts, "prompt.md")

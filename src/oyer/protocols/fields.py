"""The fields of our protocols' cases, and their flags. Light: the command line reads it first."""

from __future__ import annotations

from oyer.types import Field

ARTICLE = Field("article", help="the text that was summarised", flags=("--article",))
SUMMARY = Field("summary", help="the summary to judge", flags=("--summary",))
PROMPT = Field(
    "prompt", help="what the model was asked", flags=("--prompt",), folder="prompts"
)  # fmt: skip
RESPONSE = Field(
    "response",
    help="what it answered: the text to judge",
    flags=("--response",),
    folder="answers",
)
RUBRIC = Field(
    "rubric",
    help="the task's rubric: Markdown text, or a path to it",
    file=True,
    flags=("--rubric",),
    folder="rubrics",
)
DECISION_ID = Field(
    "decisionId",
    help="the decision's id (an ECLI), exactly as the ids embed it",
    flags=("--decision-id", "--decisionId"),
    literal=True,
)
LANGUAGE = Field(
    "proceduralLanguage",
    help="FR or NL",
    flags=("--procedural-language", "--proceduralLanguage"),
    literal=True,
)
SOURCE_TEXT = Field(
    "sourceText", help="the whole decision", flags=("--source-text", "--sourceText")
)  # fmt: skip
EXTRACTED = Field("extracted", "json", help='{"citedProvisions": [...]}', flags=("--extracted",))

#: In the order that `oyer judge --help` shows.
ALL = (
    ARTICLE,
    SUMMARY,
    PROMPT,
    RESPONSE,
    RUBRIC,
    SOURCE_TEXT,
    EXTRACTED,
    DECISION_ID,
    LANGUAGE,
)

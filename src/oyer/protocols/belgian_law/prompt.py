"""What a model is asked: `prompt.md`, with source, extraction and doubtful citations fenced.

The model gets the citations that the engine is unsure of, never the engine's verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from oyer.cite import Citation, day_of_decision
from oyer.protocols.belgian_law.compare import citations
from oyer.protocols.belgian_law.extraction import read_case
from oyer.protocols.prompting import PromptSheet
from oyer.types import Ask, Case, Prompt

SHEET = PromptSheet(
    __package__,
    frozenset({"DECISION", "SOURCE", "EXTRACTED", "DOUBTFUL"}),
    names=(
        ("DECISION", ("decisionid", "decision")),
        ("SOURCE", ("sourcetext", "source", "text")),
        ("EXTRACTED", ("extracted", "extraction", "citedprovisions")),
    ),
)

#: More doubts than this help no reader.
MOST_DOUBTS = 60


def prompt(case: Case, ask: Ask) -> Prompt:
    """The prompt of one case."""
    read = read_case(case)
    texts = {
        "DECISION": f"decisionId: {case.text('decisionId')}\n"
        f"proceduralLanguage: {case.text('proceduralLanguage')}",
        "SOURCE": case.text("sourceText"),
        "EXTRACTED": number_items(case.fields.get("extracted")),
        "DOUBTFUL": doubts(citations(read.text, read.language, day_of_decision(read.decision))),
    }
    return SHEET.prompt(case, ask, texts, "prompt.md")


def number_items(extracted: Any) -> str:
    """The extraction with one item a line, after its number: judges name items by it."""
    given = json.loads(extracted) if isinstance(extracted, str) else extracted
    rows = given["citedProvisions"]  # `read_case` has read it before
    lines = [f"{n} {json.dumps(row, ensure_ascii=False)}" for n, row in enumerate(rows)]
    rest = {name: value for name, value in given.items() if name != "citedProvisions"}
    if rest:
        lines.append(f"besides: {json.dumps(rest, ensure_ascii=False)}")
    return "\n".join(lines) or "nothing was extracted"


def doubts(found: Iterable[Citation]) -> str:
    """The citations that the engine is not sure of, one a line."""
    lines = [
        f"- at {c.start}: “{c.quote}” (article {c.key}; act: {c.act.name or 'unknown'})"
        for c in found
        if not c.certain or c.act.id is None
    ]
    more = len(lines) - MOST_DOUBTS
    return "\n".join(lines[:MOST_DOUBTS] + ([f"- and {more} more"] if more > 0 else [])) or "none"

"""What a model is asked: `prompt.md`, with source, extraction and doubtful citations fenced.

The model gets the citations that the engine is unsure of, never the engine's verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from oyer.cite import Citation, decided
from oyer.protocols.belgian_law.compare import citations
from oyer.protocols.belgian_law.extraction import read_case
from oyer.protocols.prompting import Sheet
from oyer.types import Ask, Case, Prompt

SHEET = Sheet(__package__, frozenset({"DECISION", "SOURCE", "EXTRACTED", "DOUBTFUL"}))

#: More doubts than this help no reader.
MOST_DOUBTS = 60


def prompt(case: Case, ask: Ask) -> Prompt:
    """The prompt of one case."""
    read = read_case(case)
    extracted = case.fields.get("extracted")
    texts = {
        "DECISION": f"decisionId: {case.text('decisionId')}\n"
        f"proceduralLanguage: {case.text('proceduralLanguage')}",
        "SOURCE": case.text("sourceText"),
        "EXTRACTED": extracted
        if isinstance(extracted, str)
        else json.dumps(extracted, ensure_ascii=False, indent=1),
        "DOUBTFUL": doubts(citations(read.text, read.language, decided(read.decision))),
    }
    return SHEET.prompt(case, ask, texts, "prompt.md")


def doubts(found: Iterable[Citation]) -> str:
    """The citations that the engine is not sure of, one a line."""
    lines = [
        f"- at {c.start}: “{c.quote}” (article {c.key}; act: {c.act.name or 'unknown'})"
        for c in found
        if not c.certain or c.act.id is None
    ]
    more = len(lines) - MOST_DOUBTS
    return "\n".join(lines[:MOST_DOUBTS] + ([f"- and {more} more"] if more > 0 else [])) or "none"

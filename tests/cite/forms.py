"""The table of citation forms, read for the tests that run it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from oyer.cite import Citation, Language


class Form(NamedTuple):
    rule: str
    language: Language
    sentence: str
    expected: str
    reason: str


def forms() -> list[Form]:
    lines = (Path(__file__).parent / "forms.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [
        Form(rule, "fr" if language == "fr" else "nl", sentence.replace("¶", "\n"), expected, why)
        for rule, language, sentence, expected, why in rows
    ]


def shown(citation: Citation) -> str:
    """A citation as the table writes it."""
    parts = [citation.act.id or "-", citation.key, *citation.path]
    if citation.open:
        parts.append("…")
    if citation.act.id and not citation.certain:
        parts.append("?")
    return " ".join(parts)

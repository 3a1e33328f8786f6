"""What docs/cite.md says, checked."""

from __future__ import annotations

import json
import re
from pathlib import Path

from oyer.cite import cite, record
from oyer.cite.lexicon import rows
from tests.cite.forms import forms, shown

PAGE = (Path(__file__).resolve().parents[2] / "docs/cite.md").read_text(encoding="utf-8")


def test_every_example_is_read_as_the_page_says() -> None:
    examples = re.findall(r"^\| (BL-\w+) \| (fr|nl) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
    assert len(examples) >= 25
    for rule, language, text, expected in examples:
        found = cite(text, "fr" if language == "fr" else "nl")
        assert "; ".join(shown(c) for c in found) == expected, rule


def test_the_line_of_json() -> None:
    line = next(row for row in PAGE.splitlines() if row.startswith('{"quote"'))
    text = "En vertu de l'article 31, § 2, alinéa 1er, de la loi du 10 mai 2007"
    assert [json.loads(line)] == [record(c) for c in cite(text)]


def test_the_counts() -> None:
    names = list(rows("acts.tsv", 5))
    assert len(names) > 2000
    assert "more than 2,000 names" in PAGE
    assert len({row[0] for row in names}) > 400
    assert "of some 400 acts" in PAGE
    assert f"{len(forms())} of them" in PAGE


def test_the_table_of_confidence_is_the_engines() -> None:
    for way, share, places in rows("confidence.tsv", 3):
        line = next(text for text in PAGE.splitlines() if text.startswith(f"| `{way}` |"))
        assert line.endswith(f"| {share} | {places} |"), way

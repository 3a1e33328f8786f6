"""Texts of a few words: scored by the same rules, and marked where people look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import oyer
from oyer.cli import main

ARTICLE = (
    "The council closes the old bridge in March for eleven weeks. Engineers found cracks in two "
    "of its six bearings in November. Buses will take the Station Road."
)
SUMMARY = "The council closes the old bridge for eleven weeks in March."


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
@pytest.mark.parametrize(
    ("article", "summary", "told"),
    [
        ("Fire.", "Fire.", "article 1 word, summary 1 word"),
        ("Dog bites man.", "Man bites dog.", "article 3 words, summary 3 words"),
        (ARTICLE, "Bridge.", "summary 1 word"),
        (ARTICLE, SUMMARY, None),  # 27 words and 11: enough
        ("word " * 23, SUMMARY, "article 23 words"),
        ("word " * 24, SUMMARY, None),
        (ARTICLE, "word " * 9, "summary 9 words"),
        (ARTICLE, "word " * 10, None),
    ],
)
def test_the_verdict_says_which_text_is_too_short(
    protocol: str, article: str, summary: str, told: str | None
) -> None:
    verdict = oyer.judge(protocol, {"article": article, "summary": summary}, "embedded:light")
    assert verdict.extra.get("too_short") == told


def test_it_is_the_texts_fault_whoever_judges() -> None:
    verdict = oyer.audit("twin-lock", {"article": "Fire.", "summary": "Fire."}, '{"error": "no"}')
    assert verdict.extra["too_short"] == "article 1 word, summary 1 word"


def test_people_see_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    rows = [{"article": "Dog bites man.", "summary": "Man bites dog."},
            {"article": ARTICLE, "summary": SUMMARY}]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    store = str(tmp_path / "oyer.db")
    judge = ["judge", "twin-lock", str(file), "--judge", "embedded:light", "--store", store]
    assert main(judge) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if "too short to be" in line]
    assert len(marked) == 1
    assert main(["leaderboard", "--store", store]) == 0
    assert "1 verdict is on texts too short" in " ".join(capsys.readouterr().out.split())
    assert main(["report", "-o", str(tmp_path / "r.html"), "--store", store]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "1 verdict is on texts too short to be judged reliably" in page

"""A summary that is its article: scored by the same rules, and told where people look."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import oyer
from oyer.cli import main

ARTICLE = (
    "The council closes the old bridge in March for eleven weeks. Engineers found cracks in two "
    "of its six bearings in November. Buses will take the Station Road. The work costs 2.4 million "
    "euros, of which the region pays half. Shopkeepers in the Station Road fear the noise."
)
SUMMARY = "The council closes the old bridge for eleven weeks in March; two bearings have cracks."
BULLETS = "".join(f"- {sentence}.\n" for sentence in ARTICLE.strip(".").split(". "))
SENTENCES = ARTICLE.split(". ")
JAPANESE = (
    "市議会は三月に古い橋を閉鎖する。技術者は十一月に軸受のひび割れを見つけた。"
    "バスは駅前通りを走る。"
)
REFUSAL = '{"error": "no"}'


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
@pytest.mark.parametrize(
    ("summary", "told"),
    [
        (ARTICLE, "100 % of the article"),
        (ARTICLE.upper(), "100 % of the article"),
        (BULLETS, "100 % of the article"),
        (". ".join(reversed(SENTENCES)), "100 % of the article"),  # another order is no shortening
        (f"In short: {ARTICLE} Read more on page 4.", "100 % of the article"),
        (ARTICLE.replace("March", "April"), "97 % of the article"),  # also if a word is wrong
        (ARTICLE.replace("March", "April").replace("half", "all"), "95 % of the article"),
        (". ".join(SENTENCES[:-1]), None),  # 41 words of 49
        (SUMMARY, None),
        (SUMMARY * 4, None),  # long, but not the article
    ],
)
def test_the_record_says_how_much_of_the_article_is_copied(
    protocol: str, summary: str, told: str | None
) -> None:
    verdict = oyer.audit(protocol, {"article": ARTICLE, "summary": summary}, REFUSAL)
    assert verdict.extra.get("copied") == told


@pytest.mark.parametrize(
    ("article", "summary", "told"),
    [
        ("Fire.", "Fire.", "100 % of the article"),
        ("Dog bites man.", "Man bites dog.", None),
        ("…", "…", None),  # no words, nothing to copy
        ("la " * 500, "la " * 50, None),  # fewer words are fewer words
        (f"{'   ' * 40}{ARTICLE}", ARTICLE, "100 % of the article"),
        (JAPANESE, JAPANESE, "100 % of the article"),
        (JAPANESE, JAPANESE[: len(JAPANESE) // 2], None),
    ],
)
def test_odd_texts(article: str, summary: str, told: str | None) -> None:
    verdict = oyer.audit("twin-lock", {"article": article, "summary": summary}, REFUSAL)
    assert verdict.extra.get("copied") == told


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
def test_the_first_line_tells_a_copy(
    protocol: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(ARTICLE, encoding="utf-8")
    both = ["--article", str(file), "--summary", str(file), "--judge", "embedded:light"]
    assert main(["judge", protocol, *both]) == 0
    head = " ".join(capsys.readouterr().out.partition("\ncase ")[0].split())
    assert head.startswith("10 of 10: ")  # the arithmetic is the protocol's
    assert head.endswith("the summary copies 100 % of the article, which no score counts")


def test_people_see_it_among_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    rows = [{"article": ARTICLE, "summary": summary} for summary in (ARTICLE, SUMMARY)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    store = str(tmp_path / "oyer.db")
    judge = ["judge", "twin-lock", str(file), "--judge", "embedded:light", "--store", store]
    assert main(judge) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if "copies 100 %" in line]
    assert len(marked) == 1
    assert main(["leaderboard", "--store", store]) == 0
    told = "1 verdict is on a summary that copies its article, which no score counts."
    assert told in " ".join(capsys.readouterr().out.split())
    assert main(["report", "-o", str(tmp_path / "r.html"), "--store", store]) == 0
    assert told in (tmp_path / "r.html").read_text(encoding="utf-8")

"""Mails, minutes, tables and interviews are read for what they say; no question is asked twice."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from oyer.judges.embedded import questions
from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.perception import Perceived, perceive

TEXTS = tomllib.loads((Path(__file__).parent / "development.toml").read_text())["text"]
PHONE = (
    "The new phone has a battery. The battery lasts two days. Its camera is poor and its price is "
    "300 euros. Reviewers liked the screen. It will be sold from May in Europe."
)
MUTE = ("From:", "To:", "Subject:", "Sent:", "Present:", "Q:", "Dear", "City museum: opening")


def seen(article: str, summary: str) -> Perceived:
    return perceive(article, summary, scorer("light"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda t: t["kind"])
def test_key_points_are_what_the_text_says(text: dict[str, str]) -> None:
    found = seen(text["text"], text["pairs"][0][1])
    points = [found.source.text[p.start : p.end] for p, _ in found.points]
    assert len(points) >= 4
    assert not [p for p in points if p.startswith(MUTE) or p.endswith("?")]


@pytest.mark.parametrize("text", TEXTS, ids=lambda t: t["kind"])
def test_six_questions_are_about_six_things(text: dict[str, str]) -> None:
    summary = " ".join(pair[1] for pair in text["pairs"][:4])
    found = seen(text["text"], summary)
    for answers in (questions.coverage(found), questions.hallucination(found)):
        masked = [a.masked.lower() for a in answers if a.masked]
        assert len(masked) == len(set(masked)) == 6
        assert not [m for m in masked if m.isdigit() and len(m) == 2 and f":{m}" in text["text"]]


def test_one_word_is_asked_for_once_and_a_thin_summary_says_so() -> None:
    found = seen(PHONE, "The battery is a battery with a battery.")
    answers = questions.hallucination(found)
    assert [a.masked for a in answers if a.masked] == ["battery"]
    assert [a.status for a in answers].count("Wrong") == 5

"""EX-GRADE against marks given by hand: 296 answers in English, French, Dutch and Japanese."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from oyer.judges.exam import GradedQuestion, grade
from oyer.judges.exam.grade import words_of
from oyer.judges.exam.steps import Question
from oyer.judges.exam.to_reply import HeardText, Objects, _lift

HERE = Path(__file__).parent


def rows(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", ["exam_marks.tsv", "exam_marks_fresh.tsv"])
def test_code_marks_as_people_do(name: str) -> None:
    """At least 95 in 100; before this grader they were 53."""
    agreed: Counter[str] = Counter()
    given: Counter[str] = Counter()
    for language, question, expected, answer, mark in rows(name):
        given[language] += 1
        agreed[language] += grade(GradedQuestion(expected, question), answer, language) == mark
    assert set(given) == {"en", "fr", "nl", "ja"}
    assert sum(agreed.values()) >= 0.95 * sum(given.values()), agreed
    assert all(agreed[language] >= 0.9 * given[language] for language in given), agreed


def test_there_are_enough_of_them() -> None:
    every = rows("exam_marks.tsv") + rows("exam_marks_fresh.tsv")
    assert len(every) == len({tuple(row[:4]) for row in every}) >= 200


@pytest.mark.parametrize(
    ("expected", "given", "wording", "mark", "why"),
    [
        (
            "protected bicycle lanes",
            "protected cycle paths",
            "protected bicycle lanes, the new cycle paths",
            "Correct",
            "other words of the place that holds the answer",
        ),
        (
            "guilty of fraud and theft",
            "guilty of fraud",
            "found guilty of fraud and theft",
            "Partial",
            "less than was asked for",
        ),
        (
            "protected bicycle lanes",
            "protected cycle paths",
            "",
            "Partial",
            "words that stand elsewhere",
        ),
        ("Jones", "Smith", "Smith sued Jones", "Wrong", "another name of the same place"),
    ],
)
def test_the_articles_own_wording_counts(
    expected: str, given: str, wording: str, mark: str, why: str
) -> None:
    assert grade(GradedQuestion(expected, "", wording), given, "en") == mark, why


def test_what_was_not_heard_earns_nothing() -> None:
    """EX-HEARD holds for figures and surnames too."""
    heard = words_of("The alderman said that cyclists had doubled.", "en")
    assert grade(GradedQuestion("Filip Watteeuw"), "Watteeuw", "en", heard) == "Wrong"
    assert grade(GradedQuestion("45 kilometres"), "forty-five kilometres", "en", heard) == "Wrong"
    heard = words_of("Watteeuw spoke of forty-five kilometres.", "en")
    assert grade(GradedQuestion("Filip Watteeuw"), "Watteeuw", "en", heard) == "Correct"
    assert grade(GradedQuestion("45 kilometres"), "45 kilometres", "en", heard) == "Correct"


@pytest.mark.parametrize(
    ("status", "claim", "mark"),
    [
        ("Supported", "The council of Ghent approved the plan", "Correct"),
        ("Unsupported", "The council of Ghent approved the plan", "Partial"),
        ("Supported", "The plan costs 3.5 million euros", "Partial"),
    ],
)
def test_a_supported_claim_lifts_a_partial_answer(status: str, claim: str, mark: str) -> None:
    marks: Objects = [{"q": "hidden", "status": "Partial", "evidence": "the council approved it"}]
    questions = [Question("Who approved the plan?", "the council of Ghent")]
    claims: Objects = [{"claim": claim, "span": "", "status": status, "evidence": ""}]
    lifted = _lift(
        marks, questions, claims, HeardText.of("The council of Ghent approved the plan.")
    )
    assert lifted[0]["status"] == mark

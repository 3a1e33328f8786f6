"""What each step of the exam writes: read leniently, complained about strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from oyer.text.fold import fold
from oyer.text.quotes import find, source
from oyer.text.words import detect, keywords
from oyer.types import JsonObject

QUESTIONS = 6
POINTS = (4, 7)
CLAIMS = 10


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the answer that earns the mark."""

    text: str
    answer: str
    evidence: str = ""  # the words of the article that hold it


@dataclass(frozen=True, slots=True)
class Paper:
    """The exam set on an article."""

    theme: str
    aspects: Mapping[str, str]
    points: tuple[str, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """What a summary claims, asks and sounds like, taken down from it alone."""

    claims: tuple[tuple[str, str], ...]  # claim, span
    questions: tuple[Question, ...]
    manner: JsonObject  # tone, issues_found, bias_score, tox_score


def read_paper(given: JsonObject, article: str) -> tuple[Paper, list[str]]:
    """The exam, and what is wrong with it."""
    faults: list[str] = []
    points = tuple(p for item in _items(given, "key_points") if (p := _text(item, "point")))
    if not POINTS[0] <= len(points) <= POINTS[1]:
        faults.append(f"key_points: {len(points)} of them, not {POINTS[0]} to {POINTS[1]}")
    questions = []
    for n, item in enumerate(_items(given, "questions")[:QUESTIONS], 1):
        evidence = _text(item, "evidence")
        question = Question(_text(item, "question"), _text(item, "answer"), evidence)
        if not (question.text and question.answer):
            faults.append(f"questions[{n}]: needs a question and an answer")
        elif not _is_grounded(question.answer, evidence, article):
            faults.append(f"questions[{n}]: the ARTICLE does not hold its answer or its evidence")
        else:
            questions.append(question)
    if len(questions) != QUESTIONS:
        faults.append(f"questions: {len(questions)} usable ones, not exactly {QUESTIONS}")
    aspects = {name: _text(given, name) for name in ("intent", "stance", "tone")}
    theme = _text(given, "theme")
    return Paper(theme, aspects, points[: POINTS[1]], tuple(questions)), faults


def _is_grounded(answer: str, evidence: str, article: str) -> bool:
    """Whether the article holds the answer: its evidence verbatim, or all its keywords."""
    if evidence and find(evidence, source("article", article)) is not None:
        return True
    language = detect(article)
    wanted = keywords(answer, language)
    if wanted:
        return wanted <= keywords(article, language)
    return fold(answer) in fold(article)


def read_notes(given: JsonObject) -> tuple[Notes, list[str]]:
    """The summary's claims and questions, and what is wrong with them."""
    faults: list[str] = []
    claims = tuple(
        (claim, _text(item, "span"))
        for item in _items(given, "claims")
        if (claim := _text(item, "claim"))
    )
    if not claims:
        faults.append("claims: there are none")
    questions = tuple(
        Question(text, answer)
        for item in _items(given, "questions")[:QUESTIONS]
        if (text := _text(item, "question")) and (answer := _text(item, "answer"))
    )
    if len(questions) != QUESTIONS:
        faults.append(f"questions: {len(questions)} usable ones, not exactly {QUESTIONS}")
    keys = ("tone", "issues_found", "bias_score", "tox_score")
    faults += [f"{key}: is missing" for key in keys if key not in given]
    return Notes(claims[:CLAIMS], questions, {k: given[k] for k in keys if k in given}), faults


def read_answers(given: JsonObject, wanted: Mapping[str, int]) -> list[str]:
    """What is wrong with numbered answers: `wanted` is how many each list needs."""
    return [
        f"{key}: no answer to number {missing[0]}"
        for key, count in wanted.items()
        if (missing := sorted(set(range(1, count + 1)) - set(by_number(given, key))))
    ]


def by_number(given: JsonObject, key: str) -> dict[int, JsonObject]:
    """The items of a list by their number "n"; without numbers, by their place."""
    items = _items(given, key)
    by_number: dict[int, JsonObject] = {}
    for place, item in enumerate(items, 1):
        n = item.get("n", place)
        if isinstance(n, str) and n.strip().isdecimal():
            n = int(n)
        if isinstance(n, int) and not isinstance(n, bool):
            by_number.setdefault(n, item)
    return by_number


def _items(given: JsonObject, key: str) -> Sequence[JsonObject]:
    value = given.get(key)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _text(given: JsonObject, key: str) -> str:
    value = given.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""

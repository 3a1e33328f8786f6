"""The exam's results as the reply a one-shot judge would have given: one reader for both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oyer.judges.exam.grade import grade, words_of
from oyer.judges.exam.steps import Notes, Paper, Question, numbered
from oyer.text.words import detect
from oyer.types import JsonObject

Objects = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Results:
    """What the four steps of one summary's exam gave."""

    paper: Paper
    notes: Notes
    sitting: JsonObject
    checking: JsonObject
    article: Heard
    summary: Heard


@dataclass(frozen=True, slots=True)
class Heard:
    """A text that answers are drawn from: its language, and its words (EX-HEARD)."""

    language: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Heard:
        language = detect(text)
        return cls(language, words_of(text, language))


def judge_lock(r: Results) -> Objects:
    """The five objects of judge-lock."""
    return [
        {
            "metric": "coverage",
            "key_points": _points(r.paper, r.sitting),
            "qag_results": _marks(r.paper.questions, r.sitting, r.summary),
            "rationale": "exam: the article's questions, answered from the summary alone",
        },
        _alignment(r.paper, r.sitting),
        {
            "metric": "hallucination",
            "claims_checked": _claims(r.notes, r.checking),
            "qag_results": _marks(r.notes.questions, r.checking, r.article),
            "rationale": "exam: the summary's claims and questions, put to the article alone",
        },
        _relevance(r.paper),
        _manner(r.notes),
    ]


def twin_lock(r: Results) -> Objects:
    """The five objects of twin-lock: no question loop; `Partially` for a claim's Partial."""
    points = [{**point, "justification": ""} for point in _points(r.paper, r.sitting)]
    claims = [
        {**claim, "status": "Partially" if claim["status"] == "Partial" else claim["status"],
         "justification": ""}
        for claim in _claims(r.notes, r.checking)
    ]  # fmt: skip
    # TL-EXTRANEOUS counts every Unsupported claim by itself, so the list of texts stays empty.
    return [
        {
            "metric": "coverage",
            "key_points": points,
            "extraneous": [],
            "rationale": "exam: the article's points, looked for in the summary alone",
        },
        _alignment(r.paper, r.sitting),
        {
            "metric": "hallucination",
            "claims_checked": claims,
            "rationale": "exam: the summary's claims, put to the article alone",
        },
        _relevance(r.paper),
        _manner(r.notes),
    ]


COMPOSERS = {"judge-lock": judge_lock, "twin-lock": twin_lock}
#: Which protocols have a question loop; the other's exam asks no questions.
QUESTIONED = frozenset({"judge-lock"})


def as_text(objects: Objects) -> str:
    """One object a line, one blank line between: the format that both protocols prescribe."""
    return "\n\n".join(json.dumps(o, ensure_ascii=False, separators=(",", ":")) for o in objects)


def _points(paper: Paper, sitting: JsonObject) -> Objects:
    given = numbered(sitting, "points")
    return [
        {
            "point": point,
            "coverage": given.get(n, {}).get("coverage", "Not"),
            "evidence": given.get(n, {}).get("evidence", ""),
        }
        for n, point in enumerate(paper.points, 1)
    ]


def _marks(questions: Sequence[Question], answers: JsonObject, source: Heard) -> Objects:
    given = numbered(answers, "answers")
    marks = []
    for n, question in enumerate(questions, 1):
        item = given.get(n, {})
        answer = item.get("answer")
        said = "" if answer is None else str(answer)
        status = grade(question.answer, said, source.language, source.words)
        evidence = item.get("evidence", "") if status != "Wrong" else ""
        marks.append({"q": "hidden", "status": status, "evidence": evidence})
    return marks


def _claims(notes: Notes, checking: JsonObject) -> Objects:
    """A claim that nobody checked is not Supported: the label falls to the lowest."""
    given = numbered(checking, "claims")
    return [
        {
            "claim": claim,
            "status": given.get(n, {}).get("status", "Unsupported"),
            "span": span,
            "evidence": given.get(n, {}).get("evidence", ""),
        }
        for n, (claim, span) in enumerate(notes.claims, 1)
    ]


def _alignment(paper: Paper, sitting: JsonObject) -> dict[str, Any]:
    """The judge's own number as it was said: caps are the protocol's (JL-CAP-SEVERE), not ours."""
    made: dict[str, Any] = {
        "metric": "alignment",
        "aspects": dict(paper.aspects),
        "deviations": sitting.get("deviations", []),
        "rationale": "exam: the summary against the article's intent, stance and tone",
    }
    if "alignment" in sitting:
        made["overall_score"] = sitting["alignment"]
    return made


def _relevance(paper: Paper) -> dict[str, Any]:
    return {"metric": "relevance", "article_theme": paper.theme, "rationale": "computed"}


def _manner(notes: Notes) -> dict[str, Any]:
    return {"metric": "bias_toxicity", **notes.manner, "rationale": "exam: from the summary alone"}

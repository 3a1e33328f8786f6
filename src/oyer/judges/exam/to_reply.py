"""The exam's results as findings, which the protocol turns into the reply of a one-shot judge."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.judges.exam.grade import GradedQuestion, grade, words_of
from oyer.judges.exam.steps import Notes, Paper, Question, by_number
from oyer.text.words import detect
from oyer.types import JsonObject, SummaryFindings

Objects = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Results:
    """What the four steps of one summary's exam gave."""

    paper: Paper
    notes: Notes
    sitting: JsonObject
    checking: JsonObject
    article: HeardText
    summary: HeardText


@dataclass(frozen=True, slots=True)
class HeardText:
    """A text that answers are drawn from: its language, and its words (EX-HEARD)."""

    language: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> HeardText:
        language = detect(text)
        return cls(language, words_of(text, language))


def findings(r: Results) -> SummaryFindings:
    """What the four steps found, marked by code; the protocol gives it the form of its reply."""
    claims = _claims(r.notes, r.checking)
    return SummaryFindings(
        points=_points(r.paper, r.sitting),
        claims=claims,
        coverage_pairs=_marks(r.paper.questions, r.sitting, r.summary),
        hallucination_pairs=_lift(
            _marks(r.notes.questions, r.checking, r.article), r.notes.questions, claims, r.summary
        ),
        alignment=_alignment(r.paper, r.sitting),
        relevance=_relevance(r.paper),
        bias_toxicity=_manner(r.notes),
    )


def as_text(objects: Objects) -> str:
    """One object a line, one blank line between: the format that both protocols prescribe."""
    return "\n\n".join(json.dumps(o, ensure_ascii=False, separators=(",", ":")) for o in objects)


def _points(paper: Paper, sitting: JsonObject) -> Objects:
    given = by_number(sitting, "points")
    return [
        {
            "point": point,
            "coverage": given.get(n, {}).get("coverage", "Not"),
            "evidence": given.get(n, {}).get("evidence", ""),
        }
        for n, point in enumerate(paper.points, 1)
    ]


def _marks(questions: Sequence[Question], answers: JsonObject, source: HeardText) -> Objects:
    given = by_number(answers, "answers")
    marks = []
    for n, question in enumerate(questions, 1):
        item = given.get(n, {})
        answer = item.get("answer")
        text = "" if answer is None else str(answer)
        asked = GradedQuestion(question.answer, question.text, question.evidence)
        status = grade(asked, text, source.language, source.words)
        evidence = item.get("evidence", "") if status != "Wrong" else ""
        marks.append({"q": "hidden", "status": status, "evidence": evidence})
    return marks


def _lift(
    marks: Objects, questions: Sequence[Question], claims: Objects, summary: HeardText
) -> Objects:
    """EX-GRADE: Partial becomes Correct where a Supported claim says the whole expected answer.

    The answer and the claim come from the same words of the summary: what the article supports
    as a claim, it answers as a question.
    """
    supported = [
        words_of(f"{claim['claim']} {claim['span']}", summary.language)
        for claim in claims
        if claim["status"] == "Supported"
    ]
    for mark, question in zip(marks, questions, strict=True):
        wanted = words_of(question.answer, summary.language)
        if mark["status"] == "Partial" and wanted and any(wanted <= words for words in supported):
            mark["status"] = "Correct"
    return marks


def _claims(notes: Notes, checking: JsonObject) -> Objects:
    """A claim that nobody checked is not Supported: the label falls to the lowest."""
    given = by_number(checking, "claims")
    return [
        {
            "claim": claim,
            "status": given.get(n, {}).get("status", "Unsupported"),
            "span": span,
            "evidence": given.get(n, {}).get("evidence", ""),
        }
        for n, (claim, span) in enumerate(notes.claims, 1)
    ]


def _alignment(paper: Paper, sitting: JsonObject) -> dict[str, object]:
    """The judge's own number as it was said: caps are the protocol's (JL-CAP-SEVERE), not ours."""
    alignment: dict[str, object] = {
        "metric": "alignment",
        "aspects": dict(paper.aspects),
        "deviations": sitting.get("deviations", []),
        "rationale": "exam: the summary against the article's intent, stance and tone",
    }
    if "alignment" in sitting:
        alignment["overall_score"] = sitting["alignment"]
    return alignment


def _relevance(paper: Paper) -> dict[str, object]:
    return {"metric": "relevance", "article_theme": paper.theme, "rationale": "computed"}


def _manner(notes: Notes) -> dict[str, object]:
    return {"metric": "bias_toxicity", **notes.manner, "rationale": "exam: from the summary alone"}

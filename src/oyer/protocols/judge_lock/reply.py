"""What a judge-lock reply says, typed: nothing is checked yet."""

from __future__ import annotations

from typing import Any, NamedTuple

from oyer.protocols.judge_lock.prompt import SHEET
from oyer.protocols.summary.findings import (
    POINT_LABELS,
    Common,
    Desk,
    FindingLabels,
    Shape,
    metric_objects,
    read_common,
    text_of,
)
from oyer.protocols.summary.measure import Measured
from oyer.text.fold import fold
from oyer.types import Case, LabelSite, Reading

PAIR_LABELS = FindingLabels(
    ("Correct", "Partial", "Wrong"),
    {"Partially": "Partial", "Partially correct": "Partial", "Incorrect": "Wrong"},
)
CLAIM_LABELS = FindingLabels(
    ("Supported", "Partial", "Unsupported"),
    {"Partially": "Partial", "Partially supported": "Partial", "Not supported": "Unsupported",
     "Contradicted": "Unsupported"},
)  # fmt: skip
ISSUE_TYPES = {
    kind: kind
    for kind in ("slur", "profanity", "stereotype", "subjectivity", "bias", "toxicity")
}  # fmt: skip
LABEL_SITES = (
    LabelSite("hallucination", "claims_checked", "status", CLAIM_LABELS.allowed,
              CLAIM_LABELS.read, "claim", "claim"),
    LabelSite("coverage", "key_points", "coverage", POINT_LABELS.allowed,
              POINT_LABELS.read, "key point", "point"),
    LabelSite("coverage", "qag_results", "status", PAIR_LABELS.allowed,
              PAIR_LABELS.read, "coverage pair", "evidence"),
    LabelSite("hallucination", "qag_results", "status", PAIR_LABELS.allowed,
              PAIR_LABELS.read, "hallucination pair", "evidence"),
)  # fmt: skip
SHAPE = Shape(
    CLAIM_LABELS,
    ISSUE_TYPES,
    {
        "coverage": ("precision", "recall", "f1", "qag_accuracy"),
        "hallucination": ("unsupported_fraction", "qag_precision"),
        "relevance": ("section_overlap",),
    },
)


class Pair(NamedTuple):
    """A question-answer pair: its status and the quote that carries it, as given and folded."""

    status: str
    evidence: str
    folded: str


class JudgeLockVerified(NamedTuple):
    """What code made of the findings: pairs that hold, tokens, segments, words of the lexicon."""

    coverage: tuple[Pair, ...]
    hallucination: tuple[Pair, ...]
    quotes: int  # distinct valid evidence spans of both
    extraneous: int
    tokens: int
    segments: tuple[Measured, ...]
    lexicon: frozenset[str]  # kinds that the lexicon saw
    language: str  # of the stems


class JudgeLockFindings(NamedTuple):
    """A whole reply; `verified` is there after the checks."""

    common: Common
    coverage: tuple[Pair, ...]
    hallucination: tuple[Pair, ...]
    severity: str | None
    verified: JudgeLockVerified | None = None


def read(case: Case, reading: Reading) -> JudgeLockFindings:
    """The findings of a reply; raises Unscored when a metric is missing (JL-MISSING)."""
    desk = Desk(metric_objects(reading, "JL-MISSING"), "JL-MISSING")
    coverage, hallucination = _pairs(desk, "coverage"), _pairs(desk, "hallucination")
    severity = desk.objects["hallucination"].get("severity")
    return JudgeLockFindings(
        read_common(desk, SHAPE, ours=SHEET.is_ours(reading.prompt)),
        coverage,
        hallucination,
        text_of(severity).strip().casefold() or None,
    )


def _pairs(desk: Desk, metric: str) -> tuple[Pair, ...]:
    """The pairs as given. One whose status cannot be read counts as Wrong, as an absent one."""
    given: Any = desk.objects[metric].get("qag_results")
    pairs: list[Pair] = []
    for i, item in enumerate(given if isinstance(given, list) else ()):
        entry = item if isinstance(item, dict) else {}
        status = PAIR_LABELS.read(entry.get("status"))
        if status is None:
            where = f"{metric}.qag_results[{i}]"
            desk.flaw("label.unknown", where, "JL-QAG-EVIDENCE: no readable status, so Wrong")
        evidence = text_of(entry.get("evidence"))
        pairs.append(Pair(status or "Wrong", evidence, fold(evidence)))
    return tuple(pairs)

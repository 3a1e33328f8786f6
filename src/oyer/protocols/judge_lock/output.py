"""The five objects that judge-lock prints, with verified pairs and recomputed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from oyer.protocols.judge_lock.reply import JudgeLockFindings, JudgeLockVerified, Pair
from oyer.protocols.summary.output import (
    ClaimOutput,
    MetricOutput,
    PointOutput,
    SectionOutput,
    alignment_object,
    bias_toxicity_object,
)
from oyer.protocols.summary.printing import rationale, stated_value


class PairOutput(TypedDict):
    """A question, which stays hidden, and whether the text answers it."""

    q: str
    status: str
    evidence: str


class JudgeLockCoverage(MetricOutput):
    """What the summary tells of the article."""

    key_points: list[PointOutput]
    qag_results: list[PairOutput]
    precision: float
    recall: float
    f1: float
    qag_accuracy: float


class JudgeLockHallucination(MetricOutput):
    """What the summary tells that the article does not."""

    claims_checked: list[ClaimOutput]
    qag_results: list[PairOutput]
    unsupported_fraction: float
    severity: str
    qag_precision: float


class JudgeLockRelevance(MetricOutput):
    """How much of the summary is about the article."""

    article_theme: object
    summary_sections: list[SectionOutput]
    qag_results: list[PairOutput]
    section_overlap: float


def objects(
    findings: JudgeLockFindings,
    verified: JudgeLockVerified,
    ours: Mapping[str, float],
    severity: str,
) -> list[MetricOutput]:
    """Coverage, alignment, hallucination, relevance, bias_toxicity."""
    common = findings.common
    pairs = _pairs(verified.coverage)
    coverage: JudgeLockCoverage = {
        "metric": "coverage",
        "key_points": [{"point": p.point, "coverage": p.label} for p in common.points],
        "qag_results": pairs,
        "precision": ours["coverage.precision"],
        "recall": ours["coverage.recall"],
        "f1": ours["coverage.f1"],
        "qag_accuracy": ours["coverage.qag_accuracy"],
        "overall_score": ours["coverage"],
        "rationale": rationale(common, "coverage"),
    }
    hallucination: JudgeLockHallucination = {
        "metric": "hallucination",
        "claims_checked": [{"claim": c.claim, "status": c.label} for c in common.claims],
        "qag_results": _pairs(verified.hallucination),
        "unsupported_fraction": ours["hallucination.unsupported_fraction"],
        "severity": severity,
        "qag_precision": ours["hallucination.qag_precision"],
        "overall_score": ours["hallucination"],
        "rationale": rationale(common, "hallucination"),
    }
    relevance: JudgeLockRelevance = {
        "metric": "relevance",
        "article_theme": stated_value(common, "relevance", "article_theme"),
        "summary_sections": [
            {"section": m.segment.text, "relevance": m.label} for m in verified.segments
        ],
        "qag_results": pairs,
        "section_overlap": ours["relevance.section_overlap"],
        "overall_score": ours["relevance"],
        "rationale": rationale(common, "relevance"),
    }
    alignment = alignment_object(common, ours)
    return [coverage, alignment, hallucination, relevance, bias_toxicity_object(common, ours)]


def _pairs(pairs: tuple[Pair, ...]) -> list[PairOutput]:
    return [{"q": "hidden", "status": p.status, "evidence": p.evidence} for p in pairs]

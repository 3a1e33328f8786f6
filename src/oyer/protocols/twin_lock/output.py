"""The five objects that twin-lock prints, with recomputed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from oyer.arith import nearest, times
from oyer.protocols.summary.findings import text_of
from oyer.protocols.summary.measure import Measured
from oyer.protocols.summary.output import (
    ClaimOutput,
    MetricOutput,
    PointOutput,
    SectionOutput,
    alignment_object,
    bias_toxicity_object,
)
from oyer.protocols.summary.printing import rationale, stated_value
from oyer.protocols.twin_lock.reply import TwinLockFindings, TwinLockVerified


class ExtraOutput(TypedDict):
    """Text of the summary that the article does not have."""

    text: str
    issue: str


class TwinLockCoverage(MetricOutput):
    """What the summary tells of the article, and what else it tells."""

    key_points: list[PointOutput]
    extraneous: list[ExtraOutput]
    precision: float
    recall: float


class TwinLockHallucination(MetricOutput):
    """What the summary tells that the article does not."""

    claims_checked: list[ClaimOutput]
    unsupported_fraction: float


class TwinLockRelevance(MetricOutput):
    """How much of the summary is about the article."""

    article_theme: object
    summary_sections: list[SectionOutput]


def objects(
    findings: TwinLockFindings, verified: TwinLockVerified, ours: Mapping[str, float]
) -> list[MetricOutput]:
    """Coverage, alignment, hallucination, relevance, bias_toxicity."""
    common = findings.common
    coverage: TwinLockCoverage = {
        "metric": "coverage",
        "key_points": _points(findings),
        "extraneous": [
            {"text": extra.text, "issue": extra.issue}
            for extra in verified.extras
            if not extra.dropped
        ],
        "precision": ours["coverage.precision"],
        "recall": ours["coverage.recall"],
        "overall_score": ours["coverage"],
        "rationale": rationale(common, "coverage"),
    }
    hallucination: TwinLockHallucination = {
        "metric": "hallucination",
        "claims_checked": _claims(findings),
        "unsupported_fraction": ours["hallucination.unsupported_fraction"],
        "overall_score": ours["hallucination"],
        "rationale": rationale(common, "hallucination"),
    }
    relevance: TwinLockRelevance = {
        "metric": "relevance",
        "article_theme": stated_value(common, "relevance", "article_theme"),
        "summary_sections": [_section(measured) for measured in verified.segments],
        "overall_score": ours["relevance"],
        "rationale": rationale(common, "relevance"),
    }
    alignment = alignment_object(common, ours)
    return [coverage, alignment, hallucination, relevance, bias_toxicity_object(common, ours)]


def _points(findings: TwinLockFindings) -> list[PointOutput]:
    reasons = _justifications(findings, "coverage", "key_points")
    return [
        {"point": point.point, "coverage": point.label, "justification": reason}
        for point, reason in zip(findings.common.points, reasons, strict=True)
    ]


def _claims(findings: TwinLockFindings) -> list[ClaimOutput]:
    reasons = _justifications(findings, "hallucination", "claims_checked")
    return [
        {"claim": claim.claim, "status": claim.label, "justification": reason}
        for claim, reason in zip(findings.common.claims, reasons, strict=True)
    ]


def _section(measured: Measured) -> SectionOutput:
    percent = nearest(times(measured.overlap, 100))
    return {
        "section": measured.segment.text,
        "relevance": measured.label,
        "justification": f"the article has {percent} % of its words",
    }


def _justifications(findings: TwinLockFindings, metric: str, key: str) -> list[str]:
    """The judge's justification of each item."""
    items = findings.common.objects[metric][key]
    return [text_of(item.get("justification")) for item in items]

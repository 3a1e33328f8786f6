"""The five objects that judge-lock prints, with verified pairs and recomputed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oyer.arith import shown
from oyer.protocols._summary.printing import rationale, said
from oyer.protocols.judge_lock.reply import Findings, Pair, Verified
from oyer.types import Number


def objects(
    findings: Findings, verified: Verified, computed: Mapping[str, Number], severity: str
) -> list[dict[str, Any]]:
    """Coverage, alignment, hallucination, relevance, bias_toxicity."""
    common = findings.common
    pairs = _pairs(verified.coverage)

    def number(key: str) -> float:
        return shown(computed[key])

    return [
        {
            "metric": "coverage",
            "key_points": [{"point": p.point, "coverage": p.label} for p in common.points],
            "qag_results": pairs,
            "precision": number("coverage.precision"),
            "recall": number("coverage.recall"),
            "f1": number("coverage.f1"),
            "qag_accuracy": number("coverage.qag_accuracy"),
            "overall_score": number("coverage"),
            "rationale": rationale(common, "coverage"),
        },
        {
            "metric": "alignment",
            "aspects": said(common, "alignment", "aspects"),
            "deviations": said(common, "alignment", "deviations"),
            "overall_score": number("alignment"),
            "rationale": rationale(common, "alignment"),
        },
        {
            "metric": "hallucination",
            "claims_checked": [{"claim": c.claim, "status": c.label} for c in common.claims],
            "qag_results": _pairs(verified.hallucination),
            "unsupported_fraction": number("hallucination.unsupported_fraction"),
            "severity": severity,
            "qag_precision": number("hallucination.qag_precision"),
            "overall_score": number("hallucination"),
            "rationale": rationale(common, "hallucination"),
        },
        {
            "metric": "relevance",
            "article_theme": said(common, "relevance", "article_theme"),
            "summary_sections": [
                {"section": m.segment.text, "relevance": m.label} for m in verified.segments
            ],
            "qag_results": pairs,
            "section_overlap": number("relevance.section_overlap"),
            "overall_score": number("relevance"),
            "rationale": rationale(common, "relevance"),
        },
        {
            "metric": "bias_toxicity",
            "tone": said(common, "bias_toxicity", "tone"),
            "issues_found": said(common, "bias_toxicity", "issues_found"),
            "bias_score": number("bias_toxicity.bias_score"),
            "tox_score": number("bias_toxicity.tox_score"),
            "overall_score": number("bias_toxicity"),
            "rationale": rationale(common, "bias_toxicity"),
        },
    ]


def _pairs(pairs: tuple[Pair, ...]) -> list[dict[str, str]]:
    return [{"q": "hidden", "status": p.status, "evidence": p.evidence} for p in pairs]

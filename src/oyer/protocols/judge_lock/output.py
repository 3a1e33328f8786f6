"""The five objects that judge-lock prints, with verified pairs and recomputed numbers."""

from __future__ import annotations

from collections.abc import Mapping

from oyer.protocols.judge_lock.reply import JudgeLockFindings, JudgeLockVerified, Pair
from oyer.protocols.summary.printing import rationale, stated_value


def objects(
    findings: JudgeLockFindings,
    verified: JudgeLockVerified,
    ours: Mapping[str, float],
    severity: str,
) -> list[dict[str, object]]:
    """Coverage, alignment, hallucination, relevance, bias_toxicity."""
    common = findings.common
    pairs = _pairs(verified.coverage)

    return [
        {
            "metric": "coverage",
            "key_points": [{"point": p.point, "coverage": p.label} for p in common.points],
            "qag_results": pairs,
            "precision": ours["coverage.precision"],
            "recall": ours["coverage.recall"],
            "f1": ours["coverage.f1"],
            "qag_accuracy": ours["coverage.qag_accuracy"],
            "overall_score": ours["coverage"],
            "rationale": rationale(common, "coverage"),
        },
        {
            "metric": "alignment",
            "aspects": stated_value(common, "alignment", "aspects"),
            "deviations": stated_value(common, "alignment", "deviations"),
            "overall_score": ours["alignment"],
            "rationale": rationale(common, "alignment"),
        },
        {
            "metric": "hallucination",
            "claims_checked": [{"claim": c.claim, "status": c.label} for c in common.claims],
            "qag_results": _pairs(verified.hallucination),
            "unsupported_fraction": ours["hallucination.unsupported_fraction"],
            "severity": severity,
            "qag_precision": ours["hallucination.qag_precision"],
            "overall_score": ours["hallucination"],
            "rationale": rationale(common, "hallucination"),
        },
        {
            "metric": "relevance",
            "article_theme": stated_value(common, "relevance", "article_theme"),
            "summary_sections": [
                {"section": m.segment.text, "relevance": m.label} for m in verified.segments
            ],
            "qag_results": pairs,
            "section_overlap": ours["relevance.section_overlap"],
            "overall_score": ours["relevance"],
            "rationale": rationale(common, "relevance"),
        },
        {
            "metric": "bias_toxicity",
            "tone": stated_value(common, "bias_toxicity", "tone"),
            "issues_found": stated_value(common, "bias_toxicity", "issues_found"),
            "bias_score": ours["bias_toxicity.bias_score"],
            "tox_score": ours["bias_toxicity.tox_score"],
            "overall_score": ours["bias_toxicity"],
            "rationale": rationale(common, "bias_toxicity"),
        },
    ]


def _pairs(pairs: tuple[Pair, ...]) -> list[dict[str, str]]:
    return [{"q": "hidden", "status": p.status, "evidence": p.evidence} for p in pairs]

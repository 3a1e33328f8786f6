"""The five objects that twin-lock prints, with recomputed numbers."""

from __future__ import annotations

from collections.abc import Mapping

from oyer.arith import nearest, times
from oyer.protocols.summary.findings import text_of
from oyer.protocols.summary.measure import Measured
from oyer.protocols.summary.printing import rationale, stated_value
from oyer.protocols.twin_lock.reply import TwinLockFindings, TwinLockVerified


def objects(
    findings: TwinLockFindings, verified: TwinLockVerified, ours: Mapping[str, float]
) -> list[dict[str, object]]:
    """Coverage, alignment, hallucination, relevance, bias_toxicity."""
    common = findings.common

    points = _justifications(findings, "coverage", "key_points")
    claims = _justifications(findings, "hallucination", "claims_checked")
    return [
        {
            "metric": "coverage",
            "key_points": [
                {"point": p.point, "coverage": p.label, "justification": why}
                for p, why in zip(common.points, points, strict=True)
            ],
            "extraneous": [
                {"text": e.text, "issue": e.issue} for e in verified.extras if not e.dropped
            ],
            "precision": ours["coverage.precision"],
            "recall": ours["coverage.recall"],
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
            "claims_checked": [
                {"claim": c.claim, "status": c.label, "justification": why}
                for c, why in zip(common.claims, claims, strict=True)
            ],
            "unsupported_fraction": ours["hallucination.unsupported_fraction"],
            "overall_score": ours["hallucination"],
            "rationale": rationale(common, "hallucination"),
        },
        {
            "metric": "relevance",
            "article_theme": stated_value(common, "relevance", "article_theme"),
            "summary_sections": [
                {"section": m.segment.text, "relevance": m.label,
                 "justification": f"the article has {_percent(m)} % of its words"}
                for m in verified.segments
            ],
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
    ]  # fmt: skip


def _percent(measured: Measured) -> int:
    return nearest(times(measured.overlap, 100))


def _justifications(findings: TwinLockFindings, metric: str, key: str) -> list[str]:
    """The judge's justification of each item."""
    items = findings.common.objects[metric][key]
    return [text_of(item.get("justification")) for item in items]

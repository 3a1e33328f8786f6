"""What an exam found, as the five objects of this protocol."""

from __future__ import annotations

from oyer.types import SummaryFindings


def compose(found: SummaryFindings) -> list[dict[str, object]]:
    """The reply that a one-shot judge would have given: one reader for both."""
    coverage = {
        "metric": "coverage",
        "key_points": found.points,
        "qag_results": found.coverage_pairs,
        "rationale": "exam: the article's questions, answered from the summary alone",
    }
    hallucination = {
        "metric": "hallucination",
        "claims_checked": found.claims,
        "qag_results": found.hallucination_pairs,
        "rationale": "exam: the summary's claims and questions, put to the article alone",
    }
    rest = (dict(found.relevance), dict(found.bias_toxicity))
    return [coverage, dict(found.alignment), hallucination, *rest]

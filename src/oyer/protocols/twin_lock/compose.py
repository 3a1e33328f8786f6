"""What an exam found, as the five objects of this protocol."""

from __future__ import annotations

from oyer.types import SummaryFindings


def compose(found: SummaryFindings) -> list[dict[str, object]]:
    """The reply that a one-shot judge would have given; `Partially` for a claim's Partial."""
    coverage = {
        "metric": "coverage",
        "key_points": [{**point, "justification": ""} for point in found.points],
        # TL-EXTRANEOUS counts every Unsupported claim by itself: the list of texts stays empty.
        "extraneous": [],
        "rationale": "exam: the article's points, looked for in the summary alone",
    }
    claims = []
    for claim in found.claims:
        status = "Partially" if claim["status"] == "Partial" else claim["status"]
        claims.append({**claim, "status": status, "justification": ""})
    hallucination = {
        "metric": "hallucination",
        "claims_checked": claims,
        "rationale": "exam: the summary's claims, put to the article alone",
    }
    rest = (dict(found.relevance), dict(found.bias_toxicity))
    return [coverage, dict(found.alignment), hallucination, *rest]

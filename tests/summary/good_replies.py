"""A case and good replies to it, for tests of the summary protocols to bend."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from oyer.types import Case, Protocol, Reply, Verdict
from oyer.verdicts.core import audit

ARTICLE = (
    "The city council of Ghent approved a new bicycle plan on Monday after two years of debate. "
    "The plan will add 45 kilometres of protected lanes before 2028 and cost 3.5 million euros. "
    "Shop owners near the Korenmarkt fear that deliveries will become slower and more expensive. "
    "Alderman Filip Watteeuw said that the number of cyclists had doubled since 2012. "
    "The opposition voted against the plan because no parking spaces will replace those removed. "
    "Work starts in March next to the central station and ends at the university hospital."
)
SUMMARY = (
    "The city council of Ghent approved a new bicycle plan after two years of debate. "
    "It will add 45 kilometres of protected lanes before 2028 and cost 3.5 million euros. "
    "Shop owners near the Korenmarkt fear that deliveries will become slower. "
    "The number of cyclists had doubled since 2012."
)
IN_SUMMARY = (
    "The city council of Ghent",
    "approved a new bicycle plan",
    "after two years of debate",
    "add 45 kilometres of protected lanes",
    "cost 3.5 million euros",
    "cyclists had doubled since 2012",
)
IN_ARTICLE = (
    "on Monday after two years of debate",
    "The plan will add 45 kilometres",
    "before 2028 and cost 3.5 million euros",
    "Shop owners near the Korenmarkt fear",
    "cyclists had doubled since 2012",
    "Work starts in March next to the central station",
)
POINTS = (
    "The council approved the bicycle plan on Monday",
    "The plan adds 45 kilometres of protected lanes",
    "The plan costs 3.5 million euros in all",
    "Shop owners fear slower and dearer deliveries there",
    "The number of cyclists has doubled since 2012",
)
CLAIMS = (
    "The council approved a new bicycle plan.",
    "The plan adds 45 kilometres of lanes.",
    "Shop owners fear slower deliveries.",
    "Cyclists doubled since 2012.",
)


def case(article: str = ARTICLE, summary: str = SUMMARY, **meta: Any) -> Case:
    return Case("c1", {"article": article, "summary": summary}, meta=meta)


def judge_lock() -> dict[str, dict[str, Any]]:
    """A reply to judge-lock that breaks no rule and earns tens; bend what you need."""
    return deepcopy(
        {
            "coverage": {
                "metric": "coverage",
                "key_points": [{"point": p, "coverage": "Fully"} for p in POINTS],
                "qag_results": [
                    {"q": "hidden", "status": "Correct", "evidence": e} for e in IN_SUMMARY
                ],
                "rationale": "complete",
            },
            "alignment": {
                "metric": "alignment",
                "aspects": {"intent": "inform", "stance": "neutral", "tone": "factual"},
                "deviations": [],
                "overall_score": 10,
                "rationale": "aligned",
            },
            "hallucination": {
                "metric": "hallucination",
                "claims_checked": [{"claim": c, "status": "Supported"} for c in CLAIMS],
                "qag_results": [
                    {"q": "hidden", "status": "Correct", "evidence": e} for e in IN_ARTICLE
                ],
                "rationale": "supported",
            },
            "relevance": {
                "metric": "relevance",
                "article_theme": "A bicycle plan for Ghent",
                "rationale": "on topic",
            },
            "bias_toxicity": {
                "metric": "bias_toxicity",
                "tone": "neutral",
                "issues_found": [],
                "bias_score": 10,
                "tox_score": 10,
                "rationale": "clean",
            },
        }
    )


def twin_lock() -> dict[str, dict[str, Any]]:
    """A reply to twin-lock that breaks no rule and earns tens."""
    reply = judge_lock()
    del reply["coverage"]["qag_results"], reply["hallucination"]["qag_results"]
    reply["coverage"]["extraneous"] = []
    return reply


def written(reply: dict[str, dict[str, Any]]) -> str:
    return "\n\n".join(json.dumps(one, ensure_ascii=False) for one in reply.values())


def heard(
    protocol: Protocol[Any], reply: dict[str, Any] | str, given: Case | None = None
) -> Verdict:
    text = reply if isinstance(reply, str) else written(reply)
    return audit(given or case(), protocol, Reply(text))


def codes(verdict: Verdict) -> set[tuple[str, str]]:
    return {(v.code, v.where) for v in verdict.violations}


def rules(verdict: Verdict) -> list[str]:
    return [step.rule for step in verdict.trace]

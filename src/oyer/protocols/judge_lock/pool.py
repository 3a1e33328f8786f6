"""A panel's judge-lock replies as one (PANEL rules); what comes out is checked like any reply."""

from __future__ import annotations

from collections.abc import Mapping

from oyer.protocols.judge_lock.reply import ISSUE_TYPES, JudgeLockFindings, JudgeLockVerified, Pair
from oyer.protocols.judge_lock.table import CLAIMS, COVERAGE_PAIRS, HALLUCINATION_PAIRS, POINTS
from oyer.protocols.summary.measure import Texts
from oyer.protocols.summary.pooling import PanelFindings, mean_of
from oyer.protocols.summary.table import LabelValues
from oyer.protocols.voting import one_list
from oyer.types import Case, Checked, JsonObject, Number, Pooled

STRICT_CLAIMS = ("Unsupported", "Partial", "Supported")


def pool(case: Case, members: Mapping[str, Checked[JudgeLockFindings]]) -> Pooled:
    """Five objects, and every vote that made them."""
    findings = {name: checked.findings for name, checked in members.items()}
    bench = PanelFindings({name: f.common for name, f in findings.items()}, Texts.of(case))
    verified = {name: f.verified for name, f in findings.items() if f.verified is not None}
    owner, points = bench.points(POINTS)
    coverage = {
        **bench.object_of(owner, "coverage", "rationale"),
        "key_points": points,
        "qag_results": _pairs(bench, verified, "coverage", COVERAGE_PAIRS),
    }
    alignment = bench.alignment()
    claims = bench.claims(STRICT_CLAIMS, CLAIMS)
    hallucination = {
        **bench.object_of(owner, "hallucination", "rationale"),
        "claims_checked": claims,
        "qag_results": _pairs(bench, verified, "hallucination", HALLUCINATION_PAIRS),
    }
    rest = (bench.relevance(owner), bench.bias_toxicity(tuple(ISSUE_TYPES)))
    return Pooled((coverage, alignment, hallucination, *rest), tuple(bench.votes))


def _pairs(
    bench: PanelFindings, verified: Mapping[str, JudgeLockVerified], metric: str, worth: LabelValues
) -> list[JsonObject]:
    """PANEL-LIST: the questions are each judge's own, so one judge's verified six are taken."""
    pairs: dict[str, tuple[Pair, ...]] = {
        name: held.coverage if metric == "coverage" else held.hallucination
        for name, held in verified.items()
    }
    means: dict[str, Number] = {}
    for name, own in pairs.items():
        means[name] = mean_of(worth, [pair.status for pair in own])
    owner, vote = one_list(f"{metric} questions", f"{metric}.qag_results", means)
    bench.votes.append(vote)
    return [{"q": "hidden", "status": p.status, "evidence": p.evidence} for p in pairs[owner]]

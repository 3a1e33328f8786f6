"""The ruling on a reply: what its verified findings are worth by the protocol's rules."""

from __future__ import annotations

import json
from fractions import Fraction

from oyer.protocols.belgian_law.checks import settle_issues
from oyer.protocols.belgian_law.compare import rate
from oyer.protocols.belgian_law.decide import (
    Decision,
    counts,
    decide,
    evidence,
    issues_json,
    lines_by_severity,
)
from oyer.protocols.belgian_law.issues import ProvisionIssue
from oyer.protocols.belgian_law.output import Counts, JudgeOutput
from oyer.protocols.belgian_law.reply import BelgianFindings
from oyer.protocols.belgian_law.rules import Rules
from oyer.protocols.belgian_law.score import mark, recommendation, step_of, tally
from oyer.types import Case, Checked, Ruling, Step


def rule(case: Case, checked: Checked[BelgianFindings], rules: Rules) -> Ruling:
    """Score, verdict and recommendation from the findings that hold."""
    reply = checked.findings
    decision = reply.decision or decide(case, rules)
    numbers = counts_of(reply, decision)
    recall = rate(numbers["matched"], numbers["expected"], nothing=not numbers["extracted"])
    supported = _count_supported(numbers, decision)
    precision = rate(supported, numbers["extracted"], nothing=not numbers["expected"])
    issues, wrong = settle_issues(reply, decision, recall, rules)
    of = tally(((i.code, i.severity) for i in issues), recall, precision)
    marks = mark(of, rules)
    systemic = _systemic(issues, reply, numbers["extracted"], rules)
    advice = recommendation(of, systemic, rules)
    return Ruling(
        scores={"score": marks.score},
        total=marks.score,
        trace=(
            *_rates(numbers, supported, (recall, precision), rules),
            *marks.trace,
            step_of(rules, "BL-RECOMMENDATION", {"systemic": systemic}, advice),
        ),
        stated=reply.stated,
        violations=tuple(wrong),
        evidence=evidence(issues),
        output=_output(reply, decision, issues, numbers, (marks.verdict, int(marks.score), advice)),
        extra={"issues": issues_json(issues, numbers["extracted"], rules)},
    )


def counts_of(reply: BelgianFindings, decision: Decision) -> Counts:
    """The judge's counts after its claims were looked up; the engine's where it gives none.

    What was extracted is known; a missing provision that does not hold was never expected.
    """
    ours = counts(decision.comparison)
    extracted = len(decision.case.items)
    missing = reply.missing
    hallucinated = reply.hallucinated
    gone = ours["missing"] if missing is None else len(missing)
    if missing is None and "expected" in reply.counts:
        gone = reply.counts.get("missing", gone)
    stated = reply.counts.get("expected", ours["expected"])
    refuted = max(reply.counts.get("missing", gone) - gone, 0) if missing is not None else 0
    expected = max(stated - refuted, gone)
    bad = ours["hallucinated"] if hallucinated is None else len(hallucinated)
    return {
        "expected": expected,
        "extracted": extracted,
        "matched": expected - gone,
        "missing": gone,
        "hallucinated": min(bad, extracted),
        "duplicates": ours["duplicates"],
    }


def _systemic(
    issues: list[ProvisionIssue], reply: BelgianFindings, extracted: int, rules: Rules
) -> bool:
    """Known from the items; where code does not know them, the judge's advice says it."""
    majors = [i for i in issues if i.severity == "MAJOR"]
    return any(
        i.systemic(extracted, rules) if i.concerns else reply.recommendation == "FIX_PROMPT"
        for i in majors
    )


def _rates(
    numbers: Counts, supported: int, rates: tuple[Fraction, Fraction], rules: Rules
) -> tuple[Step, ...]:
    sizes = {"expected": numbers["expected"], "matched": numbers["matched"]}
    items = {"matched": supported, "extracted": numbers["extracted"]}
    return (
        step_of(rules, "BL-RECALL", sizes, rates[0]),
        step_of(rules, "BL-PRECISION", items, rates[1]),
    )


def _count_supported(numbers: Counts, decision: Decision) -> int:
    """Items that the judge's verified findings leave standing, without copies."""
    supported = numbers["extracted"] - numbers["hallucinated"] - decision.comparison.copies
    return max(supported, 0)


def _output(
    reply: BelgianFindings,
    decision: Decision,
    issues: list[ProvisionIssue],
    numbers: Counts,
    heads: tuple[str, int, str],
) -> JudgeOutput:
    """The original's object, keys in its order: the judge's findings that hold, our numbers."""
    engine = decision.output
    judged, score, advice = heads
    return {
        "verdict": judged,
        "score": score,
        "confidence": reply.confidence or engine["confidence"],
        **lines_by_severity(issues),
        "recommendation": advice,
        "summary": reply.summary or engine["summary"],
        "counts": numbers,
        "missing": engine["missing"] if reply.missing is None else list(reply.missing),
        "hallucinated": (
            engine["hallucinated"] if reply.hallucinated is None else list(reply.hallucinated)
        ),
        "idIssues": engine["idIssues"],
        "typeIssues": engine["typeIssues"],
        "normalizationIssues": engine["normalizationIssues"],
    }


def render(output: object) -> str:
    """What `--format protocol` prints: the one JSON object."""
    return json.dumps(output, ensure_ascii=False, indent=2)

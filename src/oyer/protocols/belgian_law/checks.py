"""A judge's findings against its own arithmetic, the extraction and the source.

`arithmetic`, `verdict.wrong`, `recommendation.wrong`, `counts.wrong`: the reply against itself.
`finding.unsupported`, `overlooked`, `severity.wrong`: the reply against what code can decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from oyer.arith import round_to_show
from oyer.protocols.belgian_law.claims import (
    ClaimShelf,
    ProvisionClaim,
    read_claim,
    refute_hallucinated,
    refute_missing,
    shelve,
)
from oyer.protocols.belgian_law.compare import rate
from oyer.protocols.belgian_law.decide import Decision, decide
from oyer.protocols.belgian_law.extraction import short
from oyer.protocols.belgian_law.issues import Concern, ProvisionIssue
from oyer.protocols.belgian_law.reply import BelgianFindings, ProvisionFinding
from oyer.protocols.belgian_law.rules import Rules
from oyer.protocols.belgian_law.score import ProvisionTally, mark, recommendation, tally, verdict
from oyer.text.quotes import find, source
from oyer.types import Case, Checked, Evidence, Violation

_CLOSE = Fraction(1, 20)  # a stated number that differs by more is wrong
GAPS = ("missing", "one-missing")
_EITHER: tuple[Fraction, ...] = (Fraction(0), Fraction(1))


def check(case: Case, reply: BelgianFindings, rules: Rules) -> Checked[BelgianFindings]:
    """Every check of the protocol; the verified findings come back with the engine's decision."""
    decision = decide(case, rules)
    wrong = [
        *reply.violations,
        *itself(reply, rules),
        *_check_counts(reply, len(decision.case.items)),
    ]
    missing = _verify(reply.missing, "missing", decision, refute_missing, wrong)
    hallucinated = _verify(reply.hallucinated, "hallucinated", decision, refute_hallucinated, wrong)
    quoted, evidence = _look_up(reply, decision, wrong)
    verified = replace(
        reply, findings=quoted, missing=missing, hallucinated=hallucinated, decision=decision
    )
    return Checked(verified, tuple(wrong), evidence)


# ── the reply against itself ──────────────────────────────────────────────────────────────────


def itself(reply: BelgianFindings, rules: Rules) -> Iterator[Violation]:
    """Score, verdict and recommendation, recomputed from the reply's own issues and counts."""
    fair = list(tallies(reply))
    scores = sorted({int(mark(of, rules).score) for of in fair})
    if reply.score is not None and all(abs(reply.score - s) > _CLOSE for s in scores):
        right = " or ".join(map(str, scores))
        yield Violation(
            "arithmetic",
            "score",
            f"stated {round_to_show(reply.score):g}; its own issues give {right}",
        )
    right = verdict(fair[0], rules)
    if reply.verdict is not None and reply.verdict != right:
        yield Violation(
            "verdict.wrong", "verdict", f"stated {reply.verdict}; its own issues give {right}"
        )
    readings = product(fair, (True, False))
    advice = sorted({recommendation(of, systemic, rules) for of, systemic in readings})
    if reply.recommendation is not None and reply.recommendation not in advice:
        detail = f"stated {reply.recommendation}; its own issues give {' or '.join(advice)}"
        yield Violation("recommendation.wrong", "recommendation", detail)


def tallies(reply: BelgianFindings) -> Iterator[ProvisionTally]:
    """Every reading of the reply's own words that is fair to it.

    Issues count each, or once a code; rates follow its counts, and are open where it has none; an
    issue of another code that speaks of keys or dates may stand for such an error too.
    """
    each = [(f.code or f.text, f.severity) for f in reply.findings]
    once = list(dict.fromkeys(each))
    text = " ".join(f.text.casefold() for f in reply.findings)
    for pairs, recall, precision in product((each, once), *_rates(reply)):
        of = tally(pairs, recall, precision)
        for key, date in product({of.key, "key" in text}, {of.date, "date" in text}):
            yield replace(of, key=key, date=date)


def _rates(reply: BelgianFindings) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    counts = reply.counts
    # Only a finding that speaks of recall says that it is low; a gap in a list need not be one.
    low = any(f.code == "missing" and "recall" in f.text.casefold() for f in reply.findings)
    recalls, precisions = _EITHER, _EITHER
    if {"expected", "matched", "extracted"} <= counts.keys():
        nothing = not counts["extracted"]
        recalls = (rate(counts["matched"], counts["expected"], nothing=nothing),)
        right = {rate(counts["matched"], counts["extracted"], nothing=not counts["expected"])}
        if "hallucinated" in counts:
            supported = counts["extracted"] - counts["hallucinated"]
            for kept in (supported, supported - counts.get("duplicates", 0)):
                right.add(rate(max(kept, 0), counts["extracted"], nothing=not counts["expected"]))
        precisions = tuple(sorted(right))
    elif low:
        recalls = (Fraction(0),)
    return recalls, precisions


def _check_counts(reply: BelgianFindings, extracted: int) -> Iterator[Violation]:
    """The reply's counts against each other, its lists and the extraction."""
    counts = reply.counts

    def unequal(name: str, other: int, what: str) -> Iterator[Violation]:
        if name in counts and counts[name] != other:
            detail = f"{name} is {counts[name]}, {what} {other}"
            yield Violation("counts.wrong", f"counts.{name}", detail)

    yield from unequal("extracted", extracted, "the extraction has")
    if {"expected", "matched"} <= counts.keys():
        yield from unequal(
            "missing", counts["expected"] - counts["matched"], "expected − matched is"
        )
    for name, listed in (("missing", reply.missing), ("hallucinated", reply.hallucinated)):
        if listed is not None:
            yield from unequal(name, len(listed), "the list has")


# ── the reply against the source ──────────────────────────────────────────────────────────────


def _verify(
    entries: tuple[Any, ...] | None,
    name: str,
    decision: Decision,
    refute: Callable[[ProvisionClaim, Decision, ClaimShelf], str | None],
    wrong: list[Violation],
) -> tuple[Any, ...] | None:
    """The entries that hold, each once; the others become violations."""
    if entries is None:
        return None
    shelf, verified, earlier = shelve(decision), [], set[ProvisionClaim]()
    for n, entry in enumerate(entries):
        claim = read_claim(entry, decision)
        why = "listed before" if claim in earlier else refute(claim, decision, shelf)
        earlier.add(claim)
        if why is None:
            verified.append(entry)
        else:
            wrong.append(Violation("finding.unsupported", f"{name}[{n}]", why))
    return tuple(verified)


def _look_up(
    reply: BelgianFindings, decision: Decision, wrong: list[Violation]
) -> tuple[tuple[ProvisionFinding, ...], tuple[Evidence, ...]]:
    """The findings whose quotes stand in the source, and where; a forged quote carries nothing."""
    verified, evidence = [], []
    text = source("sourceText", decision.case.text)
    for finding in reply.findings:
        span = find(finding.quote, text) if finding.quote.strip() else None
        if span is not None:
            evidence.append(Evidence(finding.where, span))
        elif finding.quote.strip():
            detail = f"not in the source: “{short(finding.quote)}”"
            wrong.append(Violation("evidence.absent", finding.where, detail))
            continue
        verified.append(finding)
    return tuple(verified), tuple(evidence)


def settle_issues(
    reply: BelgianFindings, decision: Decision, recall: Fraction, rules: Rules
) -> tuple[list[ProvisionIssue], list[Violation]]:
    """The issues that stand: the judge's verified ones, and what code decides in any case."""
    by_code = {issue.code: issue for issue in reversed(decision.issues)}
    by_name = {(issue.code, issue.kind): issue for issue in decision.issues}
    standing: dict[tuple[str, str | None], ProvisionIssue] = {}
    wrong: list[Violation] = []
    gap = _missing_code(reply, decision, recall, rules)
    fixed = {*rules.decided, *GAPS}
    for finding in _findings_to_weigh(reply, gap, rules):
        why = _refute(finding, reply, gap, by_code, rules)
        if why is not None:
            wrong.append(Violation("finding.unsupported", finding.where, why))
            continue
        code = finding.code or "other"
        name = (code if finding.code else finding.text, finding.kind)
        severity = rules.severity[code] if code in fixed else finding.severity
        if severity != finding.severity:
            detail = f"{code} is {severity}, not {finding.severity}"
            wrong.append(Violation("severity.wrong", finding.where, detail))
        ours = by_name.get((code, finding.kind)) or by_code.get(code)
        text = finding.text.removeprefix(f"{code}/{finding.kind}: ").removeprefix(f"{code}: ")
        concerns = _concerns(finding, decision) or (ours.concerns if ours else ())
        standing.setdefault(name, ProvisionIssue(code, severity, concerns, text, finding.kind))
    due = [issue for issue in decision.issues if issue.code in rules.decided]
    if gap is not None:
        bare = ProvisionIssue(gap, rules.severity[gap], (), rules.issue[gap])
        due.append(by_code.get(gap, bare))
    for issue in due:
        if all(issue.code != code for code, _ in standing):
            standing[issue.code, issue.kind] = issue
            if issue.code not in GAPS or not reply.missing:  # what it lists it did not overlook
                wrong.append(Violation("overlooked", issue.code, issue.text))
    return list(standing.values()), wrong


def _findings_to_weigh(
    reply: BelgianFindings, gap: str | None, rules: Rules
) -> Iterator[ProvisionFinding]:
    """The judge's findings. Who was not asked to count has one code for what is missing: which of
    the two it is, or neither, is for code to find."""
    for finding in reply.findings:
        if finding.code != "missing" or not reply.missing or reply.counts:
            yield finding
        elif gap is not None:
            text = finding.text.removeprefix("missing: ")
            severity = rules.severity[gap]
            yield replace(finding, code=gap, severity=severity, text=f"{gap}: {text}")


def _concerns(finding: ProvisionFinding, decision: Decision) -> tuple[Concern, ...]:
    """The items of the extraction that a judge names, each once."""
    item_names = set(finding.items)
    return tuple(
        Concern(item.label, "", item.index)
        for item in decision.case.items
        if item.provision_id in item_names or item.index in item_names
    )


def _missing_code(
    reply: BelgianFindings, decision: Decision, recall: Fraction, rules: Rules
) -> str | None:
    """`missing` or `one-missing`, whichever the verified recall asks for."""
    gone = len(reply.missing) if reply.missing is not None else len(decision.comparison.missing)
    if gone and recall < rules["missing_below"]:
        return "missing"
    return "one-missing" if gone == 1 and recall >= rules["one_missing_from"] else None


def _refute(
    finding: ProvisionFinding,
    reply: BelgianFindings,
    gap: str | None,
    by_code: dict[str, ProvisionIssue],
    rules: Rules,
) -> str | None:
    """Why an issue does not stand; None when it does, or when only a judge can tell."""
    code = finding.code
    if code in GAPS and code != gap:
        return f"recall does not make it {code}"
    if code == "hallucinated":
        held = reply.hallucinated or "hallucinated" in by_code
        return None if held else "every extracted item has support in the source"
    if code in rules.decided and code not in by_code:
        return f"code finds no {code} issue in the extraction"
    return None

"""A panel's belgian-law replies as one (PANEL rules); what comes out is checked like any reply.

Every judge is asked for all issues and all provisions, so silence on one is a no. What code looked
up and refuted has no vote.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import chain
from statistics import median_low
from typing import Literal

from oyer.protocols.belgian_law.claims import read_claim
from oyer.protocols.belgian_law.decide import LISTS, Decision, decide
from oyer.protocols.belgian_law.output import Counts
from oyer.protocols.belgian_law.reply import BelgianFindings, ProvisionFinding
from oyer.protocols.belgian_law.rules import CONFIDENCES, SEVERITIES, Rules
from oyer.protocols.belgian_law.ruling import counts_of
from oyer.protocols.voting import middle_label, vote_on_listing
from oyer.types import Case, Checked, JsonObject, Pooled, Vote

STRICT_ADVICE = ("FIX_PROMPT", "REVIEW_SAMPLES", "PROCEED")


def pool(case: Case, members: Mapping[str, Checked[BelgianFindings]], rules: Rules) -> Pooled:
    """One object, and every vote that made it."""
    findings = {name: checked.findings for name, checked in members.items()}
    decision = next((f.decision for f in findings.values() if f.decision), None)
    decision = decision or decide(case, rules)
    votes: list[Vote] = []
    reply: dict[str, object] = {
        "confidence": _word("confidence", findings, CONFIDENCES[::-1], votes),
        "recommendation": _word("recommendation", findings, STRICT_ADVICE, votes),
        "summary": next((f.summary for f in findings.values() if f.summary), ""),
        **_issues(findings, votes),
        "missing": _provisions("missing", findings, decision, votes),
        "hallucinated": _provisions("hallucinated", findings, decision, votes),
    }
    reply = {key: value for key, value in reply.items() if value is not None}
    reply["counts"] = _counts(reply, findings, decision, votes)
    return Pooled((reply,), tuple(votes))


def _word(
    name: str,
    findings: Mapping[str, BelgianFindings],
    strictness: tuple[str, ...],
    votes: list[Vote],
) -> str | None:
    words = {who: word for who, f in findings.items() if (word := getattr(f, name)) is not None}
    if not words:
        return None
    votes.append(middle_label(name, name, words, strictness))
    return str(votes[-1].value)


def _issues(
    findings: Mapping[str, BelgianFindings], votes: list[Vote]
) -> dict[str, list[JsonObject]]:
    """PANEL-LISTED by code and kind (words, where they mean no code); then their severity."""
    listings: dict[tuple[str, str | None], dict[str, ProvisionFinding]] = {}
    for who, own in findings.items():
        for finding in own.findings:
            listings.setdefault((finding.code or finding.text, finding.kind), {}).setdefault(
                who, finding
            )
    issues: dict[str, list[JsonObject]] = {name: [] for name in LISTS.values()}
    for (code, kind), by in listings.items():
        head = f"{code}/{kind}" if kind else code
        vote = vote_on_listing("issue", head[:80], {who: who in by for who in findings})
        votes.append(vote)
        if not vote.value:
            continue
        graves = {who: finding.severity for who, finding in by.items()}
        votes.append(middle_label("severity", head[:80], graves, SEVERITIES))
        first = next(iter(by.values()))
        text = first.text.removeprefix(f"{head}: ")
        items = chain.from_iterable(finding.items for finding in by.values())
        issues[LISTS[votes[-1].value]].append(
            {
                **({"code": code, "kind": kind} if first.code else {}),
                "text": text,
                "items": list(dict.fromkeys(items)),
                "quote": next((finding.quote for finding in by.values() if finding.quote), ""),
            }
        )
    return issues


def _provisions(
    name: str, findings: Mapping[str, BelgianFindings], decision: Decision, votes: list[Vote]
) -> list[object] | None:
    """PANEL-LISTED: provisions that the members list, each by the provision that it means."""
    lists = {
        who: entries for who, f in findings.items() if (entries := getattr(f, name)) is not None
    }
    if not lists:
        return None
    listings: dict[Hashable, dict[str, object]] = {}
    key = _key(decision)
    for who, entries in lists.items():
        for entry in entries:
            listings.setdefault(key(entry), {}).setdefault(who, entry)
    provisions: list[object] = []
    for by in listings.values():
        vote = vote_on_listing(
            f"{name} provision", f"{name}[{len(provisions)}]", {w: w in by for w in lists}
        )
        votes.append(vote)
        if vote.value:
            provisions.append(next(iter(by.values())))
    return provisions


def _key(decision: Decision) -> Callable[[object], Hashable]:
    def key(entry: object) -> Hashable:
        claim = read_claim(entry, decision)
        if claim.item is not None or claim.id is not None:
            return (claim.item, claim.id)
        return (claim.act.id, claim.key, claim.path) if claim.key else claim.text

    return key


def _counts(
    reply: JsonObject,
    findings: Mapping[str, BelgianFindings],
    decision: Decision,
    votes: list[Vote],
) -> Counts:
    """What is expected: the lower median of what the members' verified counts give."""
    each = {who: counts_of(f, decision) for who, f in findings.items()}
    expectations = {who: counts["expected"] for who, counts in each.items()}
    expected = median_low(expectations.values())
    votes.append(Vote("expected", "counts.expected", "PANEL-MEDIAN", expectations, expected))
    gone = len(reply["missing"]) if "missing" in reply else _low(each, "missing")
    bad = len(reply["hallucinated"]) if "hallucinated" in reply else _low(each, "hallucinated")
    expected = max(expected, gone)
    return {
        "expected": expected,
        "extracted": len(decision.case.items),
        "matched": expected - gone,
        "missing": gone,
        "hallucinated": bad,
        "duplicates": _low(each, "duplicates"),
    }


def _low(each: Mapping[str, Counts], name: Literal["missing", "hallucinated", "duplicates"]) -> int:
    return median_low([counts[name] for counts in each.values()])

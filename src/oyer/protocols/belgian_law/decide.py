"""The engine as judge: a case in, the protocol's output with its issues and arithmetic out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from oyer.cite import Citation
from oyer.protocols.belgian_law import fields, forms, support
from oyer.protocols.belgian_law.compare import CitedProvision, ProvisionComparison, compare
from oyer.protocols.belgian_law.extraction import Extraction, Item, read_case, short
from oyer.protocols.belgian_law.issues import ProvisionIssue, as_json
from oyer.protocols.belgian_law.rules import RULES, SEVERITIES, Rules
from oyer.protocols.belgian_law.score import (
    confidence,
    mark,
    recommendation,
    step_of,
    tally,
)
from oyer.protocols.belgian_law.second_look import unread_places
from oyer.protocols.belgian_law.support import Reason
from oyer.types import Case, Evidence, Number, Span, Step

LISTS = {"CRITICAL": "criticalIssues", "MAJOR": "majorIssues", "MINOR": "minorIssues"}


@dataclass(frozen=True, slots=True)
class Decision:
    """What code alone makes of a case."""

    case: Extraction
    found: ProvisionComparison
    reasons: dict[int, Reason]
    issues: tuple[ProvisionIssue, ...]
    score: Number
    output: dict[str, Any]
    trace: tuple[Step, ...]

    def brief(self) -> dict[str, Any]:
        """The engine's verdict as it stands beside a model's."""
        names = ("verdict", "score", "confidence", "recommendation", "counts")
        issues = [issue.name for issue in self.issues]
        return {**{name: self.output[name] for name in names}, "issues": issues}


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A case and its rules by identity: both are frozen, so is what is made of them."""

    case: Case
    rules: Rules

    def __hash__(self) -> int:
        return hash((id(self.case), id(self.rules)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Same):
            return NotImplemented
        return other.case is self.case and other.rules is self.rules


def decide(case: Case, rules: Rules = RULES["3.1"]) -> Decision:
    """The whole judgement; raises InputError when a field of the case cannot be used.

    An audit asks for it in its check and in what it observes: it is made once.
    """
    return _decide(_Same(case, rules))


@lru_cache(maxsize=2)
def _decide(same: _Same) -> Decision:
    case, rules = same.case, same.rules
    extraction = read_case(case)
    found = compare(extraction, rules)
    why = support.reasons(extraction, found)
    issues = find_issues(extraction, found, why, rules)
    of = tally(((i.code, i.severity) for i in issues), found.recall, found.precision)
    marks = mark(of, rules)
    systemic = any(i.systemic(found.extracted, rules) for i in issues if i.severity == "MAJOR")
    advice = recommendation(of, systemic, rules)
    shaky = _is_shaky(issues, extraction, found)
    sure = confidence(found.certain, len(found.unsure), shaky, rules)
    heads = {
        "verdict": marks.verdict,
        "score": int(marks.score),
        "confidence": sure,
        "recommendation": advice,
    }
    return Decision(
        extraction,
        found,
        why,
        issues,
        marks.score,
        _output(extraction, found, why, issues, heads),
        (
            *steps_of_counts(found, rules),
            *marks.trace,
            step_of(rules, "BL-RECOMMENDATION", {"systemic": systemic}, advice),
            step_of(
                rules,
                "BL-CONFIDENCE",
                {"certain": found.certain, "unsure": len(found.unsure), "shaky": shaky},
                sure,
            ),
        ),
    )


def _is_shaky(
    issues: Sequence[ProvisionIssue], case: Extraction, found: ProvisionComparison
) -> bool:
    """Whether a CRITICAL issue rests on an uncertain place, or on a text with unread ones."""
    for one in issues:
        if one.severity != "CRITICAL":
            continue
        places = [about.place for about in one.concerns if about.place is not None]
        if any(not place.certain for place in places):
            return True
        if one.code == "hallucinated" and unread_places(case.text, found.citations):
            return True
    return False


def find_issues(
    case: Extraction, found: ProvisionComparison, why: dict[int, Reason], rules: Rules
) -> tuple[ProvisionIssue, ...]:
    """Every issue, CRITICAL first, in the order of the protocol's table."""
    made = [
        *support.missing(found, rules),
        *support.find_hallucinated(case, why, rules),
        *support.wrong_decision(case, found, rules),
        *support.expansion(case, found, why, rules),
        *support.wrong_act(case, found, why, rules),
        *forms.ids(case, rules),
        *forms.enums(case, rules),
        *forms.dedup(case, rules),
        *forms.keys(case, rules, found.support, _cut(why)),
        *forms.notation(case, rules, found.support),
        *fields.act_names(case, found, rules),
        *fields.dates(case, found, rules),
        *fields.types(case, found, rules),
        *fields.cosmetics(case, found, rules),
    ]
    order = list(rules.severity)
    rank = {severity: n for n, severity in enumerate(SEVERITIES)}
    return tuple(sorted(made, key=lambda i: (rank[i.severity], order.index(i.code))))


def _cut(why: dict[int, Reason]) -> dict[int, Citation]:
    """Items whose article lost a part of its anchor."""
    return {i: r.place for i, r in why.items() if r.code == "key" and r.place is not None}


def steps_of_counts(found: ProvisionComparison, rules: Rules) -> tuple[Step, ...]:
    """The counts as steps of the trace."""
    supported = found.extracted - len(found.unsupported)
    matched = {"matched": found.held, "extracted": found.extracted}
    sizes = {"expected": len(found.expected), "matched": found.matched}
    return (
        step_of(rules, "BL-EXPECTED", {"cited": len(found.cited)}, len(found.expected)),
        step_of(rules, "BL-SUPPORTED", {"extracted": found.extracted}, supported),
        step_of(rules, "BL-RECALL", sizes, found.recall),
        step_of(
            rules,
            "BL-PRECISION",
            matched,
            found.precision,
        ),
    )


def counts(found: ProvisionComparison) -> dict[str, int]:
    """The output's `counts`."""
    return {
        "expected": len(found.expected),
        "extracted": found.extracted,
        "matched": found.matched,
        "missing": len(found.missing),
        "hallucinated": len(found.unsupported),
        "duplicates": len(found.duplicates),
    }


def _output(
    case: Extraction,
    found: ProvisionComparison,
    why: dict[int, Reason],
    issues: Sequence[ProvisionIssue],
    heads: dict[str, Any],
) -> dict[str, Any]:
    """The original's object, keys in its order."""
    lists = {
        name: [i.line for i in issues if i.severity == severity] for severity, name in LISTS.items()
    }
    return {
        "verdict": heads["verdict"],
        "score": heads["score"],
        "confidence": heads["confidence"],
        **lists,
        "recommendation": heads["recommendation"],
        "summary": summary(found, issues),
        "counts": counts(found),
        "missing": [_absent(one) for one in found.missing],
        "hallucinated": [_unsupported(case.items[i], reason) for i, reason in why.items()],
        "idIssues": _notes(issues, ("id", "wrong-decision")),
        "typeIssues": _notes(issues, ("enum", "type")),
        "normalizationIssues": [
            *_notes(
                issues, ("key", "notation", "dedup", "act-name", "date", "date-null", "cosmetic")
            ),
            *(
                f"unsure: {case.items[i].label} (its number stands at {place.start}, where the "
                "engine read no citation; counted as supported)"
                for i, place in found.unsure
            ),
        ],
    }


def _absent(one: CitedProvision) -> dict[str, Any]:
    place = one.best
    return {
        "key": one.key,
        "path": list(one.path),
        "act": short(place.act.name) or None,
        "actId": one.act,
        "quote": place.quote,
        "start": place.start,
        "end": place.end,
    }


def _unsupported(item: Item, reason: Reason) -> dict[str, Any]:
    return {
        "item": item.index,
        "internalProvisionId": item.provision_id,
        "provision": item.label,
        "why": reason.kind or reason.code,
    }


def summary(found: ProvisionComparison, issues: Sequence[ProvisionIssue]) -> str:
    """One sentence."""
    total, got = len(found.expected), found.matched
    rest = ", ".join(i.name for i in issues) or "no issue"
    return f"{got} of {total} cited provisions found in {found.extracted} extracted items: {rest}."


def _notes(issues: Iterable[ProvisionIssue], codes: tuple[str, ...]) -> list[str]:
    return [
        f"{i.code}: {about.label} ({about.note})"
        for i in issues
        if i.code in codes
        for about in i.concerns
    ]


def evidence(issues: Sequence[ProvisionIssue]) -> tuple[Evidence, ...]:
    """Where in the source each issue's provisions stand."""
    return tuple(
        Evidence(f"issues[{n}].items[{m}]", Span("sourceText", about.place.start, about.place.end))
        for n, one in enumerate(issues)
        for m, about in enumerate(one.concerns)
        if about.place is not None
    )


def issues_json(
    issues: Sequence[ProvisionIssue], extracted: int, rules: Rules
) -> list[dict[str, Any]]:
    return [as_json(one, extracted, rules) for one in issues]


__all__ = ["Decision", "decide", "evidence", "issues_json"]

"""The engine as judge: a case in, the protocol's output with its issues and arithmetic out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from oyer.cite import Citation
from oyer.protocols.belgian_law import fields, forms, support
from oyer.protocols.belgian_law.compare import CitedProvision, ProvisionComparison, compare
from oyer.protocols.belgian_law.extraction import Extraction, Item, read_case, short
from oyer.protocols.belgian_law.issues import ProvisionIssue, as_json
from oyer.protocols.belgian_law.output import (
    Counts,
    EngineBrief,
    EngineOutput,
    HallucinatedItem,
    IssueLines,
    IssueRecord,
    MissingProvision,
)
from oyer.protocols.belgian_law.rules import RULES, SEVERITIES, Rules, Severity
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
    comparison: ProvisionComparison
    reasons: dict[int, Reason]
    issues: tuple[ProvisionIssue, ...]
    score: Number
    output: EngineOutput
    trace: tuple[Step, ...]

    def brief(self) -> EngineBrief:
        """The engine's verdict as it stands beside a model's."""
        output = self.output
        return {
            "verdict": output["verdict"],
            "score": output["score"],
            "confidence": output["confidence"],
            "recommendation": output["recommendation"],
            "counts": output["counts"],
            "issues": [issue.name for issue in self.issues],
        }


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
    comparison = compare(extraction, rules)
    why = support.reasons(extraction, comparison)
    issues = find_issues(extraction, comparison, why, rules)
    of = tally(((i.code, i.severity) for i in issues), comparison.recall, comparison.precision)
    marks = mark(of, rules)
    systemic = any(i.systemic(comparison.extracted, rules) for i in issues if i.severity == "MAJOR")
    advice = recommendation(of, systemic, rules)
    shaky = _is_shaky(issues, extraction, comparison)
    sure = confidence(comparison.certain, len(comparison.unsure), shaky, rules)
    heads = _Heads(marks.verdict, int(marks.score), sure, advice)
    return Decision(
        extraction,
        comparison,
        why,
        issues,
        marks.score,
        _output(extraction, comparison, why, issues, heads),
        (
            *steps_of_counts(comparison, rules),
            *marks.trace,
            step_of(rules, "BL-RECOMMENDATION", {"systemic": systemic}, advice),
            step_of(
                rules,
                "BL-CONFIDENCE",
                {"certain": comparison.certain, "unsure": len(comparison.unsure), "shaky": shaky},
                sure,
            ),
        ),
    )


def _is_shaky(
    issues: Sequence[ProvisionIssue], case: Extraction, comparison: ProvisionComparison
) -> bool:
    """Whether a CRITICAL issue rests on an uncertain place, or on a text with unread ones."""
    for issue in issues:
        if issue.severity != "CRITICAL":
            continue
        places = [about.place for about in issue.concerns if about.place is not None]
        if any(not place.certain for place in places):
            return True
        if issue.code == "hallucinated" and unread_places(case.text, comparison.citations):
            return True
    return False


def find_issues(
    case: Extraction, comparison: ProvisionComparison, why: dict[int, Reason], rules: Rules
) -> tuple[ProvisionIssue, ...]:
    """Every issue, CRITICAL first, in the order of the protocol's table."""
    issues = [
        *support.missing(comparison, rules),
        *support.find_hallucinated(case, why, rules),
        *support.wrong_decision(case, comparison, rules),
        *support.expansion(case, comparison, why, rules),
        *support.wrong_act(case, comparison, why, rules),
        *forms.ids(case, rules),
        *forms.enums(case, rules),
        *forms.dedup(case, rules),
        *forms.keys(case, rules, comparison.support, _cut(why)),
        *forms.notation(case, rules, comparison.support),
        *fields.act_names(case, comparison, rules),
        *fields.dates(case, comparison, rules),
        *fields.types(case, comparison, rules),
        *fields.cosmetics(case, comparison, rules),
    ]
    order = list(rules.severity)
    rank = {severity: n for n, severity in enumerate(SEVERITIES)}
    return tuple(sorted(issues, key=lambda i: (rank[i.severity], order.index(i.code))))


def _cut(why: dict[int, Reason]) -> dict[int, Citation]:
    """Items whose article lost a part of its anchor."""
    return {i: r.place for i, r in why.items() if r.code == "key" and r.place is not None}


def steps_of_counts(comparison: ProvisionComparison, rules: Rules) -> tuple[Step, ...]:
    """The counts as steps of the trace."""
    supported = comparison.extracted - len(comparison.unsupported)
    matched = {"matched": comparison.held, "extracted": comparison.extracted}
    sizes = {"expected": len(comparison.expected), "matched": comparison.matched}
    return (
        step_of(rules, "BL-EXPECTED", {"cited": len(comparison.cited)}, len(comparison.expected)),
        step_of(rules, "BL-SUPPORTED", {"extracted": comparison.extracted}, supported),
        step_of(rules, "BL-RECALL", sizes, comparison.recall),
        step_of(rules, "BL-PRECISION", matched, comparison.precision),
    )


def counts(comparison: ProvisionComparison) -> Counts:
    """The output's `counts`."""
    return {
        "expected": len(comparison.expected),
        "extracted": comparison.extracted,
        "matched": comparison.matched,
        "missing": len(comparison.missing),
        "hallucinated": len(comparison.unsupported),
        "duplicates": len(comparison.duplicates),
    }


class _Heads(NamedTuple):
    """What the output says first."""

    verdict: str
    score: int
    confidence: str
    recommendation: str


def _output(
    case: Extraction,
    comparison: ProvisionComparison,
    why: dict[int, Reason],
    issues: Sequence[ProvisionIssue],
    heads: _Heads,
) -> EngineOutput:
    """The original's object, keys in its order."""
    return {
        "verdict": heads.verdict,
        "score": heads.score,
        "confidence": heads.confidence,
        **lines_by_severity(issues),
        "recommendation": heads.recommendation,
        "summary": summary(comparison, issues),
        "counts": counts(comparison),
        "missing": [_missing_json(provision) for provision in comparison.missing],
        "hallucinated": [_hallucinated_json(case.items[i], reason) for i, reason in why.items()],
        "idIssues": _notes(issues, ("id", "wrong-decision")),
        "typeIssues": _notes(issues, ("enum", "type")),
        "normalizationIssues": [
            *_notes(
                issues, ("key", "notation", "dedup", "act-name", "date", "date-null", "cosmetic")
            ),
            *(
                f"unsure: {case.items[i].label} (its number stands at {place.start}, where the "
                "engine read no citation; counted as supported)"
                for i, place in comparison.unsure
            ),
        ],
    }


def lines_by_severity(issues: Sequence[ProvisionIssue]) -> IssueLines:
    """The output's three lists of issues."""
    return {
        "criticalIssues": _lines(issues, "CRITICAL"),
        "majorIssues": _lines(issues, "MAJOR"),
        "minorIssues": _lines(issues, "MINOR"),
    }


def _lines(issues: Sequence[ProvisionIssue], severity: Severity) -> list[str]:
    return [issue.line for issue in issues if issue.severity == severity]


def _missing_json(provision: CitedProvision) -> MissingProvision:
    place = provision.best
    return {
        "key": provision.key,
        "path": list(provision.path),
        "act": short(place.act.name) or None,
        "actId": provision.act,
        "quote": place.quote,
        "start": place.start,
        "end": place.end,
    }


def _hallucinated_json(item: Item, reason: Reason) -> HallucinatedItem:
    return {
        "item": item.index,
        "internalProvisionId": item.provision_id,
        "provision": item.label,
        "why": reason.kind or reason.code,
    }


def summary(comparison: ProvisionComparison, issues: Sequence[ProvisionIssue]) -> str:
    """One sentence."""
    total = len(comparison.expected)
    matched = comparison.matched
    rest = ", ".join(i.name for i in issues) or "no issue"
    items = f"{comparison.extracted} extracted items"
    return f"{matched} of {total} cited provisions found in {items}: {rest}."


def _notes(issues: Iterable[ProvisionIssue], codes: tuple[str, ...]) -> list[str]:
    notes: list[str] = []
    for issue in issues:
        if issue.code in codes:
            notes += [f"{issue.code}: {about.label} ({about.note})" for about in issue.concerns]
    return notes


def evidence(issues: Sequence[ProvisionIssue]) -> tuple[Evidence, ...]:
    """Where in the source each issue's provisions stand."""
    shown: list[Evidence] = []
    for n, issue in enumerate(issues):
        for m, about in enumerate(issue.concerns):
            if about.place is not None:
                span = Span("sourceText", about.place.start, about.place.end)
                shown.append(Evidence(f"issues[{n}].items[{m}]", span))
    return tuple(shown)


def issues_json(
    issues: Sequence[ProvisionIssue], extracted: int, rules: Rules
) -> list[IssueRecord]:
    return [as_json(issue, extracted, rules) for issue in issues]


__all__ = ["Decision", "decide", "evidence", "issues_json"]

"""A panel's verdict: its members' findings combined one by one, then scored like any reply.

The PANEL rules (`oyer.protocols.voting`) say how: labels by majority, numbers by median, ties to
the stricter. A protocol that does not say how its findings are matched, and a case that code alone
decided, have the median of the members' scores instead, and the verdict says so.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median, pstdev
from typing import Any

from oyer.arith import exact, round_to_show, show
from oyer.errors import ProtocolError, UnscoredKind
from oyer.text.vendors import judges_itself
from oyer.types import (
    AnyProtocol,
    Case,
    Checked,
    Evidence,
    Found,
    JsonObject,
    Pooled,
    Reading,
    Reply,
    Ruling,
    Step,
    Usage,
    Verdict,
    Violation,
    Vote,
)
from oyer.verdicts.agreement import by_kind, is_number, share, spread
from oyer.verdicts.core import examine, model_of, with_quotes
from oyer.verdicts.protocol_errors import blame_protocol, require_scale
from oyer.verdicts.reader import read_reply
from oyer.verdicts.violations import is_breach

#: Members further apart than this share of a score's scale are flagged (15 points of 100).
WIDE = Fraction(15, 100)
CRITICAL = "critical_fail"
PANEL = "panel"  # the only key of an output that is no member's
BY_FINDING = "labels by majority, numbers by median, ties to the stricter: see panel.findings"
BY_SCORE = "the median of the members' scores"


@dataclass(frozen=True, slots=True)
class Member:
    """One judge of a panel: its verdict, and the reply that it was made from, if there was one."""

    verdict: Verdict
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Combined:
    """What a panel's members come to: a ruling, its evidence, and the votes behind it."""

    ruling: Ruling
    evidence: tuple[Evidence, ...]
    votes: tuple[Vote, ...] = ()


def combine(
    case: Case,
    protocol: AnyProtocol,
    members: Sequence[Member],
    name: str,
    *,
    without_self: bool = False,
) -> Verdict:
    """The panel's verdict, made from its members' findings by code alone."""
    labels = _labels(members)
    own = {k for k, m in labels.items() if judges_itself(model_of(m.verdict), case.author)}
    voting = {
        k: m
        for k, m in labels.items()
        if m.verdict.scores is not None and not (without_self and k in own)
    }
    seats = [_seat(k, m.verdict, k in own, k in voting) for k, m in labels.items()]
    panel: dict[str, Any] = {"members": seats, "scores": _spread(voting)}
    violations = _violations(labels)
    if not voting:
        panel["flags"] = _flags(labels, voting, protocol, own, ())
        return _no_score(members, name, panel, violations)
    try:
        combined = _combine_findings(case, protocol, voting) or _combine_scores(protocol, voting)
        scores = {key: round_to_show(value) for key, value in combined.ruling.scores.items()}
        total = round_to_show(combined.ruling.total)
        require_scale(protocol, case, scores, total)
    except Exception as bug:  # of the protocol's own `pool`: one case's error, not the run's end
        panel["flags"] = _flags(labels, voting, protocol, own, ())
        problem = bug if isinstance(bug, ProtocolError) else blame_protocol(bug, protocol, case)
        broken = Violation(problem.code, "panel", problem.message)
        return _no_score(members, name, panel, (broken, *violations), "input")
    panel["combined"] = "findings" if combined.votes else "scores"
    panel["agreement"] = by_kind(combined.votes)
    panel["findings"] = [_finding(vote) for vote in combined.votes]
    panel["flags"] = _flags(labels, voting, protocol, own, combined.votes)
    return _verdict(
        members,
        name,
        status="scored",
        scores=scores,
        total=total,
        trace=combined.ruling.trace,
        violations=violations,
        evidence=combined.evidence,
        output=combined.ruling.output,
        extra={
            **_common_extras([m.verdict.extra for m in voting.values()]),
            **combined.ruling.extra,
            "panel": panel,
        },
    )


# ── the two ways to combine ───────────────────────────────────────────────────────────────────


def _combine_findings(
    case: Case, protocol: AnyProtocol, voting: Mapping[str, Member]
) -> Combined | None:
    """Finding by finding; None when the protocol cannot, or when nobody was asked."""
    if protocol.pool is None or any(m.reply is None for m in voting.values()):
        return None
    findings: dict[str, Checked[Any]] = {
        k: examine(case, protocol, read_reply(m.reply.text), m.reply.about)[1]
        for k, m in voting.items()
        if m.reply is not None
    }
    pooled: Pooled = protocol.pool(case, findings)
    reading = Reading(tuple(Found(value, 0, 0) for value in pooled.objects))
    checked = protocol.check(case, protocol.read(case, reading))
    ruling = protocol.score(case, checked)
    inputs = {
        "members": len(voting),
        "findings": len(pooled.votes),
        "split": sum(_is_split(vote) for vote in pooled.votes),
        "ties": sum(vote.tie for vote in pooled.votes),
    }
    step = Step("PANEL", BY_FINDING, inputs, "combined")
    ruled = Ruling(ruling.scores, ruling.total, (step, *ruling.trace), output=ruling.output,
                  extra=ruling.extra)  # fmt: skip
    return Combined(ruled, with_quotes(case, checked, ruling), pooled.votes)


def _combine_scores(protocol: AnyProtocol, voting: Mapping[str, Member]) -> Combined:
    """Score by score: a critical fail by majority, then the median of those who side with it."""
    verdicts = {k: m.verdict for k, m in voting.items()}
    trace = [Step("PANEL", BY_SCORE, {"members": len(voting)}, "combined")]
    votes = {k: bool(v.extra[CRITICAL]) for k, v in verdicts.items() if CRITICAL in v.extra}
    extra: dict[str, Any] = {}
    if votes:
        extra[CRITICAL] = 2 * sum(votes.values()) >= len(votes) and any(votes.values())
        rule = "fail when at least half of the members say so"
        trace.append(Step("PANEL-MAJORITY", rule, votes, extra[CRITICAL]))
    siding = {k: v for k, v in verdicts.items() if not votes or votes.get(k) is extra[CRITICAL]}
    keys = list(next(iter(siding.values())).scores or ())
    medians: dict[str, Fraction] = {}
    for key in (*keys, *({"total"} - {*keys})):
        given = {k: _score(v, key) for k, v in siding.items()}
        medians[key] = Fraction(median(given.values()))
        trace.append(Step("PANEL-MEDIAN", f"median of the members' {key}", given, medians[key]))
    if protocol.weights and {*protocol.weights} <= {*keys}:
        total = _weighted_mean(medians, protocol.weights)
        trace.append(Step("PANEL-TOTAL", "Σ w·score/Σ w of the medians", {}, total))
        medians["total"] = total
    evidence: list[Evidence] = []
    for label, verdict in siding.items():
        for found in verdict.evidence:
            evidence.append(found._replace(where=f"{label}: {found.where}"))
    scores = {key: medians[key] for key in keys}
    output = _output(siding.values(), scores, medians["total"])
    ruling = Ruling(scores, medians["total"], tuple(trace), output=output, extra=extra)
    return Combined(ruling, tuple(evidence))


def _weighted_mean(scores: Mapping[str, Fraction], weights: Mapping[str, Fraction]) -> Fraction:
    whole = sum(weights.values(), Fraction(0))
    worth = sum((scores[key] * weight for key, weight in weights.items()), Fraction(0))
    return worth / whole if whole else Fraction(0)


def _output(verdicts: Iterable[Verdict], scores: Mapping[str, Fraction], total: Fraction) -> Any:
    """What a member printed, if its numbers are the panel's; else the panel's numbers alone."""
    shown_scores = {key: round_to_show(value) for key, value in scores.items()}
    for verdict in verdicts:
        if verdict.scores == shown_scores and verdict.total == round_to_show(total):
            return verdict.output
    return {PANEL: {"scores": shown_scores, "total": round_to_show(total)}}


# ── what is shown of the members ──────────────────────────────────────────────────────────────


def _labels(members: Sequence[Member]) -> dict[str, Member]:
    """Members by name; one that sits twice is numbered."""
    times = Counter(m.verdict.judge for m in members)
    seen: Counter[str] = Counter()
    labels = {}
    for member in members:
        judge = member.verdict.judge
        seen[judge] += 1
        labels[f"{judge}#{seen[judge]}" if times[judge] > 1 else judge] = member
    return labels


def _seat(label: str, verdict: Verdict, own: bool, voted: bool) -> dict[str, Any]:
    return {
        "judge": label,
        "verdict": verdict.id,
        "status": verdict.status,
        "error": verdict.error,
        "scores": None if verdict.scores is None else dict(verdict.scores),
        "total": verdict.total,
        "violations": sum(is_breach(v.code) for v in verdict.violations),
        "self_judging": own,
        "counted": voted,
    }


def _finding(vote: Vote) -> dict[str, Any]:
    agree = share(vote)
    apart = {"range": round_to_show(spread(vote))} if is_number(vote) else {}
    return {
        "finding": vote.finding,
        "where": vote.where,
        "rule": vote.rule,
        "said": show(vote.said),
        "value": show(vote.value),
        **({} if agree is None else {"agree": round_to_show(agree)}),
        **apart,
        **({"tie": True} if vote.tie else {}),
    }


def _is_split(vote: Vote) -> bool:
    return len({*vote.said.values()}) > 1


def _score(verdict: Verdict, key: str) -> Fraction:
    scores = verdict.scores or {}
    return exact(scores.get(key, verdict.total or 0))


def _spread(voting: Mapping[str, Member]) -> dict[str, Any]:
    """The members' own scores: median, mean, range and standard deviation of each."""
    if not voting:
        return {}
    verdicts = [m.verdict for m in voting.values()]
    keys = dict.fromkeys([*(verdicts[0].scores or ()), "total"])
    columns = {key: [_score(v, key) for v in verdicts] for key in keys}
    return {
        key: {
            "median": round_to_show(Fraction(median(column))),
            "mean": round_to_show(sum(column, Fraction(0)) / len(column)),
            "range": round_to_show(max(column) - min(column)),
            "sd": round_to_show(exact(pstdev(map(float, column)))),
        }
        for key, column in columns.items()
    }


def _flags(
    labels: Mapping[str, Member],
    voting: Mapping[str, Member],
    protocol: AnyProtocol,
    own: set[str],
    votes: Sequence[Vote],
) -> list[str]:
    """What a person should look at."""
    verdicts = {k: m.verdict for k, m in voting.items()}
    flags = [f"self-judging: {label} is of the candidate's family" for label in sorted(own)]
    flags += [
        f"no score from {k}: {m.verdict.error}"
        for k, m in labels.items()
        if m.verdict.scores is None
    ]
    fails = [bool(v.extra[CRITICAL]) for v in verdicts.values() if CRITICAL in v.extra]
    if len(set(fails)) > 1:
        tie = ", a tie" if 2 * sum(fails) == len(fails) else ""
        flags.append(f"critical fail: {sum(fails)} of {len(fails)} say so{tie}")
    low = [k for k, v in verdicts.items() if str(v.extra.get("confidence")).lower() == "low"]
    flags += [f"low confidence: {label}" for label in low]
    tops = _tops(protocol, verdicts.values())
    for key, (lowest, _) in protocol.scale.items():
        values = [_score(v, key) for v in verdicts.values() if v.scores and key in v.scores]
        if values and max(values) - min(values) > WIDE * (tops[key] - lowest):
            flags.append(
                f"wide: {key} from {round_to_show(min(values)):g} to {round_to_show(max(values)):g}"
            )
    ties = [v for v in votes if v.tie and v.finding != "critical fail"]
    flags += [f"tie: {v.finding} at {v.where}, so {show(v.value)}" for v in ties]
    return flags


def _tops(protocol: AnyProtocol, verdicts: Iterable[Verdict]) -> dict[str, float]:
    """The maximum of each score: of the case's own task, where that is lower than the scale's."""
    tops = {key: float(high) for key, (_, high) in protocol.scale.items()}
    if protocol.wording is not None and protocol.wording.tops is not None:
        for verdict in verdicts:
            tops |= protocol.wording.tops({**verdict.extra, "output": verdict.output})
    return tops


def _violations(labels: Mapping[str, Member]) -> tuple[Violation, ...]:
    """The members' violations under their names: a panel breaks no rule itself."""
    violations: list[Violation] = []
    for label, member in labels.items():
        for violation in member.verdict.violations:
            violations.append(violation._replace(where=f"{label}: {violation.where}"))
    return tuple(violations)


def _common_extras(extras: Sequence[JsonObject]) -> dict[str, Any]:
    """What all members say alike, code's own findings above all; the rest is each member's."""
    common, *others = map(dict, extras)
    for other in others:
        for name in [*common]:
            if name not in other or other[name] != common[name]:
                del common[name]
    return common


def _no_score(
    members: Sequence[Member],
    name: str,
    panel: dict[str, Any],
    violations: tuple[Violation, ...],
    error: UnscoredKind | None = None,
) -> Verdict:
    errors = Counter(m.verdict.error for m in members if m.verdict.error is not None)
    known = error is not None
    error = error or (errors.most_common(1)[0][0] if errors else "refused")
    if not errors and not known:
        detail = "every member is of the candidate's family, and was to be left out"
        violations = (*violations, Violation("panel.nobody", "panel", detail))
    return _verdict(
        members,
        name,
        status="unscored",
        error=error,
        violations=violations,
        output={"error": error},
        extra={"panel": panel},
    )


def _verdict(members: Sequence[Member], name: str, **fields: Any) -> Verdict:
    verdicts = [m.verdict for m in members]
    first = verdicts[0]
    joined = "/".join(f"{v.judge}:{v.sha}" for v in verdicts)
    sha = hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
    return Verdict(
        id=sha[:16],
        case=first.case,
        candidate=first.candidate,
        protocol=first.protocol,
        judge=name,
        sha=sha,
        usage=sum((v.usage for v in verdicts), Usage()),
        **fields,
    )

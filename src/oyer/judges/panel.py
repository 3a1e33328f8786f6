"""Panels `a+b+c`: every member hears the case alone; code takes the median or the majority.

    PANEL-MEDIAN    a score is the median of the members' scores (two in the middle: their mean)
    PANEL-MAJORITY  a yes or no (critical fail) is the majority's; a tie counts as fail, flagged

Each member's verdict is kept beside the panel's. A panel of unscored members has no score.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median, pstdev
from typing import Any

from oyer.arith import exact, shown
from oyer.errors import ProviderError, UsageError
from oyer.judges.family import judges_itself
from oyer.types import (
    Evidence,
    Judge,
    Prompt,
    Protocol,
    Reply,
    Step,
    Usage,
    Verdict,
    Violation,
)

#: Members further apart than this share of a score's scale are flagged (15 points of 100).
WIDE = Fraction(15, 100)
MAJORITY = "critical_fail"


@dataclass(frozen=True, slots=True)
class Panel:
    """Several judges under one name. `oyer.pipeline.hear` asks each; a panel itself is no voice."""

    members: tuple[Judge, ...]
    without_self: bool = False  # leave out members of the candidate's own family

    @property
    def name(self) -> str:
        return "+".join(member.name for member in self.members)

    async def ask(self, prompt: Prompt) -> Reply:
        """Never called by `hear`: verdicts are combined, not replies."""
        raise ProviderError("a panel has no single reply: hear the case with oyer.pipeline.hear")


def open_panel(members: Sequence[Judge]) -> Panel:
    """A panel of judges that are already open."""
    if len(members) < 2:
        raise UsageError("a panel needs at least two judges: write a+b")
    return Panel(tuple(members))


def combine(
    verdicts: Sequence[Verdict],
    protocol: Protocol[Any],
    name: str,
    *,
    without_self: bool = False,
) -> Verdict:
    """The panel's verdict, made from its members' verdicts by code alone."""
    labels = _labels(verdicts)
    own = {k for k, v in labels.items() if judges_itself(v.judge, v.candidate)}
    scored = {k: v for k, v in labels.items() if v.scores is not None}
    voting = {k: v for k, v in scored.items() if not (without_self and k in own)}
    flags = _flags(labels, voting, protocol, own)
    panel: dict[str, Any] = {
        "members": [_member(k, v, k in own, k in voting) for k, v in labels.items()],
        "agreement": _agreement(voting),
        "flags": flags,
    }
    if not voting:
        return _no_score(verdicts, name, panel)
    decided, trace = _majority(voting)
    agreeing = {
        k: v for k, v in voting.items() if decided is None or bool(v.extra.get(MAJORITY)) is decided
    }
    keys = next(iter(agreeing.values())).scores or ()
    scores = {key: _median(key, agreeing, trace) for key in keys}
    total = _median("total", agreeing, trace)
    nearest = min(agreeing.items(), key=lambda item: abs(exact(item[1].total or 0) - total))
    panel["output_of"] = nearest[0]
    extra = _shared([v.extra for v in agreeing.values()])
    if decided is not None:
        extra[MAJORITY] = decided
    return _verdict(
        verdicts,
        name,
        status="scored",
        scores={key: shown(value) for key, value in scores.items()},
        total=shown(total),
        trace=tuple(trace),
        violations=tuple(Violation(v.code, f"{k}: {v.where}", v.detail) for k, v in _each(labels)),
        evidence=tuple(
            Evidence(f"{k}: {e.where}", e.span, e.quote)
            for k, v in agreeing.items()
            for e in v.evidence
        ),
        output=nearest[1].output,
        extra={**extra, "panel": panel},
    )


def _labels(verdicts: Sequence[Verdict]) -> dict[str, Verdict]:
    """Members by name; one that sits twice is numbered."""
    times = Counter(v.judge for v in verdicts)
    seen: Counter[str] = Counter()
    labels = {}
    for verdict in verdicts:
        seen[verdict.judge] += 1
        number = f"#{seen[verdict.judge]}" if times[verdict.judge] > 1 else ""
        labels[verdict.judge + number] = verdict
    return labels


def _member(label: str, verdict: Verdict, own: bool, voted: bool) -> dict[str, Any]:
    return {
        "judge": label,
        "verdict": verdict.id,
        "status": verdict.status,
        "error": verdict.error,
        "scores": None if verdict.scores is None else dict(verdict.scores),
        "total": verdict.total,
        "self_judging": own,
        "counted": voted,
    }


def _median(key: str, voting: Mapping[str, Verdict], trace: list[Step]) -> Fraction:
    given = {k: _score(v, key) for k, v in voting.items()}
    value = Fraction(median(given.values()))
    trace.append(Step("PANEL-MEDIAN", f"median of the members' {key}", given, value))
    return value


def _score(verdict: Verdict, key: str) -> Fraction:
    value = verdict.total if key == "total" else (verdict.scores or {})[key]
    return exact(value or 0)


def _majority(voting: Mapping[str, Verdict]) -> tuple[bool | None, list[Step]]:
    """The members' majority on a yes or no, None when the protocol has none."""
    votes = {k: bool(v.extra[MAJORITY]) for k, v in voting.items() if MAJORITY in v.extra}
    if not votes:
        return None, []
    yes = sum(votes.values())
    decided = 2 * yes >= len(votes)  # a tie counts as fail
    formula = "fail when at least half of the members say so"
    return decided, [Step("PANEL-MAJORITY", formula, votes, decided)]


def _agreement(voting: Mapping[str, Verdict]) -> dict[str, Any]:
    """How far the members are apart: range and standard deviation of every score."""
    if not voting:
        return {}
    keys = [*(next(iter(voting.values())).scores or ()), "total"]
    columns = {key: [_score(v, key) for v in voting.values()] for key in keys}
    return {
        key: {"range": shown(max(c) - min(c)), "sd": shown(exact(pstdev(map(float, c))))}
        for key, c in columns.items()
    }


def _flags(
    labels: Mapping[str, Verdict],
    voting: Mapping[str, Verdict],
    protocol: Protocol[Any],
    own: set[str],
) -> list[str]:
    flags = [f"self-judging: {label} is of the candidate's family" for label in sorted(own)]
    flags += [f"no score from {k}: {v.error}" for k, v in labels.items() if v.scores is None]
    votes = Counter(bool(v.extra[MAJORITY]) for v in voting.values() if MAJORITY in v.extra)
    if len(votes) > 1:
        tie = ", a tie" if votes[True] == votes[False] else ""
        flags.append(f"critical fail: {votes[True]} of {sum(votes.values())} say so{tie}")
    low = [k for k, v in voting.items() if str(v.extra.get("confidence")).lower() == "low"]
    flags += [f"low confidence: {label}" for label in low]
    for key, (lowest, highest) in protocol.scale.items():
        values = [_score(v, key) for v in voting.values() if v.scores and key in v.scores]
        if values and max(values) - min(values) > WIDE * (highest - lowest):
            flags.append(f"wide: {key} from {shown(min(values)):g} to {shown(max(values)):g}")
    return flags


def _each(labels: Mapping[str, Verdict]) -> list[tuple[str, Violation]]:
    return [(k, violation) for k, v in labels.items() for violation in v.violations]


def _shared(extras: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What all members say alike, code's own findings above all; the rest is each member's."""
    first, *others = extras
    return {
        name: value
        for name, value in first.items()
        if all(name in other and other[name] == value for other in others)
    }


def _no_score(verdicts: Sequence[Verdict], name: str, panel: dict[str, Any]) -> Verdict:
    errors = Counter(v.error for v in verdicts if v.error is not None)
    error = errors.most_common(1)[0][0] if errors else "provider"
    violations = tuple(Violation(v.code, f"{k}: {v.where}", v.detail)
                       for k, v in _each(_labels(verdicts)))  # fmt: skip
    return _verdict(
        verdicts,
        name,
        status="unscored",
        error=error,
        violations=violations,
        output={"error": error},
        extra={"panel": panel},
    )


def _verdict(verdicts: Sequence[Verdict], name: str, **made: Any) -> Verdict:
    first = verdicts[0]
    joined = "/".join(f"{v.judge}:{v.sha}" for v in verdicts)
    sha = hashlib.sha256(joined.encode()).hexdigest()
    return Verdict(
        id=sha[:16],
        case=first.case,
        candidate=first.candidate,
        protocol=first.protocol,
        judge=name,
        sha=sha,
        usage=sum((v.usage for v in verdicts), Usage()),
        **made,
    )

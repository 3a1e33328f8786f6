"""Does this run pass? Drops against a baseline, and bars on means, on cases and on verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from oyer.report.case_results import CaseResult
from oyer.report.compare import Pairing
from oyer.report.drop_test import ALPHA, FEWEST, drop_p_values, smallest_drop
from oyer.report.standings import Gathered
from oyer.report.stats import Floats, Interval, interval

State = Literal["pass", "fail", "undecided"]
SHOWN = 3  # cases that a failed bar names


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One thing the gate looked at: what it decided, in words and in numbers."""

    name: str
    state: State
    message: str
    metric: str | None = None
    candidate: str | None = None
    n: int | None = None  # cases
    before: float | None = None
    after: float | None = None
    difference: float | None = None
    low: float | None = None  # of the difference, 95 %
    high: float | None = None
    p: float | None = None  # one-sided, corrected over all drops that were asked about
    smallest_drop: float | None = None  # that as many cases would show in 4 of 5 trials
    limit: float | None = None  # margin or bar


def decide(checks: Sequence[GateCheck]) -> State:
    """One failure fails; else one question without an answer leaves it undecided."""
    states = {check.state for check in checks}
    if "fail" in states:
        return "fail"
    return "undecided" if "undecided" in states else "pass"


# ── against a baseline ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Question:
    """One drop that is asked about: a metric of one candidate, or of all of them averaged."""

    metric: str
    candidate: str | None
    before: Floats
    after: Floats

    @property
    def name(self) -> str:
        whose = "" if self.candidate is None else f".{self.candidate}"
        return f"drop.{self.metric}{whose}"


def check_drops(pairing: Pairing, metrics: Sequence[str], margin: float) -> list[GateCheck]:
    """Whether a metric fell by more than the margin: of all candidates together, and of each.

    The p values are corrected over these questions only; a metric that did not move in any case is
    no question.
    """
    questions: list[_Question] = []
    for metric in metrics:
        questions += _questions(pairing, metric)
    asked = [question for question in questions if _moves(question)]
    p_values = dict[str, float]()
    if asked:
        shifted = np.array([question.after - question.before + margin for question in asked]).T
        corrected = drop_p_values(shifted)
        names = [question.name for question in asked]
        p_values = dict(zip(names, corrected.tolist(), strict=True))
    return [_check_drop(question, p_values, margin) for question in questions]


def _questions(pairing: Pairing, metric: str) -> Iterator[_Question]:
    everybody = list(pairing.partners)
    yield _Question(metric, None, *pairing.means(metric, everybody))
    if len(everybody) > 1:
        for who in everybody:
            yield _Question(metric, pairing.name(who), *pairing.means(metric, [who]))


def _moves(question: _Question) -> bool:
    return bool(np.any(np.nan_to_num(question.after - question.before)))


def _check_drop(question: _Question, p_values: Mapping[str, float], margin: float) -> GateCheck:
    known = np.isfinite(question.before)
    before = question.before[known]
    after = question.after[known]
    cases = len(before)
    p = p_values.get(question.name)
    spread = interval(after - before)
    smallest = smallest_drop(after - before, max(len(p_values), 1))
    state: State = "pass"
    if cases < FEWEST:
        state = "undecided"
    elif p is not None and p <= ALPHA:
        state = "fail"
    means = (float(before.mean()), float(after.mean())) if cases else (None, None)
    return GateCheck(
        name=question.name,
        state=state,
        message=_drop_message(means, spread, p, smallest, margin),
        metric=question.metric,
        candidate=question.candidate,
        n=cases,
        before=means[0],
        after=means[1],
        difference=spread.mean if cases else None,
        low=spread.low,
        high=spread.high,
        p=p,
        smallest_drop=smallest,
        limit=margin,
    )


def _drop_message(
    means: tuple[float | None, float | None],
    spread: Interval,
    p: float | None,
    smallest: float | None,
    margin: float,
) -> str:
    cases = f"{spread.n:,} case{'' if spread.n == 1 else 's'}"
    before, after = means
    if before is None or after is None:
        return "no case has a score in both runs: nothing can be compared"
    moved = f"{before:.2f} → {after:.2f}"
    if spread.n < FEWEST:
        return f"{moved}, {cases}: no result of fewer than {FEWEST} cases could fail"
    if p is None:
        return f"{moved}, {cases}: the same in every case"
    parts = [moved, f"difference {spread.text}", f"p = {p:.3g} (one-sided)", cases]
    if margin:
        parts.append(f"margin {margin:g}")
    if smallest is not None:
        parts.append(f"would have found a drop of {smallest + margin:.2g}")
    return ", ".join(parts)


# ── bars ──────────────────────────────────────────────────────────────────────────────────────


def check_means(gathered: Gathered, bars: Mapping[str, float]) -> list[GateCheck]:
    """Bars on the mean over all cases, each candidate on its own."""
    checks = []
    for who in gathered.tallies:
        for key, bar in bars.items():
            checks.append(_check_mean(who, key, bar, gathered.values(who, key)))
    return checks


def _check_mean(who: str, key: str, bar: float, values: Floats) -> GateCheck:
    known = values[~np.isnan(values)]
    name = f"bar.{key}.{who}"
    if not len(known):
        message = f"{who} has no scored case"
        return GateCheck(name, "fail", message, key, who, n=0, limit=bar)
    spread = interval(known)
    state: State = "pass" if round(spread.mean, 9) >= bar else "fail"
    message = f"{who}: {spread.text}, bar {bar:g}"
    return GateCheck(
        name, state, message, key, who, len(known), after=spread.mean, low=spread.low,
        high=spread.high, limit=bar,
    )  # fmt: skip


def check_cases(results: Sequence[CaseResult], bars: Mapping[str, float]) -> list[GateCheck]:
    """Bars that every single case must reach; one without a score is not held against them."""
    checks = []
    for key, bar in bars.items():
        scored = [result for result in results if key in result.scores]
        low = [result for result in scored if round(result.scores[key], 9) < bar]
        message = f"{len(low):,} of {len(scored):,} cases under {bar:g}{_names(low)}"
        state: State = "fail" if low or not scored else "pass"
        checks.append(GateCheck(f"case.{key}", state, message, key, n=len(scored), limit=bar))
    return checks


def check_words(results: Sequence[CaseResult], bars: Mapping[str, float]) -> list[GateCheck]:
    """Bars on what verdicts say (FAIL, critical_fail, a violation's code, unscored): the share of
    cases that may."""
    checks = []
    for word, most in bars.items():
        hit = [result for result in results if result.says(word)]
        share = len(hit) / max(len(results), 1)
        state: State = "pass" if share <= most else "fail"
        allowed = f", at most {most:.1%}" if most else ""
        message = f"{len(hit):,} of {len(results):,} cases ({share:.1%}){allowed}{_names(hit)}"
        checks.append(GateCheck(f"on.{word}", state, message, n=len(results), limit=most))
    return checks


def _names(results: Sequence[CaseResult]) -> str:
    if not results:
        return ""
    names = [result.name for result in results[:SHOWN]]
    more = f" and {len(results) - SHOWN:,} more" if len(results) > SHOWN else ""
    return f": {', '.join(names)}{more}"


def check_verdicts(gathered: Gathered) -> list[GateCheck]:
    """A run without a verdict passes nothing: fails where there is none, else says nothing."""
    message = "the run has no verdict yet: `oyer run` the suite (again)"
    return [] if gathered.verdicts else [GateCheck("verdicts", "fail", message, n=0)]


def check_unscored(gathered: Gathered, most: float) -> GateCheck:
    """The share of verdicts without a score."""
    bad = sum(sum(tally.unscored) for tally in gathered.tallies.values())
    share = bad / max(gathered.verdicts, 1)
    message = f"{bad} of {gathered.verdicts} verdicts ({share:.1%}), at most {most:.1%}"
    state: State = "pass" if share <= most else "fail"
    return GateCheck("unscored", state, message, n=gathered.verdicts, after=share, limit=most)


# ── in words ──────────────────────────────────────────────────────────────────────────────────


def conclude(checks: Sequence[GateCheck]) -> str:
    """The gate's answer in one line."""
    state = decide(checks)
    if state == "pass":
        return f"PASSED: {_count(len(checks), 'check')}."
    deciding = [check for check in checks if check.state == state]
    if state == "fail":
        return f"FAILED: {_failure(deciding[0])}{_others(deciding)}."
    return f"UNDECIDED: {deciding[0].name}: {deciding[0].message}{_others(deciding)}."


def _failure(check: GateCheck) -> str:
    if check.before is not None and check.after is not None:
        protocol, colon, _ = check.name.rpartition(": ")
        whose = "" if check.candidate is None else f" of {check.candidate}"
        drop = check.before - check.after
        cases = _count(check.n or 0, "case")
        return (
            f"{protocol}{colon}{check.metric}{whose} fell by {drop:.2f} "
            f"({check.before:.2f} → {check.after:.2f}, {cases}, p = {check.p:.2g}, one-sided)"
        )
    return f"{check.name}: {check.message}"


def _others(checks: Sequence[GateCheck]) -> str:
    return f"; {_count(len(checks) - 1, 'more')}" if len(checks) > 1 else ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 or noun == "more" else f"{number:,} {noun}s"


def warnings(changed: Mapping[str, object]) -> list[str]:
    """What else is different between the runs, where that makes a drop hard to read."""
    meanings = {
        "judges": "judged by other judges",
        "prompt_sha": "asked with another prompt",
        "rules_sha": "scored by other rules",
        "protocol": "scored by another version of the protocol",
        "params": "asked with other parameters",
        "named": "asked under other names, or with other options of their own",
        "weights": "totalled with other weights",
    }
    return [
        f"the baseline was {meaning}: a difference may be theirs"
        for key, meaning in meanings.items()
        if key in changed
    ]

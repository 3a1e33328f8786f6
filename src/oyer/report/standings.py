"""Outcomes of a run, gathered a million at a time into one small table: candidate × case."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from oyer.report.stats import Floats, Interval, bounds, interval, paired_p, win_rate
from oyer.verdicts.violations import breaches

if TYPE_CHECKING:
    from oyer.store import Outcome

NOBODY = "(no candidate)"


class CandidateTally:
    """One candidate's verdicts: sums over judges and repeats, one place a case, in flat arrays."""

    def __init__(self, metrics: int) -> None:
        self.metrics = metrics
        self.scored, self.unscored, self.sums = array("L"), array("L"), array("d")
        self.rows = array("q")  # of the cases file, from which the case was first read

    def _grow(self, case: int) -> None:
        more = case + 1 - len(self.scored)
        if more > 0:
            self.scored.extend([0] * more)
            self.unscored.extend([0] * more)
            self.rows.extend([-1] * more)
            self.sums.extend([0.0] * (more * self.metrics))

    def is_other(self, case: int, row: int) -> bool:
        """Whether the case was read from another row before: then two cases have one id."""
        self._grow(case)
        if self.rows[case] < 0:
            self.rows[case] = row
        return self.rows[case] != row

    def miss(self, case: int) -> None:
        """A verdict without a score."""
        self._grow(case)
        self.unscored[case] += 1

    def add(self, case: int, values: Iterable[float]) -> None:
        """A verdict's scores, in the order of the metrics."""
        self._grow(case)
        self.scored[case] += 1
        for at, value in enumerate(values, case * self.metrics):
            self.sums[at] += value

    def means(self, metric: int, cases: int) -> Floats:
        """The mean of each case; NaN where it has no score."""
        made = np.full(cases, math.nan)
        if self.scored:
            scored = np.array(self.scored, dtype=np.float64)
            sums = np.array(self.sums, dtype=np.float64)[metric :: self.metrics]
            known = scored > 0
            made[: len(scored)][known] = sums[known] / scored[known]
        return made

    def bounds(self, scale: tuple[float, float]) -> tuple[float, float]:
        """The mean total if every unscored verdict had the worst, or the best, score there is."""
        sums = np.array(self.sums, dtype=np.float64)[self.metrics - 1 :: self.metrics]
        scored, unscored = (np.array(n, dtype=np.float64) for n in (self.scored, self.unscored))
        return bounds(sums, scored, unscored, scale)


@dataclass
class Gathered:
    """A run in memory: as large as candidates × cases, never as verdicts."""

    metrics: tuple[str, ...]  # `total` is always the last
    cases: dict[str, int] = field(default_factory=dict)  # case -> its place, as first seen
    tallies: dict[str, CandidateTally] = field(default_factory=dict)  # by candidate
    #: Rules that judges broke; a judge that was not heard broke none.
    violations: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    by_judge: dict[str, Counter[str]] = field(default_factory=dict)  # violations by judge
    errors: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    cost: dict[str, float | None] = field(default_factory=dict)
    stated: dict[str, Counter[tuple[float, float]]] = field(default_factory=dict)  # metric -> pairs
    judges: Counter[str] = field(default_factory=Counter)
    verdicts: int = 0
    doubled: int = 0  # verdicts on a second case of the same id and candidate
    short: int = 0  # verdicts on texts too short to be judged reliably

    @property
    def kinds(self) -> Counter[str]:
        """Why verdicts have no score, over all candidates."""
        return sum(self.errors.values(), Counter())

    def highest(self, metric: str) -> float:
        """The highest value any case has; 0 where there is none."""
        tops = [np.nanmax(self.values(who, metric), initial=0.0) for who in self.tallies]
        return float(max(tops, default=0.0))

    def values(self, candidate: str, metric: str) -> Floats:
        """The candidate's mean of each case, in the order of `cases`; NaN where it has none."""
        return self.tallies[candidate].means(self.metrics.index(metric), len(self.cases))


def gather(outcomes: Iterable[Outcome], scale: Iterable[str]) -> Gathered:
    """One pass over the outcomes of a run."""
    keys = tuple(key for key in scale if key != "total")
    made = Gathered((*keys, "total"))
    for outcome in outcomes:
        who = outcome.candidate or NOBODY
        tally = made.tallies.setdefault(who, CandidateTally(len(made.metrics)))
        case = made.cases.setdefault(outcome.case, len(made.cases))
        made.verdicts += 1
        made.doubled += tally.is_other(case, outcome.seq)
        made.judges[outcome.judge] += 1
        made.short += "too_short" in outcome.facts
        cost, spent = made.cost.get(who, 0.0), outcome.usage.cost_usd
        made.cost[who] = None if cost is None or spent is None else cost + spent
        if outcome.violations and (broken := breaches(outcome.violations)):
            made.violations.setdefault(who, Counter()).update(broken)
            made.by_judge.setdefault(outcome.judge, Counter()).update(broken)
        if outcome.scores is None or outcome.total is None:
            tally.miss(case)
            made.errors.setdefault(who, Counter())[outcome.error or "unknown"] += 1
        else:
            tally.add(case, [*(outcome.scores[key] for key in keys), outcome.total])
            _state(made.stated, outcome.stated, outcome.scores)
    return made


def _state(
    pairs: dict[str, Counter[tuple[float, float]]],
    stated: Mapping[str, Any],
    scores: Mapping[str, float],
) -> None:
    """Stated against recomputed, on a grid of 0.1 so that a million fit on a page."""
    for key, score in scores.items():
        said = stated.get(key)
        if isinstance(said, Mapping):
            said = said.get("overall_score")
        if isinstance(said, int | float) and not isinstance(said, bool):
            pairs.setdefault(key, Counter())[(round(said, 1), round(score, 1))] += 1


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the leaderboard."""

    candidate: str
    #: Candidates whose difference from the best of the rank is not clear share it; None: no score.
    rank: int | None
    total: Interval
    metrics: Mapping[str, Interval]
    win_rate: float | None
    unscored: float  # share of verdicts
    bounds: tuple[float, float]  # of the total, if the unscored were the worst / the best
    cost: float | None
    violations: int  # rules that judges broke
    errors: Mapping[str, int]  # why verdicts have no score
    cases: int


def standings(made: Gathered, scale: Mapping[str, tuple[int, int]]) -> list[Standing]:
    """The leaderboard: means over cases, paired intervals, ties where the order is not clear."""
    totals = {who: made.values(who, "total") for who in made.tallies}
    order = sorted(totals, key=lambda who: (-_nanmean(totals[who]), who))
    ranks = _ranks(order, totals)
    return [_standing(made, who, ranks[who], totals, _range(scale)) for who in order]


def _standing(
    made: Gathered, who: str, rank: int | None, totals: Mapping[str, Floats], scale: tuple[int, int]
) -> Standing:
    tally, values = made.tallies[who], totals[who]
    scored, unscored = sum(tally.scored), sum(tally.unscored)
    known = values[~np.isnan(values)]
    return Standing(
        candidate=who,
        rank=rank,
        total=_interval(values),
        metrics={key: _interval(made.values(who, key)) for key in made.metrics[:-1]},
        win_rate=_wins(who, totals),
        unscored=unscored / max(scored + unscored, 1),
        bounds=tally.bounds(scale),
        cost=made.cost[who],
        violations=sum(made.violations.get(who, Counter()).values()),
        errors=dict(made.errors.get(who, {})),
        cases=len(known),
    )


def _interval(values: Floats) -> Interval:
    known = values[~np.isnan(values)]
    return interval(known)


def _nanmean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else -math.inf


def _range(scale: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    if "total" in scale:
        return scale["total"]
    return min(low for low, _ in scale.values()), max(high for _, high in scale.values())


def _wins(who: str, totals: Mapping[str, Floats]) -> float | None:
    rates = []
    for other, theirs in totals.items():
        mine = totals[who]
        both = ~np.isnan(mine) & ~np.isnan(theirs)
        if other != who and both.any():
            rates.append(win_rate(mine[both], theirs[both]))
    return sum(rates) / len(rates) if rates else None


def _ranks(order: list[str], totals: Mapping[str, Floats]) -> dict[str, int | None]:
    """A candidate falls to the next rank only when it is clearly below the head of this one:
    the paired interval of the difference does not hold 0 and the permutation test agrees."""
    ranks: dict[str, int | None] = {}
    head = None
    for place, who in enumerate(order, 1):
        if np.isnan(totals[who]).all():  # nobody knows how good it is: last, and without a rank
            ranks[who] = None
            continue
        if head is None or clearly_below(totals[who], totals[head]):
            head, rank = who, place
        ranks[who] = rank
    return ranks


def clearly_below(mine: Floats, theirs: Floats) -> bool:
    """Whether mine is below theirs beyond chance, on the cases both have."""
    both = ~np.isnan(mine) & ~np.isnan(theirs)
    if both.sum() < 3:
        return False
    difference = mine[both] - theirs[both]
    spread = interval(difference)
    return spread.high is not None and spread.high < 0 and paired_p(difference) < 0.05

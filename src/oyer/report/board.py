"""Outcomes of a run, gathered a million at a time into one small table: candidate × case."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from oyer.report.stats import Floats, Interval, bounds, draws, interval, paired_p, win_rate

if TYPE_CHECKING:
    from oyer.store import Outcome

NOBODY = "(no candidate)"


@dataclass
class Cell:
    """One candidate's verdicts of one case: sums over judges and repeats."""

    scored: int = 0
    unscored: int = 0
    sums: dict[str, float] = field(default_factory=dict)


@dataclass
class Gathered:
    """A run in memory: as large as candidates × cases, never as verdicts."""

    metrics: tuple[str, ...]
    cells: dict[str, dict[str, Cell]] = field(default_factory=dict)
    violations: dict[str, Counter[str]] = field(default_factory=dict)  # by candidate
    by_judge: dict[str, Counter[str]] = field(default_factory=dict)  # violations by judge
    errors: dict[str, Counter[str]] = field(default_factory=dict)
    cost: dict[str, float | None] = field(default_factory=dict)
    stated: dict[str, Counter[tuple[float, float]]] = field(default_factory=dict)  # metric -> pairs
    judges: Counter[str] = field(default_factory=Counter)
    verdicts: int = 0

    def values(self, candidate: str, metric: str, cases: Iterable[str]) -> Floats:
        """The candidate's mean of each case; NaN where it has no score."""
        mine = self.cells[candidate]
        return np.array([_mean(mine.get(case), metric) for case in cases], dtype=np.float64)

    @property
    def cases(self) -> list[str]:
        """Every case of the run, in the order first seen."""
        return list(dict.fromkeys(case for cells in self.cells.values() for case in cells))


def _mean(cell: Cell | None, metric: str) -> float:
    if cell is None or not cell.scored:
        return math.nan
    return cell.sums[metric] / cell.scored


def gather(outcomes: Iterable[Outcome], metrics: tuple[str, ...]) -> Gathered:
    """One pass over the outcomes of a run."""
    made = Gathered(metrics)
    for outcome in outcomes:
        who = outcome.candidate or NOBODY
        cell = made.cells.setdefault(who, {}).setdefault(outcome.case, Cell())
        made.verdicts += 1
        made.judges[outcome.judge] += 1
        cost = made.cost.get(who, 0.0)
        spent = outcome.usage.cost_usd
        made.cost[who] = None if cost is None or spent is None else cost + spent
        if outcome.violations:
            made.violations.setdefault(who, Counter()).update(outcome.violations)
            made.by_judge.setdefault(outcome.judge, Counter()).update(outcome.violations)
        if outcome.scores is None:
            cell.unscored += 1
            made.errors.setdefault(who, Counter())[outcome.error or "unknown"] += 1
            continue
        cell.scored += 1
        for key in metrics:
            value = outcome.total if key == "total" else outcome.scores.get(key)
            cell.sums[key] = cell.sums.get(key, 0.0) + (value or 0.0)
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
    rank: int  # candidates whose difference from the best of the rank is not clear share it
    total: Interval
    metrics: Mapping[str, Interval]
    win_rate: float | None
    unscored: float  # share of verdicts
    bounds: tuple[float, float]  # of the total, if the unscored were the worst / the best
    cost: float | None
    violations: int
    cases: int


def standings(made: Gathered, scale: Mapping[str, tuple[int, int]]) -> list[Standing]:
    """The leaderboard: means over cases, paired intervals, ties where the order is not clear."""
    cases = made.cases
    totals = {who: made.values(who, "total", cases) for who in made.cells}
    order = sorted(totals, key=lambda who: (-_nanmean(totals[who]), who))
    ranks = _ranks(order, totals)
    low, high = _range(scale)
    return [
        _standing(made, who, ranks[who], (totals, cases), (low, high)) for who in order
    ]


def _standing(
    made: Gathered,
    who: str,
    rank: int,
    table: tuple[Mapping[str, Floats], list[str]],
    scale: tuple[int, int],
) -> Standing:
    totals, cases = table
    cells = made.cells[who].values()
    scored, unscored = sum(c.scored for c in cells), sum(c.unscored for c in cells)
    values = totals[who]
    missing = int(np.isnan(values).sum()) if len(made.cells) > 1 or unscored else 0
    known = values[~np.isnan(values)]
    return Standing(
        candidate=who,
        rank=rank,
        total=_interval(values),
        metrics={key: _interval(made.values(who, key, cases)) for key in made.metrics},
        win_rate=_wins(who, totals),
        unscored=unscored / max(scored + unscored, 1),
        bounds=bounds(known, missing, *scale) if len(values) else (math.nan, math.nan),
        cost=made.cost[who],
        violations=sum(made.violations.get(who, Counter()).values()),
        cases=len(known),
    )


def _interval(values: Floats) -> Interval:
    known = values[~np.isnan(values)]
    return interval(known, draws(len(known)) if 3 <= len(known) < 5000 else None)


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


def _ranks(order: list[str], totals: Mapping[str, Floats]) -> dict[str, int]:
    """A candidate falls to the next rank only when it is clearly below the head of this one:
    the paired interval of the difference does not hold 0 and the permutation test agrees."""
    ranks: dict[str, int] = {}
    head = None
    for place, who in enumerate(order, 1):
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

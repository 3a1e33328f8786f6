"""One candidate's verdicts, judge by judge: flat arrays with one place a case."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator

import numpy as np

from oyer.report.stats import Floats, bounds


class JudgeTally:
    """One candidate's verdicts by one judge: sums over its repeats."""

    def __init__(self, metrics: int) -> None:
        self.metrics = metrics
        self.scored, self.unscored, self.sums = array("L"), array("L"), array("d")
        self.rows = array("q")  # of the cases file, from which the case was first read
        self.fails: dict[int, list[float]] = {}  # critical ones: how many, and their sums

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

    def add(self, case: int, values: Iterable[float], failed: bool = False) -> None:
        """A verdict's scores, in the order of the metrics; `failed`: it is a critical fail."""
        self._grow(case)
        given = list(values)
        self.scored[case] += 1
        for at, value in enumerate(given, case * self.metrics):
            self.sums[at] += value
        if failed:
            fails = self.fails.setdefault(case, [0.0] * (self.metrics + 1))
            for at, value in enumerate((1, *given)):
                fails[at] += value

    def means(self, metric: int, cases: int) -> Floats:
        """The mean of each case; NaN where it has no score.

        A critical fail is decided by the majority of the repeats before any mean: only those who
        side with it count (a tie is a fail).
        """
        made = np.full(cases, math.nan)
        if self.scored:
            scored = np.array(self.scored, dtype=np.float64)
            sums = np.array(self.sums, dtype=np.float64)[metric :: self.metrics]
            for case, (count, *lost) in self.fails.items():
                failed = 2 * count >= scored[case]
                sums[case] = lost[metric] if failed else sums[case] - lost[metric]
                scored[case] = count if failed else scored[case] - count
            known = scored > 0
            made[: len(scored)][known] = sums[known] / scored[known]
        return made


class CandidateTally:
    """One candidate before all its judges."""

    def __init__(self, metrics: int) -> None:
        self.metrics = metrics
        self.by_judge: dict[str, JudgeTally] = {}
        self.aside: frozenset[str] = frozenset()  # judges that do not count: a panel has them

    def of(self, judge: str) -> JudgeTally:
        """The tally of one judge, new where it is the first verdict."""
        if judge not in self.by_judge:
            self.by_judge[judge] = JudgeTally(self.metrics)
        return self.by_judge[judge]

    def _counting(self) -> Iterator[JudgeTally]:
        return (tally for judge, tally in self.by_judge.items() if judge not in self.aside)

    @property
    def scored(self) -> list[int]:
        """Verdicts with a score, of each judge that counts."""
        return [sum(tally.scored) for tally in self._counting()]

    @property
    def unscored(self) -> list[int]:
        """Verdicts without one."""
        return [sum(tally.unscored) for tally in self._counting()]

    def means(self, metric: int, cases: int, judge: str | None = None) -> Floats:
        """The mean of each case, over the means of its judges; NaN where it has no score."""
        if judge is not None:
            tally = self.by_judge.get(judge)
            return np.full(cases, math.nan) if tally is None else tally.means(metric, cases)
        columns = [tally.means(metric, cases) for tally in self._counting()]
        if not columns:
            return np.full(cases, math.nan)
        if len(columns) == 1:
            return columns[0]
        table = np.array(columns)
        known = ~np.isnan(table)
        made = np.full(cases, math.nan)
        heard = known.sum(axis=0)
        some = heard > 0
        made[some] = np.where(known, table, 0.0).sum(axis=0)[some] / heard[some]
        return made

    def bounds(self, scale: tuple[float, float]) -> tuple[float, float]:
        """The mean total if every unscored verdict had the worst, or the best, score there is."""
        size = max((len(tally.scored) for tally in self._counting()), default=0)
        sums, scored, unscored = np.zeros(size), np.zeros(size), np.zeros(size)
        for tally in self._counting():
            places = len(tally.scored)
            sums[:places] += np.array(tally.sums, dtype=np.float64)[
                self.metrics - 1 :: self.metrics
            ]
            scored[:places] += np.array(tally.scored, dtype=np.float64)
            unscored[:places] += np.array(tally.unscored, dtype=np.float64)
        return bounds(sums, scored, unscored, scale)

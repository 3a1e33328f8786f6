"""One candidate's verdicts, judge by judge: flat arrays with one place a case."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from oyer.report.stats import Floats, bounds
from oyer.store.columns import Codes, Numbers

SPARE = 4  # a quarter more room than is needed


class JudgeTally:
    """One candidate's verdicts by one judge: sums over its repeats."""

    def __init__(self, metrics: int) -> None:
        self.metrics = metrics
        self.scored = np.zeros(0, dtype=np.int32)
        self.unscored = np.zeros(0, dtype=np.int32)
        self.sums = np.zeros((metrics, 0))
        self.rows = np.zeros(0, dtype=np.int64)  # where the case was first read in the cases file
        self.fails: dict[int, list[float]] = {}  # critical ones: how many, and their sums

    def grow(self, cases: int) -> None:
        """Make room for so many cases, and some: what grows chunk by chunk is copied seldom."""
        if cases > len(self.scored):
            more = cases + cases // SPARE - len(self.scored)
            self.scored = _extend(self.scored, more)
            self.unscored = _extend(self.unscored, more)
            self.rows = _extend(self.rows, more, -1)
            self.sums = _extend(self.sums, more)

    def count_others(self, cases: Codes, rows: Numbers) -> int:
        """How many of these were read from another row than the first one of that case: then two
        cases have one id."""
        found, first = np.unique(cases, return_index=True)
        new = self.rows[found] < 0
        self.rows[found[new]] = rows[first[new]]
        return int((self.rows[cases] != rows).sum())

    def miss(self, cases: Codes) -> None:
        """Verdicts without a score."""
        np.add.at(self.unscored, cases, 1)

    def add(self, cases: Codes, values: Floats, failed: npt.NDArray[np.bool_]) -> None:
        """The scores of verdicts, a row a metric; `failed`: which are critical fails."""
        np.add.at(self.scored, cases, 1)
        for sums, scores in zip(self.sums, values, strict=True):
            np.add.at(sums, cases, scores)  # one after the other, so that a sum is always the same
        for at in np.flatnonzero(failed):
            fails = self.fails.setdefault(int(cases[at]), [0.0] * (self.metrics + 1))
            for place, value in enumerate((1.0, *values[:, at].tolist())):
                fails[place] += value

    def means(self, metric: int, cases: int) -> Floats:
        """The mean of each case; NaN where it has no score.

        A critical fail is decided by the majority of the repeats before any mean: only those who
        side with it count (a tie is a fail).
        """
        means = np.full(cases, math.nan)
        scored = self.scored[:cases].astype(np.float64)
        sums = self.sums[metric, :cases].copy()
        for case, (count, *lost) in self.fails.items():
            failed = 2 * count >= scored[case]
            sums[case] = lost[metric] if failed else sums[case] - lost[metric]
            scored[case] = count if failed else scored[case] - count
        known = scored > 0
        means[: len(scored)][known] = sums[known] / scored[known]
        return means


def _extend(values: npt.NDArray[Any], more: int, fill: int = 0) -> npt.NDArray[Any]:
    """The same along its last axis, with room for more."""
    room = np.full((*values.shape[:-1], more), fill, dtype=values.dtype)
    return np.concatenate([values, room], axis=-1)


def _mean_of(columns: list[Floats], cases: int) -> Floats:
    """Case by case, the mean of those that have a value."""
    if len(columns) == 1:
        return columns[0]
    mean = np.full(cases, math.nan)
    if columns:
        table = np.array(columns)
        known = ~np.isnan(table)
        count = known.sum(axis=0)
        some = count > 0
        mean[some] = np.where(known, table, 0.0).sum(axis=0)[some] / count[some]
    return mean


class CandidateTally:
    """One candidate before all its judges."""

    def __init__(self, metrics: int) -> None:
        self.metrics = metrics
        self.by_judge: dict[tuple[str, int], JudgeTally] = {}  # and by answer: 0 where one is all
        self.aside: frozenset[str] = frozenset()  # judges that do not count: a panel has them

    def of(self, judge: str, answer: int = 0) -> JudgeTally:
        """The tally of one judge on one of the candidate's answers, new where it is the first."""
        return self.by_judge.setdefault((judge, answer), JudgeTally(self.metrics))

    def _counting(self) -> Iterator[JudgeTally]:
        return (tally for (judge, _), tally in self.by_judge.items() if judge not in self.aside)

    @property
    def scored(self) -> list[int]:
        """Verdicts with a score, of each judge that counts."""
        return [int(tally.scored.sum()) for tally in self._counting()]

    @property
    def unscored(self) -> list[int]:
        """Verdicts without one."""
        return [int(tally.unscored.sum()) for tally in self._counting()]

    def means(self, metric: int, cases: int, judge: str | None = None) -> Floats:
        """The mean of each case, over the means of its judges; NaN where it has no score.

        A judge's mean is that of its means of each answer.
        """
        columns: dict[str, list[Floats]] = {}
        for (name, _), tally in self.by_judge.items():
            if name == judge or (judge is None and name not in self.aside):
                columns.setdefault(name, []).append(tally.means(metric, cases))
        return _mean_of([_mean_of(answers, cases) for answers in columns.values()], cases)

    def judged(self, cases: int) -> npt.NDArray[np.bool_]:
        """Of each case, whether there is a verdict on it, scored or not."""
        judged = np.zeros(cases, dtype=np.bool_)
        for tally in self._counting():
            some = (tally.scored + tally.unscored)[:cases] > 0
            judged[: len(some)] |= some
        return judged

    def bounds(self, scale: tuple[float, float]) -> tuple[float, float]:
        """The mean total if every unscored verdict had the worst, or the best, score there is."""
        size = max((len(tally.scored) for tally in self._counting()), default=0)
        sums = np.zeros(size)
        scored = np.zeros(size)
        unscored = np.zeros(size)
        for tally in self._counting():
            places = len(tally.scored)
            sums[:places] += tally.sums[-1]
            scored[:places] += tally.scored
            unscored[:places] += tally.unscored
        return bounds(sums, scored, unscored, scale)

"""Intervals of a statistic by resampling whole cases, and tests corrected for their number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from oyer.trust.agreement import Floats, Labels

DRAWS = 1000
SEED = 2026
FEW = 5  # cases below which no interval is given


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; None bounds: there is too little to tell."""

    value: float
    low: float | None
    high: float | None
    n: int  # cases

    @property
    def text(self) -> str:
        if math.isnan(self.value):
            return "—"
        if self.low is None or self.high is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def bootstrap(
    statistic: Callable[[Labels], float],
    cases: npt.NDArray[np.int64],
    draws: int = DRAWS,
    seed: int = SEED,
) -> Estimate:
    """The statistic over all units and its percentile interval, drawing whole cases anew.

    `cases` has the case of each unit; `statistic` takes the numbers of the units drawn. Draws in
    which the statistic cannot be told are left out; more than a tenth of them: no interval.
    """
    names, inverse = np.unique(cases, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(names) + 1))
    members = [order[starts[at] : starts[at + 1]] for at in range(len(names))]
    value = statistic(np.arange(len(cases)))
    if len(names) < FEW or math.isnan(value):
        return Estimate(value, None, None, len(names))
    rng = np.random.default_rng(seed)
    values = []
    for _ in range(draws):
        picked = rng.integers(0, len(names), len(names))
        drawn = statistic(np.concatenate([members[at] for at in picked]))
        if not math.isnan(drawn):
            values.append(drawn)
    if len(values) < 0.9 * draws:
        return Estimate(value, None, None, len(names))
    low, high = np.quantile(values, [0.025, 0.975])
    return Estimate(value, float(low), float(high), len(names))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number: below q, at most a share q of findings is false."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p)[::-1]
    scaled = p[order] * len(p) / np.arange(len(p), 0, -1)
    adjusted: Floats = np.empty(len(p))
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled), 1)
    return [float(value) for value in adjusted]


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p-value that two raters are wrong equally often."""
    n = only_first + only_second
    if not n:
        return 1.0
    fewer = min(only_first, only_second)
    tail = sum(math.comb(n, at) for at in range(fewer + 1))
    return min(1.0, 2 * tail / float(2**n))

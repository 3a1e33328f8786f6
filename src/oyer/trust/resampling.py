"""Intervals of a statistic by resampling whole cases, and tests corrected for their number."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from oyer.trust.agreement import Floats, Labels

DRAWS = 1000
SEED = 2026
FEW = 5  # cases below which no interval is given

Statistic: TypeAlias = Callable[[Labels], float]  # of the units with these numbers


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


def bootstrap(statistic: Statistic, cases: Labels, draws: int = DRAWS) -> Estimate:
    """The statistic over all units and its percentile interval, drawing whole cases anew."""
    return bootstrap_all(lambda some: {"": statistic(some)}, cases, draws)[""]


def bootstrap_all(
    statistics: Callable[[Labels], Mapping[str, float]], cases: Labels, draws: int = DRAWS
) -> dict[str, Estimate]:
    """Several statistics by the same draws.

    `cases` has the case of each unit; `statistics` takes the numbers of the units drawn. Draws in
    which a statistic cannot be told are left out; more than a tenth of them: no interval.
    """
    names, inverse = np.unique(cases, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(names) + 1))
    values = statistics(np.arange(len(cases)))
    if len(names) < FEW or all(math.isnan(value) for value in values.values()):
        return {name: Estimate(value, None, None, len(names)) for name, value in values.items()}
    rng = np.random.default_rng(SEED)
    drawn: dict[str, list[float]] = {name: [] for name in values}
    for _ in range(draws):
        picked = rng.integers(0, len(names), len(names))
        for name, value in statistics(order[_spread(starts, picked)]).items():
            drawn[name].append(value)
    return {name: _estimate(value, drawn[name], len(names)) for name, value in values.items()}


def _spread(starts: Labels, picked: Labels) -> Labels:
    """The places of all units of the picked cases, case after case; `starts` has where each begins
    and, last, where all end."""
    sizes = starts[picked + 1] - starts[picked]
    ends = np.cumsum(sizes)
    places: Labels = np.arange(ends[-1]) + np.repeat(starts[picked] - (ends - sizes), sizes)
    return places


def _estimate(value: float, drawn: Sequence[float], cases: int) -> Estimate:
    known = [again for again in drawn if not math.isnan(again)]
    if math.isnan(value) or len(known) < 0.9 * len(drawn):
        return Estimate(value, None, None, cases)
    low, high = np.quantile(known, [0.025, 0.975])
    return Estimate(value, float(low), float(high), cases)


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

"""Intervals and tests, each stated once and checked against scipy and by simulation.

The unit is the case: judges and repeats of one case are averaged first, because cases, not calls,
are what the next user will bring. Chance is seeded: the same run prints the same interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

SEED = 20_26
DRAWS = 4000
EXACT_UP_TO = 12  # 2^12 sign patterns are enumerated instead of drawn
NORMAL_FROM = 2000  # the bootstrap of a mean is by then the normal interval, but slow
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its interval; `method` says how it was made, None bounds: too few cases."""

    mean: float
    low: float | None
    high: float | None
    n: int
    method: str

    @property
    def text(self) -> str:
        if math.isnan(self.mean):
            return "—"
        if self.low is None or self.high is None:
            return f"{self.mean:.2f}"
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"


def t_quantile(p: float, df: int) -> float:
    """Student's t by bisection on its distribution function (exact to 1e-9)."""
    if p < 0.5:
        return -t_quantile(1 - p, df)
    low, high = 0.0, 1.0
    while _t_cdf(high, df) < p:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_cdf(middle, df) < p else (low, middle)
    return (low + high) / 2


def _t_cdf(t: float, df: int) -> float:
    """Closed form by the recursion on the angle (Abramowitz & Stegun 26.7.3-4), for t >= 0."""
    theta = math.atan(t / math.sqrt(df))
    cos2, term, total = math.cos(theta) ** 2, 1.0, 0.0
    if df % 2:
        if df > 1:
            term = math.cos(theta)
            for k in range(1, (df - 1) // 2 + 1):
                total += term
                term *= cos2 * (2 * k) / (2 * k + 1)
        area = 2 / math.pi * (theta + math.sin(theta) * total)
    else:
        for k in range(1, df // 2 + 1):
            total += term
            term *= cos2 * (2 * k - 1) / (2 * k)
        area = math.sin(theta) * total
    return 0.5 + area / 2


@lru_cache(maxsize=2)
def draws(n: int, count: int = DRAWS, seed: int = SEED) -> npt.NDArray[np.int32]:
    """Resampled case numbers, one row a draw. Candidates share them: that is what pairs them."""
    return np.random.default_rng(seed).integers(0, n, size=(count, n), dtype=np.int32)


def interval(values: Floats) -> Interval:
    """The mean over cases with a 95 % bootstrap interval.

    The percentile bootstrap is too narrow for few cases; its percentiles are widened to those that
    make it agree with Student's t on normal data (the expanded percentile interval).
    """
    n = len(values)
    mean = float(values.mean()) if n else math.nan
    if n < 3:
        return Interval(mean, None, None, n, "too few cases")
    if n >= NORMAL_FROM:
        half = NormalDist().inv_cdf((1 + LEVEL) / 2) * float(values.std(ddof=1)) / math.sqrt(n)
        return Interval(mean, mean - half, mean + half, n, "normal")
    picks = draws(n)
    means = values[picks].mean(axis=1)
    tail = NormalDist().cdf(-math.sqrt(n / (n - 1)) * t_quantile((1 + LEVEL) / 2, n - 1))
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(mean, float(low), float(high), n, f"bootstrap, {len(picks)} draws, seed {SEED}")


def paired_p(differences: Floats, seed: int = SEED) -> float:
    """Two-sided sign-flip permutation test of a zero mean difference; exact for few cases."""
    moved = differences[differences != 0]
    n = len(moved)
    if n == 0:
        return 1.0
    observed = abs(float(moved.sum())) - 1e-12
    if n <= EXACT_UP_TO:
        bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
        return float((np.abs((1 - 2 * bits) @ moved) >= observed).mean())
    if n >= NORMAL_FROM:  # the flipped sum is normal by then; drawing it would only add noise
        z = observed / math.sqrt(float((moved**2).sum()))
        return 2 * NormalDist().cdf(-z)
    rng = np.random.default_rng(seed)
    hits, count = 0, 10_000
    for start in range(0, count, 500):
        signs = rng.integers(0, 2, size=(min(500, count - start), n)) * 2 - 1
        hits += int((np.abs(signs @ moved) >= observed).sum())
    return (hits + 1) / (count + 1)  # the observed pattern is one of them: never 0


def win_rate(mine: Floats, others: Floats) -> float:
    """How often mine is above the others' on the same case; a tie is half a win."""
    if not len(mine):
        return math.nan
    return float(((mine > others) + 0.5 * (mine == others)).mean())


def bounds(
    sums: Floats, scored: Floats, unscored: Floats, scale: tuple[float, float]
) -> tuple[float, float]:
    """The mean over cases if every unscored verdict had the worst, or the best, score there is.

    For each case: the sum of its scores, how many they are, how many verdicts have none.
    """
    seen = scored + unscored > 0
    if not seen.any():
        return scale
    sums, unscored, verdicts = sums[seen], unscored[seen], (scored + unscored)[seen]
    low, high = (float(((sums + unscored * end) / verdicts).mean()) for end in scale)
    return low, high

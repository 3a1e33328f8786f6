"""Limits of one proportion: Wilson's, and those of a beta posterior."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

LEVEL = 0.95
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
#: Half a label is Jeffreys' prior, a third is neutral to the median. Between them the limits of a
#: sum over strata hold best where labels are few and the rate is near 1 (bench/trust.py).
PRIOR = 0.4
_TINY = 1e-300


def wilson_limits(share: float, n: float) -> tuple[float, float]:
    """Wilson's 95 % limits of a share seen in `n`."""
    spread = Z * Z / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def beta_limits(share: float, n: float, prior: float = PRIOR) -> tuple[float, float]:
    """Equal-tailed 95 % limits of a share seen in `n`; `n` need not be whole.

    A share of 0 or 1 cannot be excluded by having been seen.
    """
    hits = share * n + prior
    misses = (1 - share) * n + prior
    tail = (1 - LEVEL) / 2
    low = 0.0 if share <= 0 else beta_quantile(tail, hits, misses)
    high = 1.0 if share >= 1 else beta_quantile(1 - tail, hits, misses)
    return min(low, share), max(high, share)


@lru_cache(maxsize=100_000)
def beta_quantile(p: float, a: float, b: float) -> float:
    """Where the beta distribution has the share `p` below; by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if beta_share(middle, a, b) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges fast on this side only
        return 1 - beta_share(1 - x, b, a)
    front = a * math.log(x) + b * math.log1p(-x)
    front += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(front) * _continued_fraction(x, a, b) / a


def _continued_fraction(x: float, a: float, b: float) -> float:
    """Lentz's way of the continued fraction of the incomplete beta function."""
    c, d = 1.0, _inverse(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = _inverse(1 + term * d)
            c = 1 + term / c or _TINY
            step = c * d
            value *= step
        if abs(step - 1) < 1e-15:
            break
    return value


def _inverse(value: float) -> float:
    return 1 / (value or _TINY)

"""Do two lists of numbers put things in the same order, and how near are they?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from oyer.trust.agreement import Floats


def ranks(values: Floats) -> Floats:
    """Places from 1; equal values share the mean of their places."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle = last - (counts - 1) / 2
    return np.asarray(middle[inverse], dtype=np.float64)


def pearson(a: Floats, b: Floats) -> float:
    """Pearson's r; NaN when one of the two does not vary."""
    if len(a) < 2:
        return math.nan
    x, y = a - a.mean(), b - b.mean()
    spread = math.sqrt(float((x * x).sum()) * float((y * y).sum()))
    return float((x * y).sum()) / spread if spread else math.nan


def spearman(a: Floats, b: Floats) -> float:
    """Spearman's ρ: Pearson's r of the places."""
    return pearson(ranks(a), ranks(b))


def kendall(a: Floats, b: Floats) -> float:
    """Kendall's τ-b, in blocks of rows so that thousands of pairs need little memory."""
    n = len(a)
    if n < 2:
        return math.nan
    balance = moved_a = moved_b = 0.0
    for start in range(0, n, 500):
        up_a = np.sign(a[start : start + 500, None] - a[None, :])
        up_b = np.sign(b[start : start + 500, None] - b[None, :])
        balance += float((up_a * up_b).sum())
        moved_a += float((up_a != 0).sum())
        moved_b += float((up_b != 0).sum())
    spread = math.sqrt(moved_a * moved_b)
    return balance / spread if spread else math.nan


def auc(positive: Floats, scores: Floats) -> float:
    """The chance that a positive unit scores above a negative one; a tie is half."""
    is_positive = positive.astype(bool)
    n = int(is_positive.sum())
    m = int((~is_positive).sum())
    if not n or not m:
        return math.nan
    places = ranks(scores)[is_positive].sum()
    return float((places - n * (n + 1) / 2) / (n * m))


def brier(outcome: Floats, forecast: Floats) -> float:
    """The mean squared distance of a forecast in 0 … 1 from what people said."""
    return float(((forecast - outcome) ** 2).mean()) if len(outcome) else math.nan


@dataclass(frozen=True, slots=True)
class Bin:
    """One step of a reliability curve: what the judge says on average, and what people say."""

    judge: float
    people: float
    n: int


def reliability_curve(outcome: Floats, forecast: Floats, bins: int = 10) -> list[Bin]:
    """Forecasts in bins of equal width; empty bins are left out."""
    place = np.minimum((forecast * bins).astype(np.int64), bins - 1)
    curve = []
    for at in range(bins):
        chosen = place == at
        if chosen.any():
            forecast_mean, outcome_mean = (
                float(forecast[chosen].mean()),
                float(outcome[chosen].mean()),
            )
            curve.append(Bin(forecast_mean, outcome_mean, int(chosen.sum())))
    return curve

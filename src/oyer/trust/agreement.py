"""How far two or more raters agree, and how far beyond chance.

Labels are whole numbers 0 … k-1, the places of the choices from the worst to the best. Ratings of
several raters stand in a table, one row a unit, NaN where a rater said nothing. A statistic that
cannot be told (nothing to compare, nothing varies) is NaN, never 0 or 1.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Labels: TypeAlias = npt.NDArray[np.int64]
Weights = Literal["plain", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]


def confusion(a: Labels, b: Labels, k: int) -> Floats:
    """How often each pair of labels was given: rows are `a`'s, columns `b`'s."""
    counts = np.bincount(a * k + b, minlength=k * k)
    return counts.reshape(k, k).astype(np.float64)


def agreement(table: Floats) -> float:
    """The share of units that got the same label from both."""
    total = table.sum()
    return float(np.trace(table) / total) if total else math.nan


def agreement_weights(k: int, weights: Weights) -> Floats:
    """1 for the same label; quadratic: nearly 1 for neighbours, 0 for the two ends."""
    if weights == "plain" or k < 2:
        return np.eye(k)
    places = np.arange(k)
    apart = places[:, None] - places[None, :]
    return np.asarray(1 - (apart / (k - 1)) ** 2, dtype=np.float64)


def cohen_kappa(table: Floats, weights: Weights = "plain") -> float:
    """Cohen's κ of two raters; chance is each rater's own habit."""
    total = table.sum()
    if not total:
        return math.nan
    alike = agreement_weights(len(table), weights)
    share = table / total
    by_chance = np.outer(share.sum(axis=1), share.sum(axis=0))
    expected = float((alike * by_chance).sum())
    observed = float((alike * share).sum())
    return (observed - expected) / (1 - expected) if expected < 1 else math.nan


def label_counts(ratings: Floats, k: int) -> Floats:
    """For each unit, how many raters gave each label."""
    counts = [(ratings == label).sum(axis=1) for label in range(k)]
    return np.stack(counts, axis=1).astype(np.float64)


def gwet_ac(ratings: Floats, k: int, weights: Weights = "plain") -> float:
    """Gwet's AC1, or AC2 with quadratic weights: steady where one label is very common."""
    counts = label_counts(ratings, k)
    raters = counts.sum(axis=1)
    compared = raters >= 2
    if k < 2 or not compared.any():
        return math.nan
    alike = agreement_weights(k, weights)
    some, n = counts[compared], raters[compared]
    pairs = (some * (some @ alike - 1)).sum(axis=1)
    observed = float((pairs / (n * (n - 1))).mean())
    rated = raters >= 1
    habit = (counts[rated] / raters[rated][:, None]).mean(axis=0)
    expected = float(alike.sum() / (k * (k - 1)) * (habit * (1 - habit)).sum())
    return (observed - expected) / (1 - expected)


def krippendorff_alpha(ratings: Floats, level: Level = "nominal") -> float:
    """Krippendorff's α: any number of raters, gaps allowed."""
    is_rated = ~np.isnan(ratings)
    comparable = is_rated.sum(axis=1) >= 2
    table = ratings[comparable]
    is_rated = is_rated[comparable]
    if not len(table):
        return math.nan
    values, places = np.unique(table[is_rated], return_inverse=True)
    units = np.nonzero(is_rated)[0]
    counts = np.zeros((len(table), len(values)))
    np.add.at(counts, (units, places), 1)
    raters = counts.sum(axis=1)
    shared = counts / (raters - 1)[:, None]
    together = counts.T @ shared - np.diag(shared.sum(axis=0))
    totals = together.sum(axis=1)
    apart = _distances(values, totals, level)
    by_chance = np.outer(totals, totals) - np.diag(totals)
    expected = float((apart * by_chance).sum())
    if not expected:
        return math.nan
    observed = float((apart * together).sum())
    return 1 - (float(totals.sum()) - 1) * observed / expected


def _distances(values: Floats, totals: Floats, level: Level) -> Floats:
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "interval":
        apart = values[:, None] - values[None, :]
    else:  # how many ratings lie between two values, half of their own included
        middles = np.cumsum(totals) - totals / 2
        apart = middles[:, None] - middles[None, :]
    return np.asarray(apart**2, dtype=np.float64)


def sensitivity(table: Floats, bad: int = 1) -> float:
    """Of the units that people call bad (labels below `bad`), the share the judge calls bad too."""
    return _share(table[:bad, :bad].sum(), table[:, :bad].sum())


def specificity(table: Floats, bad: int = 1) -> float:
    """Of the units that people call good, the share the judge calls good too."""
    return _share(table[bad:, bad:].sum(), table[:, bad:].sum())


def precision(table: Floats, bad: int = 1) -> float:
    """Of the units that the judge calls bad, the share that people call bad."""
    return _share(table[:bad, :bad].sum(), table[:bad, :].sum())


def balanced_accuracy(table: Floats, bad: int = 1) -> float:
    """The mean of sensitivity and specificity."""
    return (sensitivity(table, bad) + specificity(table, bad)) / 2


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan

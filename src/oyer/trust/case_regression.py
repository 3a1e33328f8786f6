"""Least squares with the case as the unit: texts of one case go together.

Errors are those of leaving whole cases out (CR3, in one step). Where a case has several texts they
are compared within the case as far as that helps (random effects): what is peculiar to the case
cancels, and smaller effects are seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from oyer.trust.agreement import Floats, Labels

MOST_LEVERAGE = 0.9  # of one case on a fit; more would divide by nearly nothing

Transform: TypeAlias = Callable[[Floats, Labels], Floats]


@dataclass(frozen=True, slots=True)
class FittedEffect:
    """The first coefficient of a regression, its standard error, its degrees of freedom."""

    value: float
    error: float
    freedom: int
    cases: int


@dataclass(frozen=True, slots=True)
class Units:
    """Units with a reference: first column of `design` is what may bias the judge."""

    design: Floats
    judge: Floats
    reference: Floats
    case: Labels
    weights: Floats


@dataclass(frozen=True, slots=True)
class JudgedUnits:
    """Units with or without a reference."""

    design: Floats
    judge: Floats
    case: Labels
    weights: Floats


def bias_slope(units: Units, every: JudgedUnits, *, among_equals: bool = False) -> FittedEffect:
    """How the judge's values go with the first column, less how the reference's do.

    The judge's part is taken from all units as far as that makes the error least (PPI++), the rest
    from those with a reference: (1 − λ) · slope over all + λ · slope over these − k · slope of the
    reference. k is 1; `among_equals`: as much as the judge follows the reference among units alike
    in the first column, which is the same as comparing units of equal reference.
    """
    names, place = np.unique(np.concatenate([units.case, every.case]), return_inverse=True)
    size = len(units.case)
    some = _Fit(units.design, units.weights, place[:size], len(names))
    whole = _Fit(every.design, every.weights, place[size:], len(names))
    here, here_moved = some.slope(units.judge)
    there, there_moved = whole.slope(every.judge)
    people, people_moved = some.slope(units.reference)
    follows, follows_moved = 1.0, np.zeros(len(names))
    if among_equals:
        design = np.column_stack([units.reference, units.design])
        fit = _Fit(design, units.weights, place[:size], len(names))
        follows, follows_moved = fit.slope(units.judge)
    change = here_moved - there_moved
    rest = there_moved - follows * people_moved - people * follows_moved
    share = _best_share(rest, change)
    moved = rest + share * change
    cases = len(np.unique(units.case))
    used = units.design.shape[1] + int(share < 1) + int(among_equals)
    value = (1 - share) * there + share * here - follows * people
    return FittedEffect(value, math.sqrt(float((moved**2).sum())), cases - used, cases)


def _best_share(rest: Floats, change: Floats) -> float:
    """The λ of 0 … 1 that makes Σ (rest + λ · change)² least; 1 where it does not matter."""
    squares = float((change**2).sum())
    if squares <= 1e-12 * max(float((rest**2).sum()), 1e-12):
        return 1.0
    return min(max(-float((rest * change).sum()) / squares, 0.0), 1.0)


def pairing(design: Floats, values: Floats, case: Labels, weights: Floats) -> Transform:
    """Takes from each unit a part of its case's mean: all of it where cases differ much and have
    many units, nothing where each has one. Units of unequal chances are left as they are."""
    within, between = _variances(design, values, case)
    unequal = bool(np.ptp(weights) > 1e-9 * weights.max())

    def transform(columns: Floats, of: Labels) -> Floats:
        if unequal or not between:
            return columns
        _, place, count = np.unique(of, return_inverse=True, return_counts=True)
        part = 1 - np.sqrt(within / (within + count * between))
        table = columns.reshape(len(of), -1)
        means = np.stack([np.bincount(place, weights=column) / count for column in table.T], axis=1)
        return np.asarray((table - (part[:, None] * means)[place]).reshape(columns.shape))

    return transform


def _variances(design: Floats, values: Floats, case: Labels) -> tuple[float, float]:
    """Of units within a case, and between cases, of what the design does not explain."""
    inverse = np.linalg.pinv(design.T @ design)
    residual = values - design @ (inverse @ (design.T @ values))
    _, place, count = np.unique(case, return_inverse=True, return_counts=True)
    units, cases = len(values), len(count)
    if units == cases:
        return 1.0, 0.0
    means = np.bincount(place, weights=residual) / count
    within = float(((residual - means[place]) ** 2).sum()) / (units - cases)
    spread = float((count * means**2).sum()) / max(cases - 1, 1)
    usual = (units - float((count**2).sum()) / units) / max(cases - 1, 1)
    return within, max(0.0, (spread - within) / usual)


class _Fit:
    """A design whose slopes are wanted for several values."""

    def __init__(self, design: Floats, weights: Floats, place: Labels, cases: int) -> None:
        self._design = design
        self._place = place
        self._cases = cases
        self._weighted = design * weights[:, None]
        self._inverse = np.linalg.pinv(design.T @ self._weighted)
        leverage = np.einsum("ij,jk,ik->i", design, self._inverse, self._weighted)
        self._kept = 1 - np.minimum(self._by_case(leverage), MOST_LEVERAGE)

    def slope(self, values: Floats) -> tuple[float, Floats]:
        """The first coefficient, and how far each case moves it."""
        coefficients = self._inverse @ (self._weighted.T @ values)
        residual = values - self._design @ coefficients
        pull = (self._weighted @ self._inverse[:, 0]) * residual
        return float(coefficients[0]), self._by_case(pull) / self._kept

    def _by_case(self, values: Floats) -> Floats:
        sums = np.bincount(self._place, weights=values, minlength=self._cases)
        return sums.astype(np.float64)

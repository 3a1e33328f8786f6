"""The true mean score from few labels and many judgements: PPI++ with the case as the unit.

mean = mean of labels + λ · (judge's mean over the unlabelled − judge's mean over the labelled).
λ is what makes the variance least (Angelopoulos, Duchi & Zrnic 2023): a judge without value gets
λ = 0, and the mean is that of the labels. Student's t and whole cases make the interval hold with
few labels; it never leaves the scale.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from oyer.report.stats import t_quantile
from oyer.trust.agreement import Floats
from oyer.trust.proportions import LEVEL
from oyer.trust.samples import (
    FEW,
    Corrected,
    Judged,
    Labelled,
    Scope,
    largest_by_case,
    sum_by_case,
)


def corrected_mean(
    labelled: Labelled, judged: Judged, scale: tuple[float, float], scope: Scope = "run"
) -> Corrected:
    """The mean that people would give to all units, with its 95 % interval."""
    whole = len(labelled.people) >= judged.units_in_run  # nothing is left to estimate
    if whole:
        labelled = replace(labelled, chance=None)
    slope = _slope(labelled, judged)
    weights = labelled.weights / labelled.weights.sum()
    own = float((weights * labelled.people).sum())
    drawn = float((weights * labelled.judge).sum())
    naive = float(judged.judge.mean())
    value = min(max(own + slope * (naive - drawn), scale[0]), scale[1])
    variance = _variance(labelled, judged, slope, scope)
    cases, n = labelled.cases, len(labelled.people)
    if cases < FEW or not (variance or whole):
        note = "all labels are alike" if cases >= FEW else f"{cases} labelled cases"
        note = f"{note}: they do not bear an interval"
        return Corrected(value, None, None, naive, n, cases, scope, note)
    half = t_quantile((1 + LEVEL) / 2, _freedom(cases, slope)) * math.sqrt(variance)
    low = max(scale[0], value - half)
    high = min(scale[1], value + half)
    return Corrected(value, low, high, naive, n, cases, scope)


def label_spreads(labelled: Labelled, judged: Judged) -> tuple[float, float]:
    """What one label adds to the variance of a mean, times the labels: with the judge, without."""
    slope = _slope_in_a_large_run(labelled, judged)
    spreads = []
    for share in (slope, 0.0):
        residual = _by_case(labelled, labelled.people - share * labelled.judge)
        correction = len(residual) / _freedom(len(residual), share)
        spreads.append(correction * float((residual**2).sum()) * len(labelled.people))
    return min(spreads), spreads[1]


def _slope(labelled: Labelled, judged: Judged) -> float:
    """How far the judge's difference counts; ppi_py's λ, for a population that holds the sample."""
    rest = 1 - len(labelled.people) / judged.units_in_run
    if rest <= 0:
        return 0.0
    return min(max(_regression(labelled, judged) * rest, 0.0), 1.0) / rest


def _slope_in_a_large_run(labelled: Labelled, judged: Judged) -> float:
    """The same where the labels are a small part of the run."""
    return min(max(_regression(labelled, judged), 0.0), 1.0)


def _regression(labelled: Labelled, judged: Judged) -> float:
    """Of people's scores on the judge's; its spread is known from all units."""
    spread = float(judged.judge.var(ddof=1)) if len(judged.judge) > 1 else 0.0
    if not spread:
        return 0.0
    weights = labelled.weights / labelled.weights.sum()
    people = labelled.people - (weights * labelled.people).sum()
    judge = labelled.judge - (weights * labelled.judge).sum()
    together = float((weights * people * judge).sum())
    return together / spread


def _variance(labelled: Labelled, judged: Judged, slope: float, scope: Scope) -> float:
    """Of the corrected mean: of the draw of labels, and in `alike` of the draw of cases too."""
    chance = labelled.chance
    if chance is None:
        chance = np.full(len(labelled.people), len(labelled.people) / judged.units_in_run)
    unlabelled = np.maximum(0.0, 1 - largest_by_case(chance, labelled.case))
    residual = _by_case(labelled, labelled.people - slope * labelled.judge)
    cases = len(residual)
    correction = cases / max(_freedom(cases, slope), 1)
    of_labels = correction * float((unlabelled * residual**2).sum())
    spread = float(judged.judge.var(ddof=1)) if len(judged.judge) > 1 else 0.0
    unread = slope**2 * judged.unread * spread / max(judged.cases, 1)
    if scope == "run":
        return of_labels + unread
    in_run = judged.cases_in_run or judged.cases
    people = _by_case(labelled, labelled.people)
    of_cases = cases / max(cases - 1, 1) * float((people**2).sum()) * cases / in_run
    return of_labels + unread + of_cases


def _by_case(labelled: Labelled, values: Floats) -> Floats:
    """What each case adds to the weighted mean, as a distance from it."""
    weights = labelled.weights / labelled.weights.sum()
    centred = weights * (values - (weights * values).sum())
    return sum_by_case(centred, labelled.case)


def _freedom(cases: int, slope: float) -> int:
    """Degrees of freedom: one for the mean, one more where λ was estimated."""
    return max(cases - (2 if slope else 1), 1)

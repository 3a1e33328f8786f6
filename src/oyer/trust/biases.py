"""Does the judge lean: towards its own vendor, long texts, what stands early, or in general?

What is tested is the judge's score minus a reference for the same text: people's label where there
is one, else the mean of the other judges. A good model may well write better than others, and long
texts may be better; only a difference that the reference does not see is a bias.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from oyer.report.stats import t_quantile
from oyer.trust.agreement import Floats, Labels
from oyer.trust.proportions import LEVEL, beta_share
from oyer.trust.resampling import benjamini_hochberg
from oyer.trust.samples import sum_by_case

FALSE_ALARMS = 0.05
POINTS = 0.10  # a lean of a tenth of the scale is what a card must be able to see
POWER = 0.84  # z of 80 %
FEWEST = 10  # cases below which nothing is tested


#: Kind of lean -> one number a unit.
Features: TypeAlias = Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Bias:
    """One test: the effect in parts of the scale, with its interval."""

    kind: str  # lenient | own vendor | length | position
    metric: str
    reference: str  # people | other judges
    effect: float
    low: float
    high: float
    p: float
    adjusted: float
    cases: int
    error: float  # standard error of the effect
    freedom: int
    seen: float  # the smallest effect that this card finds four times in five

    @property
    def flagged(self) -> bool:
        return self.adjusted < FALSE_ALARMS

    @property
    def underpowered(self) -> bool:
        return not self.flagged and self.seen > POINTS


def find_biases(
    metric: str, against: str, pair: tuple[Floats, Floats], case: Labels, features: Features
) -> list[Bias]:
    """Tests of one metric, not yet adjusted for their number.

    `pair`: the judge's values and the reference's, in parts of the scale. `features`: for each kind
    of lean one number a unit, NaN where it is not known; its effect is from the lowest tenth to the
    highest. A lean must show both in the difference and among units of equal reference: a judge
    that is only blunt differs most where texts differ most, and that is no lean.
    """
    judge, reference = pair
    difference = judge - reference
    found = []
    if against == "people":
        plain = np.ones((len(case), 1))
        found.append(_bias(("lenient", metric, against), plain, difference, case))
    for kind, values in features.items():
        known = ~np.isnan(values)
        x, y, who = values[known], difference[known], case[known]
        reach = _reach(x)
        if not reach:
            continue
        design = np.stack([(x - x.mean()) / reach, np.ones(len(x))], axis=1)
        bias = _bias((kind, metric, against), design, y, who)
        equal = np.column_stack([design, reference[known]])
        again = _bias((kind, metric, against), equal, judge[known], who)
        if bias is not None and again is not None:
            agree = bias.effect * again.effect > 0
            found.append(replace(bias, p=max(bias.p, again.p) if agree else 1.0))
    return [bias for bias in found if bias is not None]


def _reach(values: Floats) -> float:
    """From the lowest tenth to the highest; of a rare yes, from no to yes."""
    if not len(values):
        return 0.0
    low, high = np.quantile(values, [0.1, 0.9])
    return float(high - low) or float(values.max() - values.min())


def adjust(biases: Sequence[Bias]) -> list[Bias]:
    """The tests of one card with p-values adjusted for their number (Benjamini-Hochberg)."""
    adjusted = benjamini_hochberg([bias.p for bias in biases])
    found = []
    for bias, p in zip(biases, adjusted, strict=True):
        strictest = t_quantile(1 - FALSE_ALARMS / (2 * len(biases)), bias.freedom)
        found.append(replace(bias, adjusted=p, seen=(strictest + POWER) * bias.error))
    return found


def _bias(names: tuple[str, str, str], design: Floats, values: Floats, case: Labels) -> Bias | None:
    """The first coefficient of a regression, tested by whole cases."""
    cases = len(np.unique(case))
    if cases < FEWEST:
        return None
    freedom = cases - design.shape[1]
    effect, error = _slope(design, values, case)
    if not error:
        return None
    statistic = effect / error
    p = beta_share(freedom / (freedom + statistic**2), freedom / 2, 0.5)
    t = t_quantile((1 + LEVEL) / 2, freedom)
    return Bias(
        kind=names[0],
        metric=names[1],
        reference=names[2],
        effect=effect,
        low=effect - t * error,
        high=effect + t * error,
        p=p,
        adjusted=p,
        cases=cases,
        error=error,
        freedom=freedom,
        seen=(t + POWER) * error,
    )


def _slope(design: Floats, values: Floats, case: Labels) -> tuple[float, float]:
    """Least squares; the error of the first coefficient by leaving cases out (CR3, in one step)."""
    inverse = np.linalg.pinv(design.T @ design)
    coefficients = inverse @ design.T @ values
    residual = values - design @ coefficients
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    by_case = np.stack([sum_by_case(column * residual, case) for column in design.T], axis=1)
    kept = 1 - np.minimum(sum_by_case(leverage, case), 0.9)
    moved = (by_case / kept[:, None]) @ inverse
    return float(coefficients[0]), math.sqrt(float((moved[:, 0] ** 2).sum()))

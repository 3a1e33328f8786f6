"""Is the judge biased: towards its own vendor, long texts, what stands early, or in general?

What is tested is the judge's score minus a reference for the same text: people's label where there
is one, else the mean of the other judges. A good model may well write better than others, and long
texts may be better; only a difference that the reference does not see is a bias.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import TypeAlias

import numpy as np

from oyer.report.stats import t_quantile
from oyer.trust.agreement import Floats, Labels
from oyer.trust.case_regression import FittedEffect, JudgedUnits, Units, bias_slope, pairing
from oyer.trust.proportions import LEVEL, beta_share
from oyer.trust.resampling import benjamini_hochberg

FALSE_ALARMS = 0.05
POINTS = 0.10  # a bias of a tenth of the scale is what a card must be able to see
POWER = NormalDist().inv_cdf(0.8)
POWER_OF_BOTH = NormalDist().inv_cdf(0.88)  # of two tests that go together, for 80 % of both
EVEN = 0.2  # of the false alarms that a card may raise: shared evenly by its tests
FEWEST = 10  # cases below which nothing is tested

#: Kind of bias -> one number a unit; NaN: not known.
Features: TypeAlias = Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the judge gave to units, in parts of the scale, and what may have biased it."""

    judge: Floats
    case: Labels
    features: Features


@dataclass(frozen=True, slots=True)
class Compared(Judgements):
    """The same for units that have a reference, and how many units of the run each stands for."""

    reference: Floats = field(default_factory=lambda: np.empty(0))
    weights: Floats = field(default_factory=lambda: np.empty(0))


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
    metric: str, reference: str, compared: Compared, judged: Judgements | None = None
) -> list[Bias]:
    """Tests of one metric, not yet adjusted for their number.

    `judged`: the run's judgements with and without a reference. They tell how the judge's scores go
    with a feature better than the few compared units do (as in PPI++), so smaller biases are seen.
    """
    biases = []
    if reference == "people":
        biases.append(_find_lenience(metric, compared, judged))
    for kind in compared.features:
        biases.append(_find_slope(kind, metric, reference, compared, judged))
    return [bias for bias in biases if bias is not None]


def follow_length(
    scores: Floats, case: Labels, candidate: Labels, length: Floats
) -> tuple[float, float, float] | None:
    """How a judge's scores go with length, from the shortest tenth to the longest, with its limits.

    Within cases, and among texts of one candidate: what a hard case or a good writer does is taken
    out. Long texts may be better, so this is no bias; only a reference can tell.
    """
    known = np.flatnonzero(~np.isnan(length) & ~np.isnan(scores))
    scores, length = scores[known], length[known]
    case, candidate = case[known], candidate[known]
    reach = _reach(length)
    if not reach or len(np.unique(case)) < FEWEST:
        return None
    writers = (candidate[:, None] == np.unique(candidate)[None, :]).astype(np.float64)
    design = np.column_stack([(length - length.mean()) / reach, writers])
    ones = np.ones(len(scores))
    pair = pairing(design, scores, case, ones)
    columns = pair(design, case)
    values = pair(scores, case)
    units = Units(columns, values, np.zeros(len(scores)), case, ones)
    effect = bias_slope(units, JudgedUnits(columns, values, case, ones))
    if effect.freedom < 1 or not effect.error:
        return None
    half = t_quantile((1 + LEVEL) / 2, effect.freedom) * effect.error
    return effect.value, effect.value - half, effect.value + half


def adjust(biases: Sequence[Bias]) -> list[Bias]:
    """The tests of one card, adjusted for their number (weighted Benjamini-Hochberg)."""
    shares = _share_false_alarms([bias.error for bias in biases])
    scaled = []
    for bias, share in zip(biases, shares, strict=True):
        scaled.append(min(1.0, bias.p / (share * len(biases))))
    adjusted = []
    for bias, share, p in zip(biases, shares, benjamini_hochberg(scaled), strict=True):
        strictest = t_quantile(1 - FALSE_ALARMS * share / 2, bias.freedom)
        power = POWER if bias.kind == "lenient" else POWER_OF_BOTH
        adjusted.append(replace(bias, adjusted=p, seen=(strictest + power) * bias.error))
    return adjusted


def _find_lenience(metric: str, compared: Compared, judged: Judgements | None) -> Bias | None:
    if len(np.unique(compared.case)) < FEWEST:
        return None
    ones = np.ones((len(compared.case), 1))
    units = Units(ones, compared.judge, compared.reference, compared.case, compared.weights)
    every = JudgedUnits(ones, compared.judge, compared.case, compared.weights)
    if judged is not None:
        equal = np.ones(len(judged.case))
        every = JudgedUnits(equal[:, None], judged.judge, judged.case, equal)
    effect = bias_slope(units, every)
    return _as_bias(("lenient", metric, "people"), effect, effect)


def _find_slope(
    kind: str, metric: str, reference: str, compared: Compared, judged: Judgements | None
) -> Bias | None:
    """A bias must show both in the difference and among units of equal reference: a judge that is
    only blunt differs most where texts differ most, and that is no bias."""
    some = _find_known(compared, kind)
    x = compared.features[kind][some]
    reach = _reach(x)
    case = compared.case[some]
    weights = compared.weights[some]
    if not reach or len(np.unique(case)) < FEWEST:
        return None
    centre = float(x.mean())
    design = _design(x, centre, reach)
    judge = compared.judge[some]
    people = compared.reference[some]
    pair = pairing(design, judge - people, case, weights)
    units = Units(pair(design, case), pair(judge, case), pair(people, case), case, weights)
    every = JudgedUnits(units.design, units.judge, case, weights)
    if judged is not None and kind in judged.features:
        wide = _find_known(judged, kind)
        of_all = judged.case[wide]
        columns = _design(judged.features[kind][wide], centre, reach)
        values = pair(judged.judge[wide], of_all)
        every = JudgedUnits(pair(columns, of_all), values, of_all, np.ones(len(of_all)))
    effect = bias_slope(units, every)
    again = bias_slope(units, every, among_equals=True)
    return _as_bias((kind, metric, reference), effect, again)


def _design(values: Floats, centre: float, reach: float) -> Floats:
    return np.stack([(values - centre) / reach, np.ones(len(values))], axis=1)


def _find_known(judgements: Judgements, kind: str) -> Labels:
    return np.flatnonzero(~np.isnan(judgements.features[kind]))


def _reach(values: Floats) -> float:
    """From the lowest tenth to the highest; of a rare yes, from no to yes."""
    if not len(values):
        return 0.0
    low, high = np.quantile(values, [0.1, 0.9])
    return float(high - low) or float(values.max() - values.min())


def _as_bias(names: tuple[str, str, str], effect: FittedEffect, again: FittedEffect) -> Bias | None:
    """Both tests have to speak; the first says how large the bias is."""
    if not effect.error or not again.error or effect.freedom < 1 or again.freedom < 1:
        return None
    p = max(_p_value(effect), _p_value(again)) if effect.value * again.value > 0 else 1.0
    t = t_quantile((1 + LEVEL) / 2, effect.freedom)
    error = max(effect.error, again.error)
    return Bias(
        kind=names[0],
        metric=names[1],
        reference=names[2],
        effect=effect.value,
        low=effect.value - t * effect.error,
        high=effect.value + t * effect.error,
        p=p,
        adjusted=p,
        cases=effect.cases,
        error=error,
        freedom=effect.freedom,
        seen=(t + POWER) * error,
    )


def _p_value(effect: FittedEffect) -> float:
    statistic = effect.value / effect.error
    return beta_share(effect.freedom / (effect.freedom + statistic**2), effect.freedom / 2, 0.5)


def _share_false_alarms(errors: Sequence[float]) -> list[float]:
    """Each test's share of the false alarms that a card may raise; they add up to 1.

    Most goes where it decides whether a bias of ten points is seen (Roeder & Wasserman 2009): a
    test that sees it anyhow, or hardly could, needs little. Errors tell nothing of effects, so the
    card's false alarms stay what they are.
    """
    signals = [POINTS / error for error in errors]
    normal = NormalDist()

    def chances(cost: float) -> list[float]:
        return [2 * normal.cdf(-(signal / 2 + cost / signal)) for signal in signals]

    low, high = -1e6, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        if sum(chances(middle)) > FALSE_ALARMS:
            low = middle
        else:
            high = middle
    shares = chances(high)
    total = sum(shares) or 1.0
    return [EVEN / len(errors) + (1 - EVEN) * share / total for share in shares]

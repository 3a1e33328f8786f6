"""The true rate of something (unsupported sentences, failing cases) from few labels and many
judgements.

Units are put in strata by what the judge said of them. The share of each stratum is known from all
judged units, the rate within it from the labels: rate = Σ share · rate within. The limits of the
strata are joined by MOVER (Zou & Donner 2008), so that they are never symmetric by force and never
leave 0 … 1. A judge that is wrong in a steady way is corrected by this; a judge that says nothing
useful only leaves the interval as wide as labels alone would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from oyer.report.stats import t_quantile
from oyer.trust.agreement import Floats
from oyer.trust.proportions import LEVEL, Z, beta_limits
from oyer.trust.samples import FEW, Corrected, Judged, Labelled, Scope, sum_by_case

ENOUGH = 10  # labels of a stratum by judge's label and candidate


@dataclass(frozen=True, slots=True)
class Stratum:
    """The units of which the judge said the same."""

    value: float  # what the judge said
    share: float  # of all judged units
    rate: float  # among its labelled units; one half where there are none
    labels: int
    size: float  # labels that count: unequal chances and units of one case count for less
    rest: float  # the share of it that nobody labelled


def corrected_rate(labelled: Labelled, judged: Judged, scope: Scope = "run") -> Corrected:
    """The share of units that people would call 1, with its 95 % interval."""
    strata = strata_of(labelled, judged)
    value = math.fsum(s.share * s.rate for s in strata)
    low: float | None = None
    high: float | None = None
    note = _note(strata)
    if labelled.cases < FEW:
        note = f"{labelled.cases} labelled cases do not bear an interval"
    else:
        variance = _share_variance(strata, judged, value, scope)
        low, high = join_limits(strata, labelled.cases, variance, scope)
        if scope == "run" and not judged.unread:
            low, high = _with_what_is_known(low, high, labelled, judged)
        value = min(max(value, low), high)
    return Corrected(
        value=value,
        low=low,
        high=high,
        judge=float(judged.judge.mean()),
        labels=len(labelled.people),
        cases=labelled.cases,
        scope=scope,
        note=note,
    )


def split_by_candidate(labelled: Labelled, judged: Judged) -> tuple[Labelled, Judged]:
    """Strata by the judge's label and the candidate, where each has labels enough.

    Candidates differ in how often the judge is right of them; a stratum with few labels would
    widen the interval more than that helps.
    """
    if labelled.candidate is None or judged.candidate is None:
        return labelled, judged
    strata, place = np.unique(
        np.stack([judged.judge, judged.candidate]), axis=1, return_inverse=True
    )
    known = {(value, who): at for at, (value, who) in enumerate(strata.T.tolist())}
    pairs = zip(labelled.judge.tolist(), labelled.candidate.tolist(), strict=True)
    cells = np.array([known.get((value, float(who)), -1) for value, who in pairs])
    if (cells < 0).any() or np.bincount(cells, minlength=len(known)).min() < ENOUGH:
        return labelled, judged
    return (
        replace(labelled, judge=cells.astype(np.float64)),
        replace(judged, judge=place.ravel().astype(np.float64)),
    )


def join_limits(
    strata: Sequence[Stratum], cases: int, share_variance: float, scope: Scope
) -> tuple[float, float]:
    """MOVER: the limits of Σ share · rate from the limits of each rate.

    Student's t for the number of labelled cases widens what normal theory takes for granted.
    """
    widen = _t_over_z(cases - 1)
    below = above = Z**2 * share_variance
    for stratum in strata:
        low, high = 0.0, 1.0
        if stratum.labels:
            low, high = beta_limits(stratum.rate, stratum.size)
        unknown = stratum.rest if scope == "run" else 1.0
        weight = unknown * (stratum.share * widen) ** 2
        below += weight * (stratum.rate - low) ** 2
        above += weight * (high - stratum.rate) ** 2
    value = math.fsum(s.share * s.rate for s in strata)
    return max(0.0, value - math.sqrt(below)), min(1.0, value + math.sqrt(above))


@lru_cache(maxsize=1000)
def _t_over_z(freedom: int) -> float:
    return t_quantile((1 + LEVEL) / 2, freedom) / Z


def strata_of(labelled: Labelled, judged: Judged) -> list[Stratum]:
    """Strata by the judge's label, from the lowest."""
    effect = design_effect(labelled)
    weights = labelled.weights
    strata = []
    for value in np.unique(judged.judge):
        mine = labelled.judge == value
        share = float((judged.judge == value).mean())
        n, own = int(mine.sum()), weights[mine]
        if not n:
            strata.append(Stratum(float(value), share, 0.5, 0, 0.0, 1.0))
            continue
        rate = float((own * labelled.people[mine]).sum() / own.sum())
        size = float(own.sum() ** 2 / (own**2).sum()) / effect
        rest = max(0.0, 1 - n / (share * judged.units_in_run))
        strata.append(Stratum(float(value), share, rate, n, size, rest))
    return strata


def design_effect(labelled: Labelled) -> float:
    """How much less units of the same cases say than as many units of different cases.

    1 when every case has one unit; at most the mean number of units of a case.
    """
    n, cases = len(labelled.people), labelled.cases
    if n == cases:
        return 1.0
    weights = labelled.weights / labelled.weights.sum()
    centred = np.zeros(n)
    for value in np.unique(labelled.judge):
        mine = labelled.judge == value
        own = weights[mine]
        rate = (own * labelled.people[mine]).sum() / own.sum()
        centred[mine] = own * (labelled.people[mine] - rate)
    alone = float((centred**2).sum()) * n / max(n - 1, 1)
    together = float((sum_by_case(centred, labelled.case) ** 2).sum()) * cases / max(cases - 1, 1)
    most = n / cases
    return min(max(1.0, together / alone), most) if alone else most


def _share_variance(strata: list[Stratum], judged: Judged, value: float, scope: Scope) -> float:
    """How far the strata's shares would be others with other cases; by whole cases."""
    unknown = judged.unread if scope == "run" else 1.0
    if not unknown:
        return 0.0
    rates: Floats = np.array([stratum.rate for stratum in strata])
    place = np.searchsorted([stratum.value for stratum in strata], judged.judge)
    by_case = sum_by_case(rates[place] - value, judged.case) / len(judged.judge)
    cases = len(by_case)
    return unknown * float((by_case**2).sum()) * cases / max(cases - 1, 1)


def _with_what_is_known(
    low: float, high: float, labelled: Labelled, judged: Judged
) -> tuple[float, float]:
    """The labelled units are part of the run: no limit may contradict them."""
    units = len(judged.judge)
    hits = float(labelled.people.sum())
    least = hits / units
    most = 1 - (len(labelled.people) - hits) / units
    return min(max(low, least), most), max(min(high, most), least)


def _note(strata: list[Stratum]) -> str:
    bare = sum(stratum.share for stratum in strata if not stratum.labels)
    return f"no label for {bare:.0%} of what the judge said" if bare else ""

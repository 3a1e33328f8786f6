"""How many labels an interval of a wanted width needs, and how many the judge saves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.trust.means import label_spreads
from oyer.trust.proportions import PRIOR, Z
from oyer.trust.rates import Stratum
from oyer.trust.samples import Judged, Labelled

HALF_WIDTHS = (0.10, 0.05, 0.03)  # in parts of the scale


@dataclass(frozen=True, slots=True)
class Need:
    """Labels for a rate or mean of ± `half`: with the judge, and without one."""

    half: float
    labels: int
    alone: int
    by_stratum: tuple[int, ...] = ()  # Neyman: where labels vary most, in the order of the strata

    @property
    def saved(self) -> int:
        return self.alone - self.labels


def needs_of_rate(
    strata: Sequence[Stratum], units: float, halves: Sequence[float] = HALF_WIDTHS
) -> list[Need]:
    """After a pilot: how many labels of this run each half-width needs, drawn by Neyman.

    Units of one case say less than as many of different cases: so many more are needed.
    """
    smoothed = [(s.rate * s.labels + PRIOR) / (s.labels + 2 * PRIOR) for s in strata]
    spreads = [s.share * math.sqrt(p * (1 - p)) for s, p in zip(strata, smoothed, strict=True)]
    within = math.fsum(s.share * p * (1 - p) for s, p in zip(strata, smoothed, strict=True))
    rate = math.fsum(s.share * p for s, p in zip(strata, smoothed, strict=True))
    effect = _design_effect(strata)
    needs = []
    for half in halves:
        wanted = (half / Z) ** 2
        total = effect * math.fsum(spreads) ** 2 / (wanted + effect * within / units)
        alone = _draw(effect * rate * (1 - rate), wanted, units)
        sizes = tuple(max(1, math.ceil(total * part / math.fsum(spreads))) for part in spreads)
        needs.append(Need(half, min(sum(sizes), math.ceil(units)), alone, sizes))
    return needs


def needs_of_mean(
    labelled: Labelled,
    judged: Judged,
    scale: tuple[float, float],
    halves: Sequence[float] = HALF_WIDTHS,
) -> list[Need]:
    """The same for a mean score, drawn at random; `halves` are parts of the scale."""
    with_judge, alone = label_spreads(labelled, judged)
    needs = []
    for half in halves:
        wanted = (half * (scale[1] - scale[0]) / Z) ** 2
        units = judged.units_in_run
        labels = _draw(with_judge, wanted, units)
        needs.append(Need(half, labels, _draw(alone, wanted, units)))
    return needs


def _draw(spread: float, wanted: float, units: float) -> int:
    """Labels for a variance of `wanted`, from a population of so many units."""
    return math.ceil(spread / (wanted + spread / units))


def _design_effect(strata: Sequence[Stratum]) -> float:
    sizes = math.fsum(stratum.size for stratum in strata)
    labels = sum(stratum.labels for stratum in strata)
    return max(1.0, labels / sizes) if sizes else 1.0

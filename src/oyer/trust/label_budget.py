"""How many labels an interval of a wanted width needs, and how many the judge saves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.trust.proportions import PRIOR, Z
from oyer.trust.rates import Stratum

HALF_WIDTHS = (0.10, 0.05, 0.03)


@dataclass(frozen=True, slots=True)
class Need:
    """Labels for a rate of ± `half`: with the judge's strata, and without a judge."""

    half: float
    labels: int
    alone: int
    by_stratum: tuple[int, ...]  # Neyman: where labels vary most, in the order of the strata

    @property
    def saved(self) -> int:
        return self.alone - self.labels


def needs(
    strata: Sequence[Stratum], units: float, halves: Sequence[float] = HALF_WIDTHS
) -> list[Need]:
    """After a pilot: how many labels of this run each half-width needs, drawn by Neyman."""
    smoothed = [(s.rate * s.labels + PRIOR) / (s.labels + 2 * PRIOR) for s in strata]
    spreads = [s.share * math.sqrt(p * (1 - p)) for s, p in zip(strata, smoothed, strict=True)]
    within = math.fsum(s.share * p * (1 - p) for s, p in zip(strata, smoothed, strict=True))
    rate = math.fsum(s.share * p for s, p in zip(strata, smoothed, strict=True))
    found = []
    for half in halves:
        wanted = (half / Z) ** 2
        total = math.fsum(spreads) ** 2 / (wanted + within / units)
        alone = rate * (1 - rate) / (wanted + rate * (1 - rate) / units)
        sizes = tuple(max(1, math.ceil(total * part / math.fsum(spreads))) for part in spreads)
        found.append(Need(half, min(sum(sizes), math.ceil(units)), math.ceil(alone), sizes))
    return found

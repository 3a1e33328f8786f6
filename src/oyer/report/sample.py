"""Which verdicts a report opens: all when they are few; else the telling ones, and it says so."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oyer.verdicts.violations import breaches

if TYPE_CHECKING:
    from oyer.store import Outcome


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of the verdicts to open, and how they were chosen."""

    rows: frozenset[int]
    of: int

    @property
    def told(self) -> str:
        if len(self.rows) == self.of:
            return f"all {self.of:,} verdicts"
        return (
            f"{len(self.rows):,} of {self.of:,} verdicts: the lowest totals, the most violations, "
            "some without a score, and every so many in between"
        )


def choose(outcomes: Iterable[Outcome], most: int) -> Sample:
    """One pass, bounded memory: a quarter each of the worst, the most violated, the unscored,
    and an even spread."""
    quarter = max(most // 4, 1)
    lowest: list[tuple[float, int]] = []
    violated: list[tuple[float, int]] = []
    unscored: list[int] = []
    spread: list[int] = []
    step, seen = 1, 0
    everything: list[int] = []
    for seen, outcome in enumerate(outcomes, 1):
        if seen <= most:
            everything.append(outcome.row)
        if outcome.total is None:
            if len(unscored) < quarter:
                unscored.append(outcome.row)
        else:
            _keep(lowest, (-outcome.total, outcome.row), quarter)
        broken = sum(breaches(outcome.violations).values())
        _keep(violated, (broken, outcome.row), quarter)
        if seen % step == 0:
            spread.append(outcome.row)
            if len(spread) > quarter:
                spread, step = spread[1::2], step * 2
    if seen <= most:
        return Sample(frozenset(everything), seen)
    telling = (*(row for _, row in lowest), *(row for _, row in violated), *unscored, *spread)
    return Sample(frozenset(list(dict.fromkeys(telling))[:most]), seen)


def _keep(heap: list[tuple[float, int]], item: tuple[float, int], most: int) -> None:
    """Keep the `most` largest."""
    heapq.heappush(heap, item)
    if len(heap) > most:
        heapq.heappop(heap)

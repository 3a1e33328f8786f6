"""Which cases a report opens: all when they are few; else the telling ones, and it says so."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from oyer.verdicts.violations import breaches

if TYPE_CHECKING:
    from oyer.store import Outcome


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows of the verdicts to open, and how they were chosen."""

    rows: tuple[int, ...]
    of: int

    @property
    def description(self) -> str:
        if len(self.rows) == self.of:
            return f"all {self.of:,} verdicts"
        return (
            f"{len(self.rows):,} of {self.of:,} verdicts: cases with the lowest totals, with the "
            "most violations, without a score, and some in between"
        )


@dataclass
class _Seen:
    """What is remembered of a case."""

    rows: list[int] = field(default_factory=list)
    lowest: float = math.inf
    broken: int = 0
    unscored: int = 0


def choose(outcomes: Iterable[Outcome], most: int) -> Sample:
    """Whole cases, so that candidates stand side by side; memory grows with the verdicts' rows."""
    cases: dict[str, _Seen] = {}
    of = 0
    for outcome in outcomes:
        of += 1
        seen = cases.setdefault(outcome.case, _Seen())
        seen.rows.append(outcome.row)
        seen.broken += sum(breaches(outcome.violations).values())
        if outcome.total is None:
            seen.unscored += 1
        else:
            seen.lowest = min(seen.lowest, outcome.total)
    rows = list[int]()
    for case in _order(list(cases.values())):
        if len(rows) + len(case.rows) <= most:
            rows += case.rows
    return Sample(tuple(sorted(rows)), of)


def _order(cases: list[_Seen]) -> Iterator[_Seen]:
    """The lowest total, the most violations, one without a score, one in between; and again."""
    lowest = sorted(cases, key=lambda case: case.lowest)
    violated = sorted(cases, key=lambda case: -case.broken)
    unscored = [case for case in cases if case.unscored]
    seen = set[int]()
    for four in zip_longest(lowest, violated, unscored, _spread(cases)):
        for case in four:
            if case is not None and id(case) not in seen:
                seen.add(id(case))
                yield case


def _spread(cases: list[_Seen]) -> Iterator[_Seen]:
    """All of them, far apart from each other first: halves, quarters, eighths."""
    step = 1 << len(cases).bit_length()
    while step:
        yield from cases[step // 2 :: step]
        step //= 2

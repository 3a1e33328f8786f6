"""Cases × candidates as cells: the total of each, how good it is, and whether it can be opened."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from oyer.report.standings import Gathered, Standing

STEPS = 5  # colours, from the worst to the best
MOST = 2_000  # rows of the table; the page says when there are more cases


@dataclass(frozen=True, slots=True)
class Cell:
    """A number on a colour."""

    shown: str
    value: float | None = None
    colour: str = ""  # c0 … c4


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One case over all candidates, or one candidate over all metrics."""

    name: str
    cells: tuple[Cell, ...]
    opens: bool = False


def cell(value: float, low: float, high: float) -> Cell:
    """The value with its colour between the two ends."""
    if math.isnan(value):
        return Cell("—")
    share = (value - low) / (high - low) if high > low else 0.0
    step = min(int(max(share, 0.0) * STEPS), STEPS - 1)
    return Cell(f"{value:.2f}", round(value, 4), f"c{step}")


def case_rows(
    gathered: Gathered, candidates: Sequence[str], ends: tuple[float, float], there: Container[str]
) -> list[MatrixRow]:
    """One row a case: those that can be opened first, in the order of the cases."""
    columns = [gathered.values(who, "total") for who in candidates]
    rows = []
    for case, at in gathered.cases.items():
        cells = [cell(float(values[at]), *ends) for values in columns]
        rows.append(MatrixRow(case, tuple(cells), case in there))
    rows.sort(key=lambda row: not row.opens)
    return rows[:MOST]


def metric_rows(
    metrics: Sequence[str],
    rows: Sequence[Standing],
    lows: Mapping[str, float],
    tops: Mapping[str, float],
) -> list[MatrixRow]:
    """One row a candidate, each metric coloured on its own scale."""
    coloured = []
    for row in rows:
        cells = []
        for key in metrics:
            cells.append(cell(row.metrics[key].mean, lows.get(key, 0.0), tops.get(key, 10.0)))
        coloured.append(MatrixRow(row.candidate, tuple(cells)))
    return coloured

"""Does a judge say the same twice, and how much of what scores differ by is the judge's doing?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from oyer.trust.agreement import Floats, Labels


@dataclass(frozen=True, slots=True)
class Consistency:
    """A judge's repeats on the same text; NaN: nothing was judged twice."""

    texts: int  # judged at least twice
    same: float  # share of these whose scores are all equal
    spread: float  # standard deviation of one text's scores


@dataclass(frozen=True, slots=True)
class Components:
    """Shares of the variance of all scores; they add up to 1. NaN: nothing varies."""

    text: float  # texts differ: what a judge is for
    judge: float  # some judges are stricter throughout
    taste: float  # judges differ on single texts
    repeat: float  # the same judge on the same text


@dataclass(frozen=True, slots=True)
class Cells:
    """Scores gathered by text and judge: how many, their sum and the squares within."""

    count: Floats  # texts × judges
    mean: Floats
    within: float  # Σ (score − mean of its cell)²
    freedom: int  # of `within`


def consistency(text: Labels, total: Floats) -> Consistency:
    """Over one judge's scored verdicts: the text of each, and its score."""
    _, place, count = np.unique(text, return_inverse=True, return_counts=True)
    twice = count >= 2
    if not twice.any():
        return Consistency(0, math.nan, math.nan)
    mean = np.bincount(place, weights=total) / count
    squares = np.bincount(place, weights=(total - mean[place]) ** 2)
    freedom = int((count[twice] - 1).sum())
    same = float((squares[twice] < 1e-9).mean())
    return Consistency(int(twice.sum()), same, math.sqrt(float(squares[twice].sum()) / freedom))


def gather_cells(text: Labels, judge: Labels, total: Floats) -> Cells:
    """Scored verdicts as a table of texts × judges."""
    texts, row = np.unique(text, return_inverse=True)
    judges, column = np.unique(judge, return_inverse=True)
    shape = (len(texts), len(judges))
    cell = row * len(judges) + column
    count = np.bincount(cell, minlength=shape[0] * shape[1]).astype(np.float64)
    sums = np.bincount(cell, weights=total, minlength=len(count))
    mean = np.divide(sums, count, out=np.full(len(count), math.nan), where=count > 0)
    within = float(((total - mean[cell]) ** 2).sum())
    freedom = len(total) - int((count > 0).sum())
    return Cells(count.reshape(shape), mean.reshape(shape), within, freedom)


def components(cells: Cells) -> Components:
    """Variance components by the moments of the two-way table, over texts that all have judged."""
    whole = (cells.count > 0).all(axis=1)
    table, repeats = cells.mean[whole], cells.count[whole]
    texts, judges = table.shape
    if texts < 2:
        return Components(math.nan, math.nan, math.nan, math.nan)
    repeat = cells.within / cells.freedom if cells.freedom else 0.0
    by_repeats = repeat * float((1 / repeats).mean())
    of_text = table.mean(axis=1).var(ddof=1) * judges
    if judges < 2:
        return _shares(max(of_text - by_repeats, 0.0), 0.0, 0.0, repeat)
    of_judge = table.mean(axis=0).var(ddof=1) * texts
    rest = _rest(table)
    return _shares(
        max((of_text - rest) / judges, 0.0),
        max((of_judge - rest) / texts, 0.0),
        max(rest - by_repeats, 0.0),
        repeat,
    )


def _rest(table: Floats) -> float:
    """The mean square that neither texts nor judges explain."""
    rows = table.mean(axis=1, keepdims=True)
    columns = table.mean(axis=0, keepdims=True)
    left = table - rows - columns + table.mean()
    freedom = float((table.shape[0] - 1) * (table.shape[1] - 1))
    return float((left**2).sum() / freedom)


def _shares(text: float, judge: float, taste: float, repeat: float) -> Components:
    total = float(text + judge + taste + repeat)
    if not total:
        return Components(math.nan, math.nan, math.nan, math.nan)
    return Components(*(float(part) / total for part in (text, judge, taste, repeat)))

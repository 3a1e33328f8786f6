"""Did scores fall? One-sided sign-flip tests of paired differences, corrected among themselves.

If a change did nothing, before and after of a case could as well be swapped: the sign of each
case's difference is a coin. The test flips these coins in every way (or in many drawn ones), for a
whole case at once, so candidates and metrics of one case stay together. Westfall and Young's
step-down minP then corrects exactly as much as the questions differ: ten questions that always fall
together cost no more than one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from oyer.report.stats import SEED, Floats, t_quantile

Draw: TypeAlias = Callable[[int], Iterable[Floats]]
ALPHA = 0.05
POWER = 0.8
EXACT_UP_TO = 12  # cases whose 2^n sign patterns are all tried
PATTERNS = 10_000  # drawn beyond that ...
WORK = 400_000_000  # ... but not more than this many flips in all
CHUNK = 20_000_000  # coins drawn at once, a byte each ...
BLOCK = 1_000_000  # ... and signs made of them, eight bytes each
#: The fewest cases of which any result can be significant: 2^-5 < 0.05 < 2^-4.
FEWEST = math.ceil(-math.log2(ALPHA))


def drop_p_values(differences: Floats, draw: Draw | None = None) -> Floats:
    """For each column (a question) the corrected p of "its mean is not below 0".

    Rows are cases; a case that a question has no pair of scores for is NaN. `draw` gives the sign
    patterns of so many cases: a simulation of many gates draws them once.
    """
    values = np.nan_to_num(differences)
    moved = values[np.any(values != 0, axis=1)]  # a case where nothing moved flips nothing
    if not len(moved):
        return np.ones(values.shape[1])
    sums = _flipped_sums(moved, draw or draw_signs)
    by_pattern = _p_of_each(sums)
    return _step_down(by_pattern)


def draw_signs(cases: int) -> Iterator[Floats]:
    """Drawn sign patterns, a row each, in chunks that fit in memory; always the same."""
    rng = np.random.default_rng(SEED)
    patterns = max(1_999, min(PATTERNS - 1, WORK // cases))
    step = max(1, min(patterns, CHUNK // cases))
    for start in range(0, patterns, step):
        size = (min(step, patterns - start), cases)
        coins = rng.integers(0, 2, size=size, dtype=np.int8)
        rows = max(1, BLOCK // cases)
        for at in range(0, size[0], rows):
            yield 1.0 - 2.0 * coins[at : at + rows].astype(np.float64)


def _flipped_sums(moved: Floats, draw: Draw) -> Floats:
    """The sum of drops of each question under each sign pattern; the first is what was seen."""
    cases = len(moved)
    if cases <= EXACT_UP_TO:
        bits = (np.arange(2**cases)[:, None] >> np.arange(cases)) & 1
        return np.round(-((1.0 - 2.0 * bits) @ moved), 9)
    parts = [-moved.sum(axis=0, keepdims=True)]
    for signs in draw(cases):
        parts.append(-(signs @ moved))
    return np.round(np.concatenate(parts), 9)


def _p_of_each(sums: Floats) -> Floats:
    """For each question and pattern: the share of patterns that fall as far, or farther."""
    patterns, questions = sums.shape
    p_values = np.empty_like(sums)
    for at in range(questions):
        column = np.sort(sums[:, at])
        below = np.searchsorted(column, sums[:, at], side="left")
        p_values[:, at] = (patterns - below) / patterns
    return p_values


def _step_down(by_pattern: Floats) -> Floats:
    """Westfall-Young: the smallest p first, each against the smallest of those not yet decided."""
    seen = by_pattern[0]
    order: npt.NDArray[np.int64] = np.argsort(seen, kind="stable")
    sorted_p = by_pattern[:, order]
    smallest = np.minimum.accumulate(sorted_p[:, ::-1], axis=1)[:, ::-1]
    corrected = (smallest <= seen[order] + 1e-12).mean(axis=0)
    p_values: Floats = np.empty_like(seen)
    p_values[order] = np.maximum.accumulate(corrected)
    return p_values


def smallest_drop(differences: Floats, questions: int) -> float | None:
    """The mean drop that as many cases, spread like these, would show in 4 of 5 trials.

    None where the spread is not known: too few cases, or none that moved.
    """
    known = differences[~np.isnan(differences)]
    cases = len(known)
    if cases < FEWEST:
        return None
    spread = float(known.std(ddof=1))
    if spread == 0:
        return None
    reach = t_quantile(1 - ALPHA / questions, cases - 1) + t_quantile(POWER, cases - 1)
    return reach * spread / math.sqrt(cases)

"""Judges side by side: each one's standings, and how far they agree outside panels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from oyer.report.standings import Gathered, speaks_for_others
from oyer.report.stats import Floats
from oyer.report.tables import Sheet

PAIRS = 6  # of judges, whose correlation is told; all of them are in --json
PANELS = "; a panel is not counted beside its members"
FEWEST = 3  # texts in common for a correlation


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of two judges' totals on the same texts."""

    first: str
    other: str
    rho: float | None
    n: int


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Candidates × judges; agreement only among judges that are no panel of the others."""

    judges: tuple[str, ...]
    means: dict[str, dict[str, float | None]]  # candidate -> judge -> mean total
    ranks: dict[str, dict[str, int]]  # judge -> candidate -> place
    alpha: float | None
    texts: int  # that two or more judges scored
    correlations: tuple[Correlation, ...]
    has_panel: bool = False  # of judges that judged by themselves, too


def side_by_side(gathered: Gathered) -> SideBySide | None:
    """The judges of a run beside each other; None where there is but one."""
    judges = tuple(gathered.judges)
    if len(judges) < 2:
        return None
    means = {who: _means(gathered, who) for who in gathered.tallies}
    own = [judge for judge in judges if not speaks_for_others(judge, judges, gathered.panels)]
    columns = {judge: _texts(gathered, judge) for judge in own}
    alpha, texts = _alpha(columns)
    pairs = combinations(own, 2)
    return SideBySide(
        judges=judges,
        means=means,
        ranks={judge: _ranks(means, judge) for judge in judges},
        alpha=alpha,
        texts=texts,
        correlations=tuple(_correlation(a, b, columns) for a, b in pairs),
        has_panel=len(own) < len(judges),
    )


def _means(gathered: Gathered, who: str) -> dict[str, float | None]:
    """A candidate's mean by each judge."""
    return {judge: _mean(gathered.values(who, "total", judge)) for judge in gathered.judges}


def _mean(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _ranks(means: dict[str, dict[str, float | None]], judge: str) -> dict[str, int]:
    scored: dict[str, float] = {}
    for who, row in means.items():
        mean = row[judge]
        if mean is not None:
            scored[who] = mean
    ranks = {}
    for who, mean in scored.items():
        ranks[who] = 1 + sum(other > mean for other in scored.values())
    return ranks


def _texts(gathered: Gathered, judge: str) -> Floats:
    """A judge's total of every text: candidate by candidate, case by case."""
    return np.concatenate([gathered.values(who, "total", judge) for who in gathered.tallies])


def _alpha(columns: dict[str, Floats]) -> tuple[float | None, int]:
    """Krippendorff's alpha (interval) over all texts, and how many count."""
    table = np.array(list(columns.values()))
    judges_of_text = (~np.isnan(table)).sum(axis=0)
    table = table[:, judges_of_text > 1]
    judges_of_text = judges_of_text[judges_of_text > 1]
    values = np.nan_to_num(table)
    if not len(judges_of_text):
        return None, 0
    observed = _distances(judges_of_text, values.sum(axis=0), (values**2).sum(axis=0)) / (
        judges_of_text - 1
    )
    count = judges_of_text.sum()
    expected = _distances(count, values.sum(), (values**2).sum())
    if expected <= 0:  # nothing varies: chance cannot be told
        return None, len(judges_of_text)
    return float(1 - (count - 1) * observed.sum() / expected), len(judges_of_text)


def _distances(count: object, sums: Any, squares: Any) -> Any:
    """The sum of squared differences over all ordered pairs."""
    return 2 * (count * squares - sums**2)


def _correlation(first: str, other: str, columns: dict[str, Floats]) -> Correlation:
    both = ~np.isnan(columns[first]) & ~np.isnan(columns[other])
    n = int(both.sum())
    rho = None
    if n >= FEWEST:
        a = _rank_values(columns[first][both])
        b = _rank_values(columns[other][both])
        if a.std() > 0 and b.std() > 0:
            rho = float(np.corrcoef(a, b)[0, 1])
    return Correlation(first, other, rho, n)


def _rank_values(values: Floats) -> Floats:
    """Ranks, the mean of them for ties."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middles: Floats = ends - (counts - 1) / 2
    return middles[inverse]


def judges_sheet(side: SideBySide) -> Sheet:
    """Mean total and place of each candidate, judge by judge."""
    rows = []
    for who, means in side.means.items():
        cells = [_cell(means[judge], side.ranks[judge].get(who)) for judge in side.judges]
        rows.append((who, *cells))
    return Sheet(("candidate", *side.judges), tuple(rows), tuple(_notes(side)))


def _cell(mean: float | None, rank: int | None) -> str:
    return "—" if mean is None else f"{mean:.2f} ({rank})"


def _notes(side: SideBySide) -> Iterator[str]:
    yield "mean total of each judge (place)"
    if side.alpha is not None:
        yield (
            f"agreement on {side.texts:,} texts: Krippendorff's alpha (interval) {side.alpha:.2f}"
            f"{PANELS if side.has_panel else ''}"
        )
    for pair in side.correlations[:PAIRS]:
        if pair.rho is not None and not math.isnan(pair.rho):
            correlation = f"{pair.rho:.2f} over {pair.n:,} texts"
            yield f"rank correlation of {pair.first} and {pair.other}: {correlation}"


def as_json(side: SideBySide) -> dict[str, object]:
    """For `oyer leaderboard --json`."""
    return {
        "means": side.means,
        "ranks": side.ranks,
        "alpha": side.alpha,
        "texts": side.texts,
        "correlations": [
            {"judges": [pair.first, pair.other], "rho": pair.rho, "n": pair.n}
            for pair in side.correlations
        ],
    }

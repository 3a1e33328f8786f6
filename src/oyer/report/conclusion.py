"""The standings in one sentence: who is best, and whether that is clear."""

from __future__ import annotations

import math
from collections.abc import Sequence

from oyer.report.standings import Standing

ALPHA = 0.05
#: The fewest cases in which any order can be clear: two-sided, 2 · 2^-n must be below 5 %.
FEWEST = math.ceil(1 - math.log2(ALPHA))
NAMED = 3


def conclude(rows: Sequence[Standing], top: float | None = None) -> str:
    """What a reader wants to know first."""
    scored = [row for row in rows if row.rank is not None]
    of = f" of {top:g}" if top else ""
    if not scored:
        return "No candidate has a score."
    best = scored[0]
    if len(scored) == 1:
        cases = f"{best.cases:,} case{'' if best.cases == 1 else 's'}"
        return f"{best.candidate} has {best.total.mean:.2f}{of} on average over {cases}."
    leaders = [row for row in scored if row.rank == best.rank]
    behind = [row for row in scored if row.rank != best.rank]
    if best.cases < FEWEST:
        return (
            f"{best.candidate} has the highest mean ({_mean(best)}{of}), but {best.cases:,} cases "
            f"are too few to rank anybody: it takes {FEWEST}."
        )
    if len(leaders) == 1:
        text = (
            f"{best.candidate} is best ({_mean(best)}{of}), clearly ahead of {_list_names(behind)}"
        )
    else:
        text = f"{_list_names(leaders)} lead, and chance may explain the order among them"
        if behind:
            text += f"; {_list_names(behind)} {'is' if len(behind) == 1 else 'are'} clearly behind"
    return f"{text}."


def _list_names(rows: Sequence[Standing]) -> str:
    names = [f"{row.candidate} ({_mean(row)})" for row in rows[:NAMED]]
    more = len(rows) - NAMED
    if more > 0:
        names.append(f"{more} more")
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _mean(row: Standing) -> str:
    return f"{row.total.mean:.2f}"

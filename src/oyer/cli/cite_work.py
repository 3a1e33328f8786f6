"""Citing whole archives on other machines: decisions go out in heaps, and come back in order."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path

from oyer.cli.cite_files import DecisionText
from oyer.runs.workers import map_in_order, open_workers

HEAP = 16  # decisions sent together


@contextlib.contextmanager
def cite_elsewhere(
    decisions: Iterable[DecisionText], on: str, acts: Path | None
) -> Iterator[Iterator[DecisionText]]:
    """The decisions with their citations, in order. A file of the user's own acts must lie at the
    same place on every node."""
    with open_workers(on) as (workers, count):
        cite = partial(cite_heap, acts=acts)
        heaps = map_in_order(workers, cite, _heaps(iter(decisions)), 2 * count)
        yield chain.from_iterable(heaps)


def _heaps(decisions: Iterator[DecisionText]) -> Iterator[list[DecisionText]]:
    while heap := list(islice(decisions, HEAP)):
        yield heap


def cite_heap(heap: list[DecisionText], acts: Path | None) -> list[DecisionText]:
    """What a worker does."""
    from oyer.cite import cite

    if acts is not None:
        _add_acts_once(acts)
    return [
        decision._replace(citations=cite(decision.text, decision.language, decision.when))
        for decision in heap
    ]


@cache
def _add_acts_once(acts: Path) -> None:
    from oyer.cite import add_acts

    add_acts(acts)

"""A run's totals, and what each judge did in sums: what judge cards read, a million at a time.

They come from kept columns (`kept_columns.py`), as those of leaderboards do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from oyer.store import codec, schema
from oyer.store.columns import Columns, Floats, Numbers
from oyer.store.kept_columns import read_columns
from oyer.store.reading import _IN, _VERDICT, OUTCOME_AND_CHECK
from oyer.store.records import Outcome, StoredVerdict
from oyer.store.store import Store

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunTotals:
    """The totals of a run, by judged text and judge; one number for each verdict in each array.

    Cases, candidates and judges are numbered. A text's number is made of its case's and its
    candidate's.
    """

    row: Numbers
    repeat: Numbers
    text: Numbers
    judge: Numbers
    total: Floats  # NaN: unscored
    cases: Mapping[str, int]  # name -> number, as the others
    candidates: Mapping[str | None, int]
    judges: Mapping[str, int]

    @property
    def case(self) -> Numbers:
        """The case of each verdict."""
        return self.text // len(self.candidates)

    @property
    def candidate(self) -> Numbers:
        """The candidate of each verdict."""
        return self.text % len(self.candidates)

    def text_of(self, case: str, candidate: str | None) -> int:
        """The number of the text that a candidate wrote to a case."""
        return self.cases[case] * len(self.candidates) + self.candidates[candidate]


@dataclass(slots=True)
class JudgeSums:
    """What a judge did in a run, in sums."""

    scored: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    #: (violations by code, verdicts that have just these)
    violations: list[tuple[dict[str, int], int]] = field(default_factory=list)
    cost_usd: float | None = 0.0  # None: some price is not known
    seconds: float = 0.0
    calls: int = 0

    @property
    def verdicts(self) -> int:
        return self.scored + sum(self.errors.values())


def read_run(store: Store, run: int) -> tuple[RunTotals, dict[str, JudgeSums]]:
    """The run's verdicts in the order kept, and what each judge did in sums; in one pass."""
    cases = _Names[str]()
    candidates = _Names[str | None]()
    judges = _Names[str]()
    sums: dict[str, JudgeSums] = {}
    rows: list[tuple[npt.NDArray[Any], ...]] = []
    for columns in read_columns(store, run):
        rows.append(
            (
                columns.row,
                columns.repeat,
                cases.number(columns.cases)[columns.case],
                candidates.number(columns.candidates)[columns.candidate],
                judges.number(columns.judges)[columns.judge],
                columns.total,
            )
        )
        for number, name in enumerate(columns.judges):
            _add_up(sums.setdefault(name, JudgeSums()), columns, columns.judge == number)
    row, repeat, case, candidate, judge = (_join(rows, at, np.int64) for at in range(5))
    return RunTotals(
        row=row,
        repeat=repeat,
        text=case * len(candidates.places) + candidate,
        judge=judge,
        total=_join(rows, 5, np.float64),
        cases=cases.places,
        candidates=candidates.places,
        judges=judges.places,
    ), sums


def _join(
    rows: Sequence[tuple[npt.NDArray[Any], ...]], at: int, kind: type[np.generic]
) -> npt.NDArray[Any]:
    """One column of all of them."""
    parts = [some[at] for some in rows]
    return np.concatenate(parts).astype(kind) if parts else np.empty(0, dtype=kind)


class _Names(Generic[T]):
    """Names get numbers as they are first seen."""

    def __init__(self) -> None:
        self.places: dict[T, int] = {}

    def number(self, names: Iterable[T]) -> npt.NDArray[np.int64]:
        numbers = [self.places.setdefault(name, len(self.places)) for name in names]
        return np.array(numbers, dtype=np.int64)


def _add_up(sums: JudgeSums, columns: Columns, own: npt.NDArray[np.bool_]) -> None:
    """Add one judge's own verdicts of these columns."""
    costs = columns.cost[own]
    if sums.cost_usd is None or np.isnan(costs).any():
        sums.cost_usd = None
    else:
        sums.cost_usd += float(costs.sum())
    sums.seconds += float(columns.seconds[own].sum())
    sums.calls += int(columns.calls[own].sum())
    for code, count in zip(*np.unique(columns.error[own], return_counts=True), strict=True):
        error = columns.errors[code]
        if error is None:
            sums.scored += int(count)
        else:
            sums.errors[error] += int(count)
    for code, count in zip(*np.unique(columns.violations[own], return_counts=True), strict=True):
        sums.violations.append((dict(columns.violation_counts[code]), int(count)))


def read_texts(
    store: Store, run: int, cases: Iterable[str]
) -> Iterator[tuple[str, str | None, str]]:
    """Case id, candidate and case sha of each verdict on these cases in a run."""
    table = schema.verdicts.c
    ids = sorted(cases)
    for start in range(0, len(ids), _IN):
        some = table.case_id.in_(ids[start : start + _IN])
        rows = sa.select(table.id).where(table.run == run, some)
        wanted = sa.select(table.case_id, table.candidate, table.case_sha)
        yield from store._fetch(wanted.where(table.id.in_(rows)))


def outcomes_at(store: Store, rows: Sequence[int]) -> Iterator[Outcome]:
    """The verdicts of these row numbers, without their derivations."""
    return map(codec.read_outcome, _rows_at(store, OUTCOME_AND_CHECK, rows))


def verdicts_at(store: Store, rows: Sequence[int]) -> Iterator[StoredVerdict]:
    """The verdicts of these row numbers, whole."""
    return map(codec.read_verdict, _rows_at(store, _VERDICT, rows))


def states_of(store: Store, kind: str) -> dict[str, bytes]:
    """Everything kept under a kind with `keep_state`."""
    table = schema.states.c
    query = sa.select(table.name).where(table.kind == kind).order_by(table.name)
    names = [str(name) for (name,) in store._fetch(query)]
    return {name: store.state(kind, name) or b"" for name in names}


def _rows_at(store: Store, select: Any, rows: Iterable[int]) -> Iterator[Any]:
    wanted = [int(row) for row in rows]
    key = schema.verdicts.c.id
    for start in range(0, len(wanted), _IN):
        yield from store._fetch(select.where(key.in_(wanted[start : start + _IN])).order_by(key))

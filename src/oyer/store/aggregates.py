"""A run's verdicts as columns and sums: what judge cards read, a million at a time.

Rows are not checked one by one here, as reports do: `oyer doctor` does that.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from oyer.store import codec, schema
from oyer.store.reading import _IN, _OUTCOME, _VERDICT
from oyer.store.records import Outcome, StoredVerdict
from oyer.store.store import Store

_PAGE = 50_000


@dataclass(frozen=True, slots=True)
class RunColumns:
    """One number for each verdict in each array; cases, candidates and judges are numbered."""

    row: npt.NDArray[np.int64]
    seq: npt.NDArray[np.int64]  # place of the case in its file
    repeat: npt.NDArray[np.int64]
    case: npt.NDArray[np.int64]
    candidate: npt.NDArray[np.int64]
    judge: npt.NDArray[np.int64]
    total: npt.NDArray[np.float64]  # NaN: unscored
    cases: tuple[str, ...]
    candidates: tuple[str | None, ...]
    judges: tuple[str, ...]


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


def read_run(store: Store, run: int) -> tuple[RunColumns, dict[str, JudgeSums]]:
    """The run's verdicts in the order kept, and what each judge did in sums; in one pass."""
    gathered = _Gathered()
    table = schema.verdicts.c
    names = (table.id, table.seq, table.repeat, table.case_id, table.candidate, table.judge,
             table.total, table.error, table.cost_usd, table.seconds, table.calls)  # fmt: skip
    asked = sa.select(*names, _violations(store)).where(table.run == run).order_by(table.id)
    after = 0
    while page := store._fetch(asked.where(table.id > after).limit(_PAGE)):
        after = page[-1][0]
        gathered.take(page)
    return gathered.columns(), gathered.sums()


class _Gathered:
    """Pages of verdicts as arrays; names get numbers as they are first seen."""

    def __init__(self) -> None:
        self.numbers: list[npt.NDArray[np.float64]] = []
        self.cases: dict[str, int] = {}
        self.candidates: dict[str | None, int] = {}
        self.judges: dict[str, int] = {}
        self.groups: Counter[tuple[str, str | None, str]] = Counter()

    def take(self, page: Sequence[Any]) -> None:
        ids, seqs, repeats, case_ids, who, judges, totals, errors, costs, seconds, calls, broken = (
            zip(*page, strict=True)
        )
        self.groups.update(zip(judges, errors, broken, strict=True))
        columns = (
            ids,
            seqs,
            repeats,
            [self.cases.setdefault(name, len(self.cases)) for name in case_ids],
            [self.candidates.setdefault(name, len(self.candidates)) for name in who],
            [self.judges.setdefault(name, len(self.judges)) for name in judges],
            totals,
            costs,
            seconds,
            calls,
        )
        arrays = [np.array(column, dtype=np.float64) for column in columns]  # None becomes NaN
        self.numbers.append(np.stack(arrays))

    def columns(self) -> RunColumns:
        every = self._every()
        whole = every[:6].astype(np.int64)
        return RunColumns(
            row=whole[0],
            seq=whole[1],
            repeat=whole[2],
            case=whole[3],
            candidate=whole[4],
            judge=whole[5],
            total=every[6],
            cases=tuple(self.cases),
            candidates=tuple(self.candidates),
            judges=tuple(self.judges),
        )

    def sums(self) -> dict[str, JudgeSums]:
        every = self._every()
        found = {}
        for judge, number in self.judges.items():
            costs, seconds, calls = every[7:, every[5] == number]
            spent = None if np.isnan(costs).any() else float(costs.sum())
            found[judge] = JudgeSums(
                cost_usd=spent, seconds=float(seconds.sum()), calls=int(calls.sum())
            )
        for (judge, error, broken), count in self.groups.items():
            sums = found[judge]
            if error is None:
                sums.scored += count
            else:
                sums.errors[error] += count
            sums.violations.append((json.loads(broken), count))
        return found

    def _every(self) -> npt.NDArray[np.float64]:
        if len(self.numbers) > 1:
            self.numbers = [np.concatenate(self.numbers, axis=1)]
        return self.numbers[0] if self.numbers else np.empty((10, 0))


def outcomes_at(store: Store, rows: Sequence[int]) -> Iterator[Outcome]:
    """The verdicts of these row numbers, without their derivations."""
    return map(codec.read_outcome, _rows_at(store, _OUTCOME, rows))


def verdicts_at(store: Store, rows: Sequence[int]) -> Iterator[StoredVerdict]:
    """The verdicts of these row numbers, whole."""
    return map(codec.read_verdict, _rows_at(store, _VERDICT, rows))


def states_of(store: Store, kind: str) -> dict[str, bytes]:
    """Everything kept under a kind with `keep_state`."""
    table = schema.states.c
    asked = sa.select(table.name).where(table.kind == kind).order_by(table.name)
    names = [str(name) for (name,) in store._fetch(asked)]
    return {name: store.state(kind, name) or b"" for name in names}


def _rows_at(store: Store, select: Any, rows: Iterable[int]) -> Iterator[Any]:
    wanted = [int(row) for row in rows]
    key = schema.verdicts.c.id
    for start in range(0, len(wanted), _IN):
        yield from store._fetch(select.where(key.in_(wanted[start : start + _IN])).order_by(key))


def _violations(store: Store) -> sa.ColumnElement[Any]:
    """The violations of a verdict as JSON text, in either database."""
    brief = schema.verdicts.c.brief
    if store._database.engine.dialect.name == "sqlite":
        return sa.func.json_extract(brief, "$.violations")
    as_json: sa.ColumnElement[Any] = sa.cast(brief, sa.JSON)["violations"].as_string()
    return as_json

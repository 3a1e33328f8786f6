"""A run's verdicts as columns and sums: what judge cards read, a million at a time.

Rows are not checked one by one here, as reports do: `oyer doctor` does that.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import sqlalchemy as sa

from oyer.store import codec, schema
from oyer.store.reading import _IN, _OUTCOME, _VERDICT
from oyer.store.records import Kept, Outcome
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


def read_columns(store: Store, run: int) -> RunColumns:
    """The run's verdicts, in the order kept."""
    table = schema.verdicts.c
    names = (table.id, table.seq, table.repeat, table.case_id, table.candidate, table.judge)
    asked = sa.select(*names, table.total).where(table.run == run).order_by(table.id)
    numbers: list[npt.NDArray[np.float64]] = []
    cases: dict[str, int] = {}
    candidates: dict[str | None, int] = {}
    judges: dict[str, int] = {}
    after = 0
    while page := store._fetch(asked.where(table.id > after).limit(_PAGE)):
        after = page[-1][0]
        ids, seqs, repeats, case_ids, who, judge, totals = zip(*page, strict=True)
        columns = (
            ids,
            seqs,
            repeats,
            [cases.setdefault(name, len(cases)) for name in case_ids],
            [candidates.setdefault(name, len(candidates)) for name in who],
            [judges.setdefault(name, len(judges)) for name in judge],
            [math.nan if total is None else total for total in totals],
        )
        numbers.append(np.array(columns, dtype=np.float64))
    every = np.concatenate(numbers, axis=1) if numbers else np.empty((7, 0))
    whole = every[:6].astype(np.int64)
    return RunColumns(
        row=whole[0],
        seq=whole[1],
        repeat=whole[2],
        case=whole[3],
        candidate=whole[4],
        judge=whole[5],
        total=every[6],
        cases=tuple(cases),
        candidates=tuple(candidates),
        judges=tuple(judges),
    )


def sums_by_judge(store: Store, run: int) -> dict[str, JudgeSums]:
    """Scores, errors, violations, money and time of each judge, summed by the database."""
    table = schema.verdicts.c
    spent = (
        sa.func.count() - sa.func.count(table.cost_usd),
        sa.func.sum(table.cost_usd),
        sa.func.sum(table.seconds),
        sa.func.sum(table.calls),
    )
    violations = _violations(store)
    asked = sa.select(table.judge, table.error, violations, sa.func.count(), *spent)
    asked = asked.where(table.run == run).group_by(table.judge, table.error, violations)
    found: dict[str, JudgeSums] = {}
    for judge, error, broken, count, unpriced, cost, seconds, calls in store._fetch(asked):
        sums = found.setdefault(judge, JudgeSums())
        if error is None:
            sums.scored += count
        else:
            sums.errors[error] += count
        sums.violations.append((json.loads(broken), count))
        known = sums.cost_usd is not None and not unpriced
        sums.cost_usd = (sums.cost_usd or 0.0) + float(cost) if known else None
        sums.seconds += float(seconds)
        sums.calls += int(calls)
    return found


def outcomes_at(store: Store, rows: Sequence[int]) -> Iterator[Outcome]:
    """The verdicts of these row numbers, without their derivations."""
    return map(codec.read_outcome, _rows_at(store, _OUTCOME, rows))


def verdicts_at(store: Store, rows: Sequence[int]) -> Iterator[Kept]:
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

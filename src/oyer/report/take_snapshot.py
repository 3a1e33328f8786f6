"""Gather the standings of a run into the record that pages show (`snapshot.py`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from oyer.report.snapshot import BINS, Snapshot, SnapshotLine, total_range
from oyer.report.standings import Gathered, Standing, gather, standings
from oyer.report.stats import Interval
from oyer.store import Run
from oyer.store.columns import Columns
from oyer.store.kept_columns import read_columns
from oyer.store.store import Store
from oyer.store.versions import read_version
from oyer.types import AnyProtocol

RARE = 1000  # verdicts with a code, whose rows are kept


def take_snapshot(store: Store, run: Run, protocol: AnyProtocol) -> Snapshot:
    """Gather a run; several judges also one by one."""
    version = read_version(store, run.id)
    rules = _RuleRows()
    columns = rules.note(read_columns(store, run.id))
    every = gather(columns, protocol.scale, panels=run.manifest.panels)
    by_judge: dict[str, tuple[SnapshotLine, ...]] = {}
    if len(every.judges) > 1:
        for judge in every.judges:
            own = gather(of_judge(read_columns(store, run.id), judge), protocol.scale)
            by_judge[judge] = _lines(own, protocol)
    return Snapshot(
        version=version,
        state=run.state,
        verdicts=every.verdicts,
        cases=len(every.cases),
        metrics=every.metrics,
        lines=_lines(every, protocol),
        by_judge=by_judge,
        violations={judge: dict(codes) for judge, codes in every.by_judge.items()},
        errors=dict(every.kinds),
        cost=_sum(every.cost.values()),
        judges=dict(every.judges),
        scale=total_range(protocol),
        rule_rows=rules.as_known(),
    )


class _RuleRows:
    """The rows of the verdicts with each code, for rules that were broken rarely."""

    def __init__(self) -> None:
        self._rows: dict[str, list[int]] = {}

    def note(self, chunks: Iterable[Columns]) -> Iterator[Columns]:
        """The same columns, as they are read."""
        for columns in chunks:
            for code in dict.fromkeys(chain.from_iterable(columns.violation_counts)):
                rows = self._rows.setdefault(code, [])
                if len(rows) <= RARE:
                    has = np.array([code in counts for counts in columns.violation_counts])
                    rows += columns.row[has[columns.violations]].tolist()
            yield columns

    def as_known(self) -> dict[str, tuple[int, ...] | None]:
        """Of rules that were broken often, None."""
        return {
            code: tuple(rows) if len(rows) <= RARE else None for code, rows in self._rows.items()
        }


def of_judge(chunks: Iterable[Columns], judge: str) -> Iterator[Columns]:
    """The verdicts of one judge alone."""
    return (columns.of_judges(judge.__eq__) for columns in chunks)


def _lines(gathered: Gathered, protocol: AnyProtocol) -> tuple[SnapshotLine, ...]:
    return tuple(_line(gathered, row, protocol) for row in standings(gathered, protocol.scale))


def _line(gathered: Gathered, row: Standing, protocol: AnyProtocol) -> SnapshotLine:
    return SnapshotLine(
        candidate=row.candidate,
        rank=row.rank,
        total=_three(row.total),
        metrics={key: _three(value) for key, value in row.metrics.items()},
        win_rate=row.win_rate,
        unscored=row.unscored,
        cost=row.cost,
        violations=row.violations,
        cases=row.cases,
        shape=_shape(gathered, row.candidate, protocol),
    )


def _three(interval: Interval) -> tuple[float | None, float | None, float | None]:
    mean = None if math.isnan(interval.mean) else interval.mean
    return mean, interval.low, interval.high


def _shape(gathered: Gathered, candidate: str, protocol: AnyProtocol) -> tuple[int, ...]:
    values = gathered.values(candidate, "total")
    counts, _ = np.histogram(values[~np.isnan(values)], bins=BINS, range=total_range(protocol))
    return tuple(int(count) for count in counts)


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)

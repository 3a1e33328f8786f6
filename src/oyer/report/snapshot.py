"""The standings of a run as a small record that is kept: a page shows it in a millisecond.

Gathering a million verdicts takes a second or more, so it is done once for each version of a run's
verdicts and kept in the store.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from oyer.report.standings import Gathered, Standing, gather, standings
from oyer.report.stats import Interval
from oyer.store import Run
from oyer.store.columns import Columns
from oyer.store.kept_columns import Version, read_columns, read_version
from oyer.store.store import Store
from oyer.types import AnyProtocol, JsonObject

FORM = 2  # of the record; another one is gathered anew
KIND = "standings"  # of the store's states
BINS = 20


@dataclass(frozen=True, slots=True)
class SnapshotLine:
    """One candidate: its rank, its intervals as [mean, low, high], and the shape of its totals."""

    candidate: str
    rank: int | None
    total: tuple[float | None, float | None, float | None]
    metrics: Mapping[str, tuple[float | None, float | None, float | None]]
    win_rate: float | None
    unscored: float
    cost: float | None
    violations: int
    cases: int
    shape: tuple[int, ...]  # cases in each of BINS equal parts of the scale


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run's standings as of a version of its verdicts."""

    version: Version
    state: str
    verdicts: int
    cases: int
    metrics: tuple[str, ...]
    lines: tuple[SnapshotLine, ...]
    by_judge: Mapping[str, tuple[SnapshotLine, ...]]  # of several judges, each alone
    violations: Mapping[str, Mapping[str, int]]  # judge -> code -> how often
    errors: Mapping[str, int]  # why verdicts have no score
    cost: float | None
    judges: Mapping[str, int]  # verdicts of each
    form: int = FORM


def take_snapshot(store: Store, run: Run, protocol: AnyProtocol) -> Snapshot:
    """Gather a run; several judges also one by one."""
    version = read_version(store, run.id)
    every = gather(read_columns(store, run.id), protocol.scale, panels=run.manifest.panels)
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
    )


def keep_snapshot(store: Store, run: int, snapshot: Snapshot) -> None:
    """Put it into the store, in the place of the one before."""
    store.keep_state(KIND, str(run), json.dumps(asdict(snapshot)).encode()).result()


def kept_snapshot(store: Store, run: int) -> Snapshot | None:
    """The snapshot that was kept last; None: there is none of this form."""
    body = store.state(KIND, str(run))
    known = json.loads(body) if body is not None else {}
    if known.get("form") != FORM:
        return None
    known["version"] = Version(*known["version"])
    known["lines"] = _read_lines(known["lines"])
    known["by_judge"] = {judge: _read_lines(lines) for judge, lines in known["by_judge"].items()}
    return Snapshot(**known)


def _read_lines(lines: Iterable[JsonObject]) -> tuple[SnapshotLine, ...]:
    return tuple(SnapshotLine(**line) for line in lines)


def of_judge(chunks: Iterable[Columns], judge: str) -> Iterator[Columns]:
    """The verdicts of one judge alone."""
    return (columns.of_judges(judge.__eq__) for columns in chunks)


def _lines(made: Gathered, protocol: AnyProtocol) -> tuple[SnapshotLine, ...]:
    return tuple(_line(made, row, protocol) for row in standings(made, protocol.scale))


def _line(made: Gathered, row: Standing, protocol: AnyProtocol) -> SnapshotLine:
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
        shape=_shape(made, row.candidate, protocol),
    )


def _three(interval: Interval) -> tuple[float | None, float | None, float | None]:
    mean = None if math.isnan(interval.mean) else interval.mean
    return mean, interval.low, interval.high


def _shape(made: Gathered, candidate: str, protocol: AnyProtocol) -> tuple[int, ...]:
    values = made.values(candidate, "total")
    counts, _ = np.histogram(values[~np.isnan(values)], bins=BINS, range=total_range(protocol))
    return tuple(int(count) for count in counts)


def total_range(protocol: AnyProtocol) -> tuple[int, int]:
    """The lowest and the highest total there can be."""
    if "total" in protocol.scale:
        return protocol.scale["total"]
    lows, highs = zip(*protocol.scale.values(), strict=True)
    return min(lows), max(highs)


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost for cost in known if cost is not None)


def counts_of(violations: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    """Violations by code over all judges."""
    return sum((Counter(codes) for codes in violations.values()), Counter())

"""The standings of a run as a small record that is kept: a page shows it in a millisecond.

Gathering a million verdicts takes a second or more, so it is done once for each version of a run's
verdicts (`take_snapshot.py`) and kept in the store. Reading it needs no numpy.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from oyer.store.store import Store
from oyer.store.versions import Version
from oyer.types import AnyProtocol, JsonObject

FORM = 3  # of the record; another one is gathered anew
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
    scale: tuple[float, float]  # the lowest and the highest total there can be
    #: Code -> the rows of the verdicts that have it; None: they are many, looking finds them soon.
    rule_rows: Mapping[str, tuple[int, ...] | None]
    form: int = FORM


def keep_snapshot(store: Store, run: int, snapshot: Snapshot) -> None:
    """Put it into the store, in the place of the one before."""
    store.keep_state(KIND, str(run), json.dumps(asdict(snapshot)).encode()).result()


def load_snapshot(store: Store, run: int) -> Snapshot | None:
    """The snapshot that was kept last; None: there is none of this form."""
    body = store.state(KIND, str(run))
    known = json.loads(body) if body is not None else {}
    if known.get("form") != FORM:
        return None
    known["version"] = Version(*known["version"])
    known["scale"] = tuple(known["scale"])
    known["lines"] = _read_lines(known["lines"])
    known["by_judge"] = {judge: _read_lines(lines) for judge, lines in known["by_judge"].items()}
    return Snapshot(**known)


def _read_lines(lines: Iterable[JsonObject]) -> tuple[SnapshotLine, ...]:
    return tuple(SnapshotLine(**line) for line in lines)


def total_range(protocol: AnyProtocol) -> tuple[int, int]:
    """The lowest and the highest total there can be."""
    if "total" in protocol.scale:
        return protocol.scale["total"]
    lows, highs = zip(*protocol.scale.values(), strict=True)
    return min(lows), max(highs)


def counts_of(violations: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    """Violations by code over all judges."""
    return sum((Counter(codes) for codes in violations.values()), Counter())

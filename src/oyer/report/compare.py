"""Two runs, paired: what moved, by how much, beyond chance or not, and what was different."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from oyer.errors import UsageError
from oyer.report.board import Gathered
from oyer.report.stats import Floats, Interval, interval, paired_p

MOVES = 100


@dataclass(frozen=True, slots=True)
class Delta:
    """One metric: its means, the mean of the paired differences (after − before), and the test."""

    metric: str
    before: float
    after: float
    difference: Interval
    p: float


@dataclass(frozen=True, slots=True)
class Move:
    """One case of one candidate, and how its total moved."""

    case: str
    candidate: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `oyer compare` prints."""

    deltas: tuple[Delta, ...]
    moved: tuple[Move, ...]
    pairs: int
    only_before: int
    only_after: int
    changed: Mapping[str, tuple[Any, Any]]  # of the manifests


def compare(
    before: Gathered, after: Gathered, manifests: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> Comparison:
    """Compare the cases both runs scored; one difference a case (candidates averaged first)."""
    partners = _partners(before, after)
    shared = [case for case in before.cases if case in after.cases]
    rows = (
        np.array([before.cases[case] for case in shared], dtype=np.int64),
        np.array([after.cases[case] for case in shared], dtype=np.int64),
    )
    tables = {
        new: (before.values(old, "total")[rows[0]], after.values(new, "total")[rows[1]])
        for old, new in partners.items()
    }
    pairs = sum(int(np.isfinite(was + now).sum()) for was, now in tables.values())
    if not pairs:
        raise UsageError("The two runs have no scored case in common: there is nothing to pair.")
    return Comparison(
        deltas=tuple(_delta(key, (before, after), partners, rows) for key in before.metrics),
        moved=_moves(shared, tables),
        pairs=pairs,
        only_before=len(before.cases) - len(shared),
        only_after=len(after.cases) - len(shared),
        changed=_changed(*manifests),
    )


def _partners(before: Gathered, after: Gathered) -> dict[str, str]:
    """Candidates pair by name; two single candidates pair whatever their names."""
    shared = [who for who in before.tallies if who in after.tallies]
    if shared:
        return {who: who for who in shared}
    if len(before.tallies) == len(after.tallies) == 1:
        return {next(iter(before.tallies)): next(iter(after.tallies))}
    raise UsageError("The two runs have no candidate in common: there is nothing to pair.")


def _delta(
    metric: str,
    runs: tuple[Gathered, Gathered],
    partners: Mapping[str, str],
    rows: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
) -> Delta:
    before, after = runs
    was = np.array([before.values(old, metric)[rows[0]] for old in partners])
    now = np.array([after.values(new, metric)[rows[1]] for new in partners.values()])
    both = np.isfinite(was + now)
    kept = both.any(axis=0)
    count = both[:, kept].sum(axis=0)
    old = np.where(both, was, 0.0)[:, kept].sum(axis=0) / count
    new = np.where(both, now, 0.0)[:, kept].sum(axis=0) / count
    difference: Floats = new - old
    return Delta(
        metric, float(old.mean()), float(new.mean()), interval(difference), paired_p(difference)
    )


def _moves(cases: list[str], tables: Mapping[str, tuple[Floats, Floats]]) -> tuple[Move, ...]:
    """The cases that moved most, at most MOVES of each candidate."""
    moves = []
    for who, (was, now) in tables.items():
        distance = np.nan_to_num(np.abs(now - was))
        for at in np.argsort(-distance, kind="stable")[:MOVES]:
            if distance[at] > 0:
                moves.append(Move(cases[at], who, float(was[at]), float(now[at])))
    return tuple(sorted(moves, key=lambda m: -abs(m.after - m.before))[:MOVES])


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    keys = dict.fromkeys([*before, *after])
    return {k: (before.get(k), after.get(k)) for k in keys if before.get(k) != after.get(k)}

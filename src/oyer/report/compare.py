"""Two runs, paired: what moved, by how much, beyond chance or not, and what was different."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from oyer.errors import UsageError
from oyer.records import JsonObject
from oyer.report.left_out import LeftOut, find_left_out
from oyer.report.standings import Gathered
from oyer.report.stats import Floats, Interval, interval, paired_p

if TYPE_CHECKING:
    from oyer.report.prompts import PromptCompliance

MOVES = 100


@dataclass(frozen=True, slots=True)
class Delta:
    """One metric: its means, the mean of the paired differences (after − before), and the test."""

    metric: str
    before: float
    after: float
    difference: Interval
    p: float
    candidate: str | None = None  # None: all candidates, averaged case by case


@dataclass(frozen=True, slots=True)
class Move:
    """One case of one candidate, and how its total moved."""

    case: str
    candidate: str
    before: float
    after: float
    why: str = ""  # what decided the verdict afterwards, of those that moved most


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `oyer compare` prints."""

    deltas: tuple[Delta, ...]  # of all candidates together
    candidates: tuple[Delta, ...]  # of each candidate, when there are several
    moved: tuple[Move, ...]
    pairs: int
    lost: int  # scored before, not now
    found: int  # scored now, not before
    only_before: int
    only_after: int
    cases: int  # of both runs together
    left_out: tuple[LeftOut, ...]  # what is in no pair, reason by reason
    doubled: tuple[int, int]  # verdicts before and after on a second row of one id and candidate
    changed: Mapping[str, tuple[object, object]]  # of the manifests
    itself: bool = False  # one run, named twice
    warning: str = ""  # why the pairs may be no pairs
    prompts: tuple[PromptCompliance, ...] = ()  # where the two asked with different ones


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who is compared with whom, and where the shared cases lie in each run."""

    before: Gathered
    after: Gathered
    partners: Mapping[str, str]  # a candidate before -> the same one after
    cases: list[str]
    rows: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

    def columns(self, old: str, metric: str) -> tuple[Floats, Floats]:
        """One candidate's values of the shared cases, before and after."""
        new = self.partners[old]
        was = self.before.values(old, metric)
        now = self.after.values(new, metric)
        return was[self.rows[0]], now[self.rows[1]]

    def means(self, metric: str, who: list[str]) -> tuple[Floats, Floats]:
        """One value a case, before and after: the mean of those candidates that both runs scored.

        NaN where no candidate has both scores.
        """
        columns = [self.columns(old, metric) for old in who]
        was = np.array([column[0] for column in columns])
        now = np.array([column[1] for column in columns])
        both = np.isfinite(was + now)
        count = both.sum(axis=0)
        scored = np.where(count > 0, count, math.nan)
        old = np.where(both, was, 0.0).sum(axis=0) / scored
        new = np.where(both, now, 0.0).sum(axis=0) / scored
        return old, new

    def name(self, old: str) -> str:
        """A candidate's name; of one that was renamed, both."""
        new = self.partners[old]
        return new if new == old else f"{old} → {new}"


def pair_runs(before: Gathered, after: Gathered) -> Pairing:
    """The shared cases and candidates of two runs."""
    shared = [case for case in before.cases if case in after.cases]
    rows = (
        np.array([before.cases[case] for case in shared], dtype=np.int64),
        np.array([after.cases[case] for case in shared], dtype=np.int64),
    )
    return Pairing(before, after, _partners(before, after), shared, rows)


def compare(
    before: Gathered, after: Gathered, manifests: tuple[JsonObject, JsonObject]
) -> Comparison:
    """Compare what both runs scored, case by case: each candidate, and all of them together."""
    pairing = pair_runs(before, after)
    shared = pairing.cases
    tables = {pairing.name(old): pairing.columns(old, "total") for old in pairing.partners}
    scored = [(np.isfinite(was), np.isfinite(now)) for was, now in tables.values()]
    pairs = sum(int((was & now).sum()) for was, now in scored)
    if not pairs:
        raise UsageError("The two runs have no scored case in common: there is nothing to pair.")
    return Comparison(
        deltas=tuple(_delta(pairing, key, list(pairing.partners)) for key in before.metrics),
        candidates=tuple(_each(pairing)) if len(pairing.partners) > 1 else (),
        moved=_moves(shared, tables),
        pairs=pairs,
        lost=sum(int((was & ~now).sum()) for was, now in scored),
        found=sum(int((~was & now).sum()) for was, now in scored),
        only_before=len(before.cases) - len(shared),
        only_after=len(after.cases) - len(shared),
        cases=len(before.cases) + len(after.cases) - len(shared),
        left_out=tuple(find_left_out(pairing)),
        doubled=(before.doubled, after.doubled),
        changed=changes(*manifests),
    )


def _partners(before: Gathered, after: Gathered) -> dict[str, str]:
    """Candidates pair by name; two single candidates pair whatever their names."""
    shared = [who for who in before.tallies if who in after.tallies]
    if shared:
        return {who: who for who in shared}
    if len(before.tallies) == len(after.tallies) == 1:
        return {next(iter(before.tallies)): next(iter(after.tallies))}
    raise UsageError("The two runs have no candidate in common: there is nothing to pair.")


def _each(pairing: Pairing) -> Iterator[Delta]:
    """Every candidate's own differences; one without a pair of scores has none."""
    for who in pairing.partners:
        was, now = pairing.columns(who, "total")
        if np.isfinite(was + now).any():
            for metric in pairing.before.metrics:
                yield replace(_delta(pairing, metric, [who]), candidate=pairing.name(who))


def _delta(pairing: Pairing, metric: str, who: list[str]) -> Delta:
    """One difference a case: candidates are averaged first, those that both runs scored."""
    was, now = pairing.means(metric, who)
    kept = np.isfinite(was)
    old, new = was[kept], now[kept]
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


def changes(before: JsonObject, after: JsonObject) -> dict[str, tuple[object, object]]:
    """What is not the same in two manifests."""
    keys = dict.fromkeys([*before, *after])
    return {k: (before.get(k), after.get(k)) for k in keys if before.get(k) != after.get(k)}


#: What a changed field of a manifest means to people; others are told by their names.
_MEANINGS = {
    "cases_sha": "the cases have other texts",
    "rules_sha": "the rules are others",
    "prompt_sha": "the judges' prompt is another",
    "code": "Oyer's version",
}


def tell_changes(changed: Mapping[str, tuple[object, object]]) -> Iterator[str]:
    """What was different between two runs, in words: no hashes, no lists of Python."""
    for key, (was, now) in changed.items():
        if key.endswith("_sha"):
            yield _MEANINGS.get(key, f"another {key.removesuffix('_sha')}")
        else:
            yield from _tell_change(_MEANINGS.get(key, key), was, now)


def _tell_change(name: str, was: Any, now: Any) -> Iterator[str]:
    if isinstance(was, Mapping) or isinstance(now, Mapping):
        for key, (old, new) in changes(was or {}, now or {}).items():
            yield from _tell_change(f"{name}.{key}", old, new)
    elif name.endswith((".sha", ".template", ".prompt")):
        yield f"{name} is another"
    else:
        yield f"{name}: {_plainly(was)} → {_plainly(now)}"


def _plainly(value: object) -> str:
    if value is None or value in ("", [], ()):
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

"""Verdicts as columns: one number for each verdict in each array, names numbered.

What leaderboards, comparisons and judge cards read, a million verdicts at a time. `kept_columns.py`
keeps them in the store, so that each row is parsed and checked only once.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from oyer.records import JsonObject
from oyer.store.records import Outcome
from oyer.store.schema import CHUNK

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.int64]
Codes: TypeAlias = npt.NDArray[np.int32]  # places in a list of names

FORM: Final = 1  # of the packed columns; another one is made anew
_LEVEL: Final = 1  # zlib: half of the bytes for a tenth of a second a million
_COMPACT: Final = json.JSONEncoder(separators=(",", ":"))
_ARRAYS: Final = {
    "row": np.int64,
    "seq": np.int64,
    "repeat": np.int32,
    "case": np.int32,
    "candidate": np.int32,
    "judge": np.int32,
    "error": np.int32,
    "violations": np.int32,
    "facts": np.int32,
    "calls": np.int32,
    "scored": np.bool_,
    "total": np.float64,
    "cost": np.float64,
    "seconds": np.float64,
}
_NAMED: Final = frozenset(
    {"case", "candidate", "judge", "error", "violations", "facts"}
)  # arrays of places in a list of names


class Stated(NamedTuple):
    """How often a judge stated this score where code found that one, on a grid of 0.1."""

    judge: str
    metric: str
    stated: float
    score: float
    times: int


@dataclass(frozen=True, slots=True)
class Columns:
    """Some verdicts of a run, in the order in which they were kept."""

    row: Numbers  # its number in the store
    seq: Numbers  # the place of its case in the cases file
    repeat: Codes
    case: Codes
    candidate: Codes
    judge: Codes
    error: Codes
    violations: Codes
    facts: Codes
    calls: Codes
    scored: npt.NDArray[np.bool_]
    total: Floats  # NaN: unscored
    cost: Floats  # NaN: the price is not known
    seconds: Floats
    scores: Mapping[str, Floats]  # by metric; NaN: it has no such score
    cases: tuple[str, ...]
    candidates: tuple[str | None, ...]
    judges: tuple[str, ...]
    errors: tuple[str | None, ...]
    violation_counts: tuple[Mapping[str, int], ...]
    fact_sets: tuple[Mapping[str, bool | int | float | str], ...]
    stated: tuple[Stated, ...]

    def __len__(self) -> int:
        return len(self.row)

    def of_judges(self, is_wanted: Callable[[str], bool]) -> Columns:
        """The verdicts of these judges alone, with their cases alone."""
        wanted = frozenset(name for name in self.judges if is_wanted(name))
        at = np.flatnonzero(np.array([name in wanted for name in self.judges])[self.judge])
        found, first = np.unique(self.case[at], return_index=True)
        found = found[np.argsort(first)]
        places = np.zeros(len(self.cases), dtype=np.int32)
        places[found] = np.arange(len(found))
        arrays = {name: getattr(self, name)[at] for name in _ARRAYS}
        return replace(
            self,
            **arrays | {"case": places[arrays["case"]]},
            cases=tuple(self.cases[number] for number in found),
            scores={name: scores[at] for name, scores in self.scores.items()},
            stated=tuple(pair for pair in self.stated if pair.judge in wanted),
        )


# ── made of verdicts ──────────────────────────────────────────────────────────────────────────


def columns_of(outcomes: Iterable[Outcome]) -> Iterator[Columns]:
    """Outcomes as columns, so many at a time."""
    every = iter(outcomes)
    while some := list(islice(every, CHUNK)):
        builder = ColumnsBuilder()
        builder.add(some)
        yield builder.finish()


class ColumnsBuilder:
    """Makes columns of verdicts as they come; a parsed row is let go of at once."""

    def __init__(self) -> None:
        self._arrays: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in _ARRAYS}
        self._scores: dict[str, list[Floats]] = {}
        self._names: dict[str, dict[Any, int]] = {name: {} for name in _NAMED}
        self._stated: dict[tuple[str, str, float, float], int] = {}
        self._rows = 0

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Some more verdicts, at least one."""
        scores = [outcome.scores for outcome in outcomes]
        for name, kind in _ARRAYS.items():
            values = list(map(_TAKEN[name], outcomes))
            if name in _NAMED:
                places = self._names[name]
                values = [places.setdefault(value, len(places)) for value in values]
            self._arrays[name].append(np.array(values, dtype=kind))  # None becomes NaN
        for metric in dict.fromkeys([*self._scores, *_metrics(scores)]):
            nothing = np.full(self._rows, math.nan)
            self._scores.setdefault(metric, [nothing]).append(_floats(scores, metric))
        self._count_stated(outcomes)
        self._rows += len(outcomes)

    def _count_stated(self, outcomes: Iterable[Outcome]) -> None:
        """Stated against recomputed, on a grid of 0.1 so that a million fit on a page."""
        counts = self._stated
        for outcome in outcomes:
            if outcome.scores is None or outcome.total is None or not outcome.stated:
                continue
            for metric, score in outcome.scores.items():
                stated = outcome.stated.get(metric)
                if isinstance(stated, Mapping):
                    stated = stated.get("overall_score")
                if isinstance(stated, int | float) and not isinstance(stated, bool):
                    pair = (outcome.judge, metric, round(stated, 1), round(score, 1))
                    counts[pair] = counts.get(pair, 0) + 1

    def finish(self) -> Columns:
        """The columns of all that was added; something was."""
        arrays = {name: np.concatenate(parts) for name, parts in self._arrays.items()}
        scores = {name: np.concatenate(parts) for name, parts in self._scores.items()}
        names = self._names
        return Columns(
            **arrays,
            scores=scores,
            cases=tuple(names["case"]),
            candidates=tuple(names["candidate"]),
            judges=tuple(names["judge"]),
            errors=tuple(names["error"]),
            violation_counts=tuple(map(json.loads, names["violations"])),
            fact_sets=tuple(map(json.loads, names["facts"])),
            stated=tuple(Stated(*pair, times) for pair, times in self._stated.items()),
        )


def _text(values: JsonObject) -> str:
    """As text: True and 1 are equal as keys, but not the same fact."""
    return _COMPACT.encode(values) if values else "{}"


#: What each array takes of a verdict.
_TAKEN: Final[Mapping[str, Callable[[Outcome], object]]] = {
    "row": attrgetter("row"),
    "seq": attrgetter("seq"),
    "repeat": attrgetter("repeat"),
    "case": attrgetter("case"),
    "candidate": attrgetter("candidate"),
    "judge": attrgetter("judge"),
    "error": attrgetter("error"),
    "violations": lambda outcome: _text(outcome.violations),
    "facts": lambda outcome: _text(outcome.facts),
    "calls": attrgetter("usage.calls"),
    "scored": lambda outcome: outcome.scores is not None and outcome.total is not None,
    "total": attrgetter("total"),
    "cost": attrgetter("usage.cost_usd"),
    "seconds": attrgetter("usage.seconds"),
}


def _metrics(scores: Iterable[Mapping[str, float] | None]) -> list[str]:
    found: dict[str, None] = {}
    known: tuple[str, ...] = ()
    for some in scores:
        if some is not None and tuple(some) != known:
            known = tuple(some)
            found.update(dict.fromkeys(known))
    return list(found)


def _floats(scores: Iterable[Mapping[str, float] | None], metric: str) -> Floats:
    values = [math.nan if some is None else some.get(metric, math.nan) for some in scores]
    return np.array(values, dtype=np.float64)


# ── as bytes ──────────────────────────────────────────────────────────────────────────────────


def pack(columns: Columns) -> bytes:
    """The columns as bytes: one line of JSON that names everything, then the arrays."""
    names = {
        "form": FORM,
        "rows": len(columns),
        "metrics": list(columns.scores),
        "cases": columns.cases,
        "candidates": columns.candidates,
        "judges": columns.judges,
        "errors": columns.errors,
        "violations": columns.violation_counts,
        "facts": columns.fact_sets,
        "stated": columns.stated,
    }
    arrays = [getattr(columns, name) for name in _ARRAYS]
    parts = [_COMPACT.encode(names).encode("ascii"), b"\n"]
    parts += [_little_endian(array) for array in (*arrays, *columns.scores.values())]
    return zlib.compress(b"".join(parts), _LEVEL)


def _little_endian(array: npt.NDArray[Any]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def unpack(body: bytes) -> Columns | None:
    """The columns again; None: they are of another form, or no columns at all."""
    try:
        raw = zlib.decompress(body)
        end = raw.index(b"\n")
        names = json.loads(raw[:end])
    except (zlib.error, ValueError):
        return None
    if names.get("form") != FORM:
        return None
    at = end + 1
    arrays: dict[str, npt.NDArray[Any]] = {}
    kinds = [*_ARRAYS.items(), *((f"score {name}", np.float64) for name in names["metrics"])]
    for name, kind in kinds:
        stored = np.dtype(kind).newbyteorder("<")
        arrays[name] = np.frombuffer(raw, stored, names["rows"], at).astype(kind, copy=False)
        at += names["rows"] * stored.itemsize
    return Columns(
        **{name: arrays[name] for name in _ARRAYS},
        scores={name: arrays[f"score {name}"] for name in names["metrics"]},
        cases=tuple(names["cases"]),
        candidates=tuple(names["candidates"]),
        judges=tuple(names["judges"]),
        errors=tuple(names["errors"]),
        violation_counts=tuple(names["violations"]),
        fact_sets=tuple(names["facts"]),
        stated=tuple(Stated(*some) for some in names["stated"]),
    )

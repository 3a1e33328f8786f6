"""People's labels beside what each judge said of the same units, and what it said of all others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from oyer.records import VerdictRecord
from oyer.store.aggregates import RunColumns, outcomes_at, verdicts_at
from oyer.store.labels import Label
from oyer.store.records import StoredVerdict
from oyer.store.store import Store
from oyer.text.vendors import judges_itself, vendor_of
from oyer.trust.people import People, Settled, settle
from oyer.trust.samples import Judged, Labelled
from oyer.types import Case, Protocol

SILENT = -1.0  # a unit of which the judge said nothing: a stratum of its own
SCORES_READ = 5_000  # verdicts of a judge that are read for the means of its scores
UNITS_READ = 500  # texts whose units are cut and looked up
SEED = 2026
_START = re.compile(r"\[(\d+):")


@dataclass(slots=True)
class Pairs:
    """One judge and one metric: labelled units, one number each in every list."""

    metric: str
    choices: tuple[str, ...]  # from the worst to the best; (): a score
    scale: tuple[float, float]
    people: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)
    case: list[int] = field(default_factory=list)
    chance: list[float | None] = field(default_factory=list)
    own: list[float] = field(default_factory=list)  # 1: judge and candidate share a vendor
    length: list[float] = field(default_factory=list)  # log of the judged text's length
    position: list[float] = field(default_factory=list)  # of the unit, 0 … 1 in its text
    unscored: int = 0  # labelled units whose text has no score by this judge

    @property
    def spoken(self) -> npt.NDArray[np.bool_]:
        """Which units the judge said something of."""
        spoken: npt.NDArray[np.bool_] = np.array(self.judge) != SILENT
        return spoken

    def labelled(self) -> Labelled:
        """All units, those without a word of the judge too."""
        known = all(chance is not None for chance in self.chance)
        chance = np.array(self.chance, dtype=np.float64) if known else None
        return Labelled(np.array(self.people), np.array(self.judge), np.array(self.case), chance)


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """What a card needs to know of people's labels on a run."""

    people: Mapping[str, People]
    pairs: Mapping[str, Mapping[str, Pairs]]  # judge -> metric -> its pairs
    choices: Mapping[str, tuple[str, ...]]


def pair_labels(
    store: Store, protocol: Protocol[Any], columns: RunColumns, labels: Sequence[Label]
) -> LabelledRun:
    """Put people's labels beside the first verdict of each judge on the same text."""
    shas = {label.case_sha for label in labels}
    cases = {sha: row.case for sha, row in store.cases(shas).items()}
    cut = {label.case_sha for label in labels if label.unit}  # only these need their units
    choices = _choices(protocol, [case for sha, case in cases.items() if sha in cut])
    people = settle(labels, lambda label: _worth(label, choices))
    pairs: dict[str, dict[str, Pairs]] = {judge: {} for judge in columns.judges}
    places = {name: at for at, name in enumerate(columns.cases)}
    by_text: dict[str, list[tuple[str, Settled]]] = {}
    for metric, those in people.items():
        for label in those.settled:
            by_text.setdefault(label.case_sha, []).append((metric, label))
    for kept in _verdicts_on(store, columns, cases):
        case = cases.get(kept.case_sha)
        if case is None:
            continue
        judge = str(kept.record["judge"])
        said = said_of_units(protocol if kept.case_sha in cut else None, case, kept.record)
        about = _Text(protocol, case, judge)
        for metric, label in by_text.get(kept.case_sha, ()):
            mine = pairs.setdefault(judge, {})
            known = mine.setdefault(metric, _pairs(protocol, metric, choices))
            _add(known, said, label, about, places[case.id])
    return LabelledRun(people, pairs, choices)


def said_of_units(
    protocol: Protocol[Any] | None, case: Case, record: VerdictRecord
) -> dict[tuple[str, str], float | str]:
    """What a verdict says: (where, metric) -> label or score; nothing when it has no score.

    Without a protocol: its scores only.
    """
    if record["scores"] is None:
        return {}
    said: dict[tuple[str, str], float | str] = {
        ("", metric): float(value) for metric, value in record["scores"].items()
    }
    said["", "total"] = float(record["total"] or 0.0)
    if protocol is not None and protocol.unit_labels is not None:
        said.update(protocol.unit_labels(case, record))
    return said


def judged_scores(
    store: Store, columns: RunColumns, judge: str, metrics: Sequence[str]
) -> dict[str, Judged]:
    """A judge's scores over the run, or over a random part of a large one."""
    sample = _sample(columns, judge, SCORES_READ)
    places = {name: at for at, name in enumerate(columns.cases)}
    values: dict[str, list[float]] = {metric: [] for metric in metrics}
    case = []
    for outcome in outcomes_at(store, sample.rows):
        if outcome.scores is None or outcome.total is None:
            continue
        case.append(places[outcome.case])
        for metric in metrics:
            value = outcome.total if metric == "total" else outcome.scores.get(metric, math.nan)
            values[metric].append(float(value))
    return {name: sample.judged(some, case) for name, some in values.items()}


def judged_units(
    store: Store, protocol: Protocol[Any], columns: RunColumns, judge: str
) -> dict[str, Judged]:
    """A judge's labels of units over the run, or over a random part of its texts."""
    if protocol.units is None:
        return {}
    sample = _sample(columns, judge, UNITS_READ)
    places = {name: at for at, name in enumerate(columns.cases)}
    kept = [one for one in verdicts_at(store, sample.rows) if one.record["scores"] is not None]
    cases = store.cases({one.case_sha for one in kept})
    values: dict[str, list[float]] = {}
    case: dict[str, list[int]] = {}
    for one in kept:
        found = cases[one.case_sha].case
        said = said_of_units(protocol, found, one.record)
        for unit in protocol.units(found):
            value = said.get(unit.key)
            place = SILENT if value is None else float(unit.choices.index(str(value)))
            values.setdefault(unit.metric, []).append(place)
            case.setdefault(unit.metric, []).append(places[found.id])
    return {metric: sample.judged(some, case[metric]) for metric, some in values.items()}


# ── how ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Text:
    """What may make a judge lean on a text."""

    protocol: Protocol[Any]
    case: Case
    judge: str

    @property
    def own(self) -> float:
        if vendor_of(self.judge) is None or vendor_of(self.case.candidate) is None:
            return math.nan
        return float(judges_itself(self.judge, self.case.candidate))

    @property
    def length(self) -> float:
        writing = self.protocol.writing
        text = self.case.text(writing.field) if writing is not None else ""
        return math.log(len(text)) if text else math.nan

    def position(self, unit: str) -> float:
        start = _START.search(unit)
        if start is None:  # a score of the whole; the order of a file is nobody's doing
            return math.nan
        text = self.case.text(unit.partition("[")[0])
        return int(start[1]) / max(len(text), 1)


def _add(
    pairs: Pairs,
    said: Mapping[tuple[str, str], float | str],
    label: Settled,
    about: _Text,
    case: int,
) -> None:
    if not said:
        pairs.unscored += 1
        return
    judged = said.get((label.unit, pairs.metric))
    place = SILENT
    if isinstance(judged, str):
        place = float(pairs.choices.index(judged))
    elif judged is not None:
        place = judged
    pairs.people.append(label.value)
    pairs.judge.append(place)
    pairs.case.append(case)
    pairs.chance.append(label.chance)
    pairs.own.append(about.own)
    pairs.length.append(about.length)
    pairs.position.append(about.position(label.unit))


def _pairs(protocol: Protocol[Any], metric: str, choices: Mapping[str, tuple[str, ...]]) -> Pairs:
    if metric in choices:
        return Pairs(metric, choices[metric], (0, len(choices[metric]) - 1))
    scales = list(protocol.scale.values())
    widest = (min(low for low, _ in scales), max(high for _, high in scales))
    return Pairs(metric, (), protocol.scale.get(metric, widest))


def _choices(protocol: Protocol[Any], cases: Iterable[Case]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if protocol.units is not None:
        for case in cases:
            found.update({unit.metric: unit.choices for unit in protocol.units(case)})
    return found


def _worth(label: Label, choices: Mapping[str, tuple[str, ...]]) -> float | None:
    known = choices.get(label.metric)
    if not known:
        return label.number
    return float(known.index(label.value)) if label.value in known else None


def _verdicts_on(
    store: Store, columns: RunColumns, cases: Mapping[str, Case]
) -> Iterable[StoredVerdict]:
    """The first verdict of each judge on these texts."""
    names = {name: at for at, name in enumerate(columns.cases)}
    who = {name: at for at, name in enumerate(columns.candidates)}
    wanted = {
        names[case.id] * len(who) + who[case.candidate]
        for case in cases.values()
        if case.id in names and case.candidate in who
    }
    text = columns.case * len(who) + columns.candidate
    rows = columns.row[np.isin(text, list(wanted)) & (columns.repeat == 0)]
    return verdicts_at(store, rows.tolist())


@dataclass(frozen=True, slots=True)
class _Sample:
    """Row numbers of a judge's verdicts, and how much of the run they are."""

    rows: list[int]
    read: float
    cases_in_run: int

    def judged(self, values: Sequence[float], case: Sequence[int]) -> Judged:
        return Judged(np.array(values), np.array(case), self.read, self.cases_in_run)


def _sample(columns: RunColumns, judge: str, most: int) -> _Sample:
    """A judge's first verdicts, or so many of them at random."""
    number = columns.judges.index(judge)
    mine = (columns.judge == number) & (columns.repeat == 0) & ~np.isnan(columns.total)
    every = columns.row[mine]
    in_run = len(np.unique(columns.case[mine]))
    if len(every) <= most:
        return _Sample(every.tolist(), 1.0, in_run)
    rows = np.random.default_rng(SEED).choice(every, most, replace=False)
    return _Sample(rows.tolist(), most / len(every), in_run)

"""What a judge said of all units of a run, or of a random part of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from oyer.records import VerdictRecord
from oyer.store.aggregates import RunTotals, outcomes_at, verdicts_at
from oyer.store.records import Outcome, outcome_of
from oyer.store.store import Store
from oyer.trust.agreement import Floats, Labels
from oyer.trust.samples import Judged
from oyer.trust.text_features import TextFeatures, same_vendor
from oyer.trust.words import chosen_words, word_choices
from oyer.types import AnyProtocol, Case, JsonObject

SILENT = -1.0  # a unit of which the judge said nothing: a stratum of its own
SCORES_READ = 5_000  # verdicts of a judge that are read for the means of its scores
UNITS_READ = 500  # texts whose units are cut and looked up
LENGTHS_READ = 1_000  # texts whose length is looked up
SEED = 2026


def labels_of_units(
    protocol: AnyProtocol | None, case: Case, record: VerdictRecord
) -> dict[tuple[str, str], float | str]:
    """What a verdict says: (where, metric) -> label or score; nothing when it has no score.

    Without a protocol: its scores only.
    """
    if record["scores"] is None:
        return {}
    values: dict[tuple[str, str], float | str] = {
        ("", metric): float(value) for metric, value in record["scores"].items()
    }
    values["", "total"] = float(record["total"] or 0.0)
    if protocol is None:
        return values
    for metric, word in chosen_words(protocol, outcome_of(record, 0)).items():
        values["", metric] = word
    if protocol.unit_labels is not None:
        values.update(protocol.unit_labels(case, record))
    return values


@dataclass(slots=True)
class _Gathered:
    """Units as they are read, one number each in every list."""

    judge: list[float] = field(default_factory=list)
    case: list[int] = field(default_factory=list)
    candidate: list[int] = field(default_factory=list)
    length: list[float] = field(default_factory=list)
    position: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RunJudgements:
    """A run's totals and where the rest of it is read."""

    store: Store
    protocol: AnyProtocol
    totals: RunTotals
    #: "judges" and "candidates" of the suite with names of their own -> name -> its model.
    named: Mapping[str, Mapping[str, JsonObject]] = field(default_factory=dict)

    def of_texts(self, judge: str, metrics: Sequence[str]) -> dict[str, Judged]:
        """A judge's scores and words over the run, or over a random part of a large one."""
        sample = self._sample(judge, SCORES_READ)
        outcomes = [
            outcome for outcome in outcomes_at(self.store, sample.rows) if outcome.total is not None
        ]
        lengths = self.lengths([outcome.case_sha for outcome in outcomes[:LENGTHS_READ]])
        choices = word_choices(self.protocol)
        gathered = {metric: _Gathered() for metric in metrics}
        for outcome in outcomes:
            words = chosen_words(self.protocol, outcome)
            for metric, units in gathered.items():
                if metric in choices:
                    value = _place(words.get(metric), choices[metric])
                else:
                    value = _score(outcome, metric)
                self._add(units, value, outcome.case, outcome.candidate)
                units.length.append(lengths.get(outcome.case_sha, math.nan))
                units.position.append(math.nan)
        return {name: self._as_judged(sample, judge, units) for name, units in gathered.items()}

    def of_units(self, judge: str) -> dict[str, Judged]:
        """A judge's labels of units over the run, or over a random part of its texts."""
        if self.protocol.units is None:
            return {}
        sample = self._sample(judge, UNITS_READ)
        verdicts = [
            verdict
            for verdict in verdicts_at(self.store, sample.rows)
            if verdict.record["scores"] is not None
        ]
        cases = self.store.cases({verdict.case_sha for verdict in verdicts})
        gathered: dict[str, _Gathered] = {}
        for verdict in verdicts:
            case = cases[verdict.case_sha].case
            values = labels_of_units(self.protocol, case, verdict.record)
            text = TextFeatures(self.protocol, case)
            for unit in self.protocol.units(case):
                units = gathered.setdefault(unit.metric, _Gathered())
                value = values.get(unit.key)
                word = None if value is None else str(value)
                self._add(units, _place(word, unit.choices), case.id, case.candidate)
                units.length.append(text.length)
                units.position.append(text.position(unit.where))
        return {name: self._as_judged(sample, judge, units) for name, units in gathered.items()}

    def lengths(self, shas: Sequence[str]) -> dict[str, float]:
        """The log of the length of each judged text."""
        cases = self.store.cases(set(shas))
        return {sha: TextFeatures(self.protocol, row.case).length for sha, row in cases.items()}

    def lengths_at(self, rows: Labels) -> Floats:
        """The same for the texts of these verdicts; NaN beyond the first so many at random."""
        every = np.full(len(rows), math.nan)
        some = np.random.default_rng(SEED).permutation(len(rows))[:LENGTHS_READ]
        shas = {
            outcome.row: outcome.case_sha
            for outcome in outcomes_at(self.store, rows[some].tolist())
        }
        lengths = self.lengths(list(shas.values()))
        for at in some.tolist():
            every[at] = lengths[shas[int(rows[at])]]
        return every

    def own_vendor(self, judge: str) -> Floats:
        """For each candidate of the run: 1 where it shares the judge's vendor, NaN: not known."""
        model = self._model("judges", judge)
        candidates = [self._model("candidates", name) for name in self.totals.candidates]
        return np.array([same_vendor(model, candidate) for candidate in candidates])

    def _model(self, kind: str, name: str | None) -> str | None:
        """What stands behind a name; most names are a model's."""
        entry = self.named.get(kind, {}).get(name or "", {})
        return str(entry["model"]) if "model" in entry else name

    def _add(self, units: _Gathered, value: float, case: str, candidate: str | None) -> None:
        units.judge.append(value)
        units.case.append(self.totals.cases[case])
        units.candidate.append(self.totals.candidates[candidate])

    def _as_judged(self, sample: _Sample, judge: str, units: _Gathered) -> Judged:
        candidate = np.array(units.candidate, dtype=np.int64)
        return Judged(
            judge=np.array(units.judge),
            case=np.array(units.case, dtype=np.int64),
            read=sample.read,
            cases_in_run=sample.cases_in_run,
            candidate=candidate,
            features={
                "own vendor": self.own_vendor(judge)[candidate],
                "length": np.array(units.length),
                "position": np.array(units.position),
            },
        )

    def _sample(self, judge: str, most: int) -> _Sample:
        """A judge's first verdicts, or so many of them at random."""
        totals = self.totals
        number = totals.judges[judge]
        mine = (totals.judge == number) & (totals.repeat == 0) & ~np.isnan(totals.total)
        every = totals.row[mine]
        in_run = int(np.count_nonzero(np.bincount(totals.case[mine])))
        if len(every) <= most:
            return _Sample(every.tolist(), 1.0, in_run)
        rows = np.random.default_rng(SEED).choice(every, most, replace=False)
        return _Sample(rows.tolist(), most / len(every), in_run)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Row numbers of a judge's verdicts, and how much of the run they are."""

    rows: list[int]
    read: float
    cases_in_run: int


def _score(outcome: Outcome, metric: str) -> float:
    scores: Mapping[str, float] = outcome.scores or {}
    value = outcome.total if metric == "total" else scores.get(metric)
    return math.nan if value is None else float(value)


def _place(word: str | None, choices: Sequence[str]) -> float:
    return SILENT if word is None else float(choices.index(word))

"""People's labels beside what each judge said of the same units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from oyer.store.aggregates import RunTotals, verdicts_at
from oyer.store.labels import Label
from oyer.store.records import StoredVerdict
from oyer.store.store import Store
from oyer.trust.judgements import SILENT, labels_of_units
from oyer.trust.people import People, Settled, settle
from oyer.trust.samples import Labelled
from oyer.trust.text_features import TextFeatures
from oyer.trust.words import find_choice, word_choices
from oyer.types import AnyProtocol, Case


@dataclass(slots=True)
class Pairs:
    """One judge and one metric: labelled units, one number each in every list."""

    metric: str
    choices: tuple[str, ...]  # from the worst to the best; (): a score
    scale: tuple[float, float]
    people: list[float] = field(default_factory=list)
    judge: list[float] = field(default_factory=list)
    case: list[int] = field(default_factory=list)
    candidate: list[int] = field(default_factory=list)
    chance: list[float | None] = field(default_factory=list)
    length: list[float] = field(default_factory=list)  # log of the judged text's length
    position: list[float] = field(default_factory=list)  # of the unit, 0 … 1 in its text
    unscored: int = 0  # labelled units whose text has no score by this judge

    @property
    def is_spoken(self) -> npt.NDArray[np.bool_]:
        """Which units the judge said something of."""
        spoken: npt.NDArray[np.bool_] = np.array(self.judge) != SILENT
        return spoken

    def as_labelled(self) -> Labelled:
        """All units, those without a word of the judge too."""
        return Labelled(
            people=np.array(self.people),
            judge=np.array(self.judge),
            case=np.array(self.case),
            chance=self.chances(),
            candidate=np.array(self.candidate),
        )

    def chances(self) -> npt.NDArray[np.float64] | None:
        """The chance of each unit to have been drawn; None: not all are known."""
        if any(chance is None for chance in self.chance):
            return None
        return np.array(self.chance, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """What a card needs to know of people's labels on a run."""

    people: Mapping[str, People]
    pairs: Mapping[str, Mapping[str, Pairs]]  # judge -> metric -> its pairs
    choices: Mapping[str, tuple[str, ...]]


def pair_labels(
    store: Store, protocol: AnyProtocol, totals: RunTotals, labels: Sequence[Label]
) -> LabelledRun:
    """Put people's labels beside the first verdict of each judge on the same text."""
    shas = {label.case_sha for label in labels}
    cases = {sha: row.case for sha, row in store.cases(shas).items()}
    cut = {label.case_sha for label in labels if label.unit}  # only these need their units
    choices = _choices(protocol, [case for sha, case in cases.items() if sha in cut])
    people = settle(labels, lambda label: _worth(label, choices))
    pairs: dict[str, dict[str, Pairs]] = {judge: {} for judge in totals.judges}
    by_text: dict[str, list[tuple[str, Settled]]] = {}
    for metric, opinions in people.items():
        for label in opinions.settled:
            by_text.setdefault(label.case_sha, []).append((metric, label))
    words = set(word_choices(protocol)) & set(people)
    for verdict in _verdicts_on(store, totals, cases):
        case = cases.get(verdict.case_sha)
        if case is None:
            continue
        judge = str(verdict.record["judge"])
        needs_more = words or verdict.case_sha in cut
        values = labels_of_units(protocol if needs_more else None, case, verdict.record)
        unit = _UnitPlace(
            TextFeatures(protocol, case),
            totals.cases[case.id],
            totals.candidates[case.candidate],
        )
        for metric, label in by_text.get(verdict.case_sha, ()):
            mine = pairs.setdefault(judge, {})
            known = mine.setdefault(metric, _pairs(protocol, metric, choices))
            _add(known, values, label, unit)
    return LabelledRun(people, pairs, choices)


# ── how ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _UnitPlace:
    """Where a labelled unit stands in the run."""

    text: TextFeatures
    case: int
    candidate: int


def _add(
    pairs: Pairs, values: Mapping[tuple[str, str], float | str], label: Settled, place: _UnitPlace
) -> None:
    if not values:
        pairs.unscored += 1
        return
    judged = values.get((label.unit, pairs.metric))
    value = SILENT
    if isinstance(judged, str):
        value = float(pairs.choices.index(judged))
    elif judged is not None:
        value = judged
    pairs.people.append(label.value)
    pairs.judge.append(value)
    pairs.case.append(place.case)
    pairs.candidate.append(place.candidate)
    pairs.chance.append(label.chance)
    pairs.length.append(place.text.length)
    pairs.position.append(place.text.position(label.unit))


def _pairs(protocol: AnyProtocol, metric: str, choices: Mapping[str, tuple[str, ...]]) -> Pairs:
    if metric in choices:
        return Pairs(metric, choices[metric], (0, len(choices[metric]) - 1))
    scales = list(protocol.scale.values())
    widest = (min(low for low, _ in scales), max(high for _, high in scales))
    return Pairs(metric, (), protocol.scale.get(metric, widest))


def _choices(protocol: AnyProtocol, cases: Iterable[Case]) -> dict[str, tuple[str, ...]]:
    choices = word_choices(protocol)
    if protocol.units is not None:
        for case in cases:
            choices.update({unit.metric: unit.choices for unit in protocol.units(case)})
    return choices


def _worth(label: Label, choices: Mapping[str, tuple[str, ...]]) -> float | None:
    known = choices.get(label.metric)
    if not known:
        return label.number
    choice = find_choice(label.value, known)
    return None if choice is None else float(known.index(choice))


def _verdicts_on(
    store: Store, totals: RunTotals, cases: Mapping[str, Case]
) -> Iterable[StoredVerdict]:
    """The first verdict of each judge on these texts."""
    wanted = [
        totals.text_of(case.id, case.candidate)
        for case in cases.values()
        if case.id in totals.cases and case.candidate in totals.candidates
    ]
    rows = totals.row[np.isin(totals.text, wanted) & (totals.repeat == 0)]
    return verdicts_at(store, rows.tolist())

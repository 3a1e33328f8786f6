"""What people said of a run's cases: labels found, and settled into one value for each unit."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from oyer.store import Run
from oyer.store.aggregates import read_texts
from oyer.store.labels import Label
from oyer.store.store import Store
from oyer.trust.agreement import Floats

#: What a label is worth as a number: the place of a choice, or the score; None: no such choice.
Worth = Callable[[Label], float | None]


def cases_of(store: Store, run: Run, names: Collection[str]) -> dict[tuple[str, str | None], str]:
    """Of the cases with these ids: (case id, candidate) -> case sha; (case id, None) too, where
    only one text has that id."""
    named: dict[tuple[str, str | None], str] = {}
    only: dict[str, str | None] = {}  # None: several texts have that id
    for case, candidate, sha in read_texts(store, run.id, names):
        named[case, candidate] = sha
        if only.setdefault(case, sha) != sha:
            only[case] = None
    for case, single in only.items():
        if single is not None:
            named[case, None] = single
    return named


@dataclass(frozen=True, slots=True)
class Settled:
    """What people say of one unit, all opinions taken together."""

    case_sha: str
    unit: str
    value: float
    chance: float | None
    opinions: Mapping[str, float]  # by reviewer


@dataclass(slots=True)
class People:
    """People's labels of one metric."""

    settled: list[Settled] = field(default_factory=list)
    skipped: int = 0  # units of which a person could not tell
    reviewers: set[str] = field(default_factory=set)

    def ratings(self) -> Floats:
        """Units × reviewers, for those that two or more labelled; NaN: did not label it."""
        names = sorted(self.reviewers)
        several = [unit for unit in self.settled if len(unit.opinions) >= 2]
        table = np.full((len(several), len(names)), np.nan)
        for at, unit in enumerate(several):
            for reviewer, value in unit.opinions.items():
                table[at, names.index(reviewer)] = value
        return table


def settle(labels: Iterable[Label], worth: Worth) -> dict[str, People]:
    """Blind labels for measuring, by metric: one value for each unit.

    An adjudication decides; else scores are averaged, and of choices the middle one is taken (of
    two, the worse: a doubt counts against the text). Labels kept for tuning are left out.
    """
    units: dict[tuple[str, str, str], list[Label]] = {}
    people_of: dict[str, People] = {}
    for label in labels:
        if not label.blind or label.split == "dev" or label.kind in ("note", "withdrawn", "agree"):
            continue
        people = people_of.setdefault(label.metric, People())
        if label.kind == "skip":
            people.skipped += 1
        elif worth(label) is not None:
            units.setdefault((label.metric, label.case_sha, label.unit), []).append(label)
            people.reviewers.add(label.reviewer)
    for (metric, sha, unit), several in units.items():
        values = {label.reviewer: worth(label) or 0.0 for label in several}
        value = _decide(several, values)
        opinions = {
            label.reviewer: values[label.reviewer] for label in several if label.role == "opinion"
        }
        people_of[metric].settled.append(Settled(sha, unit, value, several[0].prob, opinions))
    return people_of


def _decide(labels: Sequence[Label], values: Mapping[str, float]) -> float:
    decided = [label for label in labels if label.role == "adjudication"]
    if decided:
        return values[decided[-1].reviewer]
    if labels[0].kind == "label":
        return statistics.median_low(values.values())
    return statistics.fmean(values.values())

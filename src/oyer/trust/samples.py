"""What corrected estimates are made from: a few labelled units, and the many that were judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from oyer.trust.agreement import Floats, Labels

#: run: the texts of this run, all of which were judged. alike: all texts of which these are a
#: random sample; a new run would bring others.
Scope = Literal["run", "alike"]
#: Which units, as a mask or by their numbers.
Some: TypeAlias = npt.NDArray[np.bool_] | npt.NDArray[np.int64]
FEW = 5  # labelled cases below which no interval is given


@dataclass(frozen=True, slots=True)
class Labelled:
    """Units that people labelled: what they said, what the judge said, the chance of the draw."""

    people: Floats
    judge: Floats
    case: Labels
    chance: Floats | None = None  # of having been drawn; None: the same for all
    candidate: Labels | None = None  # who wrote the text, as a number; None: one for all

    def only(self, some: Some) -> Labelled:
        """Some of the units."""
        return replace(
            self,
            people=self.people[some],
            judge=self.judge[some],
            case=self.case[some],
            chance=None if self.chance is None else self.chance[some],
            candidate=None if self.candidate is None else self.candidate[some],
        )

    @property
    def weights(self) -> Floats:
        """How many units of the run each stands for, up to a common factor."""
        return np.ones(len(self.people)) if self.chance is None else 1 / self.chance

    @property
    def cases(self) -> int:
        return len(np.unique(self.case))


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge said of all units of a run, or of a random sample of its cases."""

    judge: Floats
    case: Labels
    read: float = 1.0  # the share of the run's units that is here
    cases_in_run: int | None = None  # None: all of them are here
    candidate: Labels | None = None  # who wrote the text, as a number; None: one for all
    #: Kind of bias -> one number a unit, NaN where it is not known.
    features: Mapping[str, Floats] = field(default_factory=dict)

    def only(self, some: Some) -> Judged:
        """Some of the units."""
        return replace(
            self,
            judge=self.judge[some],
            case=self.case[some],
            cases_in_run=self.cases_in_run if self.unread else None,
            candidate=None if self.candidate is None else self.candidate[some],
            features={kind: values[some] for kind, values in self.features.items()},
        )

    @property
    def cases(self) -> int:
        return len(np.unique(self.case))

    @property
    def unread(self) -> float:
        return 1 - self.read

    @property
    def units_in_run(self) -> float:
        return len(self.judge) / self.read


@dataclass(frozen=True, slots=True)
class Corrected:
    """An estimate of what people would say of all; None limits: the labels do not bear one."""

    value: float
    low: float | None
    high: float | None
    judge: float  # what the judge alone says
    labels: int
    cases: int  # labelled cases
    scope: Scope
    note: str = ""

    @property
    def text(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.value:.2f} ({self.note})"
        return f"{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


def sum_by_case(values: Floats, case: npt.NDArray[np.int64]) -> Floats:
    """The sum of the values of each case."""
    _, place = np.unique(case, return_inverse=True)
    return np.bincount(place, weights=values).astype(np.float64)


def largest_by_case(values: Floats, case: npt.NDArray[np.int64]) -> Floats:
    """The largest value of each case."""
    names, place = np.unique(case, return_inverse=True)
    largest = np.full(len(names), -np.inf)
    np.maximum.at(largest, place, values)
    return largest

"""Which verdicts of a run: the same filters for every command and page."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from oyer.store.records import Outcome


@dataclass(frozen=True, slots=True)
class Filter:
    """What a verdict must be; None is anything. `worst` is how many of the lowest totals."""

    case: str | None = None
    candidate: str | None = None
    judge: str | None = None
    violation: str | None = None
    unscored: bool = False
    worst: int | None = None

    def matches(self, outcome: Outcome) -> bool:
        """Whether a verdict is wanted, but for `worst`, which needs all of them."""
        if self.case is not None and outcome.case != self.case:
            return False
        if self.candidate is not None and (outcome.candidate or "") != self.candidate:
            return False
        if not self.is_judge(outcome.judge):
            return False
        if self.violation is not None and not _has(outcome, self.violation):
            return False
        return not self.unscored or outcome.error is not None

    def is_judge(self, name: str) -> bool:
        """Whether verdicts of this judge are wanted."""
        return self.judge is None or same_judge(self.judge, name)

    def choose(self, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """The wanted verdicts: in the order of their cases, or the worst first."""
        wanted = [outcome for outcome in outcomes if self.matches(outcome)]
        if self.worst is None:
            return sorted(wanted, key=lambda outcome: (outcome.seq, outcome.row))
        scored = [outcome for outcome in wanted if outcome.total is not None]
        scored.sort(key=lambda outcome: (outcome.total, outcome.seq, outcome.row))
        return scored[: self.worst]

    def words(self) -> Iterator[str]:
        """What is asked for, to say what was not found."""
        named = (("case", self.case), ("candidate", self.candidate), ("judge", self.judge),
                 ("violation", self.violation))  # fmt: skip
        for name, value in named:
            if value is not None:
                yield f"{name} '{value}'"
        if self.unscored:
            yield "without a score"


def find_near(wanted: Filter, outcomes: Iterable[Outcome]) -> list[str]:
    """Of a case and a candidate that a run does not have: the names that were probably meant."""
    cases: dict[str, None] = {}
    candidates: dict[str, None] = {}
    for outcome in outcomes:
        cases[outcome.case] = None
        candidates[outcome.candidate or ""] = None
    found: list[str] = []
    for name, known in ((wanted.case, cases), (wanted.candidate, candidates)):
        if name is not None and name not in known:
            same = [other for other in known if other.strip() == name.strip()]
            found += same[:1] or difflib.get_close_matches(name, known, n=1, cutoff=0.75)
    return found


def same_judge(wanted: str, name: str) -> bool:
    """`embedded` is embedded@1-full too: a judge may sign with its version."""
    return wanted in (name, name.partition("@")[0])


def _has(outcome: Outcome, code: str) -> bool:
    """A violation's code, or the beginning of it: `evidence` is all of evidence.*."""
    return any(known == code or known.startswith(f"{code}.") for known in outcome.violations)

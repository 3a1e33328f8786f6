"""What a run says of each case and candidate, over its judges and repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oyer.report.standings import NOBODY
from oyer.verdicts.violations import breaches

if TYPE_CHECKING:
    from oyer.store import Outcome

UNSCORED = "unscored"


@dataclass
class CaseResult:
    """One case of one candidate: the mean of its scores, and what its verdicts say."""

    case: str
    candidate: str
    verdicts: int = 0
    scored: int = 0
    sums: dict[str, float] = field(default_factory=dict)
    #: Words of its verdicts (FAIL, critical_fail …): how many of them say so.
    words: Counter[str] = field(default_factory=Counter)
    violations: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.case if self.candidate == NOBODY else f"{self.case} by {self.candidate}"

    @property
    def scores(self) -> dict[str, float]:
        """The mean of each score; empty where no verdict has one."""
        return {key: total / self.scored for key, total in self.sums.items()}

    def says(self, word: str) -> bool:
        """Whether half of the verdicts say it; one violation is enough, as is no score at all."""
        if word == UNSCORED:
            return not self.scored
        return self.violations[word] > 0 or self.words[word] * 2 >= max(self.verdicts, 1)

    def take(self, outcome: Outcome) -> None:
        """One more verdict of the case."""
        self.verdicts += 1
        self.seconds += outcome.usage.seconds
        self.violations.update(breaches(outcome.violations))
        for name, value in outcome.facts.items():
            if value is True:
                self.words[name] += 1
            elif isinstance(value, str):
                self.words[value] += 1
        if outcome.scores is None or outcome.total is None:
            self.errors[outcome.error or "unknown"] += 1
            return
        self.scored += 1
        for key, score in {**outcome.scores, "total": outcome.total}.items():
            self.sums[key] = self.sums.get(key, 0.0) + score


def case_results(outcomes: Iterable[Outcome]) -> list[CaseResult]:
    """By candidate and case, in the order in which they were kept."""
    results: dict[tuple[str, str], CaseResult] = {}
    for outcome in outcomes:
        key = (outcome.candidate or NOBODY, outcome.case)
        if key not in results:
            results[key] = CaseResult(outcome.case, key[0])
        results[key].take(outcome)
    return list(results.values())

"""What a run says of each case and candidate, over its judges and repeats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from oyer.report.standings import NOBODY, words_of
from oyer.store.columns import Columns
from oyer.verdicts.violations import breaches

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


def case_results(chunks: Iterable[Columns]) -> list[CaseResult]:
    """By candidate and case, in the order in which they were kept."""
    results: dict[tuple[str, str], CaseResult] = {}
    for columns in chunks:
        taking = _Taking(columns)
        pairs = zip(columns.candidate.tolist(), columns.case.tolist(), strict=True)
        for at, (candidate, case) in enumerate(pairs):
            key = (columns.candidates[candidate] or NOBODY, columns.cases[case])
            if key not in results:
                results[key] = CaseResult(key[1], key[0])
            taking.add(at, results[key])
    return list(results.values())


class _Taking:
    """Some verdicts, to be added to the results of their cases one by one."""

    def __init__(self, columns: Columns) -> None:
        self._seconds = columns.seconds.tolist()
        self._scored = columns.scored.tolist()
        self._errors = [columns.errors[code] or "unknown" for code in columns.error.tolist()]
        broken = [breaches(counts) for counts in columns.violation_counts]
        self._broken = [broken[code] for code in columns.violations.tolist()]
        words = [tuple(words_of(facts)) for facts in columns.fact_sets]
        self._words = [words[code] for code in columns.facts.tolist()]
        scores = {**columns.scores, "total": columns.total}
        self._scores = {metric: values.tolist() for metric, values in scores.items()}

    def add(self, at: int, result: CaseResult) -> None:
        """One more verdict of the case."""
        result.verdicts += 1
        result.seconds += self._seconds[at]
        if self._broken[at]:
            result.violations.update(self._broken[at])
        if self._words[at]:
            result.words.update(self._words[at])
        if not self._scored[at]:
            result.errors[self._errors[at]] += 1
            return
        result.scored += 1
        for metric, values in self._scores.items():
            score = values[at]
            if not math.isnan(score):
                result.sums[metric] = result.sums.get(metric, 0.0) + score

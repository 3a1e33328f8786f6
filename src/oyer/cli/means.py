"""The means that `judge` and `audit` print: over cases, as a leaderboard has them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from oyer.types import Verdict

#: Its case, candidate, judge and repeat.
VerdictName = tuple[str, str | None, str, int]


class CaseMeans:
    """Takes verdicts with a score, one by one. A case counts once for each candidate, however many
    verdicts it has: of repeats, of judges, of rows that share its id. Some 200 bytes a case.
    """

    def __init__(self) -> None:
        self.verdicts = 0
        self._places: dict[tuple[str, str | None], int] = {}
        self._counts = array("L")
        self._sums: dict[str, array[float]] = {}
        self._asked = set[tuple[str, int]]()  # judges and repeats

    def take(self, verdict: VerdictName, scores: Mapping[str, float]) -> None:
        """One verdict's scores."""
        case, candidate, judge, repeat = verdict
        self.verdicts += 1
        self._asked.add((judge, repeat))
        place = self._places.setdefault((case, candidate), len(self._places))
        if place == len(self._counts):
            self._counts.append(0)
        self._counts[place] += 1
        for key, score in scores.items():
            sums = self._sums.setdefault(key, array("d"))
            sums.extend([0.0] * (len(self._counts) - len(sums)))
            sums[place] += score

    def mean(self, key: str) -> float | None:
        """The mean of a score over the cases; None: no case has one."""
        sums = self._sums.get(key)
        if sums is None:
            return None
        means = (total / count for total, count in zip(sums, self._counts, strict=False))
        return sum(means) / len(self._counts)

    def lines(self) -> Iterator[str]:
        """For people: the means, and that some rows are one case."""
        cases = len(self._counts)
        if not cases:
            return
        means = "  ".join(f"{key} {self.mean(key):.2f}" for key in self._sums)
        of = f"{cases:,} scored" if cases == self.verdicts else _count(cases, self.verdicts)
        yield f"mean of {of}:  {means}"
        doubled = sum(max(0, count - len(self._asked)) for count in self._counts)
        if doubled:
            rows = "row has" if doubled == 1 else "rows have"
            yield f"{doubled:,} {rows} the id and candidate of a row before: they count as one case"


def name_of(verdict: Verdict) -> VerdictName:
    """What tells a verdict from others on the same cases."""
    return verdict.case, verdict.candidate, verdict.judge, verdict.repeat


def _count(cases: int, verdicts: int) -> str:
    return f"{cases:,} case{'' if cases == 1 else 's'} ({verdicts:,} verdicts)"

"""Why verdicts of a run have no score: by judge and kind, or by the candidate that failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from oyer.store import Run
from oyer.store.store import Store
from oyer.verdicts.violations import is_unwritten, reason


@dataclass(frozen=True, slots=True)
class UnscoredGroup:
    """Verdicts without a score of one judge, or of a candidate that wrote nothing to judge."""

    judge: str | None
    candidate: str | None
    error: str
    verdicts: int
    first: str  # what the first of them says

    @property
    def who(self) -> str:
        return self.judge or f"candidate {self.candidate}"


_Key = tuple[str, str, str]  # judge, candidate (one of them is empty), error


def find_unscored(store: Store, run: Run) -> list[UnscoredGroup]:
    """Nothing where every verdict has its score; one pass without derivations at most."""
    counts = _counts(store, run)
    firsts: dict[_Key, str] = {}
    for kept in store.first_unscored(run.id, bool(run.manifest.candidates)) if counts else ():
        record = kept.record
        codes = [violation["code"] for violation in record["violations"]]
        error = str(record["error"])
        key = _key(record["judge"], record["candidate"], error, is_unwritten(codes))
        firsts.setdefault(key, reason(record))
    groups = []
    for key, n in sorted(counts.items()):
        judge, candidate, error = key
        first = firsts.get(key, error)
        groups.append(UnscoredGroup(judge or None, candidate or None, error, n, first))
    return groups


def _counts(store: Store, run: Run) -> dict[_Key, int]:
    counts = {(j, "", e): n for (j, e), n in store.counts(run.id).items() if e is not None}
    if not counts or not run.manifest.candidates:
        return counts
    return Counter(
        _key(outcome.judge, outcome.candidate, outcome.error, is_unwritten(outcome.violations))
        for outcome in store.outcomes(run.id)
        if outcome.error is not None
    )


def _key(judge: str, candidate: str | None, error: str, unwritten: bool) -> _Key:
    return ("", candidate or "", error) if unwritten else (judge, "", error)

"""What people said of a run's cases: labels found, and settled into one value for each unit."""

from __future__ import annotations

from oyer.store import Run
from oyer.store.store import Store


def cases_of(store: Store, run: Run) -> dict[tuple[str, str | None], str]:
    """(case id, candidate) -> case sha; (case id, None) too, where only one text has that id."""
    named: dict[tuple[str, str | None], str] = {}
    texts: dict[str, set[str]] = {}
    for outcome in store.outcomes(run.id):
        named[outcome.case, outcome.candidate] = outcome.case_sha
        texts.setdefault(outcome.case, set()).add(outcome.case_sha)
    for case_id, shas in texts.items():
        if len(shas) == 1:
            named[case_id, None] = next(iter(shas))
    return named

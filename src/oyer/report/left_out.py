"""Which cases a comparison of two runs leaves out, and why: every one is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from oyer.report.standings import NOBODY, Gathered

if TYPE_CHECKING:
    from oyer.report.compare import Pairing
    from oyer.report.open_run import Opened

_ABSENT, _UNSCORED, _SCORED = range(3)
#: What a text is in the run before and in the run after -> why it is in no pair.
_REASONS: Final = {
    (_UNSCORED, _SCORED): "no score before",
    (_SCORED, _UNSCORED): "no score after",
    (_UNSCORED, _UNSCORED): "no score before or after",
    (_SCORED, _ABSENT): "only in the run before",
    (_ABSENT, _SCORED): "only in the run after",
    (_UNSCORED, _ABSENT): "only in the run before, without a score",
    (_ABSENT, _UNSCORED): "only in the run after, without a score",
}
_ALONE: Final = tuple(f"its candidate is only in the run {run}" for run in ("before", "after"))
_STATES: Final = {reason: states for states, reason in _REASONS.items()}
NAMED: Final = 10  # cases that a line of text names; `cases` has them all

#: Case and candidate -> why verdicts on it have no score: refused, provider …
Errors = Mapping[tuple[str, str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The cases of one candidate that are in no pair for one reason."""

    reason: str
    error: str  # why there is no score, where that is the reason: "refused"; "": not known
    candidate: str
    count: int
    cases: tuple[str, ...]


def find_left_out(pairing: Pairing) -> Iterator[LeftOut]:
    """All that is in one of the runs and in no pair, reason by reason."""
    runs = pairing.before, pairing.after
    cases = list(dict.fromkeys([*runs[0].cases, *runs[1].cases]))
    places = [np.array([run.cases.get(case, -1) for case in cases]) for run in runs]
    for old, new in pairing.partners.items():
        was, now = _states(runs[0], old)[places[0]], _states(runs[1], new)[places[1]]
        for states, reason in _REASONS.items():
            at = np.flatnonzero((was == states[0]) & (now == states[1]))
            yield from _some(reason, pairing.name(old), [cases[place] for place in at])
    paired = {*pairing.partners}, {*pairing.partners.values()}
    for run, known, reason in zip(runs, paired, _ALONE, strict=True):
        for who in run.tallies:
            if who not in known:
                own = list(run.cases)
                yield from _some(reason, who, [own[at] for at in np.flatnonzero(_states(run, who))])


def _some(reason: str, who: str, cases: Sequence[str], error: str = "") -> Iterator[LeftOut]:
    if cases:
        yield LeftOut(reason, error, who, len(cases), tuple(cases))


def _states(run: Gathered, who: str) -> npt.NDArray[np.int64]:
    """Of each of the run's cases: whether it has this candidate's text, and a score of it. Last,
    what a case is that the run does not have."""
    judged = run.tallies[who].judged(len(run.cases)).astype(np.int64)
    return np.append(judged + np.isfinite(run.values(who, "total")), _ABSENT)


def add_errors(left_out: Sequence[LeftOut], before: Errors, after: Errors) -> Iterator[LeftOut]:
    """The same, also by why there is no score."""
    for group in left_out:
        states = _STATES.get(group.reason, (_ABSENT, _ABSENT))
        runs = zip((before, after), _names(group.candidate), states, strict=True)
        wanted = [(errors, name) for errors, name, state in runs if state == _UNSCORED]
        by_error: dict[str, list[str]] = {}
        for case in group.cases:
            kinds = chain.from_iterable(errors.get((case, name), ()) for errors, name in wanted)
            by_error.setdefault(", ".join(dict.fromkeys(kinds)), []).append(case)
        for error, cases in by_error.items():
            yield from _some(group.reason, group.candidate, cases, error)


def lacks_scores(left_out: Sequence[LeftOut]) -> bool:
    """Whether some are left out because they have no score."""
    return any(_UNSCORED in _STATES.get(group.reason, ()) for group in left_out)


def read_errors(opened: Opened) -> Errors:
    """Why verdicts of a run that count have no score, by case and candidate."""
    found: dict[tuple[str, str], list[str]] = {}
    for outcome in opened.outcomes():
        if outcome.error is not None and outcome.judge not in opened.gathered.aside:
            found.setdefault((outcome.case, outcome.candidate or NOBODY), []).append(outcome.error)
    return found


def _names(candidate: str) -> tuple[str, str]:
    """What a candidate is called before and after."""
    old, arrow, new = candidate.rpartition(" → ")
    return (old, new) if arrow else (new, new)


def tell_left_out(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """A line a reason: who, why, which cases, and how many."""
    for group in left_out:
        why = f"{group.reason} ({group.error})" if group.error else group.reason
        who = "" if group.candidate == NOBODY else f"{group.candidate}: "
        names, more = ", ".join(group.cases[:NAMED]), group.count - NAMED
        counted = f"{group.count:,} case{'' if group.count == 1 else 's'}"
        if more > 0:
            names, counted = f"{names} and {more:,} more", f"{counted}; --json names all"
        yield f"left out, {why}: {who}{names} ({counted})."

"""One run: its standings, then its cases × candidates, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from oyer.report.snapshot import Snapshot, counts_of, total_range
from oyer.report.standings import NOBODY
from oyer.runs.remote import suite_of
from oyer.store import Outcome, Run
from oyer.store.browse import CaseOutcomes, CasePage, Order, Wanted, read_start
from oyer.verdicts.violations import breaches
from oyer.web.render import Page
from oyer.web.site import PageRequest, Site

CELLS = 600  # verdicts of one page of the matrix, about
MOST, LEAST = 50, 10  # cases of one page


@dataclass(frozen=True, slots=True)
class TableCell:
    """One case of one candidate: the mean of its verdicts' totals."""

    total: float | None
    verdicts: int
    unscored: int
    broken: int  # rules that judges broke
    error: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """One case, with a cell for each candidate (None: it has no verdict)."""

    case: str
    place: str  # where it stands in this order: the case's page goes on from there
    cells: tuple[TableCell | None, ...]


def show(site: Site, asked: PageRequest) -> Page:
    """The page of a run."""
    run = site.run(asked.number("run"))
    protocol = site.protocol(run)
    snapshot = site.snapshots.of(run, protocol)
    wanted = wanted_of(asked)
    judges = list(snapshot.judges) if snapshot else list(run.manifest.judges)
    start = read_start(asked.word("at"), wanted.order)
    found = site.browser.cases(run.id, wanted, start, _size(run, judges))
    candidates = candidates_of(run, snapshot, found)
    return Page(
        "run.html",
        {
            "page": "runs",
            "run": run,
            "protocol": protocol,
            "snapshot": snapshot,
            "scale": total_range(protocol),
            "wanted": wanted,
            "filters": filters_of(wanted),
            "candidates": candidates,
            "judges": judges,
            "codes": counts_of(snapshot.violations).most_common() if snapshot else [],
            "rows": [_row(case, candidates, wanted) for case in found.cases],
            "next": found.next,
            "previous": found.previous,
            "looked_at": found.looked_at,
            "suite": suite_of(site.store, run),
            "queues": site.labels.queues(run.id),
            "others": [one for one in site.store.runs() if _comparable(one, run)],
        },
    )


def wanted_of(asked: PageRequest) -> Wanted:
    """The filters of an address; what nobody can mean is left out."""
    order: Order = "kept"
    for known in get_args(Order):
        if asked.word("order") == known:
            order = known
    unscored = bool(asked.word("unscored"))
    if unscored and order in ("worst", "best"):
        order = "kept"
    if asked.word("case") and order == "kept":
        order = "name"
    return Wanted(
        order=order,
        case=asked.word("case"),
        candidate=asked.word("candidate"),
        judge=asked.word("judge"),
        violation=asked.word("violation"),
        unscored=unscored,
    )


def filters_of(wanted: Wanted) -> dict[str, str | bool]:
    """The same as parameters of an address."""
    return {
        "order": "" if wanted.order == "kept" else wanted.order,
        "case": wanted.case,
        "candidate": wanted.candidate,
        "judge": wanted.judge,
        "violation": wanted.violation,
        "unscored": wanted.unscored,
    }


def candidates_of(run: Run, snapshot: Snapshot | None, page: CasePage) -> list[str]:
    """The columns of the matrix: as they stand, else as they come."""
    named = (
        [line.candidate for line in snapshot.lines] if snapshot else list(run.manifest.candidates)
    )
    here = [outcome.candidate or NOBODY for case in page.cases for outcome in case.outcomes]
    return list(dict.fromkeys([*named, *here]))


def _size(run: Run, judges: Sequence[str]) -> int:
    verdicts = max(1, len(run.manifest.candidates)) * max(1, len(judges)) * run.manifest.repeats
    return max(LEAST, min(MOST, CELLS // verdicts))


def _row(case: CaseOutcomes, candidates: Sequence[str], wanted: Wanted) -> TableRow:
    by_candidate: dict[str, list[Outcome]] = {}
    for outcome in case.outcomes:
        if wanted.judge in ("", outcome.judge):
            by_candidate.setdefault(outcome.candidate or NOBODY, []).append(outcome)
    cells = tuple(_cell(by_candidate.get(candidate, [])) for candidate in candidates)
    place = "~".join(str(part) for part in reversed(case.key))
    return TableRow(case.case, place, cells)


def _cell(outcomes: Sequence[Outcome]) -> TableCell | None:
    if not outcomes:
        return None
    totals = [outcome.total for outcome in outcomes if outcome.total is not None]
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    return TableCell(
        total=sum(totals) / len(totals) if totals else None,
        verdicts=len(outcomes),
        unscored=len(errors),
        broken=sum(sum(breaches(outcome.violations).values()) for outcome in outcomes),
        error=errors[0] if errors else "",
    )


def _comparable(one: Run, run: Run) -> bool:
    same = one.manifest.protocol.partition("@")[0] == run.manifest.protocol.partition("@")[0]
    return one.id != run.id and same

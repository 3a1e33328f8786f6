"""One run: its standings, then its cases × candidates, page by page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import get_args

from oyer.report.conclusion import conclude
from oyer.report.explain import total_top
from oyer.report.snapshot import Snapshot, SnapshotLine, counts_of, total_range
from oyer.report.standings import NOBODY, Standing
from oyer.report.stats import Interval
from oyer.runs.remote import suite_of
from oyer.store import Outcome, Run
from oyer.store.browse import CaseOutcomes, CasePage, Order, Start, Wanted, read_start
from oyer.store.cards import read_cards
from oyer.store.versions import read_version
from oyer.types import AnyProtocol
from oyer.verdicts.violations import breaches
from oyer.web.found import findings_of
from oyer.web.render import Page
from oyer.web.site import PageRequest, Site

CELLS = 600  # verdicts of one page of the matrix, about
MOST, LEAST = 50, 10  # cases of one page
OPENING = 240  # characters of a case's source beside its id
SHORT = 40  # characters of a field that says little of a case


@dataclass(frozen=True, slots=True)
class ScoreCell:
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
    opening: str  # the first words of its source
    cells: tuple[ScoreCell | None, ...]


@dataclass(frozen=True, slots=True)
class ShownColumns:
    """The columns of the standings that say something in this run."""

    unscored: bool
    broken: bool
    cost: bool


def show(site: Site, request: PageRequest) -> Page:
    """The page of a run."""
    run = site.run(request.number("run"))
    protocol = site.protocol(run)
    snapshot = site.snapshots.of(run)
    wanted = read_filters(request)
    judges = _judges(run, snapshot)
    start = read_start(request.word("at"), wanted.order)
    page = _find_cases(site, run, wanted, start, snapshot)
    candidates = candidates_of(run, snapshot, page)
    openings = _openings(site, protocol, page)
    lines = snapshot.lines if snapshot and snapshot.verdicts else ()
    standings = [_standing(line) for line in lines]
    return Page(
        "run.html",
        {
            "page": "runs",
            "run": run,
            "protocol": protocol,
            "snapshot": snapshot,
            "conclusion": conclude(standings, total_top(protocol)) if standings else "",
            "found": findings_of(site, run, snapshot, standings),
            "shown": _shown_columns(snapshot),
            "scale": total_range(protocol),
            "metric_names": protocol.wording.names if protocol.wording else {},
            "wanted": wanted,
            "filters": filters_of(wanted),
            "candidates": candidates,
            "judges": judges,
            "cards": {card.judge for card in read_cards(site.store, run.manifest.protocol)},
            "codes": counts_of(snapshot.violations).most_common() if snapshot else [],
            "rows": [_row(case, candidates, wanted, openings) for case in page.cases],
            "next": page.next,
            "previous": page.previous,
            "looked_at": page.looked_at,
            "suite": suite_of(site.store, run),
            "queues": site.labels.queues(run.id),
            "others": [other for other in site.store.runs() if _comparable(other, run)],
        },
    )


def read_filters(request: PageRequest) -> Wanted:
    """The filters of an address; what nobody can mean is left out."""
    order: Order = "kept"
    for known in get_args(Order):
        if request.word("order") == known:
            order = known
    unscored = bool(request.word("unscored"))
    if unscored and order in ("worst", "best"):
        order = "kept"
    if request.word("case") and order == "kept":
        order = "name"
    return Wanted(
        order=order,
        case=request.word("case"),
        candidate=request.word("candidate"),
        judge=request.word("judge"),
        violation=request.word("violation"),
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
    outcomes = chain.from_iterable(case.outcomes for case in page.cases)
    here = [outcome.candidate or NOBODY for outcome in outcomes]
    return list(dict.fromkeys([*named, *here]))


def _find_cases(
    site: Site, run: Run, wanted: Wanted, start: Start | None, snapshot: Snapshot | None
) -> CasePage:
    """A page of the matrix. Where a rule was broken rarely, the snapshot knows in which rows."""
    size = _size(run, _judges(run, snapshot))
    if wanted.violation and snapshot and snapshot.version == read_version(site.store, run.id):
        rows = snapshot.rule_rows.get(wanted.violation, ())
        if rows is not None:
            return site.browser.cases_at(run.id, wanted, rows, start, size)
    return site.browser.cases(run.id, wanted, start, size)


def _judges(run: Run, snapshot: Snapshot | None) -> list[str]:
    return list(snapshot.judges) if snapshot else list(run.manifest.judges)


def _size(run: Run, judges: Sequence[str]) -> int:
    verdicts = max(1, len(run.manifest.candidates)) * max(1, len(judges)) * run.manifest.repeats
    return max(LEAST, min(MOST, CELLS // verdicts))


def _standing(line: SnapshotLine) -> Standing:
    mean, low, high = line.total
    return Standing(
        candidate=line.candidate,
        rank=line.rank,
        total=Interval(math.nan if mean is None else mean, low, high, line.cases, ""),
        metrics={},
        win_rate=line.win_rate,
        unscored=line.unscored,
        bounds=(math.nan, math.nan),
        cost=line.cost,
        violations=line.violations,
        errors={},
        cases=line.cases,
    )


def _shown_columns(snapshot: Snapshot | None) -> ShownColumns:
    lines = snapshot.lines if snapshot else ()
    return ShownColumns(
        unscored=any(line.unscored for line in lines),
        broken=any(line.violations for line in lines),
        cost=any(line.cost != 0 for line in lines),
    )


def _openings(site: Site, protocol: AnyProtocol, page: CasePage) -> dict[str, str]:
    """The first words of each case: of the first text that is not the judged one."""
    shas = [case.outcomes[0].case_sha for case in page.cases]
    judged = protocol.wording.judged if protocol.wording else ""
    names = [field.name for field in protocol.fields if field.name != judged]
    openings = {}
    for sha, case in site.browser.small_cases(shas).items():
        texts = (case.fields.get(name) for name in names)
        long = (text for text in texts if isinstance(text, str) and len(text) > SHORT)
        words = " ".join(next(long, "")[: 2 * OPENING].split())
        openings[sha] = words if len(words) <= OPENING else f"{words[:OPENING]}…"
    return openings


def _row(
    case: CaseOutcomes, candidates: Sequence[str], wanted: Wanted, openings: Mapping[str, str]
) -> TableRow:
    by_candidate: dict[str, list[Outcome]] = {}
    for outcome in case.outcomes:
        if wanted.judge in ("", outcome.judge):
            by_candidate.setdefault(outcome.candidate or NOBODY, []).append(outcome)
    cells = tuple(_cell(by_candidate.get(candidate, [])) for candidate in candidates)
    place = "~".join(str(part) for part in reversed(case.key))
    return TableRow(case.case, place, openings.get(case.outcomes[0].case_sha, ""), cells)


def _cell(outcomes: Sequence[Outcome]) -> ScoreCell | None:
    if not outcomes:
        return None
    totals = [outcome.total for outcome in outcomes if outcome.total is not None]
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    return ScoreCell(
        total=sum(totals) / len(totals) if totals else None,
        verdicts=len(outcomes),
        unscored=len(errors),
        broken=sum(sum(breaches(outcome.violations).values()) for outcome in outcomes),
        error=errors[0] if errors else "",
    )


def _comparable(other: Run, run: Run) -> bool:
    same = other.manifest.protocol.partition("@")[0] == run.manifest.protocol.partition("@")[0]
    return other.id != run.id and same

"""What a run's page says was found, and why some verdicts have no score: once for each state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oyer.report.found import (
    FOUND_UP_TO,
    conclude_findings,
    findings_sheets,
    read_findings,
    tell_weakness,
)
from oyer.report.open_run import gather_run, reasons_of
from oyer.report.snapshot import Snapshot
from oyer.report.standings import Standing
from oyer.report.tables import Sheet
from oyer.store import Run

if TYPE_CHECKING:
    from oyer.web.site import Site


@dataclass(frozen=True, slots=True)
class RunFindings:
    """As the terminal's leaderboard says it."""

    sentences: tuple[str, ...] = ()  # who invents, how far to trust the judge
    sheets: tuple[Sheet, ...] = ()
    reasons: tuple[str, ...] = ()  # why verdicts have no score


def findings_of(
    site: Site, run: Run, snapshot: Snapshot | None, rows: list[Standing]
) -> RunFindings:
    """Of a small run; a large one would be read for too long, and its report tells."""
    if snapshot is None or not 0 < snapshot.verdicts <= FOUND_UP_TO:
        return RunFindings()
    known = site.found.get(run.id)
    if known is None or known[0] != snapshot.version:
        known = site.found[run.id] = (snapshot.version, _read(site, run, rows))
    return known[1]


def _read(site: Site, run: Run, rows: list[Standing]) -> RunFindings:
    opened = gather_run(site.store, run, site.protocol(run))
    found = read_findings(opened, FOUND_UP_TO)
    sentences = (conclude_findings(found, rows), tell_weakness(opened))
    return RunFindings(
        sentences=tuple(sentence for sentence in sentences if sentence),
        sheets=tuple(findings_sheets(found, rows)) if opened.protocol.wording else (),
        reasons=tuple(reasons_of(opened)),
    )

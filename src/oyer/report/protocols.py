"""The protocols of one suite side by side: each candidate's total and rank by each of them.

They are never averaged: a total of one protocol says nothing on the scale of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from oyer.report.open_run import Opened, open_beside
from oyer.report.standings import standings
from oyer.report.tables import Sheet


@dataclass(frozen=True, slots=True)
class ProtocolTotal:
    """A candidate by one protocol."""

    run: int
    total: float | None
    low: float | None
    high: float | None
    rank: int | None
    shown: str  # the total with its interval


@dataclass(frozen=True, slots=True)
class ProtocolRow:
    """A candidate by every protocol of its suite."""

    candidate: str
    totals: dict[str, ProtocolTotal] = field(default_factory=dict)


def protocol_rows(opened: Opened) -> list[ProtocolRow]:
    """Candidates in the order of the opened run; nothing where its suite has one protocol."""
    if not opened.run.manifest.protocols:
        return []
    rows: dict[str, ProtocolRow] = {}
    for each in open_beside(opened):
        for line in standings(each.gathered, each.protocol.scale):
            known = line.cases > 0
            row = rows.setdefault(line.candidate, ProtocolRow(line.candidate))
            row.totals[each.protocol.id] = ProtocolTotal(
                run=each.run.id,
                total=line.total.mean if known else None,
                low=line.total.low if known else None,
                high=line.total.high if known else None,
                rank=line.rank,
                shown=line.total.text if known else "—",
            )
    return list(rows.values())


def protocols_sheet(rows: Sequence[ProtocolRow]) -> Sheet:
    """A column for each protocol: the total, and the rank in brackets."""
    runs: dict[str, int] = {}
    for row in rows:
        runs.update({name: total.run for name, total in row.totals.items()})
    body = []
    for row in rows:
        cells = [_cell(row.totals, name) for name in runs]
        body.append((row.candidate, *cells))
    numbers = ", ".join(f"{name} is run {run}" for name, run in runs.items())
    notes = (f"total [95 %] (rank) by each protocol; {numbers}. Totals are not averaged.",)
    return Sheet(("candidate", *runs), tuple(body), notes)


def _cell(totals: Mapping[str, ProtocolTotal], name: str) -> str:
    if name not in totals:
        return "—"
    rank = totals[name].rank
    return totals[name].shown + ("" if rank is None else f" ({rank})")

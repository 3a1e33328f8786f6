"""A run's panels beside their members: who scored, how far each is from the panel, who agrees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from oyer.audit.agreement import Concord
from oyer.audit.breaches import parted
from oyer.report.tables import Sheet


@dataclass
class Seat:
    """A judge over the cases of a panel: the panel itself, or one of its members."""

    asked: int = 0
    scored: int = 0
    total: float = 0.0  # sums
    apart: float = 0.0  # distances from the panel's total
    both: int = 0
    own: int = 0  # texts of its own family
    violations: int = 0

    def take(self, told: Mapping[str, Any], panel: float | None) -> None:
        self.asked += 1
        self.own += bool(told.get("self_judging"))
        self.violations += told["violations"]
        if told["total"] is None:
            return
        self.scored += 1
        self.total += told["total"]
        if panel is not None:
            self.both += 1
            self.apart += abs(told["total"] - panel)


@dataclass
class Sat:
    """One panel of a run."""

    seats: dict[str, Seat] = field(default_factory=dict)
    concord: Concord = field(default_factory=Concord)


def sat(records: Iterable[Mapping[str, Any]]) -> dict[str, Sat]:
    """The panels among a run's records, by name; one pass, constant memory."""
    panels: dict[str, Sat] = {}
    for record in records:
        panel = record.get("panel")
        if not panel:
            continue
        made = panels.setdefault(record["judge"], Sat())
        made.concord.take(panel)
        broken, _ = parted(record["violations"])
        own = {"total": record["total"], "violations": len(broken)}
        made.seats.setdefault(record["judge"], Seat()).take(own, None)
        for member in panel["members"]:
            made.seats.setdefault(member["judge"], Seat()).take(member, record["total"])
    return panels


def panel_sheet(name: str, panel: Sat) -> Sheet:
    """A row for the panel and one for each member, and how far they agree under it."""
    rows = []
    for judge, seat in panel.seats.items():
        mean = f"{seat.total / seat.scored:.2f}" if seat.scored else "—"
        apart = f"{seat.apart / seat.both:.2f}" if seat.both else "—"
        own = f"{seat.own:,}" if seat.own else ""
        who = "the panel" if judge == name else judge
        scored = f"{seat.scored:,} of {seat.asked:,}"
        rows.append((who, scored, mean, apart, own, f"{seat.violations:,}"))
    header = ("judge", "scored", "mean total", "from the panel", "self-judging", "violations")
    return Sheet(header, tuple(rows), tuple(_notes(panel.concord)))


def _notes(concord: Concord) -> Iterable[str]:
    for name, kind in concord.kinds.items():
        alpha = kind.alpha.value
        agree = "" if kind.agree is None else f", {kind.agree:.0%} agree"
        beyond = "" if alpha is None else f", alpha {float(alpha):.2f}"
        ties = f", {kind.ties:,} ties" if kind.ties else ""
        if agree or beyond:
            yield f"{name}: {kind.n:,} findings{agree}{beyond}{ties}"

"""A run's panels beside their members: who scored, how far each is from the panel, who agrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from oyer.records import MemberRecord, VerdictRecord
from oyer.report.panel_votes import STRICTER, is_below
from oyer.report.tables import Sheet
from oyer.verdicts.agreement import AgreementStats
from oyer.verdicts.violations import silent, split_violations


@dataclass
class MemberStats:
    """A judge over the cases of a panel: the panel itself, or one of its members."""

    asked: int = 0
    scored: int = 0
    total: float = 0.0  # sums
    apart: float = 0.0  # distances from the panel's total
    both: int = 0
    own: int = 0  # texts of its own family
    violations: int = 0

    def take(self, total: float | None, violations: int) -> None:
        """One verdict of it."""
        self.asked += 1
        self.violations += violations
        if total is not None:
            self.scored += 1
            self.total += total

    def take_member(self, member: MemberRecord, panel: float | None) -> None:
        """One verdict of a member, beside the panel's total."""
        total = member["total"]
        self.take(total, member["violations"])
        self.own += bool(member.get("self_judging"))
        if total is not None and panel is not None:
            self.both += 1
            self.apart += abs(total - panel)


@dataclass
class Missing:
    """A member that was not heard: what was said the first time, and how often."""

    first: str
    times: int = 0


@dataclass
class PanelStats:
    """One panel of a run."""

    seats: dict[str, MemberStats] = field(default_factory=dict)
    concord: AgreementStats = field(default_factory=AgreementStats)
    verdicts: int = 0
    incomplete: int = 0  # verdicts that a member is missing in
    below: int = 0  # verdicts below each member's own
    missing: dict[tuple[str, str], Missing] = field(default_factory=dict)  # by member and error

    def take(self, record: VerdictRecord) -> None:
        """One verdict of the panel."""
        panel = record["panel"]
        broken, _ = split_violations(record["violations"])
        self.concord.take(panel)
        self.seats.setdefault(record["judge"], MemberStats()).take(record["total"], len(broken))
        for member in panel["members"]:
            seat = self.seats.setdefault(member["judge"], MemberStats())
            seat.take_member(member, record["total"])
        self.verdicts += 1
        self.below += is_below(record)
        absent = silent(record)
        self.incomplete += bool(absent)
        for name, error in absent.items():
            why = (v["detail"] for v in record["violations"] if v["where"].startswith(f"{name}:"))
            first = Missing(next(why, error).removeprefix(f"{name}: "))
            self.missing.setdefault((name, error), first).times += 1

    def describe_missing(self) -> Iterator[str]:
        """Which members were not heard, how often, and what the first said."""
        for (member, error), seen in self.missing.items():
            of = f"{seen.times:,} of {self.verdicts:,} verdicts"
            yield f"{member} was not heard in {of}: {error}, the first: {seen.first}"


def panel_stats(records: Iterable[VerdictRecord]) -> dict[str, PanelStats]:
    """The panels among a run's records, by name; one pass, constant memory."""
    panels: dict[str, PanelStats] = {}
    for record in records:
        if record.get("panel"):
            panels.setdefault(record["judge"], PanelStats()).take(record)
    return panels


def panel_sheet(name: str, panel: PanelStats) -> Sheet:
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
    return Sheet(
        header, tuple(rows), (*panel.describe_missing(), *_below(panel), *_notes(panel.concord))
    )


def _below(panel: PanelStats) -> Iterable[str]:
    if panel.below:
        yield f"below each of its members in {panel.below:,} of {panel.verdicts:,}: {STRICTER}"


def _notes(concord: AgreementStats) -> Iterable[str]:
    for name, kind in concord.kinds.items():
        alpha = kind.alpha.value
        agree = "" if kind.agree is None else f", {kind.agree:.0%} agree"
        beyond = "" if alpha is None else f", alpha {float(alpha):.2f}"
        ties = f", {kind.ties:,} ties" if kind.ties else ""
        if agree or beyond:
            yield f"{name}: {kind.n:,} findings{agree}{beyond}{ties}"

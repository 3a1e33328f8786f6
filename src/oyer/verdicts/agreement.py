"""How far judges agree: on one finding, and over many cases beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oyer.arith import Alpha, round_to_show
from oyer.records import FindingRecord, PanelRecord
from oyer.types import Vote

NUMBERS = ("PANEL-MEDIAN", "PANEL-LIST")
SILENCE = "PANEL-SILENCE"


def share(vote: Vote) -> Fraction | None:
    """The share of a vote's speakers that say what the panel says; None for numbers and for one
    speaker alone."""
    if len(vote.said) < 2 or vote.rule == SILENCE or is_number(vote):
        return None
    return Fraction(sum(said == vote.value for said in vote.said.values()), len(vote.said))


def is_number(vote: Vote) -> bool:
    return vote.rule in NUMBERS


def spread(vote: Vote) -> Fraction:
    """How far the numbers of a vote are apart."""
    return Fraction(max(vote.said.values()) - min(vote.said.values()))


def by_kind(votes: Sequence[Vote]) -> dict[str, dict[str, Any]]:
    """For each kind of finding: how many were voted on, and how far the members agree."""
    kinds: dict[str, list[Vote]] = {}
    for vote in votes:
        kinds.setdefault(vote.finding, []).append(vote)
    return {kind: _summarise(several) for kind, several in kinds.items()}


def _summarise(votes: Sequence[Vote]) -> dict[str, Any]:
    if is_number(votes[0]):
        return {"n": len(votes), "range": round_to_show(max(map(spread, votes)))}
    shares = [part for vote in votes if (part := share(vote)) is not None]
    mean = round_to_show(sum(shares, Fraction(0)) / len(shares)) if shares else None
    return {"n": len(votes), "agree": mean, "ties": sum(vote.tie for vote in votes)}


@dataclass
class AgreementStats:
    """Agreement of panels over many cases, by kind of finding; constant memory."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    cases: int = 0

    def take(self, panel: PanelRecord) -> None:
        """The findings of one verdict's `panel`."""
        self.cases += 1
        for finding in panel.get("findings", ()):
            numbers = finding["rule"] in NUMBERS
            kind = self.kinds.setdefault(finding["finding"], Kind(Alpha(labels=not numbers)))
            kind.take(finding)


@dataclass
class Kind:
    """One kind of finding over many cases."""

    alpha: Alpha
    n: int = 0
    shares: float = 0.0  # their sum
    heard: int = 0  # findings that two or more spoke of
    ties: int = 0

    def take(self, finding: FindingRecord) -> None:
        self.n += 1
        self.ties += bool(finding.get("tie"))
        self.alpha.add(finding["said"].values() if finding["rule"] != SILENCE else ())
        if "agree" in finding:
            self.heard += 1
            self.shares += finding["agree"]

    @property
    def agree(self) -> float | None:
        return self.shares / self.heard if self.heard else None

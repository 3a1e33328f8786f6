"""How the findings of several judges become one: by the rules below, for every protocol alike.

Ties go to the stricter side, and are told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import median, median_low
from typing import Any, TypeVar

from oyer.types import Number, Vote

RULES: Mapping[str, str] = {
    "PANEL-MAJORITY": "the label most members give; a tie: the strictest of the tied",
    "PANEL-ORDER": "labels that have an order: the middle one; of two in the middle, the stricter",
    "PANEL-MEDIAN": "the median of the members' numbers",
    "PANEL-LISTED": "stands when at least half of the members list it",
    "PANEL-LIST": "one member's whole list: the one of median worth, of two the lower",
    "PANEL-SILENCE": "dropped: fewer than half of the members speak of it",
}
T = TypeVar("T")


def majority(finding: str, where: str, votes: Mapping[str, str], strictness: Sequence[str]) -> Vote:
    """PANEL-MAJORITY. `strictness` has the labels, the strictest first."""
    counts = Counter(votes.values())
    most = max(counts.values())
    first = [label for label in strictness if counts[label] == most]
    return Vote(finding, where, "PANEL-MAJORITY", dict(votes), first[0], tie=len(first) > 1)


def middle_label(
    finding: str, where: str, votes: Mapping[str, str], strictness: Sequence[str]
) -> Vote:
    """PANEL-ORDER. `strictness` has the labels in their order, the strictest first.

    So Unsupported, Partial and Supported make Partial: each of the outer ones is two against one.
    """
    ordered = sorted(votes.values(), key=strictness.index)
    stricter = ordered[(len(ordered) - 1) // 2]
    milder = ordered[len(ordered) // 2]
    return Vote(finding, where, "PANEL-ORDER", dict(votes), stricter, tie=stricter != milder)


def middle(finding: str, where: str, votes: Mapping[str, Number]) -> Vote:
    """PANEL-MEDIAN."""
    numbers = {name: Fraction(number) for name, number in votes.items()}
    return Vote(finding, where, "PANEL-MEDIAN", numbers, Fraction(median(numbers.values())))


def vote_on_listing(finding: str, where: str, votes: Mapping[str, bool]) -> Vote:
    """PANEL-LISTED: something that each member lists or does not."""
    yes = sum(votes.values())
    stands = yes > 0 and 2 * yes >= len(votes)
    return Vote(finding, where, "PANEL-LISTED", dict(votes), stands, tie=2 * yes == len(votes) > 0)


def one_list(finding: str, where: str, worth: Mapping[str, Number]) -> tuple[str, Vote]:
    """PANEL-LIST: whose list is taken. For lists that cannot be matched item by item."""
    numbers = {name: Fraction(number) for name, number in worth.items()}
    value = median_low(numbers.values())
    owner = next(name for name, number in numbers.items() if number == value)
    return owner, Vote(finding, where, "PANEL-LIST", numbers, value)


def nearest(votes: Mapping[str, Number], value: Number) -> str:
    """The member whose number is nearest to the panel's: its words are the panel's."""
    return min(votes, key=lambda name: abs(Fraction(votes[name]) - value))


def plain(value: Any) -> object:
    """An exact number as a judge writes it in JSON."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else float(exact)

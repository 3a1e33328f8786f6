"""Number phrases of an English claim and what people accept for them: "nearly four million", "more
than half", "about 1,200", and a bare "3.9 million", which promises its last place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from oyer.judges.embedded.quantities import Quantity, find_quantities
from oyer.judges.embedded.units import is_joined, list_counted
from oyer.judges.embedded.words import Words

Reach = tuple[float, float]
ABOUT, NEARLY, UNDER, OVER = (0.95, 1.05), (0.93, 1.0), (0.88, 1.0), (1.0, 1.12)
#: What the true number may be, as a share of the one that is told.
REACHES: dict[tuple[str, ...], Reach] = {
    ("about",): ABOUT, ("around",): ABOUT, ("some",): ABOUT, ("roughly",): ABOUT,
    ("approximately",): ABOUT,
    ("nearly",): NEARLY, ("almost",): NEARLY, ("just", "under"): NEARLY,
    ("just", "below"): NEARLY, ("close", "to"): NEARLY, ("up", "to"): NEARLY,
    ("under",): UNDER, ("below",): UNDER, ("less", "than"): UNDER, ("fewer", "than"): UNDER,
    ("just", "over"): (1.0, 1.07), ("just", "above"): (1.0, 1.07),
    ("over",): OVER, ("above",): OVER, ("more", "than"): OVER, ("at", "least"): OVER,
}  # fmt: skip
#: After these it may be the number itself.
INCLUSIVE = frozenset((("up", "to"), ("at", "least")))
THE_SAME: Reach = (0.988, 1.012)  # of a share told without such a word: 33 %, a third
SHARE = "share"  # the unit of a half, a third, three quarters
PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
OWNERS = frozenset(("the", "its", "their", "his", "her", "our", "all", "those", "these"))
NOT_SHARED = frozenset(("first", "second", "other", "a"))  # half: of a match, or one of two


@dataclass(frozen=True, slots=True)
class NumberPhrase:
    """A number of a claim, from its approximator on, and how far from it the true one may be."""

    first: int
    quantity: Quantity
    reach: Reach | None
    inclusive: bool

    def admits(self, actual: Fraction) -> bool:
        """Whether people would call `actual` by this phrase."""
        told = self.quantity.value
        if self.reach is None:
            return _is_written_as(self.quantity, actual)
        low, high = self.reach
        return low * told <= actual <= high * told and (self.inclusive or actual != told)


def _is_written_as(told: Quantity, actual: Fraction) -> bool:
    """Equal, or rounded to the last place that is written. Of one digit that is too coarse: nobody
    reads "4 million" as 3,940,000."""
    in_digits = told.value >= 10 * told.step
    return actual == told.value or (in_digits and 2 * abs(actual - told.value) < told.step)


def find_number_phrases(claim: str, words: Words) -> list[NumberPhrase]:
    """The numbers and shares of a claim, in their order."""
    shares = list(find_shares(claim, words))
    taken = {at for share in shares for at in range(share.first, share.last)}
    numbers = [q for q in find_quantities(claim, words) if q.first not in taken]
    phrases = [approximate(words, quantity) for quantity in (*shares, *numbers)]
    return sorted(phrases, key=lambda phrase: phrase.first)


def approximate(words: Words, quantity: Quantity) -> NumberPhrase:
    """A number with the approximator before it; "no more than" is none that we know."""
    approximator = find_approximator(words, quantity.first)
    first = quantity.first - len(approximator)
    if not approximator or (first and words.norms[first - 1] in ("no", "not")):
        exact = THE_SAME if quantity.unit == SHARE else None
        return NumberPhrase(quantity.first, quantity, exact, inclusive=True)
    reach = REACHES[approximator]
    inclusive = reach == ABOUT or approximator in INCLUSIVE
    return NumberPhrase(first, quantity, reach, inclusive)


def find_approximator(words: Words, first: int) -> tuple[str, ...]:
    """The words before a place that say how near a number is; (): none."""
    two, one = words.norms[max(0, first - 2) : first], words.norms[max(0, first - 1) : first]
    if two in REACHES:
        return two
    return one if one in REACHES else ()


def find_shares(claim: str, words: Words) -> Iterator[Quantity]:
    """Half, a third of, three quarters; but no third place, second half or half-hour."""
    for at, norm in enumerate(words.norms):
        part = PARTS.get(norm.removesuffix("s"))
        if part is None:
            continue
        before = words.norms[at - 1] if at else ""
        follows = words.norms[at + 1] if is_joined(claim, words, at + 1) else ""
        if norm == "half":
            told = follows == "of" or follows in OWNERS or before == "by"
            told = told or (bool(find_approximator(words, at)) and follows not in ("a", "an"))
            first, times = at, int(told and before not in NOT_SHARED)
        elif norm.endswith("s"):
            first, times = at - 1, int(before) if before.isdecimal() and len(before) == 1 else 0
        else:
            first, times = at - 1, int(before in ("a", "one") and follows in ("of", ""))
        if 0 < times < part:
            value = Fraction(times, part)
            counted = list_counted(claim, words, at + 1 + (follows == "of"))
            yield Quantity(first, at + 1, value, value, SHARE, counted)

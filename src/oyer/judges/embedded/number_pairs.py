"""Two numbers of an article that can be set against each other: before and after a change, a part
and its whole, two years."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from oyer.judges.embedded.concepts import base
from oyer.judges.embedded.quantities import Quantity
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.units import AGE, CALENDAR, COUNT

Pair = tuple[Quantity, Quantity]
MANY = 8  # numbers of a sentence: one with more is a list or a table
PARTED = 3  # words from a part to its whole: 31 out of the 40


def find_changes(source: SourceText) -> Iterator[Pair]:
    """What was first, and what came of it: "from 12 to 25", "25, up from 12", or by their years."""
    for numbers in _list_by_sentence(source):
        amounts = [q for q in numbers if q.unit != CALENDAR]
        for at, former in enumerate(amounts):
            later = _find_later(source, amounts, at)
            if later and _is_same_kind(former, later, linked=True):
                yield former, later
    for (year, one), (other_year, other) in pairwise(_list_dated(source)):
        if year != other_year and _is_near(source, one, other) and _is_same_kind(one, other):
            yield (one, other) if year < other_year else (other, one)


def find_comparable(source: SourceText) -> Iterator[Pair]:
    """The smaller and the larger of two counts of one noun, or a part and its whole. Of two sums
    of money or two weights it is not plain that anybody would compare them."""
    for one, other in _list_neighbours(source):
        linked = _is_part_of(source, one, other)
        if (linked or one.unit == COUNT) and _is_same_kind(one, other, linked):
            yield (one, other) if one.value < other.value else (other, one)


def find_spans(source: SourceText) -> Iterator[Pair]:
    """Two years, the earlier one first, where no other can be meant: the two of a sentence, or the
    only ones of two that follow each other."""
    years = [[q for q in listed if q.unit == CALENDAR] for listed in _list_by_sentence(source)]
    alone = [listed[0] for listed in years if len(listed) == 1]
    for one, other in (*(listed for listed in years if len(listed) == 2), *pairwise(alone)):
        if _is_near(source, one, other):
            yield (one, other) if one.value < other.value else (other, one)


def _list_by_sentence(source: SourceText) -> list[list[Quantity]]:
    """The numbers of each sentence that has some, and is no list of them."""
    found: dict[int, list[Quantity]] = {}
    for quantity in source.quantities:
        found.setdefault(source.sentence_of[quantity.first], []).append(quantity)
    return [numbers for numbers in found.values() if len(numbers) <= MANY]


def _list_neighbours(source: SourceText) -> Iterator[Pair]:
    """Every two numbers of one sentence, or of two that follow each other, in their order."""
    numbers = [quantity for listed in _list_by_sentence(source) for quantity in listed]
    for at, one in enumerate(numbers):
        for other in numbers[at + 1 : at + 2 * MANY]:
            if _is_near(source, one, other):
                yield one, other


def _is_near(source: SourceText, one: Quantity, other: Quantity) -> bool:
    return abs(source.sentence_of[one.first] - source.sentence_of[other.first]) <= 1


def _find_later(source: SourceText, amounts: Sequence[Quantity], at: int) -> Quantity | None:
    """What a number "from" which something changed came to: the next one after "to", else the one
    before it ("to 25 from 12")."""
    if not _stands_after(source, amounts[at], ("from", "compared")):
        return None
    if at + 1 < len(amounts) and _stands_after(source, amounts[at + 1], ("to",)):
        return amounts[at + 1]
    return amounts[at - 1] if at else None


def _stands_after(source: SourceText, quantity: Quantity, words: Sequence[str]) -> bool:
    """Whether one of the words stands before a number, with one between at most: "from about"."""
    norms = source.words.norms[max(0, quantity.first - 2) : quantity.first]
    return any(norm in words for norm in norms)


def _is_same_kind(one: Quantity, other: Quantity, linked: bool = False) -> bool:
    """The same unit; or the same noun beside both, which one may lack where they are linked."""
    if one.unit != other.unit or one.unit in (CALENDAR, AGE):
        return False
    if one.unit != COUNT or (linked and not (one.counted and other.counted)):
        return True
    return not {base(n) for n in one.counted}.isdisjoint(base(n) for n in other.counted)


def _is_part_of(source: SourceText, one: Quantity, other: Quantity) -> bool:
    """31 of 40, 31 of its 40, 31 out of the 40."""
    between = source.words.norms[one.last : other.first]
    return "of" in between and len(between) <= PARTED


def _list_dated(source: SourceText) -> list[tuple[int, Quantity]]:
    """Numbers with their years, where no other can be meant: a sentence has one of each, or two of
    each in turn."""
    found: list[tuple[int, Quantity]] = []
    for numbers in _list_by_sentence(source):
        years = [q for q in numbers if q.unit == CALENDAR]
        amounts = [q for q in numbers if q.unit != CALENDAR]
        in_turn = numbers[::2] in (years, amounts)
        if len(years) == len(amounts) <= 2 and in_turn:
            found += [(int(year.value), q) for year, q in zip(years, amounts, strict=True)]
    return found

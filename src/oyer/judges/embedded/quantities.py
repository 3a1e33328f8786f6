"""Numbers of an English text with what they count: 3.9 million passengers, 48 %, £12, 25 years.

Numbers in digits and in words are read alike; those that are no quantities are left out (units.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from oyer.judges.embedded.units import find_unit, is_joined, list_counted, sign_before
from oyer.judges.embedded.words import Words

SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "bn": 10**9,
          "trillion": 10**12}  # fmt: skip
PLAIN = re.compile(r"\d{1,15}(?:\.\d{1,6})?")
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, its words (from `first` to before `last`), and what it is of."""

    first: int
    last: int
    value: Fraction
    step: Fraction  # one in the last place that is written: 100,000 in "3.9 million"
    unit: str
    counted: tuple[str, ...]  # the words after it, which tell what it counts


def find_quantities(text: str, words: Words) -> list[Quantity]:
    found: list[Quantity] = []
    at = 0
    while at < len(words):
        number = _read_number(text, words, at)
        if number is None:
            at += 1
            continue
        last, value, step = number
        unit = find_unit(text, words, at, last)
        if unit is not None:
            found.append(Quantity(at, last, value, step, unit, list_counted(text, words, last)))
        at = last
    return found


def _read_number(text: str, words: Words, at: int) -> tuple[int, Fraction, Fraction] | None:
    """Where the number that begins here ends, its value and its step: "two hundred and fifty"."""
    opened = _open_number(text, words, at)
    if opened is None:
        return None
    last, current, step = opened
    total, scale = Fraction(0), 0
    while is_joined(text, words, last):
        follows = scale_of(text, words, at, last)
        addend = None if follows else _find_addend(text, words, last, scale)
        if follows:
            last, scale, current, step = last + 1, follows, current * follows, step * follows
            if scale > SCALES["hundred"]:
                total, current = total + current, Fraction(0)
        elif addend:
            last, scale, current, step = addend + 1, 0, current + int(words.norms[addend]), ONE
        else:
            break
    return last, total + current, step


def _find_addend(text: str, words: Words, at: int, scale: int) -> int | None:
    """Where the "fifty" of "two hundred and fifty" stands; digits begin a number of their own."""
    place = at + (words.norms[at] == "and")
    if not scale or place >= len(words) or text[words.starts[place]].isdigit():
        return None
    norm = words.norms[place]
    return place if norm.isdecimal() and int(norm) < scale else None


def _open_number(text: str, words: Words, at: int) -> tuple[int, Fraction, Fraction] | None:
    """The first word of a number, or two: "3.9", "four", "a" million, "half a" million."""
    norms = words.norms
    if PLAIN.fullmatch(norms[at]):
        decimals = text[words.starts[at] : words.ends[at]].partition(".")[2]
        return at + 1, Fraction(norms[at]), Fraction(1, 10 ** len(decimals))
    half = norms[at : at + 2] == ("half", "a")
    last = at + 1 + half
    if (half or norms[at] in ("a", "one")) and last < len(words) and norms[last] in SCALES:
        return last, ONE / (1 + half), ONE / (1 + half)
    return None


def scale_of(text: str, words: Words, first: int, at: int) -> int:
    """What a word multiplies a number by; 0: it does not. An "m" is a million of money only."""
    if words.norms[at] == "m" and sign_before(text, words, first):
        return SCALES["million"]
    return SCALES.get(words.norms[at], 0)

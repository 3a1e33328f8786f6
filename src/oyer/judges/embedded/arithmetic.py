"""Numbers of an English claim that are reckoned from two of the article's: "more than doubled",
"rose by seven", "three quarters of the members", "25 years".

The two must stand in one sentence or in neighbouring ones and be of one kind: the same unit, or the
same noun beside them. Of a change it must be plain which of them was first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from oyer.judges.embedded.approximate import (
    MULTIPLE,
    SHARE,
    TIMES,
    NumberPhrase,
    approximate,
    find_number_phrases,
)
from oyer.judges.embedded.concepts import alike, base
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.number_pairs import Pair, find_changes, find_comparable, find_spans
from oyer.judges.embedded.quantities import Quantity
from oyer.judges.embedded.roundings import is_same_noun, shared_words, stands_there
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.units import COUNT, PERCENT, POINTS
from oyer.judges.embedded.words import Words

#: How many times as much there is after a change, by the stem of the word that tells it.
FACTORS = {"doubl": Fraction(2), "tripl": Fraction(3), "trebl": Fraction(3),
           "quadrupl": Fraction(4), "halv": Fraction(1, 2), "twofold": Fraction(2),
           "threefold": Fraction(3), "fourfold": Fraction(4), "fivefold": Fraction(5),
           "tenfold": Fraction(10)}  # fmt: skip
YEAR = "year"
RISING, FALLING = frozenset(("growth", "higher", "more")), frozenset(("fewer", "less", "loss"))
NEAR = 4  # words between a change and its size


def find_computed(source: SourceText, claim: str, words: Words) -> dict[int, int]:
    """Words of the claim that tell what two numbers of the article give, and where one stands."""
    if source.language != ENGLISH:
        return {}
    numbers = [phrase for phrase in find_number_phrases(claim, words)
               if not stands_there(source, words, phrase.quantity)]  # fmt: skip
    found: dict[int, int] = {}
    for phrase in (*numbers, *_find_multiples(words)):
        told = phrase.quantity
        for pair in _find_vouching(source, words, phrase):
            if any(shared_words(source, words, theirs) for theirs in pair):
                found.update(dict.fromkeys(range(told.first, told.last), pair[1].first))
                break
    return found


def _find_multiples(words: Words) -> Iterator[NumberPhrase]:
    """Doubled, halved, tenfold; twice as many, three times the number."""
    for at, norm in enumerate(words.norms):
        follows = (*words.norms[at + 1 : at + 3], "", "")
        factor = FACTORS.get(words.stems[at])
        if factor is not None:
            yield approximate(words, Quantity(at, at + 1, factor, factor, MULTIPLE, ()))
        elif norm == "twice" and follows[0] in ("as", "the"):
            yield approximate(words, Quantity(at, at + 1, Fraction(2), Fraction(2), TIMES, ()))
        elif norm.isdecimal() and follows[0] == "times" and follows[1] in ("as", "the"):
            factor = Fraction(norm)
            yield approximate(words, Quantity(at, at + 2, factor, factor, TIMES, ()))


def _find_vouching(source: SourceText, words: Words, phrase: NumberPhrase) -> Iterator[Pair]:
    """The pairs of numbers that give the number told."""
    told, direction = phrase.quantity, _find_direction(words, phrase)
    if told.unit == MULTIPLE:
        return _with_ratio(phrase, find_changes(source))
    if told.unit == TIMES:
        return _with_ratio(phrase, find_comparable(source))
    if told.unit == SHARE and not direction:
        return _with_ratio(phrase, ((whole, part) for part, whole in find_comparable(source)))
    if direction:
        return _with_change(phrase, direction, find_changes(source))
    if told.unit == YEAR and "ago" not in words.norms[told.last : told.last + 2]:
        return (pair for pair in find_spans(source) if phrase.admits(_subtract(pair)))
    return iter(())


def _find_direction(words: Words, phrase: NumberPhrase) -> int:
    """1 where the number is told as that of a rise, -1 of a fall, else 0: "rose by seven", "a fall
    of 12 %", "up 3 %", "seven fewer"."""
    before = words.norms[phrase.first - 1] if phrase.first else ""
    reach = {"by": NEAR, "of": 2}.get(before, 1)
    told = [*reversed(words.norms[max(0, phrase.first - reach) : phrase.first])]
    after = words.norms[phrase.quantity.last : phrase.quantity.last + 3]
    told += [norm for norm in after if norm in ("more", "fewer", "less")]
    return next((sign for norm in told if (sign := _sign(norm))), 0)


def _sign(norm: str) -> int:
    if norm in RISING or alike(base(norm), base("rise")):
        return 1
    return -1 if norm in FALLING or alike(base(norm), base("fall")) else 0


def _subtract(pair: Pair) -> Fraction:
    return pair[1].value - pair[0].value


def _with_ratio(phrase: NumberPhrase, pairs: Iterable[Pair]) -> Iterator[Pair]:
    for pair in pairs:
        if pair[0].value and phrase.admits(pair[1].value / pair[0].value):
            yield pair


def _with_change(phrase: NumberPhrase, direction: int, pairs: Iterable[Pair]) -> Iterator[Pair]:
    for pair in pairs:
        change = direction * _subtract(pair)
        if change > 0 and _tells_change(phrase, pair, change):
            yield pair


def _tells_change(phrase: NumberPhrase, pair: Pair, change: Fraction) -> bool:
    """Whether a change between two numbers is told by the phrase: as a difference in their own
    unit, in points where they are percentages, or as a share of the first."""
    told, first = phrase.quantity, pair[0]
    if told.unit in (SHARE, PERCENT):
        whole = 100 if told.unit == PERCENT else 1
        return bool(first.value) and phrase.admits(whole * change / first.value)
    if told.unit == POINTS or first.unit == PERCENT:
        return told.unit in (POINTS, COUNT) and first.unit == PERCENT and phrase.admits(change)
    nouns = first.counted + pair[1].counted
    same = not told.counted or not nouns or is_same_noun(told.counted, nouns)
    same = told.unit == first.unit and (told.unit != COUNT or same)
    return same and phrase.admits(change)

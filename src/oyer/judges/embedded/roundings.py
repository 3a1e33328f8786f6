"""Numbers of an English claim that round one of the article's: "nearly four million" passengers
where it has 3,940,000, "almost half" where it has 48 %.

Such a claim is read with the article's own number, since no model here can compute; what is said of
the number is then judged as of any other. A number that nothing vouches for stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from oyer.judges.embedded import tables
from oyer.judges.embedded.approximate import OWNERS, SHARE, NumberPhrase, find_number_phrases
from oyer.judges.embedded.concepts import alike, base
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.quantities import Quantity
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.units import COUNT, PERCENT
from oyer.judges.embedded.words import Words, is_content, stem

ENOUGH = 2  # telling words that a claim and a sentence have in common
PERSONS = tables.words("persons")  # whom a claim may call people
#: What a number may be a multiple of, the roundest first: 50, 10, 5, 1, .5 …
GRAINS = [Fraction(10) ** power * first for power in range(14, -7, -1) for first in (5, 1)]
Rounding = tuple[NumberPhrase, Quantity]


def find_roundings(source: SourceText, claim: str, words: Words) -> list[Rounding]:
    """The phrases of a claim that round a number of the article, each with that number."""
    if source.language != ENGLISH:
        return []
    found: list[Rounding] = []
    for phrase in find_number_phrases(claim, words):
        if _stands_there(source, words, phrase.quantity):
            continue
        vouching = [q for q in source.quantities if _rounds(source, words, phrase, q)]
        if vouching:
            found.append((phrase, max(vouching, key=lambda q: _fit(source, words, phrase, q))))
    return found


def _stands_there(source: SourceText, words: Words, told: Quantity) -> bool:
    """Whether the article has the number as the claim writes it: then nothing is rounded."""
    norms = words.norms[told.first : told.last]
    if told.unit == SHARE or len(norms) == 1:
        return words.stems[told.last - 1] in source.places
    same = [q for q in source.quantities if q.value == told.value]
    return any(source.words.norms[q.first] == norms[0] for q in same)  # $8.2m, $8.2 million


def _rounds(source: SourceText, words: Words, phrase: NumberPhrase, theirs: Quantity) -> bool:
    if not _is_near(phrase, theirs) or source.words.norms[theirs.first] in words.norms:
        return False  # another number, or one that the claim has besides
    told = phrase.quantity
    same = told.unit != COUNT or _counts_the_same(source, told, theirs)
    return same and _is_told_there(source, words, told, theirs)


def _is_near(phrase: NumberPhrase, theirs: Quantity) -> bool:
    told = phrase.quantity
    if told.unit == SHARE:
        return theirs.unit == PERCENT and phrase.admits(theirs.value / 100)
    if told.unit != theirs.unit or not phrase.admits(theirs.value):
        return False
    return phrase.reach is None or _is_rounder(told.value, theirs.value)


def _is_told_there(source: SourceText, words: Words, told: Quantity, theirs: Quantity) -> bool:
    """Whether the sentence of a number has the noun that the claim counts, or enough of its words:
    two where only the unit is the same, for one pound is like another."""
    there = _shared_words(source, words, theirs)
    enough = 1 if told.unit == COUNT else ENOUGH
    return len(there) >= enough or any(stem(norm) in there for norm in told.counted)


def _is_rounder(value: Fraction, other: Fraction) -> bool:
    """Nobody says "about 1,237" of 1,204, nor "about 24" of 25."""
    return value == other or _find_grain(value) > _find_grain(other)


def _find_grain(value: Fraction) -> Fraction:
    return next((grain for grain in GRAINS if value % grain == 0), Fraction(0))


def _counts_the_same(source: SourceText, told: Quantity, theirs: Quantity) -> bool:
    if told.counted and theirs.counted:
        return _is_same_noun(told.counted, theirs.counted)
    around = source.told.bases[source.sentence_of[theirs.first]]
    return not told.counted or any(base(norm) in around for norm in told.counted)


def _is_same_noun(mine: Iterable[str], theirs: Iterable[str]) -> bool:
    return any(_counts_as(one, other) for one in mine for other in theirs)


def _counts_as(told: str, counted: str) -> bool:
    """Nouns of like meaning are no help: men are near to women, and flights to passengers."""
    return alike(base(told), base(counted)) or (told == "people" and counted in PERSONS)


def _shared_words(source: SourceText, words: Words, theirs: Quantity) -> set[str]:
    """The telling words of a claim that the sentence of an article's number has."""
    mine = {words.stems[at] for at, norm in enumerate(words.norms) if is_content(norm)}
    return mine & source.stems_of[source.sentence_of[theirs.first]]


def _fit(
    source: SourceText, words: Words, phrase: NumberPhrase, theirs: Quantity
) -> tuple[float, float, int]:
    """The number meant stands among most of the claim's words; of two, the nearer one."""
    held = math.fsum(source.weight(stem) for stem in _shared_words(source, words, theirs))
    actual = theirs.value / 100 if phrase.quantity.unit == SHARE else theirs.value
    return round(held, 9), -float(abs(actual - phrase.quantity.value)), -theirs.first


def read_in_its_numbers(words: Words, source: SourceText, claim: str) -> Words:
    """The words of a claim, each rounding as the article's number; else the very same words."""
    for phrase, theirs in reversed(find_roundings(source, claim, words)):
        words = _put_in_place(words, phrase, source.words, theirs)
    return words


def _put_in_place(words: Words, phrase: NumberPhrase, others: Words, theirs: Quantity) -> Words:
    """The first word of the new number takes the place of the old one, others its end; nothing
    stands for the approximator."""
    first, last = phrase.first, phrase.quantity.last
    start, end = words.starts[phrase.quantity.first], words.ends[last - 1]
    size = theirs.last - theirs.first
    return replace(
        words,
        norms=words.norms[:first] + others.norms[theirs.first : theirs.last] + words.norms[last:],
        stems=words.stems[:first] + others.stems[theirs.first : theirs.last] + words.stems[last:],
        starts=words.starts[:first] + (start,) + (end - 1,) * (size - 1) + words.starts[last:],
        ends=words.ends[:first] + (end,) * size + words.ends[last:],
        capital=words.capital[:first] + (False,) * size + words.capital[last:],
    )


def tell_in_its_numbers(source: SourceText, claim: str, words: Words) -> str:
    """The claim as text, with the article's numbers for its roundings."""
    for phrase, theirs in reversed(find_roundings(source, claim, words)):
        told = phrase.quantity
        start, end = words.starts[phrase.first], words.ends[told.last - 1]
        number = source.text[source.words.starts[theirs.first] : source.words.ends[theirs.last - 1]]
        if phrase.first < told.first:  # "nearly $4 million": the sign stays
            number = claim[words.ends[told.first - 1] : words.starts[told.first]].strip() + number
        if told.unit == SHARE:
            owned = told.last < len(words) and words.norms[told.last] in OWNERS
            number += " per cent of" if owned else " per cent"
        claim = claim[:start] + number + claim[end:]
    return claim

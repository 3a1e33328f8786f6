"""Amounts of a French or Dutch claim: a number with what it counts, as in "three years".

The article may have the number, and have the unit, and yet never both together: where the sentence
that tells the same gives the unit another number, or the number another unit, the claim is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from oyer.judges.embedded.clauses import weigh
from oyer.judges.embedded.concepts import base
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import STOP, Words, is_number

SPANS = frozenset(("year", "month", "week", "day", "hour", "minute"))
UNITS = SPANS | {"euro", "percent", "kilometre", "metre", "kilo", "ton", "litre", "degree", "point"}
CLOSE = 0.4  # of the weight of the claim's other words, which the sentence must have
BETWEEN = 2  # words from a number to its unit: 3 million euro
LONGEST = 14  # words of a claim that is one plain sentence

Amount = tuple[str, str]


def is_miscounted(source: SourceText, words: Words) -> bool:
    """Whether an amount of the claim stands nowhere, and another one in the sentence meant."""
    mine = set(amounts(words, 0, len(words)))
    if not mine or len(words) > LONGEST:
        return False
    theirs = [set(amounts(source.words, *bounds)) for bounds in source.bounds]
    known = frozenset().union(*theirs)
    near = [theirs[n] for n in _meant(source, words)]
    return any(
        amount not in known and any(_rivals(amount, other) for found in near for other in found)
        for amount in mine
    )


def amounts(words: Words, start: int, end: int) -> Iterator[Amount]:
    """Each number with its unit, of words from `start` to `end`."""
    for at in range(start, end):
        if is_number(words.norms[at]):
            after = words.norms[at + 1 : min(end, at + 2 + BETWEEN)]
            unit = next((norm for norm in after if norm in UNITS), "")
            if unit:
                yield words.norms[at], unit


def _rivals(mine: Amount, other: Amount) -> bool:
    """Another number of the same unit, or the same number of another span of time."""
    spans = mine[1] in SPANS and other[1] in SPANS
    return mine[1] == other[1] or (mine[0] == other[0] and spans)


def _meant(source: SourceText, words: Words) -> list[int]:
    """The sentences that have most of the claim's other words."""
    about = {base(n): weigh(n) for n in words.norms
             if n not in STOP and n not in UNITS and not is_number(n)}  # fmt: skip
    worth = {n: sum(w for b, w in about.items() if b in have)
             for n, have in enumerate(source.told.bases)}  # fmt: skip
    best = max(worth.values(), default=0.0)
    if not about or best < CLOSE * sum(about.values()):
        return []
    return [n for n, found in worth.items() if found == best]

"""A word of a foreign text on its way to an English one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FAR = 40  # words to either side of one that its clause has at most
NEAR = 4  # words of what is denied in a contrast
#: Punctuation that ends a clause.
MARKS = frozenset(',;:.!?()[]–—|"“”«»\n')


@dataclass(slots=True)
class Token:
    low: str  # as written, in lower case
    start: int
    end: int
    norm: str = ""  # the English word, as soon as it is known
    capital: bool = False
    first: bool = False  # of its sentence


def broken(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a clause ends before the token."""
    if not 0 < at < len(tokens):
        return True
    return any(c in MARKS for c in text[tokens[at - 1].end : tokens[at].start])


def clause(text: str, tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """The first token of the clause that a token stands in, and the one after its last; of an
    endless one, a stretch, so that reading takes no longer than the text is long."""
    low, high = at, at + 1
    while at - low < FAR and not broken(text, tokens, low):
        low -= 1
    while high - at < FAR and not broken(text, tokens, high):
        high += 1
    return low, high


def contrasted(tokens: Sequence[Token], at: int) -> bool:
    """Whether "but" follows soon: "not on Monday but on Friday" denies the Monday alone."""
    return any(t.low in ("mais", "maar") for t in tokens[at + 1 : at + 2 + NEAR])


def is_alone(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether a word is a clause for itself: "No, I am not"."""
    return broken(text, tokens, at) and broken(text, tokens, at + 1)

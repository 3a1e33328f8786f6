"""The key points of a text that has hardly four sentences: pieces of it, cut where it pauses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from oyer.judges.embedded import tables

FEWEST, SHORTEST = 4, 6  # key points that protocols want, and words of one
CLAUSE = 3  # words of a piece of a text that is too short for four points
PAUSE = 1  # the last kind of seam at which such a text is cut
#: What begins a clause after a comma, and what begins a phrase.
JOINTS = tables.words("clause_openers")
SMALL = JOINTS | tables.words("phrase_openers")
Span = tuple[int, int]


def pieces(text: str, telling: Sequence[Span]) -> list[Span]:
    """Up to four pieces of six words and more of what a text tells; of all of it, where that is cut
    at better places. A text that is too short for four is cut only where sentences or clauses end,
    and so in fewer."""
    ways = [w for spans in (telling, [(0, len(text))]) if (w := _tokens(text, spans))]
    told = frozenset(ways[0]) if telling else frozenset()
    cut = [(tokens, _cuts(text, tokens, told)) for tokens in ways]
    if not cut:
        return []
    tokens, cuts = min(cut, key=lambda way: _faults(text, *way))
    found = [(tokens[a][0], tokens[b - 1][1]) for a, b in pairwise(cuts)]
    return [(a, b - (text[b - 1] in ",;:")) for a, b in found]


def _cuts(text: str, tokens: Sequence[Span], told: frozenset[Span]) -> list[int]:
    short = len(tokens) < FEWEST * SHORTEST
    least = CLAUSE if short else SHORTEST
    cuts = [0, len(tokens)]
    while len(cuts) <= FEWEST:
        places = [
            at
            for low, high in pairwise(cuts)
            for at in range(low + least, high - least + 1)
            if not short or _seam(text, tokens, at) <= PAUSE
        ]
        if not places:
            break
        cuts.append(min(places, key=lambda at: _worth(text, tokens, told, sorted([*cuts, at]), at)))
        cuts.sort()
    return cuts


def _faults(text: str, tokens: Sequence[Span], cuts: Sequence[int]) -> tuple[int, int]:
    """What is wrong with a way to cut: pieces that are missing, and its worst seam."""
    return FEWEST + 1 - len(cuts), max((_seam(text, tokens, at) for at in cuts[1:-1]), default=0)


def _tokens(text: str, spans: Sequence[Span]) -> list[Span]:
    return [m.span() for span in spans for m in re.compile(r"\S+").finditer(text, *span)]


def _worth(
    text: str, tokens: Sequence[Span], told: frozenset[Span], cuts: Sequence[int], at: int
) -> tuple[int, int, float]:
    """The less, the better the last cut is: as many pieces must stay possible as are wanted, and
    each tell something; then it is where the text pauses; then in the middle."""
    room = sum((b - a) // SHORTEST for a, b in pairwise(cuts))
    empty = sum(told.isdisjoint(tokens[a:b]) for a, b in pairwise(cuts))
    longest = max(b - a for a, b in pairwise(cuts))
    return max(0, FEWEST - room) + empty, _seam(text, tokens, at), longest


def _seam(text: str, tokens: Sequence[Span], at: int) -> int:
    """How good a place before a token is to cut: 0 after a sentence or line, 1 before a clause, 2
    after a comma, 3 before a small word, 4 elsewhere."""
    before, gap = text[tokens[at - 1][1] - 1], text[tokens[at - 1][1] : tokens[at][0]]
    word = text[slice(*tokens[at])].lower()
    if before in ".!?…" or "\n" in gap:
        return 0
    if before in ",;:":
        return 1 if word in JOINTS or before != "," else 2
    return 3 if word in SMALL else 4

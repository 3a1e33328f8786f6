"""Numbers, times, days and names that a claim gives to a fact which the article gives another one.

Each is an anchor; the claim's other words are what is said of it. In the article, the anchor that
stands nearest to those words is the one they are said of: where that is another, the claim's was
moved.
"""

from __future__ import annotations

from collections.abc import Sequence

from oyer.judges.embedded.anchors import Anchor, anchors
from oyer.judges.embedded.clauses import JOINTS, Clause, Word, clauses, weigh
from oyer.judges.embedded.concepts import alike
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_number

SURER = 0.7  # of the nearest anchor's tie: with less, the claim's own is not meant
ENOUGH = 0.4  # of the weight of what is said, which the nearest anchor must hold
LOOSE = 5.0  # words at which a tie is half as strong
BROKEN, OTHER_SENTENCE = 0.5, 0.3
SHORT = 5  # words said of a name: of longer claims too much is told in other words
USURPED, LEFT = 0.9, 0.15  # of what is said: told of another in one clause, and of this one at all
MOST = 4  # anchors of a kind in one claim


def is_moved(source: SourceText, claim: str, words: Words) -> bool:
    mine = anchors(claim, words, source.names)
    own: frozenset[str] = frozenset().union(*(a.stems for a in mine))
    for clause in clauses(claim, words, 0, len(words)):
        here = [a for a in mine if clause.start <= a.at < clause.end and a.kind != "name"]
        for anchor in here:
            about = [w for w in clause.words if not is_number(w.norm) and w.at != anchor.at]
            if len(here) <= MOST and _elsewhere(source, anchor, about, own):
                return True
    return False


def is_usurped(source: SourceText, claim: str, words: Words, part: Clause) -> bool:
    """The claim begins with a name, and tells of it what the article tells of another one only."""
    mine = [a for a in anchors(claim, words, source.names) if a.kind == "name"]
    if len(mine) != 1 or not part.words or part.words[0].at > mine[0].at or part.start:
        return False
    about = [w for w in part.words if w.at > mine[0].at]
    if not about or len(about) > SHORT or part.end < len(words):
        return False
    known = [a for a in source.anchors if a.kind == "name"]
    rivals = [a for a in known if not a.stems & mine[0].stems]
    total = sum(weigh(w.norm) for w in about)
    best = max((_told_of(source, a, about) for a in rivals), default=0.0)
    own = [a for a in known if a.stems & mine[0].stems]
    held = max((_tie(source, a, about, after=True) for a in own), default=total)
    return best >= USURPED * total and held < LEFT * total


def _told_of(source: SourceText, anchor: Anchor, about: Sequence[Word]) -> float:
    """How much of what is said the clause says that an actor stands in."""
    home = source.told.clauses[source.sentence_of[anchor.at]]
    there = [o for c in home if c.start <= anchor.at < c.end for o in c.words]
    return sum(weigh(w.norm) for w in about if any(alike(w.base, o.base) for o in there))


def _elsewhere(
    source: SourceText, anchor: Anchor, about: Sequence[Word], own: frozenset[str]
) -> bool:
    held, best, total = ties(source, anchor, about, own)
    return best >= ENOUGH * total and held < SURER * best


def ties(
    source: SourceText, anchor: Anchor, about: Sequence[Word], own: frozenset[str]
) -> tuple[float, float, float]:
    """How well what is said is tied to the anchor, to the best other one, and its whole weight."""
    theirs = [a for a in source.anchors if a.kind == anchor.kind]
    here = [a for a in theirs if a.stems & anchor.stems]
    others = [a for a in theirs if not a.stems & own]
    total = sum(weigh(w.norm) for w in about)
    if not here or not others or not about:
        return total, 0.0, total
    held = max(_tie(source, a, about) for a in here)
    return held, max(_tie(source, a, about) for a in others), total


def _tie(source: SourceText, anchor: Anchor, about: Sequence[Word], after: bool = False) -> float:
    """How much of what is said stands near an anchor of the article, and `after` it."""
    home = source.sentence_of[anchor.at]
    told, total = source.told, 0.0
    near = [
        (other, n == home)
        for n in ((home - 1, home, home + 1, home + 2) if after else (home - 1, home))
        if 0 <= n < len(told.clauses) and n not in told.asked
        for clause in told.clauses[n]
        for other in clause.words
    ]
    for word in about:
        strengths = [
            _strength(source, anchor.at, other.at, inside)
            for other, inside in near
            if alike(word.base, other.base)
        ]
        total += max(strengths, default=0.0) * weigh(word.norm)
    return total


def _strength(source: SourceText, anchor: int, other: int, inside: bool) -> float:
    strength = 1 / (1 + abs(anchor - other) / LOOSE)
    if not inside:
        return strength * OTHER_SENTENCE
    between = source.words.norms[min(anchor, other) : max(anchor, other)]
    return strength * (BROKEN if any(norm in JOINTS for norm in between) else 1.0)

"""Numbers, times, days and names that a claim gives to a fact which the article gives another one.

Each is an anchor; the claim's other words are what is said of it. In the article, the anchor that
stands nearest to those words is the one they are said of: where that is another, the claim's was
moved.
"""

from __future__ import annotations

from collections.abc import Sequence

from oyer.judges.embedded.anchors import TITLES, Anchor, anchors
from oyer.judges.embedded.clauses import JOINTS, Clause, Word, clauses, weigh
from oyer.judges.embedded.concepts import kin
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import STOP, Words, is_number

SURER = 0.7  # of the nearest anchor's tie: with less, the claim's own is not meant
ENOUGH = 0.4  # of the weight of what is said, which the nearest anchor must hold
LOOSE = 5.0  # words at which a tie is half as strong
BROKEN, OTHER_SENTENCE = 0.5, 0.3
SHORT = 7  # words said of a name: of longer claims too much is told in other words
USURPED = 0.3  # of what is said, tied to another name; and of that, at most, to this one
LOOKED_AT = 8  # sentences
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
    """A short claim begins with a name, and tells of it what the article tells of another one."""
    mine = [a for a in anchors(claim, words, source.names) if a.kind == "name"]
    if not mine or not part.words or not _is_subject(claim, words, mine[0]):
        return False
    about = [w for w in part.words if w.at > mine[0].at and not is_number(w.norm)]
    if not about or len(about) > SHORT or part.start or part.end < len(words):
        return False
    known = near(source, "name", about)
    named = frozenset().union(*(a.stems for a in mine))
    own = [a for a in known if a.stems & mine[0].stems]
    rivals = [a for a in known if not a.stems & named]
    if not rivals or not mine[0].stems <= source.names:
        return False
    best = max(_tie(source, a, about) for a in rivals)
    held = max((_tie(source, a, about, after=True) for a in own), default=0.0)
    return best >= USURPED * sum(weigh(w.norm) for w in about) and held < USURPED * best


def _is_subject(claim: str, words: Words, name: Anchor) -> bool:
    """The claim begins with the name itself: neither "her Lind" nor "Lind's"."""
    first = name.at + 1 - len(name.stems)
    owns = claim[words.ends[name.at] : words.ends[name.at] + 2] in ("'s", "’s")
    named = [words.capital[at] and words.norms[at] not in STOP for at in range(first)]
    titled = [words.norms[at] in ("the", *TITLES) for at in range(first)]
    return not owns and all(a or b for a, b in zip(named, titled, strict=True))


def _elsewhere(
    source: SourceText, anchor: Anchor, about: Sequence[Word], own: frozenset[str]
) -> bool:
    held, best, total = ties(source, anchor, about, own)
    return best >= ENOUGH * total and held < SURER * best


def ties(
    source: SourceText, anchor: Anchor, about: Sequence[Word], own: frozenset[str]
) -> tuple[float, float, float]:
    """How well what is said is tied to the anchor, to the best other one, and its whole weight."""
    theirs = near(source, anchor.kind, about)
    here = [a for a in theirs if a.stems & anchor.stems]
    others = [a for a in theirs if not a.stems & own]
    total = sum(weigh(w.norm) for w in about)
    if not here or not others or not about:
        return total, 0.0, total
    held = max(_tie(source, a, about) for a in here)
    return held, max(_tie(source, a, about) for a in others), total


def near(source: SourceText, kind: str, about: Sequence[Word]) -> list[Anchor]:
    """The anchors of a kind around the sentences that tell most of what is said; where an article
    is long, those are the few that can be meant."""
    clauses = source.told
    worth: dict[int, float] = {}
    for word in about:
        for n in {n for other in kin(word.base) for n in clauses.with_base.get(other, ())}:
            worth[n] = worth.get(n, 0.0) + weigh(word.norm)
    best = sorted(worth, key=lambda n: (-worth[n], n))[:LOOKED_AT]
    around = {n + step for n in best for step in (-2, -1, 0, 1)}
    found = [a for n in sorted(around) for a in source.anchors_in.get(n, ()) if a.kind == kind]
    return found


def _tie(source: SourceText, anchor: Anchor, about: Sequence[Word], after: bool = False) -> float:
    """How much of what is said stands near an anchor of the article, and `after` it."""
    home = source.sentence_of[anchor.at]
    read, total = source.told, 0.0
    span = (home - 1, home, home + 1, home + 2) if after else (home - 1, home)
    places = [n for n in span if 0 <= n < len(read.clauses) and n not in read.asked]
    for word in about:
        same = kin(word.base)
        strengths = [
            _strength(source, anchor.at, other.at, n == home)
            for n in places
            if not same.isdisjoint(read.bases[n])
            for clause in read.clauses[n]
            for other in clause.words
            if other.base in same
        ]
        total += max(strengths, default=0.0) * weigh(word.norm)
    return total


def _strength(source: SourceText, anchor: int, other: int, inside: bool) -> float:
    strength = 1 / (1 + abs(anchor - other) / LOOSE)
    if not inside:
        return strength * OTHER_SENTENCE
    between = source.words.norms[min(anchor, other) : max(anchor, other)]
    return strength * (BROKEN if any(norm in JOINTS for norm in between) else 1.0)

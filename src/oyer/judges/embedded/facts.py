"""Who did what, and how much: faults that a reader sees although all words are known.

Each looks for the clause of the article that tells the same as the claim, and for one difference
that makes it another fact: a negation or an opposite (`turned`), actors exchanged (`swapped`), one
put for another (`usurped`), or a number, time or day of another fact (`moved`). They say nothing
of claims that no clause tells. How often each is right by people's labels is in docs/embedded.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from oyer.judges.embedded import tables
from oyer.judges.embedded.clauses import Clause, Word, clauses, weigh
from oyer.judges.embedded.concepts import against, alike, unmade
from oyer.judges.embedded.moved import is_moved, is_usurped
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import Words, is_number

CLOSE = 0.5  # of a claim's weight that a sentence must have, to tell the same
EVEN = 0.85  # of the best clause's worth, from which another one may be meant as well
LOOKED_AT = 12  # sentences that have most of the claim's words
FEW = 3  # words of a fragment that excludes something
NEAR = 4  # words between an actor and what it does
VERBS = tables.words("verbs")
BESIDE, BEFORE = 0.6, 0.4  # what a word counts for that stands in the sentence, or the one before


@dataclass(frozen=True, slots=True)
class Faults:
    """What differs between a claim and the clause that tells the same."""

    turned: bool = False
    swapped: bool = False
    moved: bool = False
    usurped: bool = False

    def __bool__(self) -> bool:
        return self.turned or self.swapped or self.moved or self.usurped


@dataclass(frozen=True, slots=True)
class Match:
    """A clause of the claim beside one of the article: which word answers which."""

    sentence: int
    clause: Clause
    same: dict[int, Word]  # place in the claim -> the article's word
    opposite: dict[int, Word]
    worth: float
    close: float  # how much of the claim's weight the sentence has


FAULTS = tuple(field.name for field in fields(Faults))


def find_faults(source: SourceText, claim: str, words: Words) -> Faults:
    if not len(words) or not source.bounds:
        return Faults()
    parts = [c for c in clauses(claim, words, 0, len(words)) if len(c.words) > 1]
    turned = swapped = False
    for part in parts:
        found = _matches(source, part)
        if not found:
            continue
        best = max(m.worth for m in found)
        meant = [m for m in found if m.worth >= EVEN * best]
        verdicts = [_differs(source, part, m, words) for m in meant]
        if all(turn or swap for turn, swap in verdicts):
            turned |= any(turn for turn, _ in verdicts)
            swapped |= any(swap for _, swap in verdicts)
        turned |= _excluded(source, part, meant)
    usurped = any(is_usurped(source, claim, words, part) for part in parts[:1])
    return Faults(turned, swapped, is_moved(source, claim, words), usurped)


def _excluded(source: SourceText, part: Clause, meant: Sequence[Match]) -> bool:
    """The claim tells what a sentence names only to exclude it: "to the coast, not the hills"."""
    for match in meant:
        for clause in source.told.clauses[match.sentence]:
            bare = clause.denied and len(clause.words) <= FEW
            if bare and not part.denied and _not_first(source.words.norms, clause):
                denied = {w.base for w in clause.words if w.at in clause.focus}
                if denied & {w.base for w in part.words}:
                    return True
    return False


def _not_first(norms: Sequence[str], clause: Clause) -> bool:
    first = norms[clause.start + (norms[clause.start] == "but")]
    return first == "not" and not any(is_verb(w.norm) for w in clause.words)


def _matches(source: SourceText, part: Clause) -> list[Match]:
    """The clauses of the article that tell about the same as a clause of the claim."""
    told = source.told
    total = sum(weigh(w.norm) for w in part.words)
    worth: dict[int, float] = {}
    for word in part.words:
        for n in told.with_base.get(word.base, ()):
            worth[n] = worth.get(n, 0.0) + weigh(word.norm)
    near = sorted(worth, key=lambda n: (-worth[n], n))[:LOOKED_AT]
    found = []
    for n in near:
        if n in told.asked:
            continue
        before = told.bases[n - 1] if n else frozenset()
        for clause in told.clauses[n]:
            match = _match(part, clause, (told.bases[n], before))
            if match.close >= CLOSE * total and match.same:
                found.append(replace(match, sentence=n))
    return found


def _match(part: Clause, clause: Clause, around: tuple[frozenset[str], frozenset[str]]) -> Match:
    """Word for word; `around` are the words of the clause's sentence, and of the one before."""
    sentence, before = around
    same: dict[int, Word] = {}
    opposite: dict[int, Word] = {}
    worth = held = 0.0
    for word in part.words:
        weight = weigh(word.norm)
        twin = next((w for w in clause.words if w.base == word.base), None)
        twin = twin or next((w for w in clause.words if _kin(w, word)), None)
        if twin:
            same[word.at] = twin
            worth, held = worth + weight, held + weight
        elif word.base in sentence:
            worth, held = worth + BESIDE * weight, held + weight
        else:
            counter = next((w for w in clause.words if _counter(w, word)), None)
            if counter:
                opposite[word.at] = counter
                worth, held = worth + weight, held + weight
            elif word.base in before:
                worth, held = worth + BEFORE * weight, held + BEFORE * weight
    return Match(0, clause, same, opposite, worth, held)


def _kin(one: Word, other: Word) -> bool:
    return alike(one.base, other.base) and not is_number(one.norm)


def _counter(one: Word, other: Word) -> bool:
    return against(one.base, other.base) or unmade(one.norm, other.norm)


def _differs(source: SourceText, part: Clause, match: Match, words: Words) -> tuple[bool, bool]:
    """Whether polarity differs, and whether actors are exchanged; the two can undo each other:
    "A lost to B" is "B beat A"."""
    if match.clause.wished and not part.wished:
        return False, False
    flips = min(1, len(match.opposite))
    if part.denied != match.clause.denied:
        told = match.same.keys() | match.opposite.keys()
        heard = {w.at for w in (*match.same.values(), *match.opposite.values())}
        focus = part.focus if part.denied else match.clause.focus
        flips += bool(focus & (told if part.denied else heard))
    crossed = _crossed(source, part, match, words)
    odd = flips % 2 == 1
    return (odd and not crossed), (crossed and not odd)


def _crossed(source: SourceText, part: Clause, match: Match, words: Words) -> bool:
    """Two actors stand on the other sides of what one did to the other."""
    both = {**match.same, **match.opposite}
    actors = [at for at, w in match.same.items() if source.words.stems[w.at] in source.names]
    for at, verb in both.items():
        left = [a for a in actors if 0 < at - a <= NEAR]
        right = [a for a in actors if 0 < a - at <= NEAR]
        if at in actors or not left or not right or not _does(words.norms[at], verb.norm):
            continue
        first, second = both[left[-1]].at - verb.at, both[right[0]].at - verb.at
        if max(abs(first), abs(second)) > 2 * NEAR:
            continue
        passive = _passive(words.norms, at) != _passive(source.words.norms, verb.at)
        if (first < 0 < second) if passive else (second < 0 < first):
            return True
    return False


def _does(one: str, other: str) -> bool:
    """Whether both are verbs, by their form, or the same word."""
    return one == other or (is_verb(one) and is_verb(other))


def is_verb(norm: str) -> bool:
    return norm in VERBS or norm.endswith("ed")


def _passive(norms: Sequence[str], at: int) -> bool:
    return "by" in norms[at + 1 : at + 3]

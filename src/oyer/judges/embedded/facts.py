"""Who did what, and how much: faults that a reader sees although all words are known.

Each looks for the clause of the article that tells the same as the claim, and for one difference
that makes it another fact: a negation or an opposite (`turned`), actors exchanged (`swapped`), one
put for another (`usurped`), or a number, time or day of another fact (`moved`). They say nothing
of claims that no clause tells. `strange` are
numbers and names that the article does not have. How often each is right by people's labels is in
docs/embedded.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from oyer.judges.embedded import tables
from oyer.judges.embedded.amounts import is_miscounted
from oyer.judges.embedded.cells import is_exchanged, is_mispaired, is_superseded
from oyer.judges.embedded.clauses import JOINTS, Clause, Word, clauses, weigh
from oyer.judges.embedded.concepts import against, alike, unmade
from oyer.judges.embedded.languages import DUTCH, ENGLISH
from oyer.judges.embedded.moved import is_moved, is_usurped
from oyer.judges.embedded.refuted import is_corrected, is_refuted
from oyer.judges.embedded.row_lists import matches_table
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.strange import is_strange
from oyer.judges.embedded.words import Words, is_number

CLOSE = 0.5  # of a claim's weight that a sentence must have, to tell the same
EVEN = 0.85  # of the best clause's worth, from which another one may be meant as well
PLAIN = 14  # words of a claim that is one plain sentence
LOOKED_AT = 12  # sentences that have most of the claim's words
FEW = 3  # words of a fragment that excludes something
NEAR = 4  # words between an actor and what it does
SPREAD = 10  # words between a Dutch auxiliary and its verb
AUXILIARIES = frozenset(
    [
        "have",
        "had",
        "is",
        "was",
        "be",
        "been",
        "will",
        "would",
        "can",
        "could",
        "may",
        "must",
        "want",
    ]
)
VERBS = tables.words("verbs")
BESIDE, BEFORE = 0.6, 0.4  # what a word counts for that stands in the sentence, or the one before


@dataclass(frozen=True, slots=True)
class Faults:
    """What differs between a claim and the clause that tells the same."""

    turned: bool = False
    swapped: bool = False
    moved: bool = False
    usurped: bool = False
    strange: bool = False


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
    strange, listed = is_strange(source, claim, words), matches_table(source, claim, words)
    if listed and not any(part.denied for part in parts):
        return Faults(strange=strange)  # north and south are no opposites there
    turned, swapped = is_superseded(source, words) or is_refuted(source, words), False
    for part in parts:
        turns, swaps = _differences(source, part, words)
        turned, swapped = turned or turns, swapped or swaps
    if len(parts) == 1 and len(words) <= PLAIN:
        swapped = swapped or is_mispaired(source, claim, words, parts[0])
    moved = listed is False or is_moved(source, claim, words)
    if len(words) <= PLAIN:
        moved = moved or any(is_exchanged(source, claim, words, part) for part in parts)
    if words.language != ENGLISH:
        moved = moved or is_miscounted(source, words)
    moved = moved and not is_corrected(source, words)
    usurped = any(is_usurped(source, claim, words, part) for part in parts[:1])
    return Faults(turned, swapped, moved, usurped, strange)


def _differences(source: SourceText, part: Clause, words: Words) -> tuple[bool, bool]:
    """Whether a clause of the claim turns, or swaps, what the article's likest clauses tell; one of
    them that agrees with it clears it. In a plain claim it must have the words that differ; a long
    one tells too much in other words."""
    matches = _matches(source, part)
    if not matches:
        return False, False
    best = max(m.worth for m in matches)
    likest = [m for m in matches if m.worth >= EVEN * best]
    verdicts = [(m, *_differs(source, part, m, words)) for m in likest]
    agreeing = [m for m, turn, swap in verdicts if not turn and not swap]
    turned, swapped = _excludes(source, part, likest), False
    for match, turn, swap in verdicts:
        cleared = agreeing if len(words) > PLAIN else [
            other for other in agreeing if _vouches(other, match, part)
        ]  # fmt: skip
        if not cleared:
            turned, swapped = turned or turn, swapped or swap
    return turned, swapped


def _vouches(agreeing: Match, other: Match, part: Clause) -> bool:
    """Whether a clause that agrees with the claim has the words by which another one differs."""
    denied = {at for at, w in other.same.items() if w.at in other.clause.focus or at in part.focus}
    deciding = denied | other.opposite.keys() or other.same.keys()
    return agreeing.same.keys() >= deciding


def _excludes(source: SourceText, part: Clause, matches: Sequence[Match]) -> bool:
    """The claim tells what a sentence names only to exclude it: "to the coast, not the hills"."""
    for match in matches:
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
    clauses_of_text = source.told
    total = sum(weigh(w.norm) for w in part.words)
    worth: dict[int, float] = {}
    for word in part.words:
        for n in clauses_of_text.with_base.get(word.base, ()):
            worth[n] = worth.get(n, 0.0) + weigh(word.norm)
    near = sorted(worth, key=lambda n: (-worth[n], n))[:LOOKED_AT]
    found = []
    for n in near:
        heading = n in source.silent and source.text[source.spans[n][1] - 1] != "."
        if n in clauses_of_text.asked or heading:
            continue
        before = frozenset().union(*clauses_of_text.bases[max(0, n - 2) : n])
        for clause in clauses_of_text.clauses[n]:
            if _is_speaker(source, clause):
                continue
            match = _match(part, clause, (clauses_of_text.bases[n], before))
            turned = sum(weigh(w.norm) for w in part.words if w.at in match.opposite)
            near_enough = match.close - turned >= CLOSE * (total - turned)
            if match.same and match.close >= CLOSE * total and near_enough:
                found.append(replace(match, sentence=n))
    return found


def _is_speaker(source: SourceText, clause: Clause) -> bool:
    """In a foreign text: the name of who says what follows, which by itself tells nothing."""
    w, last = source.words, clause.end - 1
    if w.language == ENGLISH or clause.end >= len(w):
        return False
    named = all(w.capital[at] for at in range(clause.start, clause.end))
    return named and ":" in source.text[w.ends[last] : w.starts[last + 1]]


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


def _kin(first: Word, other: Word) -> bool:
    return alike(first.base, other.base) and not is_number(first.norm)


def _counter(first: Word, other: Word) -> bool:
    return against(first.base, other.base) or unmade(first.norm, other.norm)


def _differs(source: SourceText, part: Clause, match: Match, words: Words) -> tuple[bool, bool]:
    """Whether polarity differs, and whether actors are exchanged; the two can undo each other:
    "A lost to B" is "B beat A"."""
    if match.clause.wished and not part.wished:
        return False, False
    flips = min(1, len(match.opposite))
    if part.denied != match.clause.denied:
        own_places = match.same.keys() | match.opposite.keys()
        source_places = {w.at for w in (*match.same.values(), *match.opposite.values())}
        focus = part.focus if part.denied else match.clause.focus
        denied = own_places if part.denied else source_places
        flips += bool(focus & denied) and not _denies_beside(source, part, match)
    crossed = _crosses(source, part, match, words)
    odd = flips % 2 == 1
    return (odd and not crossed), (crossed and not odd)


def _denies_beside(source: SourceText, part: Clause, match: Match) -> bool:
    """The claim denies what another clause of the sentence denies: "enough for a flat, not for a
    house"."""
    bases = {w.base for w in part.words}
    return part.denied and any(
        clause.denied and bases & {w.base for w in clause.words}
        for clause in source.told.clauses[match.sentence]
    )


def _crosses(source: SourceText, part: Clause, match: Match, words: Words) -> bool:
    """Two actors stand on the other sides of what one did to the other."""
    both = {**match.same, **match.opposite}
    actors = [at for at, w in match.same.items() if _is_actor(source, words, at, w)]
    for at, verb in both.items():
        here, there = seat(words, at), seat(source.words, verb.at)
        left = [a for a in actors if 0 < here - a <= NEAR]
        right = [a for a in actors if 0 < a - here <= NEAR and a != at]
        if at in actors or not left or not right or not _does(words.norms[at], verb.norm):
            continue
        first, second = both[left[-1]].at - there, both[right[0]].at - there
        if max(abs(first), abs(second)) > 2 * NEAR:
            continue
        passive = _passive(words, at) != _passive(source.words, verb.at)
        if (first < 0 < second) if passive else (second < 0 < first):
            return True
    return False


def _is_actor(source: SourceText, words: Words, at: int, twin: Word) -> bool:
    """A name of the article; or of the claim, since a text may have it at a sentence's start only,
    where every word is capitalised."""
    return source.words.stems[twin.at] in source.names or (at > 0 and words.capital[at])


def _does(first: str, other: str) -> bool:
    """Whether both are verbs, by their form, or the same word."""
    return first == other or (is_verb(first) and is_verb(other))


def is_verb(norm: str) -> bool:
    return norm in VERBS or norm.endswith("ed")


def _passive(words: Words, at: int) -> bool:
    low = seat(words, at) + 1
    return "by" in words.norms[min(low, at + 1) : at + 3]


def seat(words: Words, at: int) -> int:
    """Where a verb stands between who does it and to whom: in Dutch a participle or infinitive
    comes last, and the auxiliary has its place."""
    if words.language != DUTCH:
        return at
    for place in range(at - 1, max(-1, at - 1 - SPREAD), -1):
        if words.norms[place] in AUXILIARIES:
            return place
        if words.starts[place + 1] - words.ends[place] > 1 or words.norms[place] in JOINTS:
            break
    return at

"""Clauses: the stretches of a sentence that one negation reaches, and what it denies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from oyer.judges.embedded import concepts, languages, vectors
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.words import STOP, Words, is_number

#: Punctuation between two words that ends a clause.
MARKS = frozenset(',;:()[]–—|?!"“”\n•>')
JOINTS = concepts.words("joints")
DENIALS, DENYING = concepts.words("denials"), concepts.bases("denying")
#: After "not" and "no": what makes it no denial ("not only", "no doubt").
IDLE = concepts.words("idle")
BEFORE = frozenset(["no", "not", "never"])
WISHES = concepts.bases("wishes")
#: Small words that carry a fact of their own here, though they are stop words elsewhere.
TELLING = concepts.words("telling")
#: Words that are content elsewhere, and say too little of their own to be held against a text.
EMPTY = concepts.words("empty")
Spans = Sequence[tuple[int, int]]
PREPOSITIONS = frozenset(
    ["with", "in", "for", "at", "on", "after", "before", "by", "since", "during"]
)
LEADING = 4  # words of a phrase that leads into its clause
FOCUS = 1  # words after a denial that it denies first
TWICE = 3  # words between two denials that undo each other
REACH = 3  # words within which the second of a phrase stands


@dataclass(frozen=True, slots=True)
class Word:
    """A telling word of a clause: its place, its normal form and its base."""

    at: int
    norm: str
    base: str


@dataclass(frozen=True, slots=True)
class Clause:
    words: tuple[Word, ...]
    denied: bool
    focus: frozenset[int]  # places of the words that a denial stands before
    wished: bool  # told as a wish, a proposal or a question: no fact yet
    start: int
    end: int


def clauses(text: str, words: Words, start: int, end: int) -> list[Clause]:
    """The clauses of the words from `start` to `end`."""
    cuts = [start]
    for at in range(start + 1, end):
        gap = text[words.ends[at - 1] : words.starts[at]]
        marked = any(c in MARKS for c in gap) and not _figure(text, words, at)
        if marked and cuts == [start] and _leads(text, words, start, at):
            continue
        if marked or (words.norms[at] in JOINTS and at - cuts[-1] > 1):
            cuts.append(at)
    cuts.append(end)
    spans = pairwise(cuts)
    return [clause for a, b in spans if (clause := _clause(words, a, b)).words or clause.denied]


def _leads(text: str, words: Words, start: int, at: int) -> bool:
    """In a foreign text: a few words before a comma that only say where, when or with what."""
    if words.language == ENGLISH or at - start > LEADING:
        return False
    return words.norms[start] in PREPOSITIONS and text[words.ends[at - 1]] == ","


def _figure(text: str, words: Words, at: int) -> bool:
    """Whether a mark stands within a number: 14:30."""
    digits = is_number(words.norms[at - 1]) and is_number(words.norms[at])
    return digits and words.starts[at] - words.ends[at - 1] == 1


def _clause(words: Words, start: int, end: int) -> Clause:
    norms = words.norms
    denials = [at for at in range(start, end) if _denies(norms, at, end)]
    twice = any(b - a <= TWICE for a, b in pairwise(denials))  # "did not refuse"
    telling = [w for w in _telling(norms, start, end) if w.at not in denials]
    wished = any(
        concepts.base(words.norms[at]) in WISHES and not words.capital[at]
        for at in range(start, end)
    )
    focus: set[int] = set()
    for at in denials:
        after = [w.at for w in telling if w.at > at][:FOCUS]
        focus.update(after or [w.at for w in telling if w.at < at][-1:])
    return Clause(tuple(telling), bool(denials) and not twice, frozenset(focus), wished, start, end)


def _denies(norms: Sequence[str], at: int, end: int) -> bool:
    if concepts.base(norms[at]) in DENYING:
        return norms[at + 1 : at + 2] == ("to",) or norms[at][0] in "dl"  # denied it, lacked it
    if norms[at] == "one" and at and norms[at - 1] == "no":
        return False
    if norms[at] not in DENIALS:
        return False
    follows = norms[at + 1] if at + 1 < end else ""
    return not (norms[at] in BEFORE and follows in IDLE)


def _telling(norms: Sequence[str], start: int, end: int) -> list[Word]:
    """The telling words, phrases as the one word that they stand for."""
    found: list[Word] = []
    used: set[int] = set()
    for at in range(start, end):
        norm = norms[at]
        word_base = concepts.base(norm)
        if at in used:
            continue
        for other in range(at + 1, min(end, at + 1 + REACH)):
            joined = concepts.phrases().get((word_base, norms[other]))
            if joined:
                used.add(other)
                found.append(Word(at, norm, joined))
                break
        else:
            if is_number(norm) or norm in TELLING or (
                norm not in STOP and norm not in EMPTY and len(norm) > 1
            ):  # fmt: skip
                found.append(Word(at, norm, word_base))
    return found


def weigh(norm: str) -> float:
    """What a word counts for: rare ones more, none nothing."""
    return 0.2 + vectors.rarity(norm)


@dataclass(frozen=True)
class ToldClause:
    """What a text tells, clause by clause."""

    clauses: tuple[tuple[Clause, ...], ...]  # of each sentence
    bases: tuple[frozenset[str], ...]  # the base forms of each sentence
    with_base: dict[str, list[int]]  # base form -> the sentences that have it
    asked: frozenset[int]  # sentences that ask, and so tell nothing


def tell(text: str, words: Words, spans: Spans, bounds: Spans) -> ToldClause:
    parts = tuple(tuple(clauses(text, words, start, end)) for start, end in bounds)
    bases = tuple(frozenset(w.base for c in part for w in c.words) for part in parts)
    with_base: dict[str, list[int]] = {}
    for n, part in enumerate(bases):
        for word in part:
            with_base.setdefault(word, []).append(n)
    lines = [m.start() for m in languages.pattern(words.language, "asker").finditer(text)]
    asked = set()
    for n, (start, end) in enumerate(spans):
        line = text.rfind("\n", 0, start) + 1
        if text[start:end].rstrip("\"'”’)").endswith("?") or (len(lines) > 1 and line in lines):
            asked.add(n)
    return ToldClause(parts, bases, with_base, frozenset(asked))

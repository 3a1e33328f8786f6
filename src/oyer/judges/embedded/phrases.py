"""Phrases of an article that a question can mask: names, numbers, dates and noun phrases.

There is no tagger: a phrase is a run of telling words between stop words, marks and verbs, and a
verb is known by its place (after "to", "will", "they"), by its ending, or by a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from oyer.judges.embedded import languages, tables
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.lexis import MONTHS
from oyer.judges.embedded.salience import carries
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import is_number

Kind = Literal["date", "number", "name", "noun phrase", "word"]
LONGEST = 6  # words of a phrase
VERBS, OTHERS = tables.words("verbs"), tables.words("not_nouns")
OPENERS, ARTICLES, LEADERS = (tables.words(n) for n in ("openers", "articles", "leaders"))
BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "am", "not"))
#: In a foreign text, whose verbs no ending tells: after these, too, a word is hardly a noun.
AUXILIARIES = LEADERS | BEING | {"have", "had"}
DAYS = MONTHS | {"today", "yesterday", "tomorrow", "tonight"}
LINKS = frozenset(("of", "the", "de", "von", "van"))
#: What may stand between two words of a phrase: blanks, hyphens, apostrophes, an initial's stop.
JOINT = re.compile(r"\s?|['’]s?\s?|-|\.[ ]?|\s?[$£€]\s?")
SIGNS = "$£€#"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of a sentence: its place in characters, its kind and its telling words."""

    sentence: int
    start: int
    end: int
    kind: Kind
    stems: frozenset[str]
    core: frozenset[str]  # of a number or date: the figures and days, without which it is not told


def phrases(source: SourceText, sentence: int) -> list[Phrase]:
    """Every phrase of a sentence, in its order; none overlaps another."""
    return [_phrase(source, sentence, *run) for run in _runs(source, sentence)]


def single(source: SourceText) -> list[Phrase]:
    """Every telling word for itself: of a short article, or one that has no sentences."""
    return [
        Phrase(source.sentence_of[i], w.starts[i], w.ends[i], "word", frozenset((w.stems[i],)),
               frozenset())
        for w in (source.words,)
        for i in range(len(w))
        if carries(w.norms[i])
    ]  # fmt: skip


def nominal(norm: str, language: str = ENGLISH) -> bool:
    """Whether a word may be a noun, for all that its form tells."""
    return _sort(norm, language) == "noun"


def _runs(source: SourceText, number: int) -> Iterator[tuple[int, int]]:
    """Runs of words that belong together, as (first, last + 1)."""
    low, high = source.bounds[number]
    at = low
    while at < high:
        first = at
        at += 1
        if not _belongs(source, first, low):
            continue
        while at < high and at - first < LONGEST and _is_joined(source, at):
            if _is_date(source, at - 1) and source.words.capital[at] and not _is_date(source, at):
                break  # on Sunday Ann Lee won
            step = 1 if _belongs(source, at, low) else 2 * _links(source, at, high)
            if not step:
                break
            at += step
        if not _adjective(source, first, at, low):
            yield first, at


def _initial(source: SourceText, at: int) -> bool:
    """A letter of a name: the X of X2, the J of J. Lind."""
    follows = source.text[source.words.ends[at] : source.words.ends[at] + 1]
    return source.words.capital[at] and (follows == "." or follows.isdigit())


def _is_joined(source: SourceText, at: int) -> bool:
    """Whether no comma or stop stands between a word and the one before it."""
    w = source.words
    return JOINT.fullmatch(source.text, w.ends[at - 1], w.starts[at]) is not None


def _links(source: SourceText, at: int, high: int) -> bool:
    """Whether a small word joins two parts of a name: Friends of Bridge Street."""
    w = source.words
    if at + 1 >= high or w.norms[at] not in LINKS or w.capital[at]:
        return False
    named = w.capital[at - 1] and w.capital[at + 1] and carries(w.norms[at + 1])
    return named and _is_joined(source, at + 1)


def _is_date(source: SourceText, at: int) -> bool:
    return source.words.norms[at] in DAYS and source.words.capital[at]


def _belongs(source: SourceText, at: int, low: int) -> bool:
    """Whether a word may be part of a phrase: a number, a name, or what seems no verb."""
    w = source.words
    sort = _sort(w.norms[at], w.language)
    if sort in ("number", "stop"):
        return sort == "number" or (len(w.norms[at]) == 1 and _initial(source, at))
    if sort == "day":
        return w.capital[at] or carries(w.norms[at])  # May, but not may
    if w.capital[at] and at > low and w.stems[at] in source.names:
        return True
    before = w.norms[at - 1] if at > low and _is_joined(source, at) else ""
    if sort == "noun":
        return before not in (LEADERS if w.language == ENGLISH else AUXILIARIES)
    if sort == "verb":  # the plans, but not: she plans
        return before in ARTICLES and not w.norms[at].endswith("ly")
    return before in OPENERS and not (sort == "ing" and before in ("by", "for", "from"))


@lru_cache(maxsize=65536)
def _sort(norm: str, language: str = ENGLISH) -> str:
    """What a word is by its form alone: number, stop, day, verb, ed, ing or noun."""
    if is_number(norm) or not carries(norm) or norm in OTHERS:
        return "number" if is_number(norm) else "day" if norm in DAYS else "stop"
    if language != ENGLISH:
        verb = norm in VERBS or norm in languages.load(language).verbs
        return "verb" if verb else "day" if norm in DAYS else "noun"
    if norm in VERBS or norm.endswith("ly"):
        return "verb"
    ending = next((e for e in ("ed", "ing") if len(norm) > 4 and norm.endswith(e)), "noun")
    return "day" if norm in DAYS else ending


def _adjective(source: SourceText, first: int, last: int, low: int) -> bool:
    """One small word after a form of "be": was ill, is safe."""
    w = source.words
    alone = last - first == 1 and not w.capital[first] and not is_number(w.norms[first])
    return alone and first > low and w.norms[first - 1] in BEING


def _phrase(source: SourceText, number: int, first: int, last: int) -> Phrase:
    w, text = source.words, source.text
    start, end = w.starts[first], w.ends[last - 1]
    start -= start > 0 and text[start - 1] in SIGNS
    end += text[end : end + 1] == "%"
    inside = range(first, last)
    stems = frozenset(w.stems[i] for i in inside if carries(w.norms[i]))
    days = frozenset(w.stems[i] for i in inside if _is_date(source, i))
    figures = frozenset(w.stems[i] for i in inside if is_number(w.norms[i]))
    year = last - first == 1 and re.fullmatch(r"[12]\d\d\d", w.norms[first])
    named = any(w.capital[i] and w.stems[i] in source.names for i in inside)
    capitals = sum(w.capital[i] for i in inside)
    kind: Kind = "name" if named and 2 * capitals > last - first else "noun phrase"
    if days or figures:
        kind = "date" if days or year else "number"
    return Phrase(number, start, end, kind, stems, (days | figures) & stems)

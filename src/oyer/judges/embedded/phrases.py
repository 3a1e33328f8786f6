"""Phrases of an article that a question can mask: names, numbers, dates and noun phrases.

There is no tagger: a phrase is a run of telling words between stop words, marks and verbs, and a
verb is known by its place (after "to", "will", "please"; before "the" where a sentence begins), by
its ending, or by a list. A date, a clock time or a measure is one phrase (wholes.py).
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
PERIODS = frozenset(("week", "month", "year", "night", "morning", "afternoon", "evening"))
LINKS = frozenset(("of", "the", "de", "von", "van"))
#: What may stand between two words of a phrase: blanks, hyphens, apostrophes, an initial's stop.
JOINT = re.compile(r"\s?|['’]s?\s?|-|\.[ ]?|\s?[$£€]\s?")
SIGNS = "$£€#"
#: Between a label or an opening quote and what it opens: a capital there makes no name.
OPENING = re.compile(r"[:\"“‘>*]")
#: What a verb's object begins with, at the beginning of a sentence: "Send the keys", "Peel six".
OBJECTS, MEASURES = tables.words("objects"), tables.words("measures")
#: After a name and a word in -s: that word is a verb ("Ann Lee joins the board").
AFTER = OBJECTS | tables.words("after_verbs")


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
    w = source.words
    parts = {
        i
        for n in range(len(source.bounds))
        for first, (last, _) in source.wholes[n].items()
        for i in range(first, last)
    }
    return [
        Phrase(source.sentence_of[i], w.starts[i], w.ends[i], "word", frozenset((w.stems[i],)),
               frozenset())
        for i in range(len(w))
        if carries(w.norms[i]) and i not in parts and _sort(w.norms[i], w.language) != "stop"
    ]  # fmt: skip


def nominal(norm: str, language: str = ENGLISH) -> bool:
    """Whether a word may be a noun, for all that its form tells."""
    return _sort(norm, language) == "noun"


def _runs(source: SourceText, number: int) -> Iterator[tuple[int, int]]:
    """Runs of words that belong together, as (first, last + 1)."""
    low, high = source.bounds[number]
    whole = source.wholes[number]
    at = low
    while at < high:
        first = at
        at, timed = whole.get(first, (first + 1, False))
        if timed:
            yield first, at
            continue
        if first not in whole and not _belongs(source, first, low):
            continue
        while at < high and at not in whole and at - first < LONGEST and _is_joined(source, at):
            if _is_time(source, at - 1) and source.words.capital[at] and not _is_date(source, at):
                break  # on Sunday Ann Lee won
            step = 1 if _belongs(source, at, low) else 2 * _links(source, at, high)
            if not step:
                break
            at += step
        if not _tells_nothing(source, first, at, low):
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


def _is_time(source: SourceText, at: int) -> bool:
    return _is_date(source, at) or source.words.norms[at] in PERIODS


def _belongs(source: SourceText, at: int, low: int) -> bool:
    """Whether a word may be part of a phrase: a number, a name, or what seems no verb."""
    w = source.words
    sort = _sort(w.norms[at], w.language)
    if sort in ("number", "stop"):
        return sort == "number" or (len(w.norms[at]) == 1 and _initial(source, at))
    if sort == "day":
        return w.capital[at] or carries(w.norms[at])  # May, but not may
    opens = at == low or OPENING.search(source.text, w.ends[at - 1], w.starts[at]) is not None
    if w.capital[at] and not opens and w.stems[at] in source.names:
        return True
    if w.language == ENGLISH and (_orders(source, at) if opens else _acts(source, at)):
        return False
    return _follows_well(source, at, low, sort)


def _follows_well(source: SourceText, at: int, low: int, sort: str) -> bool:
    """Whether a word of its sort may be a noun, or belong to one, after the word before it."""
    w = source.words
    before = w.norms[at - 1] if at > low and _is_joined(source, at) else ""
    if sort == "noun":
        return before not in (LEADERS if w.language == ENGLISH else AUXILIARIES)
    if sort == "verb":  # the plans, but not: she plans
        return before in ARTICLES and not w.norms[at].endswith("ly")
    follows = _follows(source, at)
    if before and is_number(before):  # five working days
        return bool(follows) and nominal(follows, w.language)
    return before in OPENERS and not (sort == "ing" and before in ("by", "for", "from"))


def _follows(source: SourceText, at: int) -> str:
    """The word after one, or nothing where a mark stands between."""
    w, after = source.words, at + 1
    there = after < len(w) and source.sentence_of[after] == source.sentence_of[at]
    return w.norms[after] if there and _is_joined(source, after) else ""


def _orders(source: SourceText, at: int) -> bool:
    """A verb by its place where a sentence begins: "Send the keys", "Peel six potatoes"."""
    w, follows = source.words, _follows(source, at)
    if not follows or w.stems[at] in source.strangers:
        return False
    written = source.text[w.starts[at + 1] : w.ends[at + 1]]
    counted = written.isalpha() or _follows(source, at + 1) in MEASURES
    return follows in OBJECTS or (is_number(follows) and counted)


def _acts(source: SourceText, at: int) -> bool:
    """A verb by its place: the "ca" of "can't", and what a name does, "Ann Lee joins the board"."""
    w, after = source.words, at + 1
    if source.text[w.ends[at] : w.ends[at] + 2] in ("'t", "’t"):
        return True
    named = w.capital[at - 1] and w.stems[at - 1] in source.names and _is_joined(source, at)
    third = not w.capital[at] and w.norms[at].endswith("s") and not w.norms[at].endswith("ss")
    return named and third and after < len(w) and _follows(source, at) in AFTER


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


def _tells_nothing(source: SourceText, first: int, last: int, low: int) -> bool:
    """One small word after a form of "be" (was ill, is safe), a number cut from what it counts, or
    the label of a single line (Background:)."""
    w, start, end = source.words, source.words.starts[first], source.words.ends[last - 1]
    if first == low and source.text[end : end + 1] == ":":
        return (
            len(re.findall(rf"^{re.escape(source.text[start : end + 1])}", source.text, re.M)) < 2
        )
    if last - first > 1:
        return False
    if is_number(w.norms[first]):
        return bare(source.text, start, end)
    return not w.capital[first] and first > low and w.norms[first - 1] in BEING


def bare(text: str, start: int, end: int) -> bool:
    """A number that says nothing by itself: in letters, or of one or two digits without a sign."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    plain = text[start:end].isalpha() or (text[start:end].isdigit() and end - start <= 2)
    return plain and not any(sign in SIGNS + "%" for sign in around)


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
    timed = source.wholes[number].get(first, (0, False))
    if days or figures or timed == (last, True):
        kind = "date" if days or year or timed[1] else "number"
    return Phrase(number, start, end, kind, stems, (days | figures) & stems)

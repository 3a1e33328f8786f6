"""Slurs, mild profanity and stereotypes that code can see (JL-TOX-SLUR, JL-TOX-PROFANITY,
JL-BIAS-STEREOTYPE). The words are in lexicon.toml.

Whole words only: nothing in Scunthorpe. Simple masks are seen through (sh1t, f**k, f.u.c.k,
fuuuck); what is an ordinary word in the text's language is not in its list.
"""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Literal

from oyer.text import words
from oyer.text.fold import Folded, folded
from oyer.text.kept import keep

Kind = Literal["slur", "profanity", "stereotype"]

_LEET = str.maketrans("@$013457!", "asoieasti")
#: The sign comes first in the pattern, so that the scan skips plain text quickly.
_MASKED = re.compile(
    r"[*@$#!013457](?:(?<=[^\W\d_].)(?:\*|[*@$#!013457]*[^\W\d_])|(?<=[@$])(?<!\w.)[^\W\d_])"
)
_MASKED_WORD = re.compile(r"(?<![\w*@$#!])[\w@$!][\w*@$#!]{2,}(?![\w*])")
_SPELLED = re.compile(r"(?<![\w.\-*])(?:[^\W\d_][.\-* ]){3,}[^\W\d_](?!\w)")
_STRETCHED = re.compile(r"\w*([^\W\d_])\1\1\w*")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_STRETCH = re.compile(r"(\w)\1{2,}")


@dataclass(frozen=True, slots=True)
class Hit:
    """A term found: text[start:end], and the entry of the lexicon that it matched."""

    kind: Kind
    start: int
    end: int
    term: str


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """What is looked for in texts of one language."""

    single: Mapping[str, Kind]
    terms: frozenset[str]  # its keys: sets are compared much faster than views
    phrases: Mapping[str, Mapping[str, Kind]]  # by their first word
    firsts: frozenset[str]  # its keys
    sentences: re.Pattern[str]  # stereotypes
    groups: frozenset[str]  # words without one of which no stereotype is looked for
    traits: frozenset[str]  # and of these too
    spaced: bool = True
    innocent: tuple[str, ...] = ()  # ordinary phrases that hold a term
    acronyms: frozenset[str] = frozenset()  # terms that are others' names in capitals


class _Stretched(dict[str, bool]):
    """Whether a word has a letter of a to z three times in a row; words recur, so it is kept."""

    _TRIPLE = re.compile(r"([a-z])\1\1")

    def __missing__(self, word: str) -> bool:
        if len(self) > 50_000:
            self.clear()
        self[word] = found = self._TRIPLE.search(word) is not None
        return found


_IS_STRETCHED = _Stretched()


def find(text: str, language: str | None = None) -> tuple[Hit, ...]:
    """The terms in the text, in order; the text's language is detected unless told."""
    both = folded(text)
    plain = _lower(both.folded)
    return _find(both, plain, set(words.plain_words(plain)), language or words.detect(text))


@keep
def find_own(text: str, otherwise: str) -> tuple[Hit, ...]:
    """The terms in a text in its own language; when unsure, in those that it may be."""
    both = folded(text)
    plain = _lower(both.folded)
    seen = set(words.plain_words(plain))
    # folding changes none of an ASCII text's words: they tell its language too
    short = text.isascii() and len(text) <= words.SAMPLE
    languages = words.tongues_of(seen, otherwise) if short else words.tongues(text, otherwise)
    if len(languages) == 1:
        return _find(both, plain, seen, languages[0])
    hits = {(h.kind, h.start): h for name in languages for h in _find(both, plain, seen, name)}
    return tuple(sorted(hits.values(), key=lambda h: (h.start, -h.end)))


def _lower(text: str) -> str:
    plain = text.lower()
    if len(plain) == len(text):
        return plain
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)  # İ grows; offsets stay


def _find(both: Folded, plain: str, seen: set[str], language: str) -> tuple[Hit, ...]:
    lexicon = _lexicon(language if language in words.LANGUAGES else words.ENGLISH)
    found = sorted(set(_hits(plain, seen, lexicon)), key=lambda h: (h.start, -h.end))
    hits: list[Hit] = []
    for hit in found:
        if _is_innocent(hit, both.folded, plain, lexicon):
            continue
        if not any(h.kind == hit.kind and hit.end <= h.end and h.start <= hit.start for h in hits):
            hits.append(hit)
    return tuple(Hit(h.kind, *both.span(h.start, h.end), h.term) for h in hits)


def _hits(plain: str, seen: set[str], lexicon: _Lexicon) -> Iterator[Hit]:
    """Every match in a folded, lower-case text that has the words `seen`."""
    for word in seen & lexicon.terms:
        for m in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", plain):
            yield Hit(lexicon.single[word], *m.span(), word)
    for first in seen & lexicon.firsts if lexicon.spaced else lexicon.phrases:
        for phrase, kind in lexicon.phrases[first].items():
            if phrase in plain:
                yield from _standing(plain, phrase, kind, lexicon.spaced)
    if not lexicon.spaced or not (
        seen.isdisjoint(lexicon.traits) or seen.isdisjoint(lexicon.groups)
    ):
        for m in lexicon.sentences.finditer(plain):
            yield Hit("stereotype", *m.span(), m.group())
    yield from _find_masked(plain, seen, lexicon.single)


def _is_innocent(hit: Hit, cased: str, plain: str, lexicon: _Lexicon) -> bool:
    """Whether the word is part of an ordinary phrase (spic and span), or an acronym (SPIC)."""
    if hit.term in lexicon.acronyms and cased[hit.start : hit.end].isupper():
        return True
    for phrase in lexicon.innocent:
        at = plain.find(phrase, max(0, hit.end - len(phrase)), hit.start + len(phrase))
        if at >= 0:
            return True
    return False


def _standing(plain: str, phrase: str, kind: Kind, spaced: bool) -> Iterator[Hit]:
    for m in re.finditer(re.escape(phrase), plain):
        start, end = m.span()
        before, after = plain[start - 1 : start], plain[end : end + 1]
        if spaced:
            alone = not (before.isalnum() or after.isalnum())
        else:
            alone = _script(before) != _script(phrase[0]) and _script(after) != _script(phrase[-1])
        if alone:
            yield Hit(kind, start, end, phrase)


def _script(char: str) -> str:
    if "\u3041" <= char <= "\u309f":
        return "hiragana"
    if "\u30a0" <= char <= "\u30ff":
        return "katakana"
    return "han" if "\u3400" <= char <= "\u9fff" else "other " + char


def _find_masked(plain: str, seen: set[str], single: Mapping[str, Kind]) -> Iterator[Hit]:
    """Words behind digits and signs, spelled out with dots or blanks, or stretched."""
    if _MASKED.search(plain):
        for m in _MASKED_WORD.finditer(plain):
            bare = m.group().rstrip("!")
            term = _behind(bare, single)
            if term:
                yield Hit(single[term], m.start(), m.start() + len(bare), term)
    letters = len(_LETTERS & seen) >= 3  # else nothing is spelled out
    for m in _SPELLED.finditer(plain) if letters else ():
        term = re.sub(r"\W", "", m.group())
        if term in single:
            yield Hit(single[term], *m.span(), term)
    stretched = any(map(_IS_STRETCHED.__getitem__, seen))
    for m in _STRETCHED.finditer(plain) if stretched else ():
        for shorter in (_STRETCH.sub(r"\1", m.group()), _STRETCH.sub(r"\1\1", m.group())):
            if shorter in single:
                yield Hit(single[shorter], *m.span(), shorter)


def _behind(word: str, single: Mapping[str, Kind]) -> str | None:
    """The term that a masked word stands for, if exactly its letters allow it."""
    if word.isalpha():
        return None
    plain = word.translate(_LEET)
    if plain in single:
        return plain
    if not re.fullmatch(r"[a-zà-ÿ]+(?:[*#]+[a-zà-ÿ]+|\*{2,}|#{2,})", plain) or len(plain) < 4:
        return None
    pattern = re.compile(re.sub(r"[*#]", ".", plain))
    return next((term for term in single if pattern.fullmatch(term)), None)


# ── the table ─────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    raw = pkgutil.get_data("oyer.text", "lexicon.toml") or b""
    return tomllib.loads(raw.decode())


@lru_cache(maxsize=8)
def _lexicon(language: str) -> _Lexicon:
    table, spaced = _table(), language != words.JAPANESE
    single: dict[str, Kind] = {}
    phrases: dict[str, Kind] = {}
    kinds: tuple[Kind, ...] = ("profanity", "slur")
    for section, kind in ((s, k) for s in ("any", language) for k in kinds):
        for entry in table[section][kind]:
            for term in _inflect(entry):
                own = section == language and not spaced
                (phrases if own or " " in term else single)[term] = kind
    own_table = table[language]
    for frame, word in product(own_table.get("frames", ()), own_table.get("framed", ())):
        phrases[frame.format(word)] = "slur"
    claims = own_table["stereotype"]
    phrases |= dict.fromkeys(claims["phrases"], "stereotype")
    groups, traits = (
        frozenset(words.plain_words(term)[-1] for term in claims[key])
        for key in ("groups", "traits")
    )
    by_first: dict[str, dict[str, Kind]] = {}
    for phrase, kind in phrases.items():
        first = words.plain_words(phrase)[0] if spaced else ""
        by_first.setdefault(first, {})[phrase] = kind
    return _Lexicon(
        single, frozenset(single), by_first, frozenset(by_first), _sentences(claims, spaced),
        groups, traits, spaced, tuple(own_table.get("innocent", ())),
        frozenset(own_table.get("acronyms", ())),
    )  # fmt: skip


def _inflect(entry: str) -> Iterator[str]:
    """stem+s+ed -> stem, stems, stemed; what follows a blank stays: moro+s de mierda."""
    stem, *endings = entry.split("+")
    if not endings:
        yield stem
        return
    last, _, rest = endings[-1].partition(" ")
    for ending in ("", *endings[:-1], last):
        yield f"{stem}{ending} {rest}".rstrip()


def _sentences(claims: Mapping[str, list[str]], spaced: bool) -> re.Pattern[str]:
    """A group, a link and a trait; "the women are …" speaks of some, not of all."""
    groups, links, traits = (_either(claims[k]) for k in ("groups", "links", "traits"))
    if not spaced:
        return re.compile(f"{groups}{links}{traits}")
    some = "".join(rf"(?<!\b{word} )" for word in ("the", "these", "those", "two", "some", "their"))
    return re.compile(rf"\b{some}{groups} {links} {traits}\b")


def _either(terms: list[str]) -> str:
    longest_first = sorted(terms, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"

"""The languages that the embedded judge reads, each by a table of its own.

English is what its lists and its model are of. A text in French or Dutch is read in the English
words that its words stand for in those lists (foreign.py): stop words, negations, synonyms and
opposites, days and numbers. What the table lacks is read as its own stem, marked with its language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from oyer.judges.embedded import tables
from oyer.judges.embedded.languages.forms import conjugate_dutch, conjugate_french

ENGLISH, FRENCH, DUTCH = "en", "fr", "nl"
FOREIGN = (FRENCH, DUTCH)
NAMES = {ENGLISH: "English", FRENCH: "French", DUTCH: "Dutch"}
SHORT = 3  # letters of a word whose stem tells too little
MARK = "~"  # between a word that no table has and its language
CONJUGATE: dict[str, Callable[[str], list[str]]] = {
    FRENCH: conjugate_french,
    DUTCH: conjugate_dutch,
}
#: Several words that stand for one: those after the first, and the English word.
Phrases = dict[str, list[tuple[tuple[str, ...], str]]]


@dataclass(frozen=True)
class Language:
    """A foreign language's words, each with the English word that it stands for."""

    code: str
    glosses: dict[str, str]  # written form -> English
    stems: dict[str, str]  # stem -> English
    verbs: frozenset[str]  # the English words of its verbs
    phrases: Phrases
    separable: dict[tuple[str, str], str]  # a verb and the part that came off -> English
    stem: Callable[[str], str]


@lru_cache(maxsize=8)
def _table(code: str) -> dict[str, Any]:
    text = (files(__package__) / f"{code}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=64)
def pattern(code: str, name: str) -> re.Pattern[str]:
    return re.compile(_table(code)["patterns"][name])


@lru_cache(maxsize=16)
def words(code: str, name: str) -> frozenset[str]:
    """A list of a foreign language's own words."""
    return frozenset(str(_table(code)[name]).split())


def measured(code: str) -> dict[str, float]:
    """How many pairs nothing was tuned on, and the shares ranked and labelled rightly."""
    return dict(_table(code)["measured"])


def is_foreign(norm: str) -> bool:
    """Whether a normal form is of a word that no table has."""
    return MARK in norm


@lru_cache(maxsize=4)
def load(code: str) -> Language:
    import Stemmer

    table = _table(code)
    stem: Callable[[str], str] = Stemmer.Stemmer(table["stemmer"]).stemWord
    glosses: dict[str, str] = {}
    stems: dict[str, str] = {}
    for english, forms in _lines(table["words"]):
        glosses |= dict.fromkeys((form for form in forms if form not in glosses), english)
    verbs = set()
    for english, forms in _lines(table["verbs"]):
        verbs.add(english)
        for form in (conjugated for verb in forms for conjugated in CONJUGATE[code](verb)):
            glosses.setdefault(form, english)
    small = tables.words("stop")
    for form, english in glosses.items():
        if len(form) > SHORT and english not in small:  # "frais" is no form of "fraise"
            stems.setdefault(stem(form), english)
    separable, phrases = _separable(table, glosses)
    for english, several in _lines(table["phrases"]):
        phrases.setdefault(several[0], []).append((tuple(several[1:]), english))
    for rows in phrases.values():
        rows.sort(key=lambda row: -len(row[0]))
    return Language(code, glosses, stems, frozenset(verbs), phrases, separable, stem)


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.strip().splitlines():
        english, _, forms = line.partition(":")
        yield english.strip(), forms.split()


def _separable(
    table: dict[str, Any], glosses: dict[str, str]
) -> tuple[dict[tuple[str, str], str], Phrases]:
    """Verbs whose first part comes off; joined forms go among the glosses, "af te wijzen" among
    the phrases."""
    found: dict[tuple[str, str], str] = {}
    phrases: Phrases = {}
    for english, (part, infinitive, *forms) in _lines(table.get("separable", "")):
        for form in (infinitive, *forms):
            found[form, part] = english
            glosses.setdefault(part + form, english)
        first = infinitive[:-2]
        found[first, part] = english
        glosses.setdefault(part + first, english)
        phrases.setdefault(part, []).append((("te", infinitive), english))
    return found, phrases

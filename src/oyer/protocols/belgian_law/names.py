"""Names of acts, folded to the words that tell one from another."""

from __future__ import annotations

import re
import unicodedata

from oyer.protocols.belgian_law.rules import Rules

_BRACKETS = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"\b(?:1[789]|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")
#: Shorter words (articles, prepositions) tell nothing; longer ones agree by their beginning.
_TELLING, _STEM = 5, 6


def fold(text: str) -> str:
    """Lower case, no accents, one blank: for comparing names, never for showing."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def words(name: str) -> list[str]:
    return _WORD.findall(fold(_BRACKETS.sub(" ", name)))


def is_generic(name: str, rules: Rules) -> bool:
    """Only words such as "la même loi": it does not say which act."""
    name_words = words(name)
    return not name_words or all(word in rules.generic for word in name_words)


def has_date(name: str) -> bool:
    return bool(_YEAR.search(name))


def telling(name: str, rules: Rules) -> frozenset[str]:
    """The beginnings of a name's telling words: its subject, not its type, date or number."""
    subject = set[str]()
    for word in words(name):
        long = len(word) >= _TELLING and not any(letter.isdigit() for letter in word)
        if long and word not in rules.generic:
            subject.add(word[:_STEM])
    return frozenset(subject)


def structures(name: str, rules: Rules) -> frozenset[str]:
    """The numbered headings that a name mentions (BL-HIERARCHY), in French."""
    name_words = words(name)
    return frozenset(
        _ONE.get(word, word)
        for before, word, after in zip(
            ["", *name_words], name_words, [*name_words[1:], ""], strict=False
        )
        if word in rules.structure and (_COUNTS.fullmatch(after) or before in _FIRST)
    )


def identity(name: str) -> str:
    """A name without brackets, articles, blanks and points: what an unknown act is told by."""
    return "".join(
        word for word in words(name) if word not in ("la", "le", "l", "les", "de", "het")
    )


_ONE = {
    "titel": "titre",
    "boek": "livre",
    "hoofdstuk": "chapitre",
    "afdeling": "section",
}
_COUNTS = re.compile(r"\d+\w{0,10}|[ivxlcdm]+(?:bis|ter)?|premier|preliminaire|unique|eerste")
_ARTICLES = frozenset({"la", "le", "l", "les", "de", "het"})
_FIRST = frozenset({"voorafgaande", "voorafgaandelijke", "inleidende", "eerste", "premier"})

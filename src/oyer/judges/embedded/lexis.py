"""Small tables of our own about English words: opposites, hedges, months, roles."""

from __future__ import annotations

from functools import lru_cache

from oyer.judges.embedded import tables
from oyer.judges.embedded.languages import MARK
from oyer.judges.embedded.words import stem

HEDGES, MONTHS = tables.words("hedges"), tables.words("dates")
#: Prefixes that deny, of English and of words that no table has.
PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis", "anti", "over", "under")
FOREIGN = {"fr": ("in", "im", "ir", "il", "dé", "non", "mal"), "nl": ("on", "non")}


def pairs() -> list[tuple[str, str]]:
    """Words and their opposites, as the table lists them."""
    lines = tables.text("opposites").replace("\n", "|").split("|")
    return [(a, b) for a, _, b in (line.partition(" ") for line in lines) if a and b]


@lru_cache(maxsize=1)
def opposites() -> dict[str, frozenset[str]]:
    """Stem -> the stems of its opposites."""
    table: dict[str, set[str]] = {}
    for first, other in pairs():
        a, b = stem(first), stem(other)
        table.setdefault(a, set()).add(b)
        table.setdefault(b, set()).add(a)
    return {k: frozenset(v) for k, v in table.items()}


@lru_cache(maxsize=65536)
def stems_without_prefix(norm: str) -> tuple[str, ...]:
    """The stems a word would have without its negating prefix: unhappy -> happi."""
    word, _, language = norm.partition(MARK)
    return tuple(
        stem(norm[len(p) :])
        for p in FOREIGN.get(language, PREFIXES)
        if norm.startswith(p) and len(word) > len(p) + 3
    )

"""BL-ALIAS: an act by its title, whatever small words join it.

"loi sur les contrats de travail", "loi concernant les contrats de travail" and "loi relative aux
contrats de travail" are one title of the tables: only the words that carry meaning are compared.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from oyer.cite import lexicon
from oyer.cite.lexicon import Entry, Trie

_WORD: Final = re.compile(r"[^\W_]+")
_BETWEEN: Final = re.compile(r"[\s'\-\"«»]*")
#: A title that goes on after its last known word is another title.
_GOES_ON: Final = re.compile(
    r"\s+(?:de|du|des|d'|van|der|à|aux?|dans|pour|in|voor|tussen|entre|aan|bij|uit|par|door)(?!\w)|"
    r"\s+(?:et|en)\s+(?:de\s+|la\s+|le\s+|les\s+|het\s+|des\s+|du\s+)?(?!loi|wet|arr|code|d[ée]cr|art|"
    r"qu|van\b)[a-zà-ÿ]{5,}"
)
_WINDOW: Final = 180


@cache
def _titles() -> Trie:
    """Names of the tables that open with a head word, without their small words."""
    trie: Trie = {}
    for id_, _, kind, _, name in lexicon.act_rows():
        words = [_telling(word) for word in lexicon.words(name)]
        kept = [word for word in words if word]
        if kept and kept[0] in _words()[0] and 1 < len(kept) < len(words):
            lexicon.add(trie, kept, Entry(id_, kind))
    return trie


def _telling(word: str) -> str:
    """A word as titles are compared; "" when it tells nothing."""
    return _words()[1].get(word, word)


@cache
def _words() -> tuple[frozenset[str], dict[str, str]]:
    """The heads, and what a word of `titles.tsv` counts as ("": nothing)."""
    table = list(lexicon.rows("titles.tsv", 3))
    heads = frozenset(counts for _, role, counts in table if role == "head")
    return heads, {word: counts.strip("-") for word, _, counts in table}


def title_at(text: str, position: int) -> tuple[Entry, int] | None:
    """The act whose title starts at `position`, and where the title ends."""
    node = _titles()
    best: tuple[Entry, int] | None = None
    at = position
    while at < position + _WINDOW and (match := _WORD.match(text, at)):
        word = _telling(lexicon.fold(match[0]))
        if word and word not in node:
            break
        if word:
            node = node[word]
            best = (node[""], match.end()) if "" in node else best
        gap = _BETWEEN.match(text, match.end())
        at = gap.end() if gap else match.end()
    if best is None or _GOES_ON.match(text, best[1]):
        return None
    return best

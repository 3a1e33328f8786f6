"""What an article's number tells: which act a short name means, and how the act writes it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

from oyer.cite import lexicon
from oyer.cite.mention import Mention

#: Acts with Roman books: scanned "1.22" is I.22.
_ROMAN_BOOKS: Final = frozenset({"cde", "code-bien-etre"})


@cache
def _limits() -> dict[str, tuple[int, str, frozenset[str]]]:
    """Act id -> its highest article, the other act, and the short names that can mean both."""
    limits: dict[str, tuple[int, str, frozenset[str]]] = {}
    for act, high, other, names in lexicon.rows("limits.tsv", 4):
        limits[act] = (int(high), other, frozenset(map(lexicon.fold, names.split("|"))))
    return limits


def within_limits(text: str, key: str, act: Mention) -> Mention:
    """ "G.W., art. 1080": an abbreviation of two acts; a name that is written out stays."""
    high, other, names = _limits().get(act.id or "", (0, "", frozenset[str]()))
    whole = re.match(r"\d+", key) if high and not act.date else None
    if whole is None or int(whole[0]) <= high:
        return act
    written = " ".join(lexicon.words(text[act.start : act.head]))
    kind = lexicon.kinds().get(other, act.kind)
    return replace(act, id=other, kind=kind) if written in names else act


def key_in(act: str | None, key: str) -> str:
    """A key as the act numbers its articles: OCR's 1.22 is I.22, 1.382 is 1382."""
    if act in _ROMAN_BOOKS and (match := re.fullmatch(r"[1l]\.(\d+.*)", key)):
        return f"I.{match[1]}"
    if act in ("code-civil", "code-judiciaire", "cic"):
        return re.sub(r"^([12])\.(\d{3})(?!\d)", r"\1\2", key)
    return key

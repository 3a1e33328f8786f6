"""Reads `tables/`: the law as data. Each table is a TSV; `#` starts a comment line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from oyer.cite.model import TYPES, Language
from oyer.errors import InputError

_TABLES: Final = Path(__file__).parent / "tables"

#: The kinds of act in tables and ids, with their place among BL-TYPE's eleven types.
KINDS: Final = {
    "loi": 0,
    "lois-coordonnees": 0,
    "arrete-loi": 0,
    "ar": 1,
    "code": 2,
    "constitution": 3,
    "regl": 4,
    "dir": 5,
    "traite": 6,
    "ag": 7,
    "ord": 8,
    "decret": 9,
    "am": 10,
    "arrete-regent": 10,
    "arrete": 10,
    "cct": 10,
    "autre": 10,
}


def type_of(kind: str | None, language: Language) -> str | None:
    """BL-TYPE: a kind in the language's own words."""
    return None if kind is None else TYPES[language][KINDS.get(kind, 10)]


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """Lower case without accents: how names are compared."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in plain if not unicodedata.combining(c)).replace("œ", "oe")


def rows(name: str, columns: int) -> Iterator[list[str]]:
    """The rows of a table; a row with another number of columns is an error with its line."""
    yield from _read_rows(_TABLES / name, columns)


def _read_rows(path: Path, columns: int) -> Iterator[list[str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != columns:
            raise InputError(
                f"expected {columns} tab-separated columns, found {len(cells)}",
                file=str(path),
                line=number,
            )
        yield cells


#: Acts that a team has added to those of the tables.
_added: list[list[str]] = []


def act_rows() -> Iterator[list[str]]:
    """The names of acts: those of `acts.tsv`, then a team's own, which win."""
    yield from rows("acts.tsv", 5)
    yield from _added


def add_acts(path: Path) -> int:
    """Add a team's own acts and names (the columns of `acts.tsv`); how many were added."""
    known = {id_: kind for id_, _, kind, _, _ in rows("acts.tsv", 5)}
    new = []
    for number, cells in enumerate(_read_rows(path, 5), 1):
        id_, language, kind, date, name = cells
        fault = None
        if language not in TYPES:
            fault = f"row {number}: language '{language}' is not fr or nl"
        elif kind not in KINDS:
            fault = f"row {number}: kind '{kind}' is none of {', '.join(KINDS)}"
        elif not re.fullmatch(r"-|\d{4}-\d{2}-\d{2}", date):
            fault = f"row {number}: date '{date}' is neither yyyy-mm-dd nor -"
        elif not id_ or not words(name):
            fault = f"row {number}: no act id, or no name"
        elif known.get(id_, kind) != kind:
            fault = f"row {number}: {id_} is of kind {known[id_]} in the tables"
        if fault:
            raise InputError(fault, file=str(path))
        new.append(cells)
    _added.extend(new)
    for cached in (same, names, openers, dates, kinds):
        cached.cache_clear()
    return len(new)


@cache
def suffixes() -> dict[str, int]:
    """Latin ordinals: bis 2, ter 3 …"""
    return {word: int(rank) for word, rank in rows("suffixes.tsv", 2)}


@cache
def ordinals() -> dict[str, int]:
    """Ordinal words of both languages; 0 is "last", -1 "last but one"."""
    return {word: int(number) for word, _, number in rows("ordinals.tsv", 3)}


@cache
def months() -> dict[str, int]:
    """Month names and abbreviations of both languages."""
    return {word: int(number) for word, number in rows("months.tsv", 2)}


@cache
def numerals() -> dict[str, int]:
    """Number words of both languages."""
    return {word: int(value) for word, value in rows("numerals.tsv", 2)}


@cache
def same() -> dict[str, str]:
    """Acts that are known by a name, from their dated or numbered id.

    Treaties, EU acts and coordinated laws of `acts.tsv` are known by their date too, where it is
    theirs alone.
    """
    found: dict[str, str] = {}
    shared = set()
    for id_, _, kind, date, _ in act_rows():
        if kind in ("traite", "dir", "regl", "lois-coordonnees") and date != "-":
            dated = f"{'loi' if id_ == f'{kind}/{date}' else kind}/{date}"
            if found.setdefault(dated, id_) != id_:
                shared.add(dated)
    for dated in shared:
        del found[dated]
    return found | {cells[0]: cells[1] for cells in rows("same.tsv", 2)}


@dataclass(frozen=True, slots=True)
class Entry:
    """What a name in the tables stands for.

    A name: `id` is its act. A head ("loi", "koninklijk besluit"): `id` is None and `kind` the
    first part of a dated id. `short` names (one word, a few letters) need care in running text.
    """

    id: str | None
    kind: str
    head: bool = False


Trie = dict[str, Any]  # folded word -> Trie; "" -> Entry


def words(name: str) -> list[str]:
    """A name as the trie keeps it: folded words, initials joined (C.E.D.H. -> cedh)."""
    joined: list[str] = []
    initials = False
    for word in "".join(c if c.isalnum() else " " for c in fold(name)).split():
        single = len(word) == 1 and word.isalpha()
        if single and initials:
            joined[-1] += word
        else:
            joined.append(word)
        initials = single
    return joined


def add(trie: Trie, name: list[str], entry: Entry) -> None:
    """Enter a name; a later entry of the same name wins."""
    node = trie
    for word in name:
        node = node.setdefault(word, {})
    node[""] = entry


@cache
def names() -> Trie:
    """Every name of `acts.tsv` and every head of `heads.tsv`."""
    trie: Trie = {}
    for name, _, kind in rows("heads.tsv", 3):
        add(trie, words(name), Entry(None, kind, head=True))
    for id_, _, kind, _, name in act_rows():
        add(trie, words(name), Entry(id_, kind))
    return trie


@cache
def openers() -> frozenset[str]:
    """First words of names: where the scanner has to look."""
    first = set(names())
    return frozenset(first | {word[0] for word in first if len(word) <= 6 and word.isalpha()})


@cache
def dates() -> dict[str, str]:
    """The date of each act of the table that has one."""
    return {id_: date for id_, _, _, date, _ in act_rows() if date != "-"}


@cache
def kinds() -> dict[str, str]:
    """The kind of each act of the table."""
    return {id_: kind for id_, _, kind, _, _ in act_rows()}

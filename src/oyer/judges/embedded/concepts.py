"""Words that mean the same and words that mean the opposite, by lists of our own."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files

from oyer.judges.embedded.lexis import pairs, stems_without_prefix
from oyer.judges.embedded.words import stem


@lru_cache(maxsize=1)
def _lists() -> dict[str, str]:
    return tomllib.loads((files(__package__) / "concepts.toml").read_text(encoding="utf-8"))


def _rows(name: str) -> list[str]:
    return [row for line in _lists()[name].strip().splitlines() for row in line.split("|") if row]


@lru_cache(maxsize=1)
def _forms() -> dict[str, str]:
    return dict(row.split() for row in _rows("forms"))


@lru_cache(maxsize=65536)
def base(norm: str) -> str:
    """The stem of a word, irregular forms included: fell, falls and falling are `fall`."""
    return stem(_forms().get(norm, norm))


def words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name].split())


def bases(name: str) -> frozenset[str]:
    return frozenset(base(word) for word in _lists()[name].split())


@lru_cache(maxsize=1)
def phrases() -> dict[tuple[str, str], str]:
    """Two base forms that stand for one word: turn ... down is `reject`."""
    found = {}
    for row in _rows("phrases"):
        *pair, merged = row.split()
        found[base(pair[0]), pair[1]] = base(merged)
    return found


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[tuple[int, int]]]:
    """Base form -> the groups it belongs to, each with its side."""
    found: dict[str, set[tuple[int, int]]] = {}
    lines = [*_lists()["concepts"].strip().splitlines(), *_lists()["alike"].strip().splitlines()]
    for number, line in enumerate(lines):
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(base(word), set()).add((number, side))
    return {word: frozenset(groups) for word, groups in found.items()}


@lru_cache(maxsize=1)
def _opposites() -> frozenset[tuple[str, str]]:
    both = [(base(a), base(b)) for a, b in pairs()]
    return frozenset([*both, *((b, a) for a, b in both)])


@lru_cache(maxsize=65536)
def alike(first: str, other: str) -> bool:
    """Whether two base forms mean much the same."""
    if first == other:
        return True
    mine, theirs = _groups().get(first), _groups().get(other)
    return bool(mine and theirs and mine & theirs)


@lru_cache(maxsize=65536)
def kin(word: str) -> frozenset[str]:
    """Every base form that means much the same as this one, itself included."""
    mine = _groups().get(word, frozenset())
    return frozenset([word]).union(*(_members()[group] for group in mine))


@lru_cache(maxsize=1)
def _members() -> dict[tuple[int, int], frozenset[str]]:
    found: dict[tuple[int, int], set[str]] = {}
    for word, groups in _groups().items():
        for group in groups:
            found.setdefault(group, set()).add(word)
    return {group: frozenset(words) for group, words in found.items()}


@lru_cache(maxsize=65536)
def against(first: str, other: str) -> bool:
    """Whether two base forms say the opposite of each other."""
    if alike(first, other):
        return False
    mine, theirs = _groups().get(first, frozenset()), _groups().get(other, frozenset())
    turned = {(number, 1 - side) for number, side in mine}
    return bool(turned & theirs) or (first, other) in _opposites()


def unmade(norm: str, other: str) -> bool:
    """Whether one word is the other with a prefix that denies it: unhappy, happy."""
    return base(other) in stems_without_prefix(norm) or base(norm) in stems_without_prefix(other)

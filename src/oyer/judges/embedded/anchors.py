"""Anchors: the numbers, days and names of a text, to which what is said around them belongs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oyer.judges.embedded import tables
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.words import Words, is_number

MONTHS = tables.words("dates")
TITLES = frozenset(("mr", "mrs", "ms", "dr", "sir", "president", "coach", "captain", "we", "it"))
CLOCK = re.compile(r":[0-5]\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Anchor:
    at: int
    kind: str
    stems: frozenset[str]


def anchors(text: str, words: Words, names: set[str]) -> list[Anchor]:
    """The numbers, clock times, days, months and names of a text; words of a name are one."""
    found: list[Anchor] = []
    run: list[int] = []
    for at in range(len(words) + 1):
        if at < len(words) and _names(words, at, names):
            run.append(at)
            continue
        if run:
            found.append(Anchor(run[-1], "name", frozenset(words.stems[i] for i in run)))
            run = []
        if at < len(words) and not is_excluded(words, at):
            found += _anchor(text, words, at)
    return found


def is_excluded(words: Words, at: int) -> bool:
    """In a foreign text: named only to be denied, "not on Monday but on Friday"."""
    if words.language == ENGLISH or "but" not in words.norms[at + 1 : at + 4]:
        return False
    return "not" in words.norms[max(0, at - 2) : at]


def _names(words: Words, at: int, names: set[str]) -> bool:
    named = words.capital[at] and words.stems[at] in names
    return named and words.norms[at] not in MONTHS and words.norms[at] not in TITLES


def _anchor(text: str, words: Words, at: int) -> list[Anchor]:
    norm = words.norms[at]
    if ":" in norm:  # read as one word, as foreign texts are
        return [Anchor(at, "time", frozenset([norm]))]
    if is_number(norm):
        start, end = words.starts[at], words.ends[at]
        if text[start - 1 : start] == ":" and text[start - 2 : start - 1].isdigit():
            return []  # the minutes of a time
        minutes = CLOCK.match(text, end)
        if minutes:
            return [Anchor(at, "time", frozenset([norm + minutes.group()]))]
        return [Anchor(at, "number", frozenset([norm]))]
    if norm in MONTHS and words.capital[at]:
        return [Anchor(at, "day" if norm.endswith("day") else "month", frozenset([norm]))]
    return []

"""A text with everything that was found in it: cut at every span's ends, each piece with its marks.

Only data: the template escapes the texts. A mark is named `c1e5`: evidence 5 of column 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LONGEST = 60_000  # characters of one field that a page shows
_GRAVITY = ("point", "evidence", "good", "partial", "missed", "bad")


@dataclass(frozen=True, slots=True)
class TextMark:
    """A stretch of a field, how it is coloured, and its name."""

    source: str
    start: int
    end: int
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Text between two cuts. `kind` "": nothing was found here."""

    text: str
    kind: str = ""
    names: str = ""  # of its marks, with blanks between them
    kinds: str = ""  # of the same marks, in the same order


def marks_on(source: str, marks: Sequence[TextMark]) -> list[TextMark]:
    """The marks on one text."""
    return [mark for mark in marks if mark.source == source]


def cut(text: str, marks: Sequence[TextMark]) -> list[Piece]:
    """The text in pieces; where marks overlap, the gravest colours."""
    shown = text[:LONGEST]
    inside = [mark for mark in marks if 0 <= mark.start < mark.end <= len(shown)]
    ends = {mark.start for mark in inside} | {mark.end for mark in inside}
    pieces = []
    for start, end in pairwise(sorted({0, len(shown), *ends})):
        here = [mark for mark in inside if mark.start <= start and end <= mark.end]
        kind = max((mark.kind for mark in here), key=_GRAVITY.index, default="")
        names = " ".join(mark.name for mark in here)
        kinds = " ".join(mark.kind for mark in here)
        pieces.append(Piece(shown[start:end], kind, names, kinds))
    if len(text) > LONGEST:
        pieces.append(Piece(f"\n[… {len(text) - LONGEST:,} more characters are not shown]"))
    return pieces

"""A text cut into segments (JL-REL-SEGMENTS) and sentences, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from oyer.text import words

#: Closing quotes and brackets: with white space after them also those that open in other
#: languages („…“, »…«); without, as after an ideographic stop, only those that never open.
_NEVER_OPEN = "\"'”’»›)\\]}⟩⟫⟧」』）］｝｣】〕〉》〗〙〛〞〟＂＇"
_CLOSING, _CLOSING_TIGHT = f"[{_NEVER_OPEN}“‘«‹‟‛]*", f"[{_NEVER_OPEN}]*"
_IDEOGRAPHIC = "。．｡"
_ENDING = f".;{_IDEOGRAPHIC}{_NEVER_OPEN}“‘«‹‟‛"  # of what an end that stands free consists
_LINE_ENDS = "\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029"


def _ends(stops: str, ideographic: str, anyway: str) -> re.Pattern[str]:
    """Where stretches end: at `stops` that white space or the end follows, so that 3.5 and U.S.A
    do not split; at ideographic ones and at `anyway` whatever follows."""
    either = f"(?<=[{anyway}])|" if anyway else ""
    return re.compile(  # one class first: the scan then skips quickly
        f"[{stops}{ideographic}{anyway}]"
        f"(?:{either}(?<=[{stops}]){_CLOSING}(?=\\s|\\Z)|(?<=[{ideographic}]){_CLOSING_TIGHT})"
    )


_AT_STOPS = _ends(".", _IDEOGRAPHIC, "")
_AT_STOPS_AND_LINES = _ends(".", _IDEOGRAPHIC, f";{_LINE_ENDS}")
_SENTENCES = _ends(".!?", f"{_IDEOGRAPHIC}！？", _LINE_ENDS)


class Segment(NamedTuple):
    """A stretch of a text, without the white space around it."""

    text: str
    start: int
    end: int


def segments(text: str, *, lines: bool = True, fewest: int = 6) -> tuple[Segment, ...]:
    """The segments of a text; those under `fewest` tokens are ignored, unless all are.

    `lines`: split at `;` and at line ends too, not only at full stops.
    """
    every = _split(text, _AT_STOPS_AND_LINES if lines else _AT_STOPS)
    kept = tuple(s for s in every if _size(s.text, fewest) >= fewest)
    return kept or _split(text, None)


def _size(piece: str, fewest: int) -> int:
    """How many tokens a segment has; its own end standing free ("five words .") is none."""
    size = words.count(piece, fewest)
    if size != fewest:  # one more or less changes nothing
        return size
    last = piece[words.spans(piece)[-1][0] :] if size else ""
    return size - (not last.strip(_ENDING))


def sentences(text: str) -> tuple[Segment, ...]:
    """The sentences of a text, short ones too."""
    return _split(text, _SENTENCES)


def _split(text: str, ends: re.Pattern[str] | None) -> tuple[Segment, ...]:
    """The stretches between ends; an end belongs to the stretch before it."""
    cuts = [m.end() for m in ends.finditer(text)] if ends else []
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            at = start + piece.index(bare)
            found.append(Segment(bare, at, at + len(bare)))
    return tuple(found)

"""JL-FOLD: what two texts must share to be the same words, and the way back to the original.

Folding drops zero-width characters and soft hyphens, turns typographic quotes and dashes into
ASCII, makes one blank of every run of white space, and composes (NFC). Case is kept, and so is
everything that only looks alike: a Cyrillic `а` stays Cyrillic.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right

from oyer.text.kept import keep

_SINGLE = "‘’‚‛‹›′ʼ"
_DOUBLE = "“”„‟«»″"
_DASHES = "‐‑‒–—―−⸺⸻﹘﹣"
#: Soft hyphen, zero-width and direction marks, joiners, variation selectors, byte-order mark.
DROPPED = frozenset(
    "\u00ad\u034f\u061c\u180e\ufeff"
    + "".join(
        chr(c)
        for low, high in ((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2069), (0xFE00, 0xFE0F))
        for c in range(low, high + 1)
    )
)
_FOLDED = {
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_DASHES, "-"),
    **dict.fromkeys(DROPPED, ""),
}
#: ASCII white space that folding would change. Looking for each is much faster than a regex.
_UNEVEN = ("  ", *"\t\n\v\f\r\x1c\x1d\x1e\x1f")

_SEEN = re.compile(f"[^\\s{''.join(sorted(DROPPED))}]")

#: Characters that fold to exactly one character and never merge with a neighbour.
_SAFE = (
    "!-~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03ce\u0400-\u0482\u048a-\u052f\u2010-\u2027"
    "\u2030-\u203a\u20ac\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
    "\uff01-\uffdc"
)
#: Where offsets may shift: runs of other characters; a lone blank shifts nothing but at the start.
#: One class comes first in the pattern, so that the scan skips the rest quickly.
_SHIFTS = re.compile(f"[^{_SAFE}](?:[^{_SAFE}]+|(?<! )|(?<=\\A.))", re.DOTALL)


def fold(text: str) -> str:
    """The text after JL-FOLD, without white space at its ends."""
    if not text.isascii():
        for char, plain in _FOLDED.items():
            if char in text:
                text = text.replace(char, plain)
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
    if len(text) > 200 and text.isascii() and not any(blank in text for blank in _UNEVEN):
        return text.strip(" ")
    return " ".join(text.split())


def is_blank(text: str) -> bool:
    """Whether nothing is left of the text after JL-FOLD."""
    return _SEEN.search(text) is None


def is_mark(char: str) -> bool:
    """Whether the character leans on the one before it (an accent, a vowel sign, a jamo)."""
    return char > "\u02ff" and (
        unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
    )


class Folded:
    """A text, its folded form, and the map between their offsets, both made when first needed."""

    __slots__ = ("_folded", "_shifts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: str | None = None
        self._shifts: _Shifts | None = None

    @property
    def folded(self) -> str:
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The original offsets of folded[start:end], accents included (start < end)."""
        # nothing that folds to ASCII grows: the same length means one for one
        if len(self.folded) == len(self.text) and self.folded.isascii():
            return start, end
        if self._shifts is None:
            self._shifts = _Shifts(self.text)
        return self._shifts.at(start)[0], self._shifts.at(end - 1)[1]


@keep
def folded(text: str) -> Folded:
    """The folded text, kept for a while: one audit looks a dozen quotes up in one article."""
    return Folded(text)


class _Shifts:
    """The stretches of a text in which folding moves offsets; between them it moves none."""

    __slots__ = ("_after", "_cells", "_starts")

    def __init__(self, text: str) -> None:
        self._starts = [0]  # folded offset at which each stretch starts
        self._cells: list[list[tuple[int, int]]] = [[]]  # its folded characters' original spans
        self._after = [0]  # original offset after it
        place = done = 0
        for run in _SHIFTS.finditer(text):
            # with the character before it, which an accent may join
            start = max(run.start() - 1, done)
            place += start - done
            cells = _cells(text[start : run.end()], start, leading=place == 0)
            self._starts.append(place)
            self._cells.append(cells)
            place += len(cells)
            done = run.end()
            self._after.append(done)

    def at(self, place: int) -> tuple[int, int]:
        """The original span of the folded character at `place`."""
        i = bisect_right(self._starts, place) - 1
        inside = place - self._starts[i]
        cells = self._cells[i]
        if inside < len(cells):
            return cells[inside]
        start = self._after[i] + inside - len(cells)
        return start, start + 1


def _cells(run: str, offset: int, *, leading: bool) -> list[tuple[int, int]]:
    """The original span of every character that `run` folds to."""
    clusters: list[tuple[str, int, int]] = []  # what composes together, and where it stood
    for at, char in enumerate(run, offset):
        if char in DROPPED:
            continue
        kept = " " if char.isspace() else _FOLDED.get(char, char)
        before = clusters[-1] if clusters else None
        if kept == " " and (before[0] == " " if before else leading):
            continue  # white space at the start of the text, or more of the same run
        if before and before[0] != " " and is_mark(kept):
            clusters[-1] = (before[0] + kept, before[1], at + 1)
        else:
            clusters.append((kept, at, at + 1))
    return [
        (start, end) for chars, start, end in clusters for _ in unicodedata.normalize("NFC", chars)
    ]

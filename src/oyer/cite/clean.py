"""OCR and LaTeX noise out, with a map back: every quote slices the original exactly."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

_WORDS: Final = {r"\circ": "°", r"\degree": "°", r"\S": "§", r"\prime": "'"}
#: One noise token. Each alternative starts with its own character: the scan is linear.
_TOKEN: Final = re.compile(
    r"(?P<ring>∘(?:[\d,. ]{0,12}(?:\{ ?\})?\^?\{?\\circ ?\}?)?)|"
    r"(?P<wrap>\\(?:text|math|operatorname|emph)[a-z]{0,8}[ ]?)|(?P<word>\\[A-Za-z]{1,20})|"
    r"(?P<escape>\\[^A-Za-z\s])|(?P<drop>[${}^*\u00ad\u200b\u200c\u200d\ufeff])|"
    r"(?P<blank>[\u00a0\u2000-\u200a\u202f\u2007\t~])|(?P<apostrophe>[’‘ʼ´`])|(?P<ordinal>[º˚ᵒ])"
)
_NOISE: Final = re.compile(
    r"(?:∘[\d,. ]{0,12}(?:\{ ?\})?\^?\{?\\circ ?\}?|∘|(?<=\{\d)[ ](?=\d)|(?<=\{\d[ ]\d)[ ](?=\d)|\\[A-Za-z]{1,20}[ ]?|\\[^A-Za-z\s]|"
    r"[${}^*\u00ad\u200b-\u200d\ufeff\u00a0\u2000-\u200a\u202f\u2007\t~’‘ʼ´`º˚ᵒ])+"
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Clean text and, for each of its runs, where it came from.

    `starts[i]` in the clean text is `origins[i]` in the original; a run of noise ends at
    `ends[i]` whatever its clean length (-1: a verbatim run).
    """

    text: str
    original: str
    starts: list[int]
    origins: list[int]
    ends: list[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Original offsets of `text[start:end]`; a formula that it opens is closed."""
        if not self.starts:
            return start, end
        first, last = self._first(start), self._last(end)
        if self.original.count("$", first, last) % 2:
            closing = self.original.find("$", last, last + 12)
            last = closing + 1 if closing >= 0 else last
        return first, last

    def _first(self, position: int) -> int:
        run = bisect_right(self.starts, position) - 1
        if self.ends[run] >= 0:
            return self.origins[run]
        return self.origins[run] + position - self.starts[run]

    def _last(self, end: int) -> int:
        run = bisect_right(self.starts, end - 1) - 1
        if self.ends[run] >= 0:
            return self.ends[run]
        return self.origins[run] + end - self.starts[run]


def clean(text: str) -> Cleaned:
    """Plain characters for the scanner; nothing else is changed."""
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    ends: list[int] = []
    at = size = 0
    for noise in _NOISE.finditer(text):
        plain = "" if noise[0] == " " else _TOKEN.sub(_plain, noise[0])
        for piece, origin, end in (
            (text[at : noise.start()], at, -1),
            (plain, noise.start(), noise.end()),
        ):
            if piece:
                parts.append(piece)
                starts.append(size)
                origins.append(origin)
                ends.append(end)
                size += len(piece)
        at = noise.end()
    if not at:
        return Cleaned(text, text, [], [], [])
    if at < len(text):
        parts.append(text[at:])
        starts.append(size)
        origins.append(at)
        ends.append(-1)
    return Cleaned("".join(parts), text, starts, origins, ends)


def _plain(token: re.Match[str]) -> str:
    match token.lastgroup:
        case "word":
            return _WORDS.get(token[0], " ")
        case "escape":
            return token[0][1] if token[0][1] in "%&_#$" else " "
        case "blank":
            return " "
        case "apostrophe":
            return "'"
        case "ordinal" | "ring":  # "1∘1^{\\circ}": a formula rendered twice
            return "°"
        case _:
            return ""

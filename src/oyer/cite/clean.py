"""OCR and LaTeX noise out, with a map back: every quote slices the original exactly."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

_WORDS: Final = {r"\circ": "°", r"\degree": "°", r"\S": "§", r"\prime": "'"}
#: One character for one: offsets stay as they are.
_PLAIN: Final = str.maketrans(
    "\x9f’‘ʼ´`º˚ᵒ\u00a0\u202f\u2007\u2009\u200a\t~",
    "§" + "'" * 5 + "°" * 3 + " " * 7,
)
#: What can open noise; a scan for one of these characters is fast.
_OPENING: Final = re.compile("[∘\\\\${}^*\\[\u00ad\u200b-\u200d\ufeff]")
#: A formula that was rendered twice ("1∘1^{\circ}") is one degree sign.
_RING: Final = r"∘(?:[\d,. ]{0,12}(?:\{ ?\})?\^?\{?\\circ ?\}?)?"
_DIGITS: Final = r"\{\d(?:[ ]\d){1,3}(?!\d)"  # "\mathbf{9 5 ,}" is 95
#: "$1675 / 13$": a formula puts blanks around the slash of one number.
_SLASHED: Final = r"\$(?:\d{1,4},)?\d{1,4} ?/ ?"
#: An editor's brackets: "12[quater]", "alinéa [3]"; a footnote's "5[1]" is none.
_EDITED: Final = (
    r"(?<=\d)\[(?:bis|ter|quater|quinquies|sexies|septies|octies)\]|"
    r"(?:(?<=alinéa )|(?<=alinéas )|(?<=§ )|(?<=lid )|(?<=article )|(?<=artikel )|(?<=art\. ))"
    r"\[\d{1,4}(?:er|bis|ter|quater)?\]"
)
_DROPPED: Final = "[${}^*\u00ad\u200b-\u200d\ufeff]"
_NOISE: Final = re.compile(
    rf"(?:{_RING}|{_DIGITS}|{_SLASHED}(?=\d)|{_EDITED}|"
    rf"\\[A-Za-z]{{1,20}}[ ]?|\\[^A-Za-z\s]|{_DROPPED}|\\)+"
)
_TOKEN: Final = re.compile(
    rf"(?P<ring>{_RING})|(?P<digits>{_DIGITS})|(?P<slashed>{_SLASHED})|(?P<edited>\[\w{{1,12}}\])|"
    r"(?P<wrap>\\(?:text|math|operatorname|emph)[a-z]{0,8}[ ]?)|(?P<word>\\[A-Za-z]{1,20})|"
    rf"(?P<escape>\\[^A-Za-z\s])|(?P<drop>{_DROPPED}|\\)"
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
    even = text.translate(_PLAIN)
    parts: list[str] = []
    starts: list[int] = []
    origins: list[int] = []
    ends: list[int] = []
    at = size = 0
    for opening in _OPENING.finditer(even):
        noise = _NOISE.match(even, opening.start()) if opening.start() >= at else None
        if noise is None:
            continue
        plain = _TOKEN.sub(_plain, noise[0])
        for piece, origin, end in (
            (even[at : noise.start()], at, -1),
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
        return Cleaned(even, text, [], [], [])
    if at < len(even):
        parts.append(even[at:])
        starts.append(size)
        origins.append(at)
        ends.append(-1)
    return Cleaned("".join(parts), text, starts, origins, ends)


def _plain(token: re.Match[str]) -> str:
    match token.lastgroup:
        case "ring":
            return "°"
        case "digits" | "slashed":
            return token[0][1:].replace(" ", "")
        case "edited":
            return token[0][1:-1]
        case "word":
            return _WORDS.get(token[0], " ")
        case "escape":
            return token[0][1] if token[0][1] in "%&_#$" else " "
        case _:
            return ""

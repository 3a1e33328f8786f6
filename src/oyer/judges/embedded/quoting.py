"""Verbatim quotes of 4 to 12 tokens around a place, no two alike where that is possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from oyer.text import words
from oyer.text.fold import fold

FEWEST, USUAL, MOST = 4, 8, 12


@dataclass
class Quoter:
    """Cuts quotes from one text and remembers which were given out (JL-CAP-DUPLICATE)."""

    text: str
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.tokens = words.spans(self.text)

    def around(self, at: int, within: tuple[int, int] | None = None) -> str:
        """A quote that covers the character `at`, inside `within` as far as that has one left."""
        narrow, whole = self._room(within), (0, len(self.tokens))
        if len(self.tokens) < FEWEST:
            return ""
        for first, last in dict.fromkeys((narrow, whole)):
            centre = next((n for n in range(first, last) if self.tokens[n][1] > at), last - 1)
            for start, size in _cuts(first, last, centre):
                if quote := self._use_once(start, size):
                    return quote
        for size in range(min(MOST, len(self.tokens)), FEWEST - 1, -1):  # a short text has few
            for start in range(len(self.tokens) - size + 1):
                if quote := self._use_once(start, size):
                    return quote
        return self._cut(narrow[0], min(USUAL, narrow[1] - narrow[0]))

    def _cut(self, start: int, size: int) -> str:
        return self.text[self.tokens[start][0] : self.tokens[start + size - 1][1]]

    def _use_once(self, start: int, size: int) -> str:
        """The quote there, unless it was given out."""
        quote = self._cut(start, size)
        folded = fold(quote)
        if folded in self.used:
            return ""
        self.used.add(folded)
        return quote

    def _room(self, within: tuple[int, int] | None) -> tuple[int, int]:
        if within is not None:
            low, high = within
            inside = [n for n, (s, e) in enumerate(self.tokens) if s >= low and e <= high]
            if len(inside) >= FEWEST:
                return inside[0], inside[-1] + 1
        return 0, len(self.tokens)


def _cuts(first: int, last: int, centre: int) -> Iterator[tuple[int, int]]:
    """Where quotes around a token may start, and how long they are, the best first."""
    for wanted in (USUAL, 7, 9, 6, 10, 5, 11, FEWEST, MOST):
        size = min(wanted, last - first)
        for shift in (0, -1, 1, -2, 2, -3, 3):
            start = min(max(first, centre - size // 2 + shift), last - size)
            if start <= centre < start + size:
                yield start, size

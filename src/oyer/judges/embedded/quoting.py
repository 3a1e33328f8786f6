"""Verbatim quotes of 4 to 12 tokens around a place, no two alike where that is possible."""

from __future__ import annotations

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
        """A quote that covers the character `at`, inside `within` when that is long enough."""
        first, last = self._room(within)
        if last - first < FEWEST:
            return ""
        centre = next((n for n in range(first, last) if self.tokens[n][1] > at), last - 1)
        fallback = ""
        for wanted in (USUAL, 7, 9, 6, 10, 5, 11, FEWEST, MOST):
            size = min(wanted, last - first)
            for shift in (0, -1, 1, -2, 2, -3, 3):
                start = min(max(first, centre - size // 2 + shift), last - size)
                if not start <= centre < start + size:
                    continue
                quote = self.text[self.tokens[start][0] : self.tokens[start + size - 1][1]]
                if fold(quote) not in self.used:
                    self.used.add(fold(quote))
                    return quote
                fallback = fallback or quote
        return self._unused(first, last) or fallback

    def _unused(self, first: int, last: int) -> str:
        """Any quote there that was not given out: a short text has few."""
        for size in range(min(MOST, last - first), FEWEST - 1, -1):
            for start in range(first, last - size + 1):
                quote = self.text[self.tokens[start][0] : self.tokens[start + size - 1][1]]
                if fold(quote) not in self.used:
                    self.used.add(fold(quote))
                    return quote
        return ""

    def _room(self, within: tuple[int, int] | None) -> tuple[int, int]:
        if within is not None:
            low, high = within
            inside = [n for n, (s, e) in enumerate(self.tokens) if s >= low and e <= high]
            if len(inside) >= FEWEST:
                return inside[0], inside[-1] + 1
        return 0, len(self.tokens)

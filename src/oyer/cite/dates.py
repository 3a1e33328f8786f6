"""BL-DATE: dates in figures and in words, French and Dutch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from oyer.cite.lexicon import fold, months, numerals

_NUMERIC: Final = re.compile(r"(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?!\d)")
_WORD: Final = re.compile(r"[^\W\d_]+[\s.-]*")
_FIGURES: Final = re.compile(r"\d{4}(?!\d)")
_YEAR_WORDS: Final = re.compile(r"(?:[^\W\d_]+[ -]?){1,9}")


class Date(NamedTuple):
    """A date and where it ends."""

    iso: str
    end: int


@cache
def _written_date() -> re.Pattern[str]:
    return re.compile(
        r"(\d{1,2}|[lI](?=er\s))(?:\s?(?:-|et|en)\s?\d{1,2}(?=\s?[^\W\d_]))?"  # "16-24 août 1790"
        r"\s?(?:(?:er|ste|de|e)(?![^\W\d_])|°)?\s?[ .]?\s?([^\W\d_]{3,9})\.?,?\s+(\d{4})(?!\d)"
    )


def date_at(text: str, position: int) -> Date | None:
    """The date that starts at `position`."""
    if match := _written_date().match(text, position):
        month = months().get(fold(match[2]))
        if month and (iso := _iso(_day(match[1]), month, int(match[3]))):
            return Date(iso, match.end())
    if match := _NUMERIC.match(text, position):
        year = int(match[4])
        if year <= 99:
            year += 1900 if year > 30 else 2000
        if iso := _iso(int(match[1]), int(match[3]), year):
            return Date(iso, match.end())
    return _words_at(text, position)


_FIGURE: Final = re.compile(r"(?<!\d)\d{1,2}(?=\D)")


def dates_in(text: str) -> Iterator[str]:
    """Every date that `text` writes with its day in figures."""
    for figure in _FIGURE.finditer(text):
        if date := date_at(text, figure.start()):
            yield date.iso


def _day(figures: str) -> int:
    return int(figures) if figures.isdigit() else 1  # a scanned "ler"


def _words_at(text: str, position: int) -> Date | None:
    """ "quinze juin mil neuf cent trente-cinq": day and year in words."""
    at, words = position, 0
    while words < 5 and (word := _WORD.match(text, at)):
        month = months().get(fold(word[0].rstrip(" .-\n\t")))
        if month and words:
            day = _number(text[position:at])
            return _year_at(text, word.end(), day, month) if day else None
        at, words = word.end(), words + 1
    return None


def _year_at(text: str, position: int, day: int, month: int) -> Date | None:
    if figures := _FIGURES.match(text, position):
        iso = _iso(day, month, int(figures[0]))
        return Date(iso, figures.end()) if iso else None
    best: Date | None = None
    year = _YEAR_WORDS.match(text, position, position + 80)
    for word in re.finditer(r"[^\W\d_]+", year[0] if year else ""):
        value = _number(text[position : position + word.end()])
        iso = _iso(day, month, value) if value else None
        if iso:
            best = Date(iso, position + word.end())
    return best


def _iso(day: int, month: int, year: int) -> str | None:
    if 1 <= day <= 31 and 1 <= month <= 12 and 1500 <= year <= 2199:
        return f"{year:04d}-{month:02d}-{day:02d}"
    return None


def _number(phrase: str) -> int | None:
    """A number in words: "mil neuf cent trente-cinq", "negentienhonderd vijfendertig"."""
    total = current = 0
    for word in re.split(r"[\s-]+", fold(phrase).strip()):
        if word in ("et", "en", ""):
            continue
        for part in _parts(word):
            value = numerals().get(part)
            if value is None:
                return None
            if value == 20 and 0 < current % 100 == 4:  # quatre-vingt
                current += 76
            elif value in (100, 1000):
                current = max(current, 1) * value
                if value == 1000:
                    total, current = total + current, 0
            else:
                current += value
    return total + current or None


def _parts(word: str) -> list[str]:
    """A Dutch compound in its numerals: vijfendertig -> vijf, dertig; others as they are."""
    known = numerals()
    if word in known:
        return [word]
    found: list[str] = []
    at = 0
    while at < len(word):
        piece = next((word[at:e] for e in range(len(word), at, -1) if word[at:e] in known), "")
        if not piece and word.startswith("en", at):
            at += 2
            continue
        if not piece:
            return [word]
        found.append(piece)
        at += len(piece)
    return found

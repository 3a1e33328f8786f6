"""What a number of an English text is of: a share in percent, money, a measure, a year, a count.

Parts of other things have no unit and are no quantities: clock times, days of a month, scores
("2-1"), ordinals, names ("A12").
"""

from __future__ import annotations

import re

from oyer.judges.embedded import tables
from oyer.judges.embedded.lexis import MONTHS
from oyer.judges.embedded.words import Words, is_content, stem

PERCENT, POINTS, AGE, CALENDAR = "%", "points", "age", "calendar"
#: Of a number that only counts what stands after it.
COUNT = ""
MONEY = {"dollar": "$", "pound": "£", "euro": "€", "cent": "cent", "penc": "penny", "yen": "yen",
         "rupe": "rupee"}  # fmt: skip
MEASURES = frozenset(stem(word) for word in tables.words("number_units"))
CLOCK = re.compile(r"\s?(?:o['’]clock|[ap]\.?m\b)", re.IGNORECASE)
PLURALS = frozenset(("people", "men", "women", "children"))
YEAR_LEADS = frozenset(("in", "since", "until", "from", "to", "between", "and", "by", "during"))
#: What a number may not stand right after, or right before, unless it is part of something else.
JOINED_BEFORE = re.compile(r"[\w\-–/:.'’#]")
JOINED_AFTER = re.compile(r"[^\W\d_]|\d|[-–/:.'’]\d")
GAP = re.compile(r"\s*|-")
NOUNS = 2  # words after a number that tell what it counts


def find_unit(text: str, words: Words, first: int, last: int) -> str | None:
    """The unit of a number; None: it is no quantity, but part of a date, a time or a name."""
    end = words.ends[last - 1]
    if _is_part(text, words, first, last) or CLOCK.match(text, end):
        return None
    if sign_before(text, words, first):
        return sign_before(text, words, first)
    if text[end : end + 2].lstrip(" ").startswith("%"):
        return PERCENT
    if _is_year(text, words, first, last):
        return CALENDAR
    if is_month(words, first - 1) or is_month(words, last):
        return None
    return _find_written_unit(words, first, last)


def _find_written_unit(words: Words, first: int, last: int) -> str:
    before, after = words.norms[max(0, first - 1) : first], words.norms[last : last + 2]
    if after[:1] in (("percent",), ("pc",), ("pct",)) or after == ("per", "cent"):
        return PERCENT
    if after in (("percentage", "points"), ("percentage", "point")):
        return POINTS
    if before in (("aged",), ("age",)) or "old" in after:
        return AGE
    unit = words.stems[last] if last < len(words) else ""
    return MONEY.get(unit) or (unit if unit in MEASURES else COUNT)


def _is_part(text: str, words: Words, first: int, last: int) -> bool:
    """Whether a number is glued to more: 2-1, A12, 3rd, 14:30, 1990s; but not 40km."""
    start, end = words.starts[first], words.ends[last - 1]
    measured = last < len(words) and words.stems[last] in MEASURES
    if JOINED_BEFORE.match(text[max(0, start - 1) : start]):
        return True
    return JOINED_AFTER.match(text, end) is not None and not measured


def _is_year(text: str, words: Words, first: int, last: int) -> bool:
    """Four plain digits after a word that leads to a year, or before none that they could count:
    1950 votes, but the 2007 final."""
    written = text[words.starts[first] : words.ends[last - 1]]
    if not re.fullmatch(r"[12]\d\d\d", written):
        return False
    led = is_month(words, first - 1) or (first > 0 and words.norms[first - 1] in YEAR_LEADS)
    named = last < len(words) and words.capital[last]
    counted = list_counted(text, words, last)
    return led or named or not any(n.endswith("s") or n in PLURALS for n in counted)


def is_month(words: Words, at: int) -> bool:
    if not 0 <= at < len(words) or not words.capital[at]:
        return False
    return words.norms[at] in MONTHS and not words.norms[at].endswith("day")


def list_counted(text: str, words: Words, last: int) -> tuple[str, ...]:
    """The telling words that follow a number without a stop: what it counts, and how."""
    found: list[str] = []
    for at in range(last, min(len(words), last + NOUNS)):
        if not is_joined(text, words, at) or not is_content(words.norms[at]):
            break
        found.append(words.norms[at])
    return tuple(found)


def sign_before(text: str, words: Words, first: int) -> str:
    """The sign of a currency before a number, with a blank between at most."""
    before = text[max(0, words.starts[first] - 2) : words.starts[first]].rstrip(" ")[-1:]
    return before if before in ("$", "£", "€") else ""


def is_joined(text: str, words: Words, at: int) -> bool:
    """Whether nothing but a blank or a hyphen stands between a word and the one before it."""
    if not 0 < at < len(words):
        return False
    return GAP.fullmatch(text, words.ends[at - 1], words.starts[at]) is not None

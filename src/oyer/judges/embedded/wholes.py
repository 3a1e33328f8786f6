"""Stretches of an English sentence that are one thing, whatever their words: a date, a clock time,
a measure. Cut apart they say nothing: the "two" of "two o'clock", the "10" of "10 May"."""

from __future__ import annotations

import re
from bisect import bisect_left

from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.lexis import MONTHS
from oyer.judges.embedded.source import SourceText
from oyer.judges.embedded.words import TENS, UNITS

_DAYS = "|".join(sorted(word for word in MONTHS if word.endswith("day")))
_MONTHS = "|".join(sorted(MONTHS - set(_DAYS.split("|")) - {"may", "march"}))
DAY = f"(?i:{_DAYS})"
MONTH = f"(?:(?i:{_MONTHS})|May|March)"  # "may" and "march" in small letters are verbs
NTH = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?i:(?:(?:twenty|thirty)-)?(?:first|second|third|fourth|fifth|sixth"
    r"|seventh|eighth|ninth)|tenth|eleventh|twelfth|\w{3,5}teenth|twentieth|thirtieth))"
)
FEW = f"(?:\\d{{1,2}}|(?i:{'|'.join([*UNITS, *TENS])}))"
DATED = rf"(?:{NTH}|\d{{1,2}})"
DATE = re.compile(
    rf"\b(?:{DAY},? (?:the )?)?{DATED}(?:(?: to | and | or | ?[-–] ?){DATED})?(?: of)? {MONTH}\b"
    rf"(?:,? \d{{4}}\b)?"
    rf"|\b(?:{DAY},? )?{MONTH} {DATED}\b(?: ?[-–] ?{DATED}\b)?(?:,? \d{{4}}\b)?"
    rf"|\b{DAY} the {NTH}\b"
)
CLOCK = re.compile(
    rf"\b(?i:half past|quarter (?:past|to)) {FEW}\b"
    rf"|\b{FEW}(?:[:.]\d\d)?\s?(?:o['’]clock|[ap]\.?m)\b"
    r"|\b\d{1,2}:[0-5]\d\b"
)
FIGURE = rf"(?:[$£€]?\d+(?:[.,]\d+)*|{FEW})"
MEASURE = re.compile(
    rf"(?<![\w.,]){FIGURE}(?: (?:to|or) | ?[-–] ?){FIGURE}\b(?:\s(?:per cent|[gmlk])\b)?"
    rf"|(?<![\w.,]){FIGURE}\s?(?:per cent|[gmlk])\b"
)


def find_wholes(source: SourceText, sentence: int) -> dict[int, tuple[int, bool]]:
    """First word of each whole of a sentence -> the end of its words, and whether it is a time."""
    if source.language != ENGLISH:
        return {}
    found: dict[int, tuple[int, bool]] = {}
    used = source.bounds[sentence][0]
    spans = [
        (match.start(), match.end(), form is not MEASURE)
        for form in (DATE, CLOCK, MEASURE)
        for match in form.finditer(source.text, *source.spans[sentence])
    ]
    for start, end, timed in sorted(spans, key=lambda s: (s[0], -s[1])):
        first, last = (bisect_left(source.words.starts, place) for place in (start, end))
        if first >= used and last > first:
            found[first] = last, timed
            used = last
    return found

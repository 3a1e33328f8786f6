"""A second look at the text before anything is called hallucinated.

What the engine did not read is never held against an extraction: an abbreviation that a decision
defines oddly, or a list that the engine could not read, must not cost an item that stands there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from oyer.cite import Act, Citation, cite
from oyer.cite.lexicon import ordinals
from oyer.protocols.belgian_law.extraction import Extraction, Item, anchor_of, has_token
from oyer.protocols.belgian_law.names import fold, telling
from oyer.protocols.belgian_law.rules import Rules
from oyer.text.quotes import find, source

_NEAR: Final = 60  # an article word this far before a number still governs it
_AROUND: Final = 200  # an act's words this far around a number are near it
_ARTICLE: Final = re.compile(
    r"\b(?:art(?:icles?|ikel(?:en|s)?|t?\.)|artt?(?=\s))[^.;:?!\n]{0,60}$", re.IGNORECASE
)
_MENTION: Final = re.compile(
    r"\b(?:art(?:icles?|ikel(?:en)?|t?\.)|artt?(?=\s))\s?(?=[\dIVXL]+[\w./:-]*\s*(?:d|v|,|§))",
    re.IGNORECASE,
)
_PATH_NEAR: Final = 40
_NO_ACT: Final = Act(None, "", None, None)


def word_for_word(item: Item, case: Extraction) -> Citation | None:
    """The item's provisionNumber where it stands in the source, if it says article and act itself.

    One that the engine cannot read at all needs only to stand there.
    """
    if item.number is None or not has_token(item.number):
        return None
    span = find(item.number, source("sourceText", case.text))
    if span is None:
        return None
    quote = case.text[span.start : span.end]
    if item.article is None:
        act, key = _NO_ACT, quote
    else:
        names = (
            c.act for c in cite(quote, case.language) if anchor_of(c.key) == anchor_of(item.article)
        )
        act_named = next(
            (act for act in names if act.id is not None and act.id == item.act.id), None
        )
        if act_named is None:
            return None
        act, key = act_named, item.article
    return Citation(quote, span.start, span.end, key, item.path, act, "single", False, False)


def in_words(place: Citation, item: Item) -> bool:
    """Whether the item's provisionNumber holds the words of this citation."""
    return " ".join(place.quote.split()) in " ".join((item.number or "").split())


def unread(
    item: Item, case: Extraction, found: Sequence[Citation], rules: Rules
) -> tuple[Citation, bool] | None:
    """Where the item's number stands though the engine read nothing there; and whether its act's
    words are near: then it is supported, else only unsure."""
    if item.article is None:
        return None
    read = _spans(tuple((c.start, c.end) for c in found))
    words = telling(item.name or "", rules)
    best: tuple[Citation, bool] | None = None
    for match in _number(anchor_of(item.article)).finditer(case.text):
        if _inside(read, match.start()):
            continue
        low = max(0, match.start() - _NEAR)
        if not _ARTICLE.search(case.text[low : match.start()]):
            continue
        around = case.text[max(0, match.start() - _AROUND) : match.end() + _AROUND]
        near = bool(words and words & telling(around, rules))
        place = Citation(
            match[0],
            match.start(),
            match.end(),
            item.article,
            item.path,
            _NO_ACT,
            "list",
            False,
            False,
        )
        if near:
            return place, True
        best = best or (place, False)
    return best


def path_near(item: Item, places: Sequence[Citation], text: str) -> Citation | None:
    """Where an article of the item's own act is cited, with the item's path in words around it.

    "le n° 4 de l'article 2102": the engine may have lost a subdivision that stands there.
    """
    for place in places:
        low = max(0, place.start - _PATH_NEAR)
        around = fold(text[low : place.end + _PATH_NEAR])
        if all(_says(around, part) for part in item.path):
            return place
    return None


def _says(around: str, part: str) -> bool:
    """Whether a text has a subdivision's number or letter, in figures or as an ordinal word."""
    bare = part.strip("§°)").removeprefix("al").removeprefix("phrase").removeprefix("tiret")
    if re.search(rf"(?<![\w]){re.escape(bare)}(?:er|re|e|ste|de|o|°|\))?(?![\w])", around):
        return True
    return any(str(n) == bare and word in around for word, n in ordinals().items())


def unread_places(text: str, found: Sequence[Citation]) -> int:
    """Article words with a number behind them that the engine made nothing of."""
    read = _spans(tuple((c.start, c.end) for c in found))
    return sum(not _inside(read, match.start()) for match in _MENTION.finditer(text))


@lru_cache(maxsize=512)
def _number(anchor: str) -> re.Pattern[str]:
    """An article's number in any notation: stray blanks, a suffix apart, any case."""
    parts = re.findall(r"\d+|[a-z]+|[^\da-z]", anchor)
    spaced = r"\s?".join(re.escape(part) for part in parts[:12])
    return re.compile(rf"(?<![\w.,/]){spaced}(?![\w/]|[.,]\d|\s?[°%€])", re.IGNORECASE)


@lru_cache(maxsize=4)
def _spans(spans: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Starts, and the furthest end so far: what the engine has read."""
    ordered = sorted(set(spans))
    ends, furthest = [], 0
    for _, end in ordered:
        furthest = max(furthest, end)
        ends.append(furthest)
    return tuple(start for start, _ in ordered), tuple(ends)


def _inside(read: tuple[tuple[int, ...], tuple[int, ...]], position: int) -> bool:
    starts, ends = read
    at = bisect_right(starts, position) - 1
    return at >= 0 and ends[at] > position

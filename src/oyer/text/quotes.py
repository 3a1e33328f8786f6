"""A quote -> where it stands in its source (JL-QUOTE), or nowhere. Nothing is nearly there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from oyer.text.fold import DROPPED, Folded, fold, folded, is_mark
from oyer.text.quote_forms import (
    LONGEST,
    is_numeral,
    is_unspaced,
    loosened,
    may_be_loosened,
    trimmed,
)
from oyer.types import Span


class QuoteSource(NamedTuple):
    """A named text in which quotes are looked up: a field of a case."""

    name: str
    text: str
    folded: Folded


def source(name: str, text: str) -> QuoteSource:
    return QuoteSource(name, text, folded(text))


def find(quote: str, source: QuoteSource) -> Span | None:
    """Where the quote stands, starting and ending at word boundaries.

    Verbatim before folded, folded before the ways in which models write a true quote.
    """
    exact = quote.strip()
    if not exact:
        return None
    name, text, _ = source
    start = _occurrence(exact, text)
    if start >= 0:
        return Span(name, start, start + len(exact))
    wanted = fold(quote)
    if not wanted:
        return None
    place = _place(wanted, source.folded.folded) or _forgiven(wanted, source.folded.folded)
    if place is None:
        return None
    first, end = source.folded.span(*place)
    return Span(name, first, end, "verbatim" if text[first:end] == exact else "folded")


def _place(wanted: str, text: str) -> tuple[int, int] | None:
    start = _occurrence(wanted, text)
    return None if start < 0 else (start, start + len(wanted))


def _forgiven(wanted: str, text: str) -> tuple[int, int] | None:
    """JL-QUOTE-TRIM, then JL-QUOTE-BLANK: marks around it, a closing mark, blanks."""
    if len(wanted) > LONGEST:
        return None
    forms = [wanted, *trimmed(wanted)]
    for form in forms[1:]:
        place = _place(form, text)
        if place is not None:
            return place
    for form in forms:
        if not may_be_loosened(form, text):
            continue
        for match in loosened(form).finditer(text):
            if is_boundary(text, match.start()) and is_boundary(text, match.end()):
                return match.span()
    return None


def find_quote(quote: str, text: str | Sequence[str], name: str = "text") -> Span | None:
    """Where a quote stands in a text, or None: for protocols that look up a quote or two.

    In a list of texts (the contexts of an answer) the first that has it counts, and the span's
    source says which: `contexts[2]`.
    """
    if isinstance(text, str):
        return find(quote, source(name, text))
    for index, one in enumerate(text):
        span = find(quote, source(f"{name}[{index}]", one))
        if span is not None:
            return span
    return None


def stands(quote: str, text: str) -> bool:
    """Whether the quote stands in the text as it is, starting and ending at word boundaries."""
    return _occurrence(quote, text) >= 0


def _occurrence(quote: str, text: str) -> int:
    """The first offset at which the quote stands between word boundaries, or -1."""
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        # a blank on either side is by far the most common boundary (an accent may lean on one)
        if (text[end : end + 1] == " " or is_boundary(text, end)) and (
            (text[start - 1 : start] == " " and quote[0] <= "\u02ff") or is_boundary(text, start)
        ):
            return start
        start = text.find(quote, start + 1)
    return -1


def is_boundary(text: str, at: int) -> bool:
    """Whether a word may start or end at `at`.

    Not inside a word, before an accent, beside a dropped character (folding decides there), nor
    inside a number: `3` does not stand in `3.5`. Japanese needs no blanks between words, but
    its numerals hold together: 十二 does not stand in 三十二.
    """
    if at <= 0 or at >= len(text):
        return True
    left, right = text[at - 1], text[at]
    if right > "\u02ff" and is_mark(right):
        return False
    if left == " " or right == " " or left.isspace() or right.isspace():
        return True
    if left in DROPPED or right in DROPPED:
        return False
    if right in ".," or left in ".,":
        dot = at if right in ".," else at - 1
        return not (text[dot - 1 : dot].isdigit() and text[dot + 1 : dot + 2].isdigit())
    return not (_in_word(left) and _in_word(right) and _hold(left, right))


def _hold(left: str, right: str) -> bool:
    """Whether two characters of words stand in one word when neighbours."""
    if is_unspaced(left) or is_unspaced(right):
        return is_numeral(left) and is_numeral(right)
    return True


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or is_mark(char)

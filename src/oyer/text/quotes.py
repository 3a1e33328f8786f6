"""A quote -> where it stands in its source (JL-QUOTE), or nowhere. Nothing is nearly there."""

from __future__ import annotations

from typing import NamedTuple

from oyer.text.fold import DROPPED, Folded, fold, folded, is_mark
from oyer.types import Span

_NUMERALS = frozenset("〇零一二三四五六七八九十百千万億兆")


class Source(NamedTuple):
    """A named text in which quotes are looked up: a field of a case."""

    name: str
    text: str
    folded: Folded


def source(name: str, text: str) -> Source:
    return Source(name, text, folded(text))


def find(quote: str, source: Source) -> Span | None:
    """Where the quote stands, starting and ending at word boundaries; verbatim before folded."""
    exact = quote.strip()
    if not exact:
        return None
    text = source.text
    start = _occurrence(exact, text)
    if start >= 0:
        return Span(source.name, start, start + len(exact))
    wanted = fold(quote)
    if not wanted:
        return None
    start = _occurrence(wanted, source.folded.folded)
    if start < 0:
        return None
    first, end = source.folded.span(start, start + len(wanted))
    return Span(source.name, first, end, "verbatim" if text[first:end] == exact else "folded")


def find_quote(quote: str, text: str, name: str = "text") -> Span | None:
    """Where a quote stands in a text, or None: for protocols that look up a quote or two."""
    return find(quote, source(name, text))


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
        return _is_numeral(left) and _is_numeral(right)
    return True


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or is_mark(char)


def _is_numeral(char: str) -> bool:
    return char in _NUMERALS or char.isdigit()


def is_unspaced(char: str) -> bool:
    """Whether the character belongs to a script written without blanks (kana, Han)."""
    return (
        "\u3041" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or "\uff66" <= char <= "\uff9d"
        or char >= "\U00020000"
        or char == "々"
    )

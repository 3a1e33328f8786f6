"""How models write a quote that is true: each way is a named fold (JL-QUOTE-TRIM, JL-QUOTE-BLANK).

Never a changed word, digit or capital: what is forgiven is what typesetting does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

#: Longer quotes are looked up as they are.
LONGEST = 1000
#: Marks around a whole quote, after folding.
_AROUND = {'"': '"', "'": "'", "「": "」", "『": "』"}
#: Marks that a writer puts at the end of what was quoted.
_CLOSING = frozenset(".,;:!?…。、．，！？")
#: Marks that some texts write with a blank before them, and others without.
_CLEAVING = frozenset(".,;:!?%)]}'\"…")
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万億兆")
_WORD = re.compile(r"\w+")
_WIDE = 0xFEE0  # from an ASCII character to its full-width form

_UNSPACED = re.compile(
    "[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0010ffff々]"
)


def trimmed(folded: str) -> Iterator[str]:
    """JL-QUOTE-TRIM: without the marks around it, without one closing mark, without both."""
    bare = _unquoted(folded)
    if bare != folded:
        yield bare
    if bare[-1:] in _CLOSING and bare[:-1].strip():
        rest = bare[:-1].rstrip()
        yield rest
        inner = _unquoted(rest)  # the mark stood outside: "…".
        if bare == folded and inner != rest:
            yield inner


def _unquoted(text: str) -> str:
    if len(text) > 2 and _AROUND.get(text[0]) == text[-1] and text[1:-1].strip():
        return text[1:-1].strip()
    return text


def may_be_loosened(folded: str, text: str) -> bool:
    """Whether blanks can matter at all: a quick look, before a pattern is made."""
    if has_unspaced(folded):
        return True
    if _CLEAVING.isdisjoint(folded[1:]):
        return False  # n't has its apostrophe
    return all(word in text for word in _WORD.findall(folded.replace("n't", " ")))


@lru_cache(maxsize=64)
def loosened(folded: str) -> re.Pattern[str]:
    """JL-QUOTE-BLANK as a pattern: blanks that only one of the two texts has.

    They stand before punctuation, `'s` and `n't`; in Japanese also where a line was broken, and
    there full-width letters and digits are the same as narrow ones.
    """
    japanese = has_unspaced(folded)
    kept = []
    for at, char in enumerate(folded):
        if char != " " or not _cleaves(folded, at, at + 1, japanese):
            kept.append(char)
    text = "".join(kept)
    parts = []
    for at, char in enumerate(text):
        if at and char != " " and _cleaves(text, at, at, japanese):
            parts.append(" ?")
        parts.append(_either_width(char) if japanese else re.escape(char))
    return re.compile("".join(parts))


def _cleaves(text: str, end: int, start: int, japanese: bool) -> bool:
    """Whether a blank between text[:end] and text[start:] is typesetting."""
    left, right = text[end - 1 : end], text[start : start + 1]
    if right in _CLEAVING:
        return not (left.isdigit() and text[start + 1 : start + 2].isdigit())  # 3.5 is no 3 .5
    if text.startswith("n't", start):
        return left.isalpha() and not text[start + 3 : start + 4].isalnum()
    if japanese and left and right and (is_unspaced(left) or is_unspaced(right)):
        return not (is_numeral(left) and is_numeral(right))
    return False


def _either_width(char: str) -> str:
    if "!" <= char <= "~":
        return f"[{re.escape(char)}{chr(ord(char) + _WIDE)}]"
    if "！" <= char <= "～":
        return f"[{char}{re.escape(chr(ord(char) - _WIDE))}]"
    return re.escape(char)


def is_numeral(char: str) -> bool:
    return char in _NUMERALS or char.isdigit()


def has_unspaced(text: str) -> bool:
    """Whether some of the text is of a script written without blanks (kana, Han)."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def is_unspaced(char: str) -> bool:
    """The same of one character."""
    return _UNSPACED.match(char) is not None

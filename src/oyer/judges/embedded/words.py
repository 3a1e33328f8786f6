"""How the embedded judge reads words: normal forms that survive case, spacing and spelling.

Summaries come lower-cased, tokenised ("did n't", "$ 2.6 million") or typeset; both texts are
read through the same eyes, so that only facts are left to differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from oyer.judges.embedded import tables
from oyer.judges.embedded.languages import ENGLISH, is_foreign

#: A number, a word; or a tag or an entity of HTML, which is none.
WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|</?[A-Za-z][^<>]*>|&[A-Za-z]+;")

STOP = tables.words("stop")
NEGATIONS = tables.words("negations")
UNITS = {w: n for n, w in enumerate(tables.listed("units"))}
TENS = {w: 10 * n for n, w in enumerate(tables.listed("tens"), 2)}


@dataclass(frozen=True, slots=True)
class Words:
    """A text as parallel columns; `starts` and `ends` are offsets in the text itself."""

    norms: tuple[str, ...]
    stems: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    capital: tuple[bool, ...]
    language: str = ENGLISH

    def __len__(self) -> int:
        return len(self.norms)

    def content(self, at: int) -> bool:
        return is_content(self.norms[at])


def is_number(norm: str) -> bool:
    return norm[0].isdigit()


def is_content(norm: str) -> bool:
    """A word that carries meaning; numbers are looked at on their own."""
    return norm not in STOP and len(norm) > 1 and not norm[0].isdigit()


def masked(norms: Sequence[str]) -> tuple[str, ...]:
    """The words with every number alike: what is measured on them, no number can change."""
    return tuple("#" if n[0].isdigit() else n for n in norms)


@lru_cache(maxsize=65536)
def stem(norm: str) -> str:
    """The English Snowball stem; numbers and words that no table has are their own."""
    if norm[0].isdigit() or is_foreign(norm):
        return norm
    return str(_stemmer().stemWord(norm))


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]
    import Stemmer

    return Stemmer.Stemmer("english")


def normal(raw: str) -> str:
    """One raw word's normal form: lower case, numbers without separators, words of number."""
    low = raw.lower()
    if low[0].isdigit():
        low = low.replace(",", "")
        return low.rstrip("0").rstrip(".") if "." in low else low
    if low in UNITS and low != "one":
        return str(UNITS[low])
    return str(TENS[low]) if low in TENS else low


def read(text: str, language: str = ENGLISH) -> Words:
    """Every word of a text, with "n't" read as the word it stands for."""
    if language != ENGLISH:
        from oyer.judges.embedded.foreign import read_foreign

        return read_foreign(text, language)
    norms: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    capital: list[bool] = []
    for match in WORD.finditer(text):
        raw = match.group()
        start, end = match.span()
        if raw[0] in "<&":
            continue
        if raw in "tT" and start and text[start - 1] in "'’" and norms and norms[-1][-1] == "n":
            if norms[-1] != "n" and start - 1 == ends[-1]:  # didn't: keep "did"
                norms[-1] = norms[-1][:-1] or "n"
            norms.append("not")
        elif norms and _joins(norms[-1], raw) and start - ends[-1] == 1:  # twenty-five
            norms[-1] = str(int(norms[-1]) + UNITS[raw.lower()])
            ends[-1] = end
            continue
        else:
            norms.append(normal(raw))
        starts.append(start)
        ends.append(end)
        capital.append(raw[0].isupper())
    return Words(
        tuple(norms), tuple(stem(n) for n in norms), tuple(starts), tuple(ends), tuple(capital)
    )


def _joins(before: str, raw: str) -> bool:
    low = raw.lower()
    return (
        low in UNITS
        and 0 < UNITS[low] < 10
        and before.isdigit()
        and 20 <= int(before) <= 90
        and int(before) % 10 == 0
    )


def grams(norms: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(norms[i : i + n]) for i in range(len(norms) - n + 1)]

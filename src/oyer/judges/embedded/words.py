"""How the embedded judge reads words: normal forms that survive case, spacing and spelling.

Summaries come lower-cased, tokenised ("did n't", "$ 2.6 million") or typeset; both texts are
read through the same eyes, so that only facts are left to differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")

STOP = frozenset(
    """a an the this that these those there here it its they them their theirs he him his she her
    hers we us our ours you your yours i me my mine who whom whose which what when where why how
    and or but so as if than then of in on at by for from to into onto with about over under after
    before between through during against is are was were be been being am do does did done doing
    have has had having will would shall should can could may might must not no nor also just very
    too s t d ll re ve m n such own same some any all both each other only up down out off again
    further once because while until said say says""".split()
)
NEGATIONS = frozenset(
    """not no never none nobody nothing neither nor without cannot nowhere hardly barely scarcely
    fail fails failed failing deny denies denied denying refuse refuses refused refusing lack lacks
    lacked unlikely unable""".split()
)
UNITS = {
    w: n
    for n, w in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen""".split()
    )
}
TENS = {
    w: 10 * n
    for n, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}


@dataclass(frozen=True, slots=True)
class Words:
    """A text as parallel columns; `starts` and `ends` are offsets in the text itself."""

    norms: tuple[str, ...]
    stems: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    capital: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.norms)

    def content(self, at: int) -> bool:
        return is_content(self.norms[at])


def is_number(norm: str) -> bool:
    return norm[0].isdigit()


def is_content(norm: str) -> bool:
    return norm not in STOP and (len(norm) > 1 or norm.isdigit())


@lru_cache(maxsize=65536)
def stem(norm: str) -> str:
    """The English Snowball stem; numbers are their own."""
    if norm[0].isdigit():
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


def read(text: str) -> Words:
    """Every word of a text, with "n't" read as the word it stands for."""
    norms: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    capital: list[bool] = []
    for match in WORD.finditer(text):
        raw = match.group()
        start, end = match.span()
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

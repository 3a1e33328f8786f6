"""BL-RANGE: every article from X to Y, both included, none beyond; paths in the same way."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from oyer.cite.lexicon import suffixes

#: A longer range is not expanded: no Belgian act has as many articles in one stretch.
LONGEST: Final = 3000
_KEY: Final = re.compile(r"(?P<prefix>.*?)(?P<number>\d+)(?P<suffix>[a-z]*)$")


@cache
def _latin() -> dict[int, str]:
    """The usual suffix of each rank (the first in the table)."""
    usual: dict[int, str] = {}
    for word, rank in suffixes().items():
        usual.setdefault(rank, word)
    return usual


def keys(first: str, last: str) -> list[str]:
    """The articles from `first` to `last`; both ends only where the text says no more."""
    low, high = _KEY.match(first), _KEY.match(last)
    if not low or not high:
        return _ends(first, last)
    if low["prefix"] == high["prefix"]:
        return _numbers(low, high, first, last)
    base_low, base_high = _base(first), _base(last)
    if base_low is None or base_high is None:
        return _ends(first, last)
    if base_low == base_high:  # 27 to 27/3: what follows the slash is counted
        if base_low == first and high["prefix"] == f"{base_low}/" and not high["suffix"]:
            return [first, *(f"{base_low}/{n}" for n in _span(1, int(high["number"])))]
        return _ends(first, last)
    # 24 to 27/2: whole articles between, and the ends as they are written
    return _expand_range(first, last, int(base_low), int(base_high))


def _numbers(low: re.Match[str], high: re.Match[str], first: str, last: str) -> list[str]:
    start, stop = int(low["number"]), int(high["number"])
    if start == stop:
        return _expand_suffixes(low, high, first, last)
    if start > stop or stop - start > LONGEST:
        return _ends(first, last)
    prefix = low["prefix"]
    middle = [f"{prefix}{n}" for n in _span(start + 1, stop - 1)]
    tail = [f"{prefix}{stop}"] if high["suffix"] else []
    return [first, *middle, *tail, last]


def _expand_suffixes(low: re.Match[str], high: re.Match[str], first: str, last: str) -> list[str]:
    """47bis to 47quinquies; 47 to 47ter."""
    rank = suffixes()
    start = rank.get(low["suffix"], 1) if low["suffix"] else 1
    stop = rank.get(high["suffix"], 0)
    if not start < stop:
        return _ends(first, last)
    usual = _latin()
    base = low["prefix"] + low["number"]
    middle = [base + usual[r] for r in range(start + 1, stop) if r in usual]
    return [first, *middle, last]


def _expand_range(first: str, last: str, start: int, stop: int) -> list[str]:
    if start > stop or stop - start > LONGEST:
        return _ends(first, last)
    middle = [str(n) for n in _span(start + 1, stop - 1)]
    tail = [str(stop)] if last != str(stop) else []
    return [first, *middle, *tail, last]


def _base(key: str) -> str | None:
    match = re.match(r"(\d+)(?:[a-z]+)?(?:/\d+[a-z]*)?$", key)
    return match[1] if match else None


def _span(start: int, stop: int) -> range:
    return range(start, min(stop, start + LONGEST) + 1)


def _ends(first: str, last: str) -> list[str]:
    return [first] if first == last else [first, last]


def values(first: str, last: str) -> list[str]:
    """Values of one subdivision: "1" to "3", "a" to "c"; ends only when they do not count up."""
    if first.isdigit() and last.isdigit() and 0 < int(last) - int(first) <= 200:
        return [str(n) for n in range(int(first), int(last) + 1)]
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha() and first < last:
        return [chr(n) for n in range(ord(first), ord(last) + 1)]
    return _ends(first, last)

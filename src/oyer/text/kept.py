"""What is worked out of a text is kept for a while, in one way and nowhere else.

An article has many summaries and a summary many judges: its folded form, words, language, segments
and the like are the same for all of them. Whatever is kept is a pure function of texts, and only
of the last few: memory is bounded, and losing it costs time alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

TEXTS = 32  # the last so many
FEW = 4  # the same where what is kept is as large as the text: about the fields of one case

P = ParamSpec("P")
T = TypeVar("T")


def keep(function: Callable[P, T]) -> Callable[P, T]:
    """The same function, which remembers what it found in the last few texts."""
    return cast("Callable[P, T]", lru_cache(maxsize=TEXTS)(function))


def keep_few(function: Callable[P, T]) -> Callable[P, T]:
    """The same for what is as large as its text, or larger."""
    return cast("Callable[P, T]", lru_cache(maxsize=FEW)(function))

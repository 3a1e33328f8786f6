"""Whether a text has a stretch that is no plain language: it may be anything, in a code of its own.

In prose of a language that we know, a common word comes every few words. A stretch without any is
a list of names or figures, source code, a language we do not know, or a cipher that a judge may
decode and we cannot. Of the news articles in our data one in 25 has such a stretch; of ciphers
(each letter moved, Morse, base 32, spelling alphabets …) all have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from oyer.text.stopwords import STOP_WORDS

SHORTEST: Final = 120  # characters without a common word, blanks counted once: names, figures
_LONG_WORD: Final = 3  # one of these is enough
_SHORT_WORD: Final = 2  # one turns up in a cipher by chance, two different ones hardly
_PARTICLES: Final = frozenset("のはをにがでともるた的了是在和不")  # Japanese and Chinese grammar
_WORD: Final = re.compile(r"[^\W\d_]+")


@cache
def _common_words() -> frozenset[str]:
    words: set[str] = set()
    for language in STOP_WORDS.values():
        words.update(word for word in language if len(word) >= _SHORT_WORD)
    return frozenset(words)


def is_obscure(text: str, hidden: int = 0) -> bool:
    """Whether so many characters follow each other without a common word. Linear.

    `hidden`: how long the text is that may be hidden there. No code that a judge can read makes a
    text much shorter, and a common word turns up in one by chance: a quarter of it is enough.
    """
    longest = max(SHORTEST, hidden // 4)
    text = " ".join(text.split())
    end = 0
    for start, stop in _plain_places(text):
        if start - end > longest:
            return True
        end = stop
    return len(text) - end > longest


def _plain_places(text: str) -> Iterator[tuple[int, int]]:
    """Where the text is plain language: a long common word, or the second of two short ones."""
    common = _common_words()
    short = ""
    for found in _WORD.finditer(text):
        word = found[0].lower()
        if word in common and len(word) == _SHORT_WORD and short in ("", word):
            short = word
        elif word in common or not _PARTICLES.isdisjoint(word):
            short = ""
            yield found.span()

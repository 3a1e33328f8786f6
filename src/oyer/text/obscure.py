"""Whether a text has a stretch that is no plain language: it may be anything, in a code of its own.

In prose of a language that we know, a common word comes every few words. A stretch with hardly any
is a list of names or figures, source code, a language we do not know, or a cipher that a judge may
decode and we cannot (each letter moved, Morse, base 32, spelling alphabets …), also one with a
common word strewn in here and there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from oyer.text.stopwords import STOP_WORDS

SHORTEST: Final = 120  # characters of a stretch, blanks counted once: names and figures are less
RARE: Final = 80  # characters to a common word; prose has one in 15, names and figures fewer
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
    """Whether a stretch of the text has fewer common words than plain language. Linear.

    `hidden`: how long the text is that may be hidden there. No code that a judge can read makes a
    text much shorter: half of it is the stretch.
    """
    text = " ".join(text.split())
    stretch = max(SHORTEST, hidden // 2)
    fewest = max(1, stretch // RARE)
    places = [0, *_plain_places(text), len(text)]
    for first, last in zip(places, places[fewest:], strict=False):
        if last - first > stretch:
            return True
    return len(places) <= fewest and len(text) > stretch


def _plain_places(text: str) -> Iterator[int]:
    """Where the text is plain language: a long common word, or the second of two short ones."""
    common = _common_words()
    short = ""
    for found in _WORD.finditer(text):
        word = found[0].lower()
        if word in common and len(word) == _SHORT_WORD and short in ("", word):
            short = word
        elif word in common or not _PARTICLES.isdisjoint(word):
            short = ""
            yield found.end()

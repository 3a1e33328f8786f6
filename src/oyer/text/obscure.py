"""Whether a text has a stretch that is no plain language: it may be anything, in a code of its own.

In prose of a language that we know, a common word comes every few words. A stretch with hardly any
is a list of names or figures, source code, a language we do not know, or a cipher that a judge may
decode and we cannot (each letter moved, Morse, base 32, spelling alphabets …), also one with a
common word strewn in here and there.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, compress, count
from typing import Final

from oyer.text.kept import keep
from oyer.text.stopwords import STOP_WORDS

SHORTEST: Final = 120  # characters of a stretch, blanks counted once: names and figures are less
RARE: Final = 80  # characters to a common word; prose has one in 15, names and figures fewer
#: One of two letters turns up in a cipher by chance, two different ones hardly; of longer ones
#: one is enough.
_SHORT_WORD: Final = 2
_PARTICLES: Final = frozenset("のはをにがでともるた的了是在和不")  # Japanese and Chinese grammar
_WORD: Final = re.compile(r"[^\W\d_]+")
#: ASCII letters in lower case, blanks for all else.
_LETTERS: Final = bytes(ord(chr(c).lower()) if chr(c).isalpha() else 32 for c in range(128)) * 2


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
    stretch = max(SHORTEST, hidden // 2)
    if len(text) <= stretch:
        return False
    fewest = max(1, stretch // RARE)
    places = _plain_places(text)
    for first, last in zip(places, places[fewest:], strict=False):
        if last - first > stretch:
            return True
    return len(places) <= fewest and places[-1] > stretch


@keep
def _plain_places(text: str) -> array[int]:
    """Where the text is plain language, its blanks counted once: where it starts, behind every long
    common word and the second of two short ones, and where it ends."""
    text = " ".join(text.split())
    common = _common_words()
    places = array("Q", [0])
    short = ""
    for word, end in _grammar(text):
        if len(word) == _SHORT_WORD and short in ("", word) and word in common:
            short = word
        else:
            short = ""
            places.append(end)
    places.append(len(text))
    return places


def _grammar(text: str) -> Iterator[tuple[str, int]]:
    """Each common word in lower case, or one with a particle in it, and where it ends."""
    common = _common_words()
    if not text.isascii():
        for found in _WORD.finditer(text):
            word = found[0].lower()
            if word in common or not _PARTICLES.isdisjoint(word):
                yield word, found.end()
        return
    # No regex, and no step of Python's for a word that is not common: a fifth of the time.
    words = text.encode("ascii").translate(_LETTERS).decode("ascii").split(" ")
    places = zip(words, accumulate(map(len, words)), count(), strict=False)
    for word, letters, blanks in compress(places, map(common.__contains__, words)):
        yield word, letters + blanks

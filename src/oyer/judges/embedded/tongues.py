"""In which language a text of a few words is, where its stop words are too few to tell.

Each word is looked up in the words of every language that we know some of. A summary is in another
language than its article when enough of its words are of that one alone, and none of the
article's.
"""

from __future__ import annotations

import re

from oyer.judges.embedded import languages, vectors
from oyer.judges.embedded.languages import ENGLISH, FOREIGN
from oyer.judges.embedded.words import STOP
from oyer.text.stopwords import STOP_WORDS

WORD = re.compile(r"[^\W\d_]+")
ENOUGH = 0.5  # of the words that are not of the article's language, names aside
FEWEST = 2  # words of one language, of which one is small: "The council"
BARE = 3  # words of one language, none of them small: "Council rejects footbridge"


def other_tongue(text: str, language: str) -> str:
    """The language that a text is in, if it is plainly another one than this; else nothing."""
    found = [m.group() for m in WORD.finditer(text)]
    lows = {w.lower() for n, w in enumerate(found) if n == 0 or w.islower()}
    lows = {low for low in lows if len(low) > 1}
    if any(_is_of(low, language) and not _is_shared(low, language) for low in lows):
        return ""
    strange = {low for low in lows if not _is_of(low, language)}
    by_code = {code: {low for low in strange if _is_of(low, code)} for code in STOP_WORDS}
    code = max(by_code, key=lambda c: (len(by_code[c] & STOP_WORDS[c]), len(by_code[c])))
    own = by_code[code]
    enough = len(own) >= (FEWEST if own & STOP_WORDS[code] else BARE)
    return code if enough and len(own) >= ENOUGH * len(strange) else ""


def _is_of(low: str, code: str) -> bool:
    if low in STOP_WORDS[code]:
        return True
    if code == ENGLISH:
        return low in STOP or vectors.row(low) >= 0
    return code in FOREIGN and low in languages.load(code).glosses


def _is_shared(low: str, language: str) -> bool:
    """Whether a word is of another language, too: "plan", "is"."""
    return any(_is_of(low, code) for code in STOP_WORDS if code != language)

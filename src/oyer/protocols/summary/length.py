"""Texts of a few words: scored by the same rules, and marked, since the scores mean little.

An article under 24 words cannot hold four key points of six words each (JL-POINTS), a summary under
10 no six questions. Nothing in the arithmetic changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from oyer.text.words import count
from oyer.types import Case

TOO_SHORT = "too_short"
#: Words that a text needs, lest it be marked.
LEAST = {"article": 24, "summary": 10}
_SURELY = 400  # characters hold as many words: longer texts are not counted


def observe(case: Case) -> Mapping[str, str]:
    """`too_short` names the texts that are, with their number of words."""
    texts = {name: case.text(name) for name in LEAST}
    counts = {name: count(text) for name, text in texts.items() if len(text) < _SURELY}
    short = [f"{name} {n} word{'s' * (n != 1)}" for name, n in counts.items() if n < LEAST[name]]
    return {TOO_SHORT: ", ".join(short)} if short else {}

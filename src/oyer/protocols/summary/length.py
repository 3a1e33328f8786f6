"""Texts of a few words, and summaries that copy their article: scored by the same rules, and
marked, since the scores mean little.

An article under 24 words cannot hold four key points of six words each (JL-POINTS), a summary under
10 no six questions. A copy tells every key point and invents nothing; neither protocol has a rule
on length. Nothing in the arithmetic changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from oyer.text.fold import fold
from oyer.text.words import count, plain_words, spans
from oyer.types import Case

TOO_SHORT, COPIED = "too_short", "copied"
#: Words that a text needs, lest it be marked.
LEAST = {"article": 24, "summary": 10}
_SURELY = 400  # characters hold as many words: longer texts are not counted
COPY = 90  # per cent of the article's words, from which on a summary is called a copy
RUN = 5  # words in a row that are copied rather than shared


def observe(case: Case) -> Mapping[str, str]:
    """`too_short` names the texts that are, with their number of words; `copied` says how much of
    the article stands in the summary."""
    texts = {name: case.text(name) for name in LEAST}
    counts = {name: count(text) for name, text in texts.items() if len(text) < _SURELY}
    short = [f"{name} {n} word{'s' * (n != 1)}" for name, n in counts.items() if n < LEAST[name]]
    share = measure_copy(texts["article"], texts["summary"])
    return {
        **({TOO_SHORT: ", ".join(short)} if short else {}),
        **({COPIED: f"{share} % of the article"} if share >= COPY else {}),
    }


def measure_copy(article: str, summary: str) -> int:
    """Per cent of the article's words that stand in the summary in runs of five, in whatever order,
    case and punctuation; 0 for a summary that is clearly shorter."""
    if 2 * len(summary) < len(article):  # most are, and are not read for this
        return 0
    words, told = _words(article), _words(summary)
    if not words or 100 * len(told) < COPY * len(words):
        return 0
    length = min(RUN, len(words))
    runs = set(_runs(told, length))
    copied = bytearray(len(words))
    for start, run in enumerate(_runs(words, length)):
        if run in runs:
            copied[start : start + length] = b"\1" * length
    return 100 * sum(copied) // len(words)


def _words(text: str) -> list[str]:
    """The words of a text without case and punctuation, also where no blanks are written."""
    plain = fold(text).casefold()
    return plain_words(" ".join(plain[start:end] for start, end in spans(plain)))


def _runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(length)), strict=False)

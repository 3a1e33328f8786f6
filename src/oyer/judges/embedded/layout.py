"""A summary as its reader takes it in: blanks for tags, list numbers, headings and lead-ins.

How a summary is set is neither true nor false. Only what tells nothing is blanked, at equal length:
a heading or a note with words of its own is read as any other sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial

from oyer.judges.embedded import languages, tables
from oyer.judges.embedded.languages import ENGLISH
from oyer.judges.embedded.markup import INLINE, MARK, blank, blank_mark
from oyer.judges.embedded.words import STOP

TAGS = INLINE | tables.words("tags")
LABELS = tables.words("labels")  # words of which one at least makes a line a heading
REPLIES = tables.words("replies")
BESIDE = STOP | tables.words("beside")  # words that may stand beside them
NOTE = re.compile(r"<!--|-->")
#: Where an item may begin: a line, or after a stop; its number is the group.
ITEM = re.compile(
    r"(?:^[ \t]*(?:[-*•–][ \t]+)?|(?<=[.!?:;\"”)])[ \t]+)(\*{0,2}\(?(\d{1,2})[.)]\*{0,2})(?=\s)",
    re.MULTILINE,
)
BULLET = re.compile(r"^[ \t]*[-*•–](?=\s)", re.MULTILINE)
#: What is set bold, between stars; those of a word that is half hidden (a**) are its own.
BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+)(?<=\S)\*\*(?![\w*])")
#: The beginning of a line, to its first colon or its end.
OPENING = re.compile(r"^[^:\n]{1,120}(?::[*_]*|$)", re.MULTILINE)
WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
LONGEST, CURT = 15, 5  # words of a lead-in, and of a reply that states nothing


def plain(summary: str, language: str = ENGLISH) -> str:
    """The summary with blanks for what is only layout, as long as it was: places stay the same.
    One that is nothing else stays as it is."""
    text = blank_layout(summary, language)
    return text if any(c.isalnum() for c in text) else summary


def blank_layout(summary: str, language: str = ENGLISH) -> str:
    """Blanks for what is only layout, and be it all.

    Unlike an article's, its comments and scripts are read: nobody hides a claim in one.
    """
    text = NOTE.sub(lambda m: blank(m.group(), line=True), summary)
    text = MARK.sub(_tag, text)
    letters = list(text)
    for start, end in _numbers(text):
        letters[start:end] = " " * (end - start)
    text = BULLET.sub(lambda m: blank(m.group(), line=False), "".join(letters))
    return OPENING.sub(partial(_opening, language), BOLD.sub(r"  \1  ", text))


def states(claim: str, language: str = ENGLISH) -> bool:
    """Whether a claim says something that could be true or false: "Thanks!" and "No." do not."""
    words = WORD.findall(claim.lower())
    replies = REPLIES if language == ENGLISH else languages.words(language, "replies")
    parts = {part for word in words for part in re.split("['’]", word)}
    return len(words) > CURT or not parts <= replies


def _tag(mark: re.Match[str]) -> str:
    known = not mark[1] or mark[1].lower() in TAGS
    return blank_mark(mark) if known else mark.group()


def _numbers(text: str) -> Sequence[tuple[int, int]]:
    """The places of 1., 2., 3. or 1), 2), 3): a number that is none of a row is no list's."""
    found: list[tuple[int, int]] = []
    row: list[tuple[int, int]] = []
    for item in ITEM.finditer(text):
        number = int(item[2])
        if number == len(row) + 1:
            row.append(item.span(1))
        elif number == 1:
            found += row if len(row) > 1 else []
            row = [item.span(1)]
    return found + (row if len(row) > 1 else [])


def _opening(language: str, line: re.Match[str]) -> str:
    """Blanks for "Key points:", "## Summary" or "Here is a summary of the article:"."""
    words = [w.lower().partition("’")[0].partition("'")[0] for w in WORD.findall(line.group())]
    labels, beside = LABELS, BESIDE
    if language != ENGLISH:
        labels, beside = languages.words(language, "labels"), small_words(language)
    named = any(w in labels for w in words)
    bare = named and len(words) <= LONGEST and all(w in labels or w in beside for w in words)
    return " " * len(line.group()) if bare else line.group()


@lru_cache(maxsize=4)
def small_words(language: str) -> frozenset[str]:
    """What may stand beside a label: words that stand for English stop words, and a list."""
    glosses = languages.load(language).glosses
    small = {word for word, english in glosses.items() if english in STOP}
    return languages.words(language, "beside") | small

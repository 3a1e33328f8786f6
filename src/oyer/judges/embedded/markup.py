"""A web page as its reader sees it: blanks for tags, scripts and comments, every word in place."""

from __future__ import annotations

import re

UNSEEN = (("<script", "</script"), ("<style", "</style"), ("<!--", "--"))
#: A tag or an entity; the name of a tag is its group. The address of a mail is none.
MARK = re.compile(r"</?(?![^<>\s]+@)([A-Za-z][A-Za-z0-9]*)[^<>]*>|&(?:[A-Za-z]+|#\d+);")
#: Tags that end no line.
INLINE = {"a", "abbr", "b", "bdi", "cite", "code", "em", "font", "i", "mark", "q", "s", "small",
          "span", "strong", "sub", "sup", "u"}  # fmt: skip


def legible(text: str) -> str:
    """The text with blanks for its markup, as long as it was: places in it stay the same.

    What stands in a script or style is not part of what the page tells; what opens and is never
    closed is only talk of one. A tag of more than letters ends a line.
    """
    if "<" not in text and "&" not in text:
        return text
    for opening, closing in UNSEEN:
        text = _without(text, opening, closing)
    return MARK.sub(blank_mark, text)


def blank_mark(mark: re.Match[str]) -> str:
    """Blanks for what `MARK` found; a tag that is none of the inline ones leaves a line's end."""
    return blank(mark.group(), line=bool(mark[1]) and mark[1].lower() not in INLINE)


def _without(text: str, opening: str, closing: str) -> str:
    low, kept, at = text.lower(), [], 0
    if len(low) != len(text):  # a few letters grow when they are small
        return text
    while (start := low.find(opening, at)) >= 0 and (end := low.find(closing, start)) >= 0:
        end = low.find(">", end)
        if end < 0:
            break
        kept += [text[at:start], blank(text[start : end + 1], line=True)]
        at = end + 1
    return "".join([*kept, text[at:]])


def blank(mark: str, line: bool) -> str:
    """As long as the mark; one that ends a line leaves a line's end."""
    return ("\n" if line else " ") + " " * (len(mark) - 1)

"""Sentences and claims, as stretches of the text they stand in."""

from __future__ import annotations

import re

from oyer.judges.embedded import languages, tables
from oyer.judges.embedded.grids import find_rows
from oyer.judges.embedded.languages import ENGLISH

#: After these a full stop seldom ends a sentence.
ABBREVIATIONS = tables.words("abbreviations")
#: A stop, its closing marks, and white space; or an ideographic stop; or a line's end.
END = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s|$))|(?:[。！？]+)|\n+|(?<=[.!?][\"”])(?=[A-Z])")
LAST = re.compile(r"([^\W\d_](?:[\w.]*\w)?)\W*$")
MIN_WORDS = 6  # fewer words on either side of a conjunction rarely carry a fact of their own


def sentences(text: str, language: str = ENGLISH) -> list[tuple[int, int]]:
    """The sentences of a text, as (start, end) without surrounding white space; a row of a table
    is one, whatever stands in its cells."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in END.finditer(text):
        if not _ends(text, start, match, language):
            continue
        _add(spans, text, start, match.end())
        start = match.end()
    _add(spans, text, start, len(text))
    return spans


def _ends(text: str, start: int, match: re.Match[str], language: str) -> bool:
    mark = match.group()
    rows = find_rows(text)
    if rows and (_line(text, match.start()) in rows or _line(text, match.end()) in rows):
        return "\n" in mark
    if "\n" in mark:
        return not (len(mark) == 1 and _is_wrapped(text, match.start(), language))
    if mark.startswith(".") and not mark.startswith(".."):
        tail = text[max(start, match.start() - 20) : match.start()]
        before = LAST.search(tail)
        word = before.group(1).lower() if before else ""
        if before and tail[: before.start(1)][-1:].isdigit():
            word = ""  # the 1930s.: no initial
        follows = text[match.end() : match.end() + 2].strip()[:1]
        tokenised = text[max(0, match.start() - 1) : match.start()].isspace()
        if not tokenised and (
            word in _abbreviations(language) or (len(word) == 1 and follows.isupper())
        ):
            return False
        return not follows.islower() or tokenised or len(word) > 3
    return True


def _line(text: str, place: int) -> int:
    """Where the line of a place begins."""
    return text.rfind("\n", 0, place) + 1


def _abbreviations(language: str) -> frozenset[str]:
    own = language != ENGLISH
    return languages.words(language, "abbreviations") if own else ABBREVIATIONS


def _is_wrapped(text: str, at: int, language: str) -> bool:
    """Whether a line's end is only where the line was full: no stop before it, a small letter
    after it, in a text that knows capitals (a lower-cased text has a sentence a line)."""
    before, after = text[:at].rstrip(" \t")[-1:], text[at + 1 : at + 2]
    if languages.pattern(language, "greeting").match(text, text.rfind("\n", 0, at) + 1, at):
        return False
    return after.islower() and (before.isalnum() or before in ",'’\"”") and text[:1].isupper()


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if right > left and any(c.isalnum() for c in piece):
        spans.append((start + left, start + right))


def claims(text: str, language: str = ENGLISH) -> list[tuple[int, int]]:
    """The claims of a summary: its sentences, split where a conjunction joins separate facts:
    one that may start a fact with a subject or verb of its own."""
    found: list[tuple[int, int]] = []
    joints = languages.pattern(language, "joint")
    for start, end in sentences(text, language):
        cut = start
        for joint in joints.finditer(text, start, end):
            left, right = text[cut : joint.start()], text[joint.end() : end]
            if len(left.split()) >= MIN_WORDS and len(right.split()) >= MIN_WORDS:
                _add(found, text, cut, joint.start())
                cut = (
                    joint.end()
                    if joint.group().strip(" ,") in ("", ";", "-", "--")
                    else (joint.start() + len(joint.group()) - len(joint.group().lstrip(" ,")))
                )
        _add(found, text, cut, end)
    return found

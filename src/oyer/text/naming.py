"""What a text names, in whatever notation: `status: Fully`, `<status>`, `status=`, `"status",`.

A judge that is shown a verdict in YAML, XML or a table may write it down as JSON. Notations differ;
the names of the members stay. A name counts where something follows that it is the name of, and
anywhere when it is written as one word of several (`key_points`, `keyPoints`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from oyer.text.guises import guises, is_plain, without_invisible
from oyer.text.kept import keep

_BEFORE = 60  # characters before a mark that are looked at
_MOST_WORDS = 5  # of a name
#: A name stands before these; before a comma only when it is quoted, for prose is full of commas.
_MARK = re.compile(r"""[:=>|：＝]|["'”»]\s?,""")
_MARKS = ":=>|：＝_"  # a text without any of these names nothing that counts
_WORD_START = re.compile(r"\w*\Z")
_WORD_END = re.compile(rf"\w{{0,{_BEFORE}}}")
_HUMP = re.compile(r"[a-z][A-Z]")
_GAP = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")
#: Cyrillic and Greek letters that look like Latin ones.
_LOOK_ALIKES = str.maketrans(
    "асеорхуікмнтвгѕјԁԛԝһӏαβεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВСЕНІЈКМОРЅТХУ",
    "aceopxyikmhtbrsjdqwhlabeiknoptuxABEZHIKMNOPTYXABCEHIJKMOPSTXY",
)

#: Figures that are written for letters; `1` may be either of two, so both are one.
_FIGURES = str.maketrans("0134578i", "oleastbl")


@keep
def names_in(text: str) -> frozenset[str]:
    """All names of a text and of its guises, folded as `fold_name` does."""
    found: set[str] = set()
    for guise in (text,) if is_plain(text) else guises(text):
        if any(mark in guise for mark in _MARKS):
            found.update(_names(guise))
    return frozenset(found)


@lru_cache(maxsize=1024)  # a protocol's replies have the same keys, and there are few
def fold_name(name: str) -> str:
    """A name without its case, joints and plural: `Key-Points` and `key_point` are one."""
    return "".join(_words(name)).rstrip("s")


def _names(text: str) -> Iterator[str]:
    for mark in _MARK.finditer(text):
        line = text[max(0, mark.start() - _BEFORE) : mark.start()].rpartition("\n")[2]
        yield from _endings(line)
    for joint in _joints(text):
        yield from _endings(_word_around(text, joint))


def _joints(text: str) -> Iterator[int]:
    """Where the words of a compound name meet: at an underscore, or where a capital follows."""
    at = text.find("_")
    while at >= 0:
        yield at
        at = text.find("_", at + 1)
    for hump in _HUMP.finditer(text):
        yield hump.start()


def _word_around(text: str, at: int) -> str:
    """The word that has this joint; bounded, so that a text of one long word takes linear time."""
    start = _WORD_START.search(text[max(0, at - _BEFORE) : at])
    end = _WORD_END.match(text, at)
    assert start is not None
    assert end is not None
    return start[0] + end[0]


def _endings(line: str) -> Iterator[str]:
    """The last word, the last two together, the last three …"""
    name = ""
    for word in reversed(_words(line)[-_MOST_WORDS:]):
        name = word + name
        yield name.rstrip("s")


def _words(line: str) -> list[str]:
    words = _GAP.split(_plain_letters(line))
    return [word.lower().translate(_FIGURES) for word in words if word]


def _plain_letters(text: str) -> str:
    """Letters without their accents, and Latin for those that only look so."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", without_invisible(text))
    bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return bare.translate(_LOOK_ALIKES)

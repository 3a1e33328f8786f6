"""The one reply reader: finds the JSON objects in whatever a model sends.

Clean objects go through `json`; what it refuses goes through `lenient`. Nothing is given a
meaning here: which object is the verdict is decided in `selection`. The table of what is read how
is docs/replies.md.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from oyer.errors import Unscored
from oyer.types import Found, Reading
from oyer.verdicts.lenient_json import (
    BLANK,
    CUT_OFF,
    MAX_DEPTH,
    OBJECT_START,
    STRING,
    read_object,
    skip_blank,
    skip_value,
    too_deep,
)

MAX_CHARS: Final = 1_000_000
MAX_REFUSALS: Final = 20

_REASONING = re.compile(r"[\s\ufeff]*<(think|thinking|reasoning|thought)>", re.IGNORECASE)
_OPENER = re.compile(r"[\[{]")
_BRACKETS = re.compile(r"[\[\s]+")
_STRING_ITEM = re.compile(rf"{STRING}{BLANK}[,\]]", re.DOTALL)
_WHOLE_STRING = re.compile(rf"\s*{STRING}\s*", re.DOTALL)
_CUT_START = re.compile(
    rf"""\{{\s*(?:{STRING}\s*|"(?:[^"\\]++|\\.)*+\\?|'(?:[^"'\\]++|\\.)*+\\?)?\Z""", re.DOTALL
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_DEPTH = re.compile(r'"(?:[^"\\]++|\\.)*+"|([\[{])|([\]}])', re.DOTALL)


def read_reply(text: str) -> Reading:
    """The objects of a reply, in order; raises `Unscored` for one that is too long or too deep."""
    if len(text) > MAX_CHARS:
        detail = f"the reply has {len(text)} characters; at most {MAX_CHARS} are read"
        raise Unscored("unreadable", "reply.too_long", detail)
    if not text.isascii():
        text = _SURROGATES.sub("\ufffd", text)  # one for one: offsets stay
    start = after_reasoning(text)
    if start is None:
        return Reading((), truncated=True)
    if _WHOLE_STRING.fullmatch(text, start):  # a reply that is one JSON string holds no object
        return Reading(())
    return _Scan(text, start).run()


def after_reasoning(text: str) -> int | None:
    """Where a leading `<think>…</think>` ends; None when it never does.

    It ends at its first closing tag: a later one may stand inside a verdict's string.
    """
    at = 0
    while match := _REASONING.match(text, at):
        close = re.compile(rf"</{match[1]}>", re.IGNORECASE).search(text, match.end())
        if close is None:
            return None
        at = close.end()
    return at


class _Odd(ValueError):
    """What `json` would let pass in silence: doubled keys, NaN, numbers without bound."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Odd
    return members


def _integer(digits: str) -> int:
    if len(digits) > 18:
        raise _Odd
    return int(digits)


def _decimal(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Odd
    return number


def _constant(name: str) -> Any:
    raise _Odd(name)


_STRICT = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
)


class _Scan:
    """One walk through a reply, from brace to brace; prose between the objects is passed over."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.at = text, start
        self.found: list[Found] = []
        self.stopped = self.cut = False
        # `json` lets lone surrogates pass, and each of its refusals costs a walk over the text
        odd = "\\" in text and "\\u" in text and _SURROGATE_ESCAPE.search(text, start)
        self.trust = 0 if odd else MAX_REFUSALS
        self.shallow = text.count("{", start) + text.count("[", start) <= MAX_DEPTH

    def run(self) -> Reading:
        while not self.stopped and (opener := _OPENER.search(self.text, self.at)):
            self.at = opener.start()
            if opener[0] == "{":
                self.object()
            else:
                self.array()
        return Reading(tuple(self.found), self.cut)

    def object(self) -> bool:
        """The object at `at`; a brace of the prose is stepped over, and is False."""
        if not self.begins():
            self.at += 1
            return False
        found = self.strict() or read_object(self.text, self.at)
        self.found.append(found)
        self.at = found.end
        if not found.complete:  # whatever follows may belong to it: nothing more is read
            self.stopped = True
            self.cut = CUT_OFF in found.flaws
        return True

    def begins(self) -> bool:
        start = OBJECT_START.match(self.text, self.at) or _CUT_START.match(self.text, self.at)
        return start is not None or self.text.startswith("}", skip_blank(self.text, self.at + 1))

    def strict(self) -> Found | None:
        if not self.trust:
            return None
        try:
            value, end = _STRICT.raw_decode(self.text, self.at)
        except ValueError:
            self.trust -= 1
            return None
        except RecursionError:
            raise too_deep() from None
        if not self.shallow:
            _measure(self.text, self.at, end)
        return Found(value, self.at, end)

    def array(self) -> None:
        """An array of the reply itself: its objects count, its strings are not looked into."""
        run = _BRACKETS.match(self.text, self.at)
        assert run is not None
        depth = run[0].count("[")
        if depth > MAX_DEPTH:
            raise too_deep()
        self.at = run.end()
        if self.text.startswith("{", self.at):
            if not self.object():
                return
        elif not _STRING_ITEM.match(self.text, self.at):
            return
        while depth and not self.stopped:
            depth = self.item(depth)

    def item(self, depth: int) -> int:
        """One step through an array: an item, a comma or a bracket; the depth after it."""
        self.at = skip_blank(self.text, self.at)
        mark = self.text[self.at : self.at + 1]
        if mark == "":
            self.stopped = self.cut = True
        elif mark in "[],":
            depth += {"[": 1, "]": -1, ",": 0}[mark]
            self.at += 1
            if depth > MAX_DEPTH:
                raise too_deep()
        elif mark != "{" or not self.object():
            self.scalar()
        return depth

    def scalar(self) -> None:
        """Past an item that is no object; a comma or bracket must follow it.

        Else strings and objects cannot be told apart from here on, and nothing more is read.
        """
        end = skip_value(self.text, self.at)
        end = len(self.text) if end is None else skip_blank(self.text, end)
        if self.text[end : end + 1] in (",", "]"):
            self.at = end
            return
        flaw = f"syntax error at character {self.at}: ',' or ']' expected"
        self.found.append(Found({}, self.at, self.at, complete=False, flaws=(flaw,)))
        self.stopped = True


def _measure(text: str, start: int, end: int) -> None:
    """Refuse a clean object that nests too deep, as the tolerant parser would."""
    depth = 0
    for mark in _DEPTH.finditer(text, start, end):
        if mark[1]:
            depth += 1
            if depth > MAX_DEPTH:
                raise too_deep()
        elif mark[2]:
            depth -= 1

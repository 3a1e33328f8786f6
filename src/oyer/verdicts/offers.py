"""What the judged texts offer as a verdict: every object of every field, in every guise.

The objects are read by the parser that reads replies, but more generously: one that is cut, or
breaks the syntax, counts with all that can be read of it, because a judge that repeats it may put
it right. Every brace of a text is looked at, from the last to the first: an object inside another
one has been read by then and is not read again, so the time is linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from oyer.errors import Unscored
from oyer.text.guises import guises, is_plain
from oyer.types import Case, JsonObject
from oyer.verdicts.lenient_json import (
    BLANK,
    KEY,
    MAX_DEPTH,
    OBJECT_START,
    Parser,
    Stop,
    skip_blank,
)

_NEXT_MEMBER: Final = re.compile(rf"(?:{KEY}){BLANK}:", re.DOTALL)
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
MAX_ITEMS: Final = 100_000  # parts of a JSON field that are looked into before it is tangled
MAX_WORK: Final = 4  # times the length of a text that is read before it is called tangled
LITTLE_WORK: Final = 20_000


class Tangled(Exception):
    """A text whose braces, strings and comments overlap so much that nobody can say what it holds.

    Only a text that is made for it gets here: reading on would take more than linear time.
    """


class Offer(NamedTuple):
    """An object of a judged text; not `whole` when it is cut or breaks the syntax."""

    value: JsonObject
    whole: bool = True


class _Read(NamedTuple):
    """An object that has been read: what, up to where, and how deep it goes."""

    value: dict[str, Any]
    end: int
    whole: bool
    height: int


def offers(case: Case) -> Iterator[Offer]:
    """Every object that a field of the case holds or spells out."""
    for item in _items(case.fields):
        if isinstance(item, str):
            if not is_plain(item):
                for text in guises(item):
                    if "{" in text:
                        yield from objects_of(text)
        elif isinstance(item, Mapping):
            yield Offer(item)


def strings(fields: JsonObject) -> Iterator[str]:
    """Every text of a case: its fields, and what stands in those that are JSON."""
    return (item for item in _items(fields) if isinstance(item, str))


def _items(fields: JsonObject) -> Iterator[Any]:
    """The fields and all that they hold, the keys of objects too when they are long."""
    for field in fields.values():
        if type(field) is str:
            yield field
            continue
        pending = [field]
        looked = 0
        while pending:
            looked += 1
            if looked > MAX_ITEMS:
                raise Tangled
            item = pending.pop()
            yield item
            if isinstance(item, str):
                continue
            if isinstance(item, Mapping):
                pending.extend(item.values())
                pending.extend(key for key in item if isinstance(key, str) and len(key) > 20)
            elif isinstance(item, list | tuple):
                pending.extend(item)


def objects_of(text: str) -> Iterator[Offer]:
    """Every object that begins at a brace of the text, however it goes on."""
    if not text.isascii():
        text = _SURROGATES.sub("\ufffd", text)
    known: dict[int, _Read] = {}
    work = LITTLE_WORK + MAX_WORK * len(text)
    at = text.rfind("{")
    while at >= 0:
        work -= skip_blank(text, at + 1) - at
        if OBJECT_START.match(text, at):
            parser = _Generous(text, at + 1, known)
            read = parser.read()
            work -= read.end - at - parser.jumped
            if read.height <= MAX_DEPTH:
                known[at] = read
                yield Offer(read.value, read.whole)
        if work < 0:
            raise Tangled
        at = text.rfind("{", 0, at)


class _Generous(Parser):
    """Reads one object; where it breaks, what was read so far counts, and `over` is set."""

    def __init__(self, text: str, at: int, known: Mapping[int, _Read]) -> None:
        super().__init__(text, at)
        self.known = known
        self.over = False
        self.height = 1
        self.jumped = 0  # characters of inner objects that were not read again

    def read(self) -> _Read:
        members: dict[str, Any] = {}
        try:
            self.members(members, 1)
        except Stop:
            self.over = True
        except Unscored:  # lists nest deeper than any reply that is read
            self.height = MAX_DEPTH + 1
        return _Read(members, self.at, not self.over, self.height)

    def value(self, depth: int) -> Any:
        if self.peek() == "{":
            return self.object(depth)
        try:
            return super().value(depth)
        except Stop:
            self.over = True
            return ""

    def object(self, depth: int) -> dict[str, Any]:
        """The inner object that begins here, which has been read before."""
        inner = self.known.get(self.at)
        if inner is not None:
            self.jumped += inner.end - self.at
            self.at, self.over = inner.end, not inner.whole
            self.height = max(self.height, depth + inner.height)
            return inner.value
        end = skip_blank(self.text, self.at + 1)
        if self.text.startswith("}", end):
            self.at = end + 1
        else:  # a brace of no object, or one that is too deep
            self.over = True
        return {}

    def finished(self, closer: str) -> None:
        """Whatever follows an item, it counts."""

    def another(self, closer: str) -> bool:
        if self.over:
            return False
        mark = self.peek()
        if closer == "}" and mark != "," and _NEXT_MEMBER.match(self.text, self.at):
            return True  # a comma is missing that a judge would put in
        try:
            return super().another(closer)
        except Stop:
            self.over = True
            return False

"""A small tolerant JSON parser, for what models write and `json` refuses.

Tolerated, each noted as a flaw: trailing commas, single quotes, comments, Python and JavaScript
literals, raw control characters and unknown escapes in strings, keys and single words without
quotes, odd numbers. Not tolerated, because mending it would let quoted text pass for the judge's:
a quote mark inside a string, a missing comma or colon. There the object ends: its finished
members are kept, the one being read is dropped whole, and nothing behind it is read.
"""

from __future__ import annotations

import re
from typing import Any, Final, NoReturn

from oyer.errors import Unscored
from oyer.types import Found

MAX_DEPTH: Final = 100
MAX_DIGITS: Final = 300
MAX_FLAWS: Final = 20
CUT_OFF: Final = "cut off"  # the flaw of an object in which the reply ends

# Comments are bounded, in length and in a row, so that a reply full of their beginnings is still
# read in linear time.
_COMMENT: Final = (
    r"(?://|\#)[^\n]{0,1000}+(?=\n|\Z)|/\*[^*]{0,1000}+\*++(?:[^/*][^*]{0,1000}+\*++){0,20}+/"
)
BLANK: Final = rf"(?:[\s\ufeff\u200b]++|{_COMMENT}){{0,24}}+"
STRING: Final = r"""(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')"""
_WORD: Final = r"[^\W\d][\w$-]*+"
KEY: Final = rf"{STRING}|{_WORD}|\d++"

_BLANK = re.compile(BLANK, re.DOTALL)
_STRING = re.compile(STRING, re.DOTALL)
_KEY = re.compile(KEY, re.DOTALL)
_TOKEN = re.compile(r"[+-]?[\w.][\w.+%-]*+(?:/\d[\w.]*+)?+")
_STRICT_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_LOOSE_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_ESCAPE = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})(?:(?<=\\u[dD][89abAB]..)\\u([dD][c-fC-F][0-9a-fA-F]{2}))?"
    r"|x([0-9a-fA-F]{2})|(.))",
    re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x1f]")

_ESCAPES: Final = {
    '"': '"', "'": "'", "\\": "\\", "/": "/", "\n": "",
    "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_LITERALS: Final[dict[str, tuple[Any, str | None]]] = {
    "true": (True, None),
    "false": (False, None),
    "null": (None, None),
    "True": (True, "Python literal"),
    "False": (False, "Python literal"),
    "None": (None, "Python literal"),
    "TRUE": (True, "literal in capitals"),
    "FALSE": (False, "literal in capitals"),
    "NULL": (None, "literal in capitals"),
    "undefined": (None, "JavaScript literal"),
}

#: `{` then a key and a colon: from here on it is an object, however it goes on.
OBJECT_START = re.compile(rf"\{{{BLANK}(?:{KEY}){BLANK}:", re.DOTALL)


def read_object(text: str, start: int) -> Found:
    """The object whose `{` stands at `start`, as far as it can be read.

    Raises `Unscored` when it nests too deep.
    """
    parser = Parser(text, start + 1)
    members: dict[str, Any] = {}
    complete = True
    try:
        parser.members(members, 1)
    except Stop as stop:
        complete = False
        parser.flaw(str(stop))
    return Found(members, start, parser.at, complete, tuple(parser.flaws))


def skip_value(text: str, start: int) -> int | None:
    """Where the value at `start` ends; None when it cannot be read."""
    parser = Parser(text, start)
    try:
        parser.value(1)
    except Stop:
        return None
    return parser.at


def skip_blank(text: str, start: int) -> int:
    """Past white space and comments."""
    match = _BLANK.match(text, start)
    return match.end() if match else start


def same(a: Any, b: Any) -> bool:
    """Whether two parsed values say the same; unlike `==`, true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def too_deep() -> Unscored:
    detail = f"the reply nests deeper than {MAX_DEPTH} levels"
    return Unscored("unreadable", "reply.too_deep", detail)


class Stop(Exception):
    """The object cannot be read further: the reply is cut here, or breaks the syntax."""


class Parser:
    """Reads one value, from `at`; what it forgave is in `flaws`. Recursion ends at MAX_DEPTH."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.flaws: list[str] = []

    def flaw(self, name: str) -> None:
        if name not in self.flaws and len(self.flaws) < MAX_FLAWS:
            self.flaws.append(name)

    def fail(self, expected: str) -> NoReturn:
        if self.ended():
            raise Stop(CUT_OFF)
        raise Stop(f"syntax error at character {self.at}: {expected} expected")

    def ended(self) -> bool:
        """The end of the reply, or of its code fence."""
        return self.at >= len(self.text) or self.text.startswith("```", self.at)

    def blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        if match is None or match.end() == self.at:
            return
        if not match[0].isspace():
            self.flaw("comment")
        self.at = match.end()
        if self.text.startswith("/*", self.at):  # a comment that never closes
            self.at = len(self.text)

    def peek(self) -> str:
        self.blank()
        return self.text[self.at : self.at + 1]

    def members(self, into: dict[str, Any], depth: int) -> None:
        """The members of an object, put `into` it as each is finished, up to and with its `}`."""
        if depth > MAX_DEPTH:
            raise too_deep()
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            key = self.key()
            if self.peek() != ":":
                self.fail("':'")
            self.at += 1
            value = self.value(depth)
            self.finished("}")
            self.put(into, key, value)
            if not self.another("}"):
                return

    def finished(self, closer: str) -> None:
        """An item counts when a comma, its container's end or the reply's end follows it."""
        if self.peek() not in (",", closer) and not self.ended():
            self.fail(f"',' or '{closer}'")

    def another(self, closer: str) -> bool:
        """Past the comma or the closer; whether another item follows."""
        mark = self.peek()
        if mark not in (",", closer):
            self.fail(f"',' or '{closer}'")
        self.at += 1
        if mark == "," and self.peek() == closer:
            self.flaw("trailing comma")
            self.at += 1
            return False
        return mark == ","

    def put(self, into: dict[str, Any], key: str, value: Any) -> None:
        if key in into:
            alike = same(into[key], value)
            self.flaw(f"{'duplicate' if alike else 'conflicting'} key '{key[:40]}'")
        else:
            into[key] = value

    def key(self) -> str:
        self.blank()
        match = _KEY.match(self.text, self.at)
        if match is None:
            if self.text.startswith(('"', "'"), self.at):  # a string that never closes
                self.at = len(self.text)
            self.fail("a key")
        self.at = match.end()
        if match[0][0] in "\"'":
            return self.unquote(match[0])
        self.flaw("key without quotes")
        return match[0]

    def value(self, depth: int) -> Any:
        mark = self.peek()
        if mark == "{":
            self.at += 1
            members: dict[str, Any] = {}
            self.members(members, depth + 1)
            return members
        if mark == "[":
            self.at += 1
            return self.items(depth + 1)
        if mark in ('"', "'"):
            return self.string()
        return self.token()

    def items(self, depth: int) -> list[Any]:
        if depth > MAX_DEPTH:
            raise too_deep()
        found: list[Any] = []
        if self.peek() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value(depth))
            if not self.another("]"):
                return found

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            self.at = len(self.text)
            self.fail("the end of a string")
        self.at = match.end()
        return self.unquote(match[0])

    def unquote(self, written: str) -> str:
        body = written[1:-1]
        if written[0] == "'":
            self.flaw("single quotes")
        if _CONTROL.search(body):
            self.flaw("raw control character in a string")
        return _ESCAPE.sub(self.escape, body) if "\\" in body else body

    def escape(self, match: re.Match[str]) -> str:
        high, low, byte, plain = match.groups()
        if high:
            if low:
                pair = (int(high, 16) - 0xD800 << 10) + int(low, 16) - 0xDC00
                return chr(0x10000 + pair)
            if high[0] in "dD" and high[1] in "89abcdefABCDEF":
                self.flaw("lone surrogate")
                return "\ufffd"
            return chr(int(high, 16))
        if byte:
            self.flaw("unknown escape")
            return chr(int(byte, 16))
        if plain in _ESCAPES:
            if plain in "'\n":
                self.flaw("unknown escape")
            return _ESCAPES[plain]
        self.flaw("unknown escape")
        return match[0]

    def token(self) -> Any:
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            self.fail("a value")
        if match.end() == len(self.text):  # 8 may have been 8.5, tru may have been true
            self.at = len(self.text)
            self.fail("the end of a value")
        self.at = match.end()
        word = match[0]
        if word in _LITERALS:
            value, flaw = _LITERALS[word]
            if flaw:
                self.flaw(flaw)
            return value
        return self.number(word)

    def number(self, word: str) -> Any:
        """A number; as its own string when it is too big, not finite or no number at all."""
        if not _LOOSE_NUMBER.fullmatch(word):
            self.flaw("value without quotes")
            return word
        if not _STRICT_NUMBER.fullmatch(word):
            self.flaw("odd number")
        if word.lstrip("+-").isdigit():
            if len(word) <= MAX_DIGITS:
                return int(word)
        elif abs(number := float(word)) != float("inf"):
            return number
        self.flaw("too big a number")
        return word

"""Keys: read from the environment, sent to their server, shown to nobody."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from oyer.errors import UsageError

HIDDEN = "[key]"
#: Shorter values ("x", "none", "EMPTY") are placeholders for servers that want no key. They are
#: words of everyday replies, too: taking them out would change what a judge said.
SHORTEST = 8
HEADERS = ("", "Bearer ", "Authorization: Bearer ", "x-api-key: ")
_INVISIBLE = "\u00ad\u034f\u200b-\u200f\u2060-\u2064\ufeff"
_TRACES = re.compile(rf"\\u00|\\x|&\#|%[0-7]|[{_INVISIBLE}]")
_URL_SAFE = str.maketrans("+/", "-_")
#: Words that documentation writes where a key belongs, alone or with the names of what it is.
_MADE_UP = frozenset(
    {"your", "my", "insert", "paste", "replace", "dummy", "placeholder", "changeme", "todo",
     "example", "none", "null", "undefined", "empty", "test"}
)  # fmt: skip
_NAMES = frozenset(
    {"key", "api", "token", "here", "secret", "the", "own", "with", "real", "this", "sk"}
)  # fmt: skip
_BLANKED = re.compile(
    r"(?:[a-z]{2,4}-)?(?:<.*>|\[.*\]|\$?\{.*\}|\.{3,}|\*{3,}|x{3,})", re.IGNORECASE
)


class Secret:
    """A key that does not print: not in a repr, a log line, a traceback with locals."""

    __slots__ = ("_forms", "_spelt", "_value", "variable")

    def __init__(self, value: str, variable: str) -> None:
        self._value = value
        self.variable = variable
        self._forms = _forms(value)
        self._spelt = _spellings(value)

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def __reduce__(self) -> str:
        raise TypeError("a key is not pickled")

    def reveal(self) -> str:
        """The key itself: only for the header of a request."""
        return self._value

    def hide(self, text: str) -> str:
        """The text without the key, in whatever form a server may have echoed it."""
        if not self._forms:
            return text
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        if _TRACES.search(text):  # looking for it letter by letter takes longer
            text = self._spelt.sub(HIDDEN, text)
        return text

    def hide_bytes(self, body: bytes) -> bytes:
        """The same for a body as it came in, before anything reads it."""
        text = body.decode("utf-8", "surrogateescape")
        hidden = self.hide(text)
        return body if hidden is text else hidden.encode("utf-8", "surrogateescape")


def _forms(value: str) -> tuple[str, ...]:
    """How a key may come back as a whole: as it is, in JSON, in a URL, in base64, in hexadecimal
    digits, also as part of its header; longest first."""
    if len(value) < SHORTEST:
        return ()
    escaped = json.dumps(value)[1:-1]
    forms = {
        value,
        value[::-1],
        escaped,
        escaped.replace("/", "\\/"),
        quote(value, safe=""),
        html.escape(value),
        value.encode().hex(),
        value.encode().hex().upper(),
        value.encode().hex(" "),
        value.encode().hex(":"),
    }
    for header in HEADERS:  # what stands before it changes all of its base64
        forms |= _in_base64(f"{header}{value}")
    return tuple(sorted((form for form in forms if form), key=len, reverse=True))


def _in_base64(text: str) -> set[str]:
    """The base64 of a text that stands anywhere in another one: three ways to fall."""
    found = set()
    for shift in range(3):
        raw = b"\0" * shift + text.encode()
        coded = base64.b64encode(raw).decode().rstrip("=")
        skip = (0, 2, 3)[shift]  # characters that belong to what stands before
        inner = coded[skip : len(coded) - (1 if len(raw) % 3 else 0)]
        found |= {inner, inner.translate(_URL_SAFE)}
    return found


def _spellings(value: str) -> re.Pattern[str]:
    """The key letter by letter: escaped, as an entity, or with invisible characters between."""
    between = f"[{_INVISIBLE}]*"
    letters = []
    for letter in value:
        code = ord(letter)
        letters.append(
            rf"(?:{re.escape(letter)}|\\{{1,4}}u00{code:02x}|\\{{1,4}}x{code:02x}|%{code:02x}"
            rf"|&\#0*{code};|&\#x0*{code:x};)"
        )
    return re.compile(between.join(letters), re.IGNORECASE if value.isascii() else 0)


def find_key(environ: Mapping[str, str], variables: Iterable[str]) -> Secret | None:
    """The first of these variables that is set and not blank; `UsageError` if it is no key."""
    for variable in variables:
        value = environ.get(variable, "").strip()
        if not value:
            continue
        if not (value.isascii() and value.isprintable()):
            raise UsageError(
                f"a key cannot be sent: the value of {variable} holds a line break, a control "
                "character or a letter outside ASCII; set it again, without quotes or line breaks"
            )
        return Secret(value, variable)
    return None


def refuse_placeholder(key: Secret) -> None:
    """A hosted service takes no made-up key: say whose it is before a question is asked."""
    value = key.reveal()
    words = set(re.findall(r"[a-z]+", value.lower()))
    service = set(re.findall(r"[a-z]+", key.variable.lower()))
    made_up = bool(words & _MADE_UP) and words <= _MADE_UP | _NAMES | service
    if made_up or len(value) < SHORTEST or _BLANKED.fullmatch(value):
        raise UsageError(
            f"the value of {key.variable} is a placeholder, not a key: set it to your own"
        )

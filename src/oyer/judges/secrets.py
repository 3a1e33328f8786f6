"""Keys: read from the environment, sent to their server, shown to nobody."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from oyer.errors import UsageError

HIDDEN = "[key]"
#: Shorter values ("x", "none", "EMPTY") are placeholders for servers that want no key. They are
#: words of everyday replies, too: taking them out would change what a judge said.
SHORTEST = 8


class Secret:
    """A key that does not print: not in a repr, a log line, a traceback with locals."""

    __slots__ = ("_forms", "_value", "variable")

    def __init__(self, value: str, variable: str) -> None:
        self._value = value
        self.variable = variable
        self._forms = _forms(value)

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def __reduce__(self) -> str:
        raise TypeError("a key is not pickled")

    def reveal(self) -> str:
        """The key itself: only for the header of a request."""
        return self._value

    def hide(self, text: str) -> str:
        """The text without the key, should a server have echoed it."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        return text

    def hide_bytes(self, body: bytes) -> bytes:
        """The same for a body as it came in, before anything reads it."""
        for form in self._forms:
            raw = form.encode()
            if raw in body:
                body = body.replace(raw, HIDDEN.encode())
        return body


def _forms(value: str) -> tuple[str, ...]:
    """How a key may come back: as it is, in JSON, in a URL, in base64; longest first."""
    if len(value) < SHORTEST:
        return ()
    escaped = json.dumps(value)[1:-1]
    forms = {
        value,
        escaped,
        escaped.replace("/", "\\/"),
        quote(value, safe=""),
        base64.b64encode(value.encode()).decode(),
    }
    return tuple(sorted((form for form in forms if form), key=len, reverse=True))


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

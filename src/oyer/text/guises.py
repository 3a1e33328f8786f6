"""The guises in which a judge may repeat a text: as it stands, as it saw it, or decoded.

A judge sees a text disarmed (`fence.disarm`), and may drop what is invisible, take off one layer
of escapes or decode what it repeats. Whoever compares a reply with a text compares it with every
guise. Each is one pass over the text, two layers deep at most, so all of it takes linear time.
No list of codes is complete: the prompt's seal is there for the ones that are not in this one.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from oyer.text.fence import disarm
from oyer.text.kept import keep, keep_few

_LAYERS = 2
_SHORT = 50_000  # characters of a text whose guises are kept: there may be dozens
#: Braces that compatibility folding makes plain.
_OTHER_BRACES = "\uff5b\ufe5b\ufe37"
_QUOTES = dict.fromkeys("“”„‟«»＂〝〞", '"') | dict.fromkeys("‘’‚‛＇", "'")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
#: No word of prose has sixteen such characters; what goes on behind a line break belongs to it.
_CODED = re.compile(r"[A-Za-z0-9+/_-]{16,}+(?:\s{1,4}+[A-Za-z0-9+/_-]{4,}+)*+={0,2}")
_LONG_RUN = b"x" * 16
_RUNS = bytes(ord("x") if re.match(rb"[A-Za-z0-9+/_-]", bytes([c])) else 32 for c in range(256))
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[\s:]{0,2}+){30,}+")
_LONG_HEX = b"x" * 60
#: The same for `_HEX`: `?` stands for all that is not ASCII, and so for white space, too.
_HEX_RUNS = bytes(ord("x") if re.match(r"[0-9a-fA-F\s:?]", chr(c)) else 32 for c in range(256))
_URL_SAFE = str.maketrans("-_", "+/")
_LETTERS = string.ascii_lowercase, string.ascii_uppercase
_ROT13 = bytes.maketrans(
    "".join(_LETTERS).encode(),
    "".join(letters[13:] + letters[:13] for letters in _LETTERS).encode(),
)


def guises(text: str) -> Iterable[str]:
    """The text as it stands, and in every other guise that it has."""
    return _kept_guises(text) if len(text) <= _SHORT else _guises(text)


@keep_few
def _kept_guises(text: str) -> tuple[str, ...]:
    """Objects and names are looked for in the same guises, one after the other."""
    return tuple(_guises(text))


def _guises(text: str) -> Iterator[str]:
    seen = {text}
    layer = [text]
    yield text
    if "{" in text:
        yield text[::-1]
        yield _rotated(text)
    for _ in range(_LAYERS):
        following = []
        for guise in layer:
            for change in _CHANGES:
                changed = change(guise)
                if changed and changed not in seen:
                    seen.add(changed)
                    following.append(changed)
                    yield changed
        layer = following


@keep
def is_plain(text: str) -> bool:
    """Whether the text has no guise but its own, as ordinary prose; then it has no brace, either.

    Looking for guises takes several passes over a text, and whoever asks only needs to know this.
    """
    return "{" not in text and all(change(text) in ("", text) for change in _CHANGES)


def _rotated(text: str) -> str:
    """Each letter moved by thirteen; by bytes, for `codecs` takes fifty times as long."""
    raw = text.encode("utf-8", "surrogatepass")
    return raw.translate(_ROT13).decode("utf-8", "surrogatepass")


def _runs(text: str) -> bytes:
    """The text as marks, one for each character: `x` where base64 may stand, blanks elsewhere."""
    return text.encode("ascii", "replace").translate(_RUNS)


def _coded(text: str) -> Iterator[str]:
    """All matches of `_CODED`; looking for runs of marks first is ten times faster."""
    runs = _runs(text)
    at = runs.find(_LONG_RUN)
    while at >= 0:
        match = _CODED.match(text, at)
        assert match is not None
        yield match[0]
        at = runs.find(_LONG_RUN, match.end())


def _disarmed(text: str) -> str:
    return disarm(text) if "{" in text else ""


def _folded(text: str) -> str:
    """Compatibility forms, typographic quotes and invisible characters made plain."""
    if text.isascii() or not ("{" in text or any(mark in text for mark in _OTHER_BRACES)):
        return ""
    plain = unicodedata.normalize("NFKC", without_invisible(text))
    for quote, ascii_quote in _QUOTES.items():  # much faster than `translate`
        if quote in plain:
            plain = plain.replace(quote, ascii_quote)
    return plain


def without_invisible(text: str) -> str:
    """The text without characters that nobody sees."""
    return _INVISIBLE.sub("", text)


def _unescaped(text: str) -> str:
    """One layer of JSON's escapes less."""
    return _ESCAPE.sub(_escape, text) if "\\" in text else ""


def _escape(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code:
        return chr(int(code, 16))
    return _PLAIN.get(match[3], match[3])


def _entities(text: str) -> str:
    return html.unescape(text) if "&" in text else ""


def _percent(text: str) -> str:
    return unquote(text) if "%" in text and ("%7" in text or "%257" in text) else ""


def _decoded(text: str) -> str:
    """All that stands in the text as base64."""
    return _readable(map(_decode, _coded(text)))


def _from_hex(text: str) -> str:
    """All that stands in the text as hexadecimal digits, with a brace or a colon among them."""
    if _LONG_HEX not in text.encode("ascii", "replace").translate(_HEX_RUNS):
        return ""
    if "3a" not in text and "7b" not in text and "3A" not in text and "7B" not in text:
        return ""
    return _readable(_bytes_of(match[0]) for match in _HEX.finditer(text))


def _readable(decoded: Iterable[str]) -> str:
    """What was decoded into text: all of it, or an object at least."""
    return "\n".join(text for text in decoded if "{" in text or "\ufffd" not in text)


def _bytes_of(digits: str) -> str:
    return bytes.fromhex(re.sub(r"[\s:]", "", digits)).decode("utf-8", "replace")


def _decode(coded: str) -> str:
    plain = "".join(coded.split()).rstrip("=").translate(_URL_SAFE)
    whole = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        raw = base64.b64decode(whole + "=" * (-len(whole) % 4))
    except binascii.Error:
        return ""
    return raw.decode("utf-8", "replace")


_CHANGES: tuple[Callable[[str], str], ...] = (
    _disarmed,
    _folded,
    _unescaped,
    _entities,
    _percent,
    _decoded,
    _from_hex,
)

"""Untrusted text where people read it: no control characters, so no escape sequences."""

from __future__ import annotations

from typing import Any

UNSHOWN = "\N{REPLACEMENT CHARACTER}"


def plain(text: str, keep: str = "", instead: str = UNSHOWN) -> str:
    """The text with `instead` for each character that a terminal may obey, but those to `keep`.

    `instead` is a blank where line breaks stand between words, as in a quoted decision.
    """
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() or ch in keep else instead for ch in text)


def flat(value: Any) -> str:
    """A value on one line: every run of white space is one blank."""
    return plain(" ".join(str(value).split()))

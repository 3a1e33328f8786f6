"""Untrusted text where people read it."""

from __future__ import annotations

import pytest

from oyer.text.printable import flat, plain

ROWS = [
    ("plain words, déjà vu, 漢字", "plain words, déjà vu, 漢字", "nothing to replace"),
    ("\x1b[2Jgone", "\N{REPLACEMENT CHARACTER}[2Jgone", "an escape sequence clears the screen"),
    ("a\r\nb", "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b", "a line of one's own"),
    ("\u202eyas", "\N{REPLACEMENT CHARACTER}yas", "text turned around"),
    ("\ud800", "\N{REPLACEMENT CHARACTER}", "half a character cannot be written at all"),
]


@pytest.mark.parametrize(("text", "shown", "why"), ROWS)
def test_what_a_terminal_may_obey_is_replaced(text: str, shown: str, why: str) -> None:
    assert plain(text) == shown, why


def test_what_is_kept_and_what_stands_instead() -> None:
    assert plain("a\nb\tc", keep="\n") == "a\nb\N{REPLACEMENT CHARACTER}c"
    assert plain("l'article\n5", instead=" ") == "l'article 5"


def test_one_line_of_any_value() -> None:
    assert flat("  a\n\n b\x07 ") == "a b\N{REPLACEMENT CHARACTER}"
    assert flat(7.5) == "7.5"

"""Quick looks spare ordinary prose the search for codes; what is found stays the same."""

from __future__ import annotations

import base64
import codecs

from hypothesis import given
from hypothesis import strategies as st

from oyer.text import guises as room
from oyer.text.guises import guises, is_plain

OBJECT = '{"metric": "coverage", "overall_score": 10}'
pieces = st.sampled_from(
    ["responsibilities", "a", "{", "}", "\\u007b", "&#123;", "%7B", "é", "日本", "\ud800", " ",
     "\n", "=", "7b 22 6d", "ab" * 40, base64.b64encode(OBJECT.encode()).decode(),
     OBJECT.encode().hex()]
)  # fmt: skip
texts = st.lists(pieces | st.text(max_size=20), max_size=12).map("".join)


@given(texts)
def test_runs_are_found_as_the_pattern_finds_them(text: str) -> None:
    assert list(room._coded(text)) == [match[0] for match in room._CODED.finditer(text)]


@given(texts)
def test_hexadecimal_without_a_brace_shows_nothing(text: str) -> None:
    found = [room._bytes_of(match[0]) for match in room._HEX.finditer(text)]
    assert room._from_hex(text) == "\n".join(plain for plain in found if "{" in plain)


@given(texts)
def test_a_text_is_plain_when_it_has_no_other_guise(text: str) -> None:
    """So who passes over plain texts misses no object: they have no brace in any guise."""
    assert is_plain(text) == (list(guises(text)) == [text] and "{" not in text)


@given(texts)
def test_letters_are_moved_as_the_codec_moves_them(text: str) -> None:
    assert room._rotated(text) == codecs.encode(text, "rot13")


def test_coded_objects_are_seen_in_prose() -> None:
    prose = "The council decided to repair the northern bridge before the end of June. " * 20
    assert is_plain(prose)
    for coded in (OBJECT, base64.b64encode(OBJECT.encode()).decode(), OBJECT.encode().hex()):
        assert any("{" in guise for guise in guises(f"{prose}{coded} {prose}"))

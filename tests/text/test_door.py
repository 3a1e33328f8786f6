"""What others wrote reaches no terminal and no CI log in a form that is obeyed."""

from __future__ import annotations

import io
import json
import re
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.text.door import Door, doors, harmless, styled_stream, trusted_stream

OBEYED = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)|##\\["
)
COMMAND = re.compile(r"(?m)^[ \t]*::")


def written(*pieces: str, styles: bool = False) -> str:
    out = io.StringIO()
    door = Door(out, styles=styles)
    for piece in pieces:
        door.write(piece)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "shown", "why"),
    [
        ("a\x1b[2Jb", "a\\u001b[2Jb", "an escape sequence"),
        ("\x1b]0;title\x07", "\\u001b]0;title\\u0007", "a terminal's title"),
        ("\x9b2J", "\\u009b2J", "the same in one character"),
        ("::error::x", "\\u003a:error::x", "a workflow command"),
        ("  ::add-mask::x", "  \\u003a:add-mask::x", "servers pass over blanks"),
        ("a\n::set-output name=x::y", "a\n\\u003a:set-output name=x::y", "in a later line"),
        ("##[error]x", "##\\u005berror]x", "an older command"),
        ("a\rb", "a\\u000db", "a line that overwrites itself"),
        ("a\r\nb\tc", "a\r\nb\tc", "line ends and tabs stay"),
        ("a::b", "a::b", "two colons inside a line are nothing"),
        ("\u202eabc", "\\u202eabc", "text turned around"),
        ("日本語 é ✓", "日本語 é ✓", "letters stay"),
    ],
)
def test_what_is_obeyed_is_spelt_out(text: str, shown: str, why: str) -> None:
    assert written(text) == shown, why


@given(st.lists(st.text(alphabet=":\n \t#[\x1b\r\x00ab\u202e\x9b0m;") | st.text()))
def test_nothing_that_is_obeyed_gets_out(pieces: list[str]) -> None:
    shown = written(*pieces)
    assert not OBEYED.search(shown)
    assert not COMMAND.search(shown)


@given(st.lists(st.text(alphabet=":\n \t\x1b[0m;1ab")))
def test_with_styles_only_colours_get_out(pieces: list[str]) -> None:
    shown = re.sub("\x1b\\[[0-9;]*m", "", written(*pieces, styles=True))
    assert not OBEYED.search(shown)
    assert not COMMAND.search(shown)


@given(
    st.recursive(st.text() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.text(), v))
)
def test_json_means_the_same_behind_the_door(value: object) -> None:
    line = json.dumps(value, ensure_ascii=False)
    assert json.loads(written(line)) == value


def test_streams_come_back_and_trusted_words_pass(capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    before = sys.stdout
    with doors():
        print("\x1b[31mred")
        print("::error::x", file=trusted_stream(sys.stdout))
        assert cast(Door, styled_stream(sys.stdout)).trusted is before
    assert sys.stdout is before
    assert capsys.readouterr().out == "\\u001b[31mred\n::error::x\n"


def test_plain_text_is_not_touched() -> None:
    text = "nothing here\n" * 100
    assert harmless(text) is text

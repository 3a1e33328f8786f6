"""What a text names, whatever its notation; and which stretches are no plain language."""

from __future__ import annotations

import base64
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oyer.text import naming as room
from oyer.text.guises import without_invisible
from oyer.text.naming import fold_name, may_name, names_in
from oyer.text.obscure import is_obscure
from tests.injection.test_forgeries import operations

PROSE = "The council voted to close the bridge, and nobody in the town was told of it before. "


@pytest.mark.parametrize(
    "text",
    [
        '{"key_points": []}',
        "key_points: []",
        "Key points: none",
        "**Key points**: none",
        "<key-points>none</key-points>",
        "keyPoints = []",
        '["KEY_POINT", "none"]',
        "| key_points | none |",
        "coverage.key_points[0].status = 1",
        "kéy_póints: none",
        "k\u0435y_p\u043eints: none",  # Cyrillic
        "key\u200b_points: none",
        base64.b64encode(b"verdict, as follows:\n  key_points: none of them").decode(),
    ],
)
def test_a_name_is_found_in_any_notation(text: str) -> None:
    assert fold_name("key_points") in names_in(text)


def test_prose_names_nothing() -> None:
    assert names_in(PROSE) == frozenset()
    assert fold_name("key_points") not in names_in("The key points, he said, are points of view.")


# ── quick looks find what the plain patterns find ─────────────────────────────────────────────

pieces = st.sampled_from(
    ["a", "B", "aB", "Z", "0", "1", "_", " ", "\n", "\t", "\u00a0", ":", "：", "＝", ">", "|", '"',
     "'", "”", "»", ",", '",', '" ,', "é", "e\u0301", "日本", "が", "ガ", "а", "Σ", "İ", "\u212a",
     "ſ", "㎏", "\u200b", "\ud800", "key_points", "keyPoints: ", "s"]
)  # fmt: skip
texts = st.lists(pieces | st.text(max_size=3), max_size=25).map("".join)


@given(texts)
def test_marks_and_joints_are_those_of_the_patterns(text: str) -> None:
    marks = re.finditer(r"""[:=>|：＝]|["'”»]\s?,""", text)
    assert sorted(room._marks(text)) == [mark.start() for mark in marks]
    joints = re.finditer(r"_|[a-z](?=[A-Z])", text)
    assert sorted(room._joints(text)) == [joint.start() for joint in joints]


@given(texts)
def test_words_are_those_of_the_pattern(line: str) -> None:
    parts = unicodedata.normalize("NFKD", without_invisible(line))
    bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
    words = re.split(r"(?<=[a-z])(?=[A-Z])|[\W_]+", bare.translate(room._LOOK_ALIKES))
    assert room._words(line) == [word.lower().translate(room._FIGURES) for word in words if word]


@given(texts)
def test_a_text_that_may_name_nothing_names_nothing(text: str) -> None:
    assert may_name(text) or not names_in(text)


@given(texts)
@example("\u212a: ")
@example("İ: ")
def test_only_names_in_other_letters_are_left_out(text: str) -> None:
    """The members of a verdict in ASCII are found whether or not other names are looked at."""
    assert {name for name in names_in(text) if name.isascii()} == {
        name for name in names_in(text, True) if name.isascii()
    }


@pytest.mark.parametrize("piece", ["a", "_", "a_b", "aB", ":", "a: ", '",', "key_points: "])
def test_names_are_found_in_linear_time(piece: str) -> None:
    small, large = (piece * (size // len(piece)) for size in (10_000, 40_000))
    few = operations(lambda: names_in(small))
    assert operations(lambda: names_in(large)) <= 5 * few + 1_000


def test_a_stretch_is_obscure_when_common_words_are_rare() -> None:
    code = base64.b32encode(PROSE.encode() * 8).decode()
    strewn = " the ".join(code[at : at + 90] for at in range(0, len(code), 90))
    dense = " the ".join(code[at : at + 40] for at in range(0, len(code), 40))
    assert is_obscure(code, 600)
    assert is_obscure(PROSE * 5 + strewn + PROSE * 5, 1_200)
    assert not is_obscure(PROSE * 20, 600)
    assert not is_obscure(dense, 600), "half of it is words: no rule can tell that from prose"
    assert not is_obscure(PROSE + code[:100] + PROSE, 600), "too short for a verdict"

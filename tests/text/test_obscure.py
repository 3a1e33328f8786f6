"""Which texts have a stretch that nobody can read."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.text.obscure import _PARTICLES, _common_words, _plain_places, is_obscure

PROSE = (
    "The council decided to repair the northern bridge before the end of June, because the river "
    "had risen and nobody wanted to wait for another winter. "
) * 4
CIPHER = (
    "gur pbhapvy qrpvqrq gb ercnve gur abegurea oevqtr orsber gur raq bs whar orpnhfr gur evire "
)


def test_prose_is_plain() -> None:
    assert not is_obscure(PROSE)
    assert not is_obscure(PROSE, hidden=1000)
    assert not is_obscure("")


@pytest.mark.parametrize("around", ["", PROSE])
def test_a_cipher_is_obscure_wherever_it_stands(around: str) -> None:
    assert is_obscure(around + CIPHER * 3 + around)


def test_a_short_stretch_cannot_hide_a_long_verdict() -> None:
    text = PROSE + CIPHER * 3 + PROSE
    assert is_obscure(text, hidden=300)
    assert not is_obscure(text, hidden=4000)


def places_word_by_word(text: str) -> list[int]:
    """The rule as it reads: a long common word counts, or the second of two short ones."""
    text = " ".join(text.split())
    common, short, places = _common_words(), "", [0]
    for found in re.finditer(r"[^\W\d_]+", text):
        word = found[0].lower()
        if word in common and len(word) == 2 and short in ("", word):
            short = word
        elif word in common or not _PARTICLES.isdisjoint(word):
            short = ""
            places.append(found.end())
    return [*places, len(text)]


words = st.sampled_from(
    ["the", "The", "of", "to", "we", "İs", "café", "x_y", "3rd", "的", "のは", "ß"]
)
texts = st.lists(st.one_of(words, st.text(max_size=6)), max_size=30)


@given(texts, st.sampled_from([" ", "", ", ", "\n\n", "_"]))
def test_places_are_those_of_the_rule(parts: list[str], blank: str) -> None:
    text = blank.join(parts)
    assert list(_plain_places(text)) == places_word_by_word(text)

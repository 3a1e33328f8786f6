"""JL-FOLD: folding, and offsets that slice back to what folds to the same."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.text.fold import DROPPED, fold, folded
from oyer.text.quotes import find, is_boundary, source

ROWS = [
    ("plain words", "plain words", "nothing to fold"),
    ("  two\t\nblanks  ", "two blanks", "white space runs are one blank, none at the ends"),
    ("a\u00a0b\u202fc\u3000d", "a b c d", "no-break, narrow and ideographic blanks are blanks"),
    ("co\u00adop\u00aderate", "cooperate", "soft hyphens are dropped"),
    ("zero\u200bwidth\ufeff", "zerowidth", "zero-width characters are dropped"),
    ("“He’s” – «so» ‚low‘", '"He\'s" - "so" \'low\'', "typographic quotes and dashes are ASCII"),
    ("cafe\u0301", "café", "accents are composed"),
    ("cafe\u200b\u0301", "café", "even across a zero-width character"),
    ("か\u3099", "が", "Japanese voicing marks are composed"),
    ("Case KEPT", "Case KEPT", "case is kept"),
    ("раy 1O", "раy 1O", "look-alikes stay what they are"),
]


@pytest.mark.parametrize(("text", "wanted", "why"), ROWS, ids=[r[2] for r in ROWS])
def test_folding(text: str, wanted: str, why: str) -> None:
    assert fold(text) == wanted, why


#: A hostile alphabet: everything that folding moves, merges or drops, among plain letters.
ALPHABET = "ab1.,; \t\n\u00a0\u00ad\u200b\ufeff\u0301\u0327é“”’–"
ALPHABET += "がか\u3099漢한\u1112\u1161\u11abक़\u0958x_"
texts = st.text(st.sampled_from(ALPHABET), max_size=40) | st.text(max_size=40)


def plainly(text: str) -> str:
    """JL-FOLD again, written differently: one character after the other."""
    kept = "".join(
        "'" if c in "‘’‚‛‹›′ʼ" else '"' if c in "“”„‟«»″" else "-" if c in "‐‑‒–—―−⸺⸻﹘﹣" else c
        for c in text
        if c not in DROPPED
    )
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", kept)).strip()


@given(texts)
def test_folding_is_the_definition(text: str) -> None:
    assert fold(text) == plainly(text)


@given(texts)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts, st.data())
def test_every_folded_stretch_slices_back(text: str, data: st.DataObject) -> None:
    """text[span] folds to the folded stretch it was made from."""
    both = folded(text)
    length = len(both.folded)
    cuts = [i for i in range(length + 1) if is_boundary(both.folded, i)]
    if length == 0:
        return
    start, end = sorted(data.draw(st.tuples(st.sampled_from(cuts), st.sampled_from(cuts))))
    wanted = both.folded[start:end]
    if wanted.strip() != wanted or not wanted:
        return
    first, last = both.span(start, end)
    assert fold(text[first:last]) == wanted
    assert text[first:last][:1] not in DROPPED


def letters(text: str) -> str:
    """Letters and digits only: what no way of writing a quote may change (JL-QUOTE)."""
    plain = unicodedata.normalize("NFKC", fold(text))
    return "".join(char for char in plain if char.isalnum())


@given(texts, st.data())
def test_whatever_is_found_is_the_quote(text: str, data: st.DataObject) -> None:
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    quote = text[start:end]
    span = find(quote, source("article", text))
    if span is not None:
        assert letters(text[span.start : span.end]) == letters(quote)
        assert (span.match == "verbatim") == (text[span.start : span.end] == quote.strip())


@given(st.text(st.sampled_from("ab \t\n\x1c’–\u00a0\u00ad"), max_size=12))
def test_long_plain_text_folds_like_short(end: str) -> None:
    """Long text that folds to ASCII takes a shorter way; it must lead to the same place."""
    text = end + "plain words and nothing else " * 10 + end
    assert fold(text) == plainly(text)
    span = find("plain words", source("article", text))
    assert span is not None
    assert text[span.start : span.end] == "plain words"


def test_nothing_grows_when_it_folds_to_ascii() -> None:
    """`Folded.span` takes equal lengths for one to one where the folded text is ASCII."""
    composed = [unicodedata.normalize("NFC", chr(c)) for c in range(0x110000)]
    assert max(len(plain) for plain in composed if plain.isascii()) == 1

"""Hostile text: no exception, quotes that slice back, nothing invented."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.cite import article, cite, resolve
from oyer.cite.clean import clean
from tests.cite.forms import forms

SENTENCES = [form.sentence for form in forms()]
PIECES = st.sampled_from(
    ["art. ", "articles ", "artikel ", "5", "10bis", "XX. 99", " à ", " tot ", ", ", " et ", " en ",
     "§ ", "§§ 1 et 2", "1°", "a)", "alinéa ", "eerste lid", " du Code civil", " van de wet van ",
     "3 juillet 1978", "$", "^{\\circ}", "\\S ", "{", "}", "\n", "\n\n", "(", ")", "ci-après ",
     "« ", "loi ", "même loi", "99999", "e.v.", "t/m", "PAR CES MOTIFS", "∘", "\u00a0", "\x00",
     "1er"]
)  # fmt: skip


def sound(text: str) -> None:
    """What holds for any text at all."""
    last = 0
    for citation in cite(text):
        assert text[citation.start : citation.end] == citation.quote != ""
        assert citation.key
        assert citation.start >= last
        last = citation.start


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_pieces_of_citations_in_any_order(text: str) -> None:
    sound(text)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    sound(text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes(data: bytes) -> None:
    sound(data.decode("latin-1"))
    sound(data.decode("utf-8", errors="replace"))
    sound(data.decode("utf-8", errors="surrogateescape"))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES), st.data())
def test_sentences_cut_and_joined(first: str, second: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(first)))
    sound(first[:cut] + second + first[cut:])


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_article_and_resolve_take_anything(text: str) -> None:
    article(text)
    act = resolve(text)
    assert act.name == " ".join(text.split())


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=30).map("".join))
def test_cleaning_maps_every_stretch_back(text: str) -> None:
    cleaned = clean(text)
    size = len(cleaned.text)
    rng = random.Random(size)
    for _ in range(10 if size else 0):
        start = rng.randrange(size)
        end = rng.randrange(start, size) + 1
        low, high = cleaned.span(start, end)
        assert 0 <= low < high <= len(text)


def test_noise_alone_is_removed_and_nothing_else() -> None:
    plain = "Les articles 5 et 6 du Code civil, § 2 - rien d'autre: 50 %."
    assert clean(plain).text == plain
    assert clean("$8^{\\circ}$ et $1^{\\text {er }}$ \\S 4").text == "8° et 1er  § 4"


def test_huge_ranges_do_not_explode() -> None:
    """A mistyped bound must not fill the memory: only the ends are kept."""
    found = cite("les articles 1 à 99999 du Code civil")
    assert [c.key for c in found] == ["1", "99999"]


def test_an_endless_list_is_read_to_its_end_in_short_quotes() -> None:
    text = "les articles " + ", ".join(str(n) for n in range(1, 5001)) + " du Code civil"
    found = cite(text)
    assert [c.key for c in found] == [str(n) for n in range(1, 5001)]
    assert max(len(c.quote) for c in found) < 2100
    assert found[-1].act.id == "code-civil"

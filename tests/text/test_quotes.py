"""JL-QUOTE: quotes are found where they stand, and nowhere else."""

from __future__ import annotations

import pytest

from oyer.text.quotes import find, source

TYPESET = "He said: “We’ll re\u00adturn — soon”,\u00a0and\n  left the cafe\u0301 at\u200b 10:30."
FOUND = [
    (TYPESET, "said: “We’ll re\u00adturn", "verbatim", "the very characters"),
    (TYPESET, 'said: "We\'ll return - soon", and', "folded", "quotes, dash, soft hyphen, nbsp"),
    (TYPESET, "and left the", "folded", "a line end is a blank"),
    (TYPESET, "left the café at 10:30", "folded", "a composed accent, a zero-width blank"),
    (TYPESET, "the café", "folded", "a trailing combining accent belongs to the slice"),
    (TYPESET, "the cafe\u0301", "verbatim", "the same, decomposed"),
    ("L’œuvre de l’été coûte 3,5 €.", "l'été coûte 3,5 €", "folded", "French apostrophes"),
    ("Zij ziet de coo\u0308peratie niet.", "de coöperatie niet", "folded", "Dutch diaeresis"),
    ("東京都は新しい図書館を開いた。", "新しい図書館を開いた", "verbatim", "Japanese, no blanks"),
    ("学生はか\u3099くせいと読む。", "学生はがくせいと読む", "folded", "a voicing mark"),
    ("人口は　三十二万人だ", "人口は 三十二万人", "folded", "ideographic blank"),
    ("catalog, cat", "cat", "verbatim", "the first occurrence at word boundaries"),
]
ABSENT = [
    ("Paid 15 million euros", "5 million euros", "starts inside a number"),
    ("Paid 3.5 million euros", "5 million euros", "starts after a decimal point"),
    ("They paid 3.5 million", "They paid 3", "ends before a decimal point"),
    ("They paid 1,500 euros", "They paid 1", "ends before a thousands mark"),
    ("the catalog of works", "the cat", "ends inside a word"),
    ("the cat\u00adalog of works", "the cat", "ends inside a word broken by a soft hyphen"),
    ("the cafe\u0301 opened", "the cafe", "an accent is part of the word"),
    ("in 2019 the bank", "in 2018 the bank", "a changed digit"),
    ("the bank paid", "the bаnk paid", "a Cyrillic letter that looks alike"),
    ("the bаnk paid", "the bank paid", "a look-alike in the source"),
    ("fullwidth １２ items", "fullwidth 12 items", "other digits are other characters"),
    ("the bank paid", "The bank paid", "case is kept"),
    ("三十二万人が住む", "十二万人", "a Japanese number cut short"),
    ("人口は3２0人", "人口は3", "digits hold together in Japanese too"),
    ("any text", "", "an empty quote stands nowhere"),
    ("any text", "\u200b \n", "nor does a blank one"),
]

#: JL-QUOTE-TRIM and JL-QUOTE-BLANK: what models do to a true quote, and the slice that it is.
FORGIVEN = [
    ("He said yes, and left at noon", '"said yes"', "said yes", "quotation marks around it"),
    ("He said yes, and left at noon", "«said yes, and»", "said yes, and", "guillemets"),
    ("He said yes, and left at noon", "yes, and left.", "yes, and left", "a full stop"),
    ("He said yes, and left at noon", "“yes, and left.”", "yes, and left", "marks and a stop"),
    ("He said yes, and left at noon", "“yes, and left”.", "yes, and left", "a stop outside"),
    ("He said yes and left", "He said yes,", "He said yes", "a closing comma"),
    ("the mayor 's plan was cut", "the mayor's plan", "the mayor 's plan", "'s joined"),
    ("the mayor's plan was cut", "the mayor 's plan", "the mayor's plan", "'s apart"),
    ("they did n't vote .", "they didn't vote.", "they did n't vote .", "n't and a free stop"),
    ("they didn't vote, again", "they did n't vote , again", "they didn't vote, again", "apart"),
    ("it rose 5 % in May", "it rose 5% in May", "it rose 5 % in May", "a free per cent"),
    ("東京都は\n新しい図書館を", "東京都は新しい図書館", "東京都は\n新しい図書館", "line break"),
    ("東京都は新しい図書館を", "「新しい図書館」", "新しい図書館", "corner brackets"),
    ("人口は１２万人だ", "人口は12万人", "人口は１２万人", "full-width digits in Japanese"),
    ("人口は12万人だ。", "人口は１２万人だ。", "人口は12万人だ。", "full-width in the quote"),
    ("「行く」と言った", "「行く」と言った。", "「行く」と言った", "a full stop that is not there"),
]
UNFORGIVEN = [
    ("it costs 3.5 million", "it costs 3 .5 million", "a blank inside a number"),
    ("it costs 3 .5 million", "it costs 3.5 million", "nor one less"),
    ("the mayors plan", "the mayor's plan", "an apostrophe more"),
    ("the plan was cut", '"the plan were cut"', "a changed word"),
    ("the plan was cut", '"The plan was cut"', "a changed capital"),
    ("it costs 3.5 million", '"it costs 3."', "a number cut short by its closing mark"),
    ("he left at noon", "he left ...", "more than one closing mark"),
    ("we can not go", "we cannot go", "a blank inside a word"),
    ("三十 二万人", "三十二万人", "a blank between numerals"),
    ("人口は１２万人だ", "人口は13万人", "a changed digit of another width"),
]


@pytest.mark.parametrize(("text", "quote", "slice_", "why"), FORGIVEN, ids=[r[3] for r in FORGIVEN])
def test_forgiven(text: str, quote: str, slice_: str, why: str) -> None:
    span = find(quote, source("article", text))
    assert span is not None, why
    assert text[span.start : span.end] == slice_, why
    assert span.match == "folded", why


@pytest.mark.parametrize(("text", "quote", "why"), UNFORGIVEN, ids=[r[2] for r in UNFORGIVEN])
def test_not_forgiven(text: str, quote: str, why: str) -> None:
    assert find(quote, source("article", text)) is None, why


@pytest.mark.parametrize(("text", "quote", "match", "why"), FOUND, ids=[r[3] for r in FOUND])
def test_found(text: str, quote: str, match: str, why: str) -> None:
    from oyer.text.fold import fold

    span = find(quote, source("article", text))
    assert span is not None, why
    assert span.match == match, why
    assert fold(text[span.start : span.end]) == fold(quote), why
    assert text[span.end : span.end + 1] not in {"\u0301", "\u0308", "\u3099"}, why


@pytest.mark.parametrize(("text", "quote", "why"), ABSENT, ids=[r[2] for r in ABSENT])
def test_absent(text: str, quote: str, why: str) -> None:
    assert find(quote, source("article", text)) is None, why


def test_the_span_names_its_source() -> None:
    span = find("two", source("summary", "one two"))
    assert span is not None
    assert (span.source, span.start, span.end) == ("summary", 4, 7)

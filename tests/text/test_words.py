"""Tokens, keywords, languages, segments: tables of cases with a reason a row."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.text import words
from oyer.text.coverage import Tokens
from oyer.text.quotes import source
from oyer.text.segments import segments, sentences

TOKENS = [
    ("one two  three\n", 3, "words between white space"),
    ("state-of-the-art 3.5 — x", 4, "a dash alone is a token, a hyphenated word is one"),
    ("a\u00a0b", 2, "a no-break blank is white space"),
    ("a \u200b b", 2, "a zero-width character alone is no word"),
    ("", 0, "nothing"),
    ("東京都は新しい図書館を開いた。", 4, "東京都は 新しい 図書館を 開いた"),
    ("アメリカ大統領が来日した", 3, "アメリカ 大統領が 来日した"),
    ("위원회는 계획을 승인했다", 3, "Korean writes blanks"),
]


@pytest.mark.parametrize(("text", "count", "why"), TOKENS, ids=[r[2] for r in TOKENS])
def test_tokens(text: str, count: int, why: str) -> None:
    assert words.count(text) == len(words.spans(text)) == count, why


@given(st.text(st.sampled_from("ab \n\u00a0\u200bé漢かカ。"), max_size=30))
def test_token_spans_are_in_order_and_hold_no_white_space(text: str) -> None:
    spans = words.spans(text)
    assert words.count(text) == len(spans)
    assert all(a < b for a, b in spans)
    assert all(x[1] <= y[0] for x, y in pairwise(spans))
    assert not any(c.isspace() for a, b in spans for c in text[a:b])


KEYWORDS = [
    ("The cats are running", "en", {"cat", "run"}, "stop words go, words are stemmed"),
    ("I don't see a B-2", "en", {"see"}, "contractions and one-letter words go"),
    ("Les plans approuvés", "fr", {"plan", "approuv"}, "French"),
    ("De nieuwe plannen", "nl", {"nieuwe", "plan"}, "Dutch"),
    ("Die neuen Pläne", "de", {"neu", "plan"}, "German"),
    ("Los planes nuevos", "es", {"plan", "nuev"}, "Spanish"),
    ("cafe\u0301 CAFÉ", "en", {"café"}, "folded and case-folded"),
    ("東京の図書館とカメラ", "ja", {"東京", "図書", "書館", "カメラ"}, "runs of Han and kana"),
    ("the of and", "en", set(), "nothing but stop words"),
]


@pytest.mark.parametrize(
    ("text", "language", "wanted", "why"), KEYWORDS, ids=[r[3] for r in KEYWORDS]
)
def test_keywords(text: str, language: str, wanted: set[str], why: str) -> None:
    assert words.keywords(text, language) == wanted, why


LANGUAGES = [
    ("The council said that it will not pay for the damage.", "en"),
    ("Le conseil a dit qu'il ne paiera pas pour les dégâts de la tempête.", "fr"),
    ("De raad zei dat hij niet zal betalen voor de schade van het onweer.", "nl"),
    ("Der Rat sagte, dass er nicht für die Schäden des Sturms zahlen wird.", "de"),
    ("El consejo dijo que no va a pagar por los daños de la tormenta.", "es"),
    ("市議会は嵐の被害を支払わないと述べた。", "ja"),
    ("Xyzzy plugh", "en"),
    ("", "en"),
]


@pytest.mark.parametrize(("text", "language"), LANGUAGES)
def test_the_language_is_detected(text: str, language: str) -> None:
    assert words.detect(text) == language


SIX = "one two three four five six"
JA_1 = "東京都は新しい図書館を開き、利用者は三十二万人を超えた。"
JA_2 = "予算は約五億円で来年も工事が続き費用は増える。"
SEGMENTS = [
    (f"{SIX}. {SIX}.", True, [f"{SIX}.", f"{SIX}."], "full stops"),
    (f"{SIX} 3.5 and U.S.A now", True, [f"{SIX} 3.5 and U.S.A now"], "not inside 3.5 and U.S.A"),
    (f"{SIX}; {SIX}\n{SIX}", True, [f"{SIX};", SIX, SIX], "semicolons and line ends"),
    (f"{SIX}; {SIX}\n{SIX}", False, [f"{SIX}; {SIX}\n{SIX}"], "not for twin-lock"),
    (f"({SIX}.) “{SIX}.” {SIX}", True, [f"({SIX}.)", f"“{SIX}.”", SIX],
     "closing quotes and brackets may stand between"),
    (f"Too short. {SIX}.", True, [f"{SIX}."], "under six tokens is ignored"),
    ("Too short. Also short.", True, ["Too short. Also short."], "unless none is left"),
    (f"{SIX}.{SIX}", True, [f"{SIX}.{SIX}"], "a stop needs white space after it"),
    (f"{SIX}. zzz yyy xxx www vvv . {SIX} .", True, [f"{SIX}.", f"{SIX} ."],
     "a stop that stands free is no token"),
    (f"{SIX}; zzz yyy xxx www vvv ;", True, [f"{SIX};"], "nor is a semicolon"),
    (f"„{SIX}.“ »{SIX}.« ‚{SIX}.‘ {SIX}", True,
     [f"„{SIX}.“", f"»{SIX}.«", f"‚{SIX}.‘", SIX], "German closing quotes"),
    (f"【{JA_1}】“{JA_2}”", True, [f"【{JA_1}】", f"“{JA_2}”"],
     "after an ideographic stop “ opens the next"),
    (f"{SIX}.\r\n{SIX}", True, [f"{SIX}.", SIX], "line ends of any kind"),
    (f"{JA_1}{JA_2}", True, [JA_1, JA_2], "the ideographic full stop needs no blank"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines", "wanted", "why"), SEGMENTS, ids=[r[3] for r in SEGMENTS])
def test_segments(text: str, lines: bool, wanted: list[str], why: str) -> None:
    found = segments(text, lines=lines)
    assert [s.text for s in found] == wanted, why
    assert all(text[s.start : s.end] == s.text for s in found)


def test_sentences_end_at_questions_too() -> None:
    found = sentences("Why? Because! It costs 3.5 million. Yes")
    assert [s.text for s in found] == ["Why?", "Because!", "It costs 3.5 million.", "Yes"]


def test_tokens_that_a_stretch_touches() -> None:
    tokens = Tokens(source("summary", "one two three"))
    assert list(tokens.under(4, 7)) == [1]
    assert list(tokens.under(5, 9)) == [1, 2], "a token half covered is touched"
    assert list(tokens.under(3, 4)) == []
    assert list(tokens.under(0, 13)) == [0, 1, 2]


def test_claims_take_no_more_than_there_is() -> None:
    tokens = Tokens(source("summary", "one two three"))
    assert tokens.count_taken([("purple penguins juggle seven glowing violins", None)], "en") == 3


@given(st.text(st.sampled_from("a é’漢あ𠀀"), min_size=1, max_size=40))
def test_more_than_a_quarter_without_blanks_is_japanese(text: str) -> None:
    """Whatever short cut is taken: the share of kana and Han decides, not that of other signs."""
    share = sum(text.count(char) for char in "漢あ𠀀") / len(text)
    assert (words.detect(text) == words.JAPANESE) == (share > 0.25)

"""Checks that code decides: lengths, words, patterns in linear time, JSON, schemas, language."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oyer.protocols.rubric.constraints import decide
from oyer.protocols.rubric.document import parse_rubric
from oyer.text.pattern import Pattern, PatternError


def passed(toml: str, response: str) -> bool:
    rubric = parse_rubric(f"## Task: x\n## checks\n```toml\n[[check]]\n{toml}\n```")
    (outcome,) = decide(rubric.constraints, response)
    return outcome.passed


JA = "本日、橋は閉鎖されています。ご注意ください。"

TABLE = [
    ("max_chars = 3", "日本語", True, "code points, not bytes"),
    ("max_chars = 3", "日本語!", False, "one too many"),
    ("min_chars = 4", "日本語", False, "one too few"),
    ("min_chars = 2\nmax_chars = 4", "abc", True, "both bounds are one check"),
    ("min_words = 3\nmax_words = 3", "one  two\nthree", True, "white space separates"),
    ("max_words = 2", "one two three", False, "three words"),
    ("contains = ['alpha', 'beta']", "beta, alpha", True, "all of them, any order"),
    ("contains = ['alpha', 'beta']", "alpha", False, "all are needed"),
    ("contains = 'Alpha'", "alpha", False, "case counts"),
    ("contains = 'Alpha'\nignore_case = true", "ALPHA", True, "unless it does not"),
    ("contains = 'é'", "e\u0301", True, "one letter in two spellings"),
    ("excludes = ['sorry', 'cannot']", "I cannot", False, "one of them is there"),
    ("excludes = ['sorry', 'cannot']", "I can", True, "none is"),
    ("matches = '^# .+$'", "# Title", True, "anchors"),
    ("matches = '(?m)^- \\w+$'", "x\n- item\ny", True, "flags in front"),
    ("matches = '\\d{4}-\\d{2}'", "in 2024-05", True, "somewhere in it"),
    ("matches = '\\d{4}-\\d{2}'", "in 2024", False, "nowhere"),
    ("matches = 'abc'\nignore_case = true", "xABCx", True, "without case"),
    ("json = true", '{"a": [1, 2]}', True, "JSON"),
    ("json = true", "```json\n{}\n```", True, "JSON in a fence, as models write it"),
    ("json = true", "Here:\n```json\n{}\n```", False, "words beside it are not JSON"),
    ("max_lines = 2", "a\n\nb\n", True, "blank lines do not count"),
    ("max_lines = 2", "a\nb\nc", False, "three lines"),
    ("max_sentences = 2", "One. Two! Three?", False, "three sentences"),
    ("max_sentences = 2", "はい。そうです。", True, "two Japanese sentences"),
    ("min_paragraphs = 2", "a\nb", False, "one paragraph"),
    ("min_paragraphs = 2", "a\n\nb", True, "two"),
    ("min_bullets = 3", "- a\n* b\n1. c", True, "any mark"),
    ("min_bullets = 3", "・あ\n・い\n・う", True, "Japanese dots"),
    ("max_bullets = 0", "no - bullets * here", True, "marks inside a line"),
    ("occurs = 'the'\nmax_times = 1", "the and the", False, "twice"),
    ("occurs = 'The'\nmin_times = 2\nignore_case = true", "the and the", True, "without case"),
    ("any_of = ['x', 'b']", "abc", True, "one is enough"),
    ("any_of = ['x', 'y']", "abc", False, "none"),
    ("not_matches = '[0-9]'", "no digits", True, "no digit"),
    ("not_matches = '[0-9]'", "4 digits", False, "a digit"),
    ("contains = '2026年'", "２０２６年に", True, "full-width digits"),
    ("contains = 'カタカナ'", "ｶﾀｶﾅで", True, "half-width kana"),
    ("language = 'zh'", "今天天气很好，我们去公园散步。", True, "Chinese"),
    ("language = 'ja'", "今天天气很好，我们去公园散步。", False, "Chinese is not Japanese"),
    ("language = 'ja'", "今日は天気が良いので公園へ行きます。", True, "Japanese"),
    ("language = 'ko'", "오늘은 날씨가 좋아서 공원에 갑니다.", True, "Korean"),
    ("json = true", '{"a": NaN}', False, "NaN is not JSON"),
    ("json = true", "[" * 100_000, False, "nested without end"),
    ("schema = {type = 'object', required = ['a']}", '{"a": 1}', True, "fits"),
    ("schema = {type = 'object', required = ['a']}", '{"b": 1}', False, "lacks a"),
    ("schema = {type = 'object'}", "nothing", False, "not even JSON"),
    ("language = 'ja'", JA, True, "Japanese"),
    ("language = 'ja'", "The bridge is closed and it is not open.", False, "English"),
    ("language = 'fr'", "Le pont est fermé et il ne sera pas ouvert avant lundi.", True, "French"),
]


@pytest.mark.parametrize(("toml", "response", "expected", "why"), TABLE)
def test_code_decides(toml: str, response: str, expected: bool, why: str) -> None:
    assert passed(toml, response) is expected, why


def test_japanese_words_are_counted_by_a_segmenter_when_asked_for() -> None:
    pytest.importorskip("sudachipy", reason="LOUD: no segmenter: pip install 'oyer[japanese]'")
    toml = "## Task: x\n## checks\n[[check]]\nmax_words = 7\nsegmenter = 'sudachi'\n"
    (outcome,) = decide(parse_rubric(toml).constraints, "今日は図書館へ行きます。")
    assert (outcome.passed, outcome.seen) == (True, "7 words")


def test_what_was_seen_is_on_record() -> None:
    rubric = parse_rubric(
        "## Task: x\n## checks\n[[check]]\nid = 'short'\nmax_chars = 3\n"
        "axis = 'logic_and_fact'\npoints = 4\n"
    )
    (outcome,) = decide(rubric.constraints, "abcd")
    assert outcome.record() == {
        "id": "short", "passed": False, "seen": "4 chars", "axis": "logic_and_fact", "points": 4,
    }  # fmt: skip


@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|a)*b", r"(.*a){20}b", r"(\w+\s?)+$", r"a?a?a?a?a?a?a?aaaaaaa!"]
)
def test_no_text_makes_a_pattern_slow(pattern: str) -> None:
    """Backtracking would need longer than the universe has been there."""
    assert not Pattern(pattern).occurs_in("a" * 5_000 + "?")


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", "(?=a)", "(?!a)", "(?<=a)", "(?>a)", "a**", "a++", "(a", "a)", "*a", "[z-a]",
     "a{3,2}", "a{99999}", "((((a{1,50}){1,50}){1,50}){1,50})", "((((){999}){999}){999})",
     "(" * 60 + ")" * 60, "(?P=x)", "\\"],
)  # fmt: skip
def test_what_cannot_be_linear_or_is_wrong_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        Pattern(pattern)


atoms = st.sampled_from(
    ["a", "b", ".", "[ab]", "[^a]", r"\w", r"\d", r"\s", "^", "$", r"\b", r"\B", r"\.", "é", "{"]
)
patterns = st.recursive(
    atoms,
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})")
        | st.tuples(
            inner, st.sampled_from(["*", "+", "?", "{1,2}", "{2}", "{,2}", "{1,}", "*?"])
        ).map(lambda two: f"(?:{two[0]}){two[1]}")
        | inner.map(lambda one: f"({one})")
    ),
    max_leaves=8,
)


@given(
    st.sampled_from(["", "(?i)", "(?m)", "(?s)", "(?ims)"]),
    patterns,
    st.text(alphabet="abAB c1.\né{", min_size=1, max_size=10),
)
def test_the_automaton_agrees_with_re(flags: str, pattern: str, text: str) -> None:
    try:
        expected = re.search(flags + pattern, text) is not None
    except re.error:
        assume(False)
    assert Pattern(flags + pattern).occurs_in(text) is expected

"""The reply reader finds the objects in whatever a model sends, and never makes one up."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.errors import Unscored
from oyer.verdicts.lenient_json import MAX_DEPTH, read_object, same
from oyer.verdicts.reader import MAX_CHARS, read_reply

A: dict[str, Any] = {"metric": "coverage", "score": 8}
B: dict[str, Any] = {"metric": "alignment", "score": 7.5}
a, b = json.dumps(A), json.dumps(B)

#: reply, what is read of it, why
READINGS: list[tuple[str, list[dict[str, Any]], str]] = [
    (a, [A], "bare"),
    (f"\ufeff{a}\r\n", [A], "byte-order mark and line ends"),
    (f"{a}\n\n{b}", [A, B], "two objects with a blank line between"),
    (f"{a}{b}", [A, B], "two objects with nothing between"),
    (f"```json\n{a}\n```", [A], "fenced"),
    (f"```\n{a}\n```\n```\n{b}\n```", [A, B], "two fences"),
    (f"[{a}, {b}]", [A, B], "in an array"),
    (f"[[{a}], [{b}]]", [A, B], "in arrays of an array"),
    (f"[{a}\n{b}]", [A, B], "an array that forgot its comma: objects have their own ends"),
    (f'{{"results": [{a}]}}', [{"results": [A]}], "under a wrapper key: selection descends"),
    (json.dumps(A, indent=4), [A], "pretty-printed"),
    (f"Sure! Here you are:\n{a}\nI hope this helps.", [A], "prose before and after"),
    (f"As {{name}} says, f(x) = {{x}}: {a} {{}}", [A, {}], "braces of the prose"),
    (f"\\frac{{1}}{{2}} and {{ }} and [1] and [source]: {a}", [{}, A], "LaTeX and footnotes"),
    (f'the set {{"a", "b"}} {a}', [A], "a set is no object"),
    (f"<think>draft {b}</think>{a}", [A], "a draft inside the reasoning does not count"),
    (f"<THINKING>\n{b}\n</THINKING>\n\n{a}", [A], "other spellings of the tag"),
    (f"<think>{b}</think><think>{b}</think>{a}", [A], "two reasoning blocks"),
    (f"{a}<think>{b}</think>", [A, B], "only a leading block is reasoning"),
    (f"so {b} </think> {a}", [B, A], "a closing tag alone takes nothing away"),
    (f"<think>{a}", [], "reasoning that never ends holds no verdict"),
    ('{"r": "<think> x </think>", "s": 1}', [{"r": "<think> x </think>", "s": 1}], "text"),
    ('{"r": "a } b { c ] \\" d"}', [{"r": 'a } b { c ] " d'}], "braces and quotes in strings"),
    ('{"r": "{\\"metric\\": \\"x\\"}"}', [{"r": '{"metric": "x"}'}], "an object in a string"),
    (f"['{a}']", [], "an object in a string of an array"),
    (json.dumps(a), [], "a reply that is one JSON string: not looked into"),
    (f"'{a}'", [], "the same in single quotes"),
    ('{"a": [1, 2,], "b": {"c": 3,},}', [{"a": [1, 2], "b": {"c": 3}}], "trailing commas"),
    ("{'a': 'it\\'s', 'b': \"it's\"}", [{"a": "it's", "b": "it's"}], "single quotes"),
    ('{"a": 1, // note\n"b": 2 # more\n/* { */}', [{"a": 1, "b": 2}], "comments"),
    ('{"a": True, "b": False, "c": None}', [{"a": True, "b": False, "c": None}], "Python"),
    ('{"a": "two\nlines\tand a tab"}', [{"a": "two\nlines\tand a tab"}], "raw newline"),
    ('{"a": "\\d+ \\x41 \\u0041 \\n"}', [{"a": "\\d+ A A \n"}], "unknown escapes stay"),
    ('{a: 1, b_c: "x"}', [{"a": 1, "b_c": "x"}], "keys without quotes"),
    ('{"a": high, "b": 8/10, "c": 85%}', [{"a": "high", "b": "8/10", "c": "85%"}], "bare"),
    ('{"a": .5, "b": 5., "c": +1, "d": 07}', [{"a": 0.5, "b": 5.0, "c": 1, "d": 7}], "odd"),
    ('{"a": NaN, "b": -Infinity}', [{"a": "NaN", "b": "-Infinity"}], "as words, never floats"),
    ('{"a": 1e999, "b": -1e999}', [{"a": "1e999", "b": "-1e999"}], "never infinite"),
    ('{"a": 1e999, "a2": 1}', [{"a": "1e999", "a2": 1}], "too big: as it is written"),
    (f'{{"a": {"9" * 5000}}}', [{"a": "9" * 5000}], "an integer of 5,000 digits"),
    ('{"a": 12345678901234567890}', [{"a": 12345678901234567890}], "a long one is exact"),
    ('{"a": "\\ud83d\\ude00"}', [{"a": "😀"}], "a surrogate pair"),
    ('{"a": "\\ud83d!"}', [{"a": "\ufffd!"}], "half of one cannot be written in UTF-8"),
    ('{"a": "\ud83d"}', [{"a": "\ufffd"}], "half of one, raw"),
    ('{"a": 1, "a": 1}', [{"a": 1}], "a key twice with the same value"),
    ("", [], "nothing"),
    ("I cannot judge this.", [], "prose only"),
    ("[1, 2, 3]", [], "no object"),
    ("[]{}", [{}], "empty"),
]


@pytest.mark.parametrize(("reply", "objects", "why"), READINGS)
def test_every_form_has_one_reading(reply: str, objects: list[Any], why: str) -> None:
    reading = read_reply(reply)
    assert [found.value for found in reading.objects] == objects, why
    assert all(found.complete for found in reading.objects)


#: reply, finished members, whether the end of the reply cut it, why
CUTS: list[tuple[str, dict[str, Any], bool, str]] = [
    ('{"a": 1, "b": 2', {"a": 1}, True, "2 may have been 25"),
    ('{"a": 1, "b": 2 ', {"a": 1, "b": 2}, True, "the blank shows that the number ended"),
    ('{"a": 1, "b": tru', {"a": 1}, True, "a literal being written"),
    ('{"a": 1, "b": true', {"a": 1}, True, "its end was not seen"),
    ('{"a": 1, "b": "x', {"a": 1}, True, "inside a string"),
    ('{"a": 1, "b": "x\\', {"a": 1}, True, "inside an escape"),
    ('{"a": 1, "b": "x"', {"a": 1, "b": "x"}, True, "the closing quote was seen"),
    ('{"a": 1, "b": {"c": 1, "d": 2', {"a": 1}, True, "the member being cut is dropped whole"),
    ('{"a": 1, "b": [1, 2', {"a": 1}, True, "an array being cut too"),
    ('{"a": 1, "b": [1, 2]', {"a": 1, "b": [1, 2]}, True, "a finished array stays"),
    ('{"a": 1, "b":', {"a": 1}, True, "a key without a value"),
    ('{"a": 1, "b', {"a": 1}, True, "inside a key"),
    ('{"a": 1,', {"a": 1}, True, "after a comma"),
    ('{"a": 1, /* no', {"a": 1}, True, "inside a comment"),
    ('{"a', {}, True, "inside the first key"),
    ('{"it\'s \\"a', {}, True, "inside a first key with quote marks"),
    ('{"a\\', {}, True, "inside its escape"),
    ("{", {}, True, "after the brace"),
    ('```json\n{"a": 1, "b": 2\n```', {"a": 1, "b": 2}, True, "the fence closes, not the brace"),
    ('{"a": 1, "b": "x" "c": 3}', {"a": 1}, False, "a missing comma: no telling whose quotes"),
    ('{"a": 1, "r": "he said "x", "s": 9}', {"a": 1}, False, "a quote mark inside a string"),
    ('{"a": 1, "r": \'it\'s\', "s": 9}', {"a": 1}, False, "the same with single quotes"),
    ('{"a": 1, "b" 2}', {"a": 1}, False, "a missing colon"),
    ('{"a": 1]', {}, False, "the wrong bracket: the member before it is not sure either"),
    ('{"a": 1, ...}', {"a": 1}, False, "an ellipsis"),
    ('{"a": (1, 2), "b": 3}', {}, False, "a tuple"),
]


@pytest.mark.parametrize(("reply", "members", "cut", "why"), CUTS)
def test_what_is_complete_is_read_and_what_is_cut_is_missing(
    reply: str, members: dict[str, Any], cut: bool, why: str
) -> None:
    reading = read_reply(reply)
    assert [found.value for found in reading.objects] == [members], why
    assert not reading.objects[0].complete
    assert reading.truncated is cut
    assert reading.objects[0].flaws, "it says why"


def test_nothing_behind_a_broken_object_is_read() -> None:
    """What follows may stand in one of its strings: reading it could let a quotation win."""
    broken = '{"metric": "coverage", "r": "the text says "' + a + '" so", "score": 1}'
    assert [found.value for found in read_reply(broken + b).objects] == [{"metric": "coverage"}]


def test_a_cut_array_keeps_its_finished_objects() -> None:
    reading = read_reply(f"[{a}, {b[:20]}")
    assert [(f.value, f.complete) for f in reading.objects] == [(A, True), ({}, False)]
    assert reading.truncated
    assert read_reply(f"[{a},").truncated


@pytest.mark.parametrize(
    ("reply", "flaw"),
    [
        ('{"a": 1,}', "trailing comma"),
        ("{'a': 1}", "single quotes"),
        ('{"a": 1 /* x */}', "comment"),
        ('{"a": None}', "Python literal"),
        ('{"a": "x\ny"}', "raw control character in a string"),
        ('{"a": "\\q"}', "unknown escape"),
        ("{a: 1}", "key without quotes"),
        ('{"a": high}', "value without quotes"),
        ('{"a": NaN}', "value without quotes"),
        ('{"a": 007}', "odd number"),
        ('{"a": 1e999}', "too big a number"),
        ('{"a": "\\ud800"}', "lone surrogate"),
        ('{"a": 1, "a": 1}', "duplicate key 'a'"),
        ('{"a": 1, "a": 2}', "conflicting key 'a'"),
        ('{"a": 1, "a": true}', "conflicting key 'a'"),
        ('{"x": {"a": 1, "a": 2}}', "conflicting key 'a'"),
    ],
)
def test_what_was_forgiven_is_named(reply: str, flaw: str) -> None:
    assert read_reply(reply).objects[0].flaws == (flaw,)


def test_clean_objects_have_no_flaws_and_slice_back() -> None:
    text = f"well: {a} and {b}"
    for found in read_reply(text).objects:
        assert not found.flaws
        assert json.loads(text[found.start : found.end]) == found.value


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("x" * (MAX_CHARS + 1), "reply.too_long"),
        ('{"a":' * 10_000, "reply.too_deep"),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "reply.too_deep"),
        ("[" * 10_000 + "]" * 10_000, "reply.too_deep"),
        ('[{"a":' * 10_000, "reply.too_deep"),
        ('{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), "reply.too_deep"),
        ("{'a':" * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1), "reply.too_deep"),
        ('[{"a": 1}, ' + "[" * 200, "reply.too_deep"),
    ],
)
def test_too_long_and_too_deep_are_refused(reply: str, code: str) -> None:
    with pytest.raises(Unscored) as refused:
        read_reply(reply)
    assert (refused.value.kind, refused.value.code) == ("unreadable", code)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_the_deepest_that_is_read_is_the_same_on_both_paths(quote: str) -> None:
    levels = MAX_DEPTH
    reply = f"{{{quote}a{quote}:" * levels + "1" + "}" * levels
    assert len(read_reply(reply).objects) == 1


@pytest.mark.parametrize(
    "piece",
    ["{'", '{"\\', "{ ", "{a", "{/*", "{//", "{#", '{"x" ', '["a", ', "[[ 1", "/*", "{'a\"", '"{'],
)
def test_hostile_repetition_is_read_in_linear_time(piece: str) -> None:
    """Quadratic work on 200,000 characters would take minutes, and the suite would show it."""
    with contextlib.suppress(Unscored):  # some are refused as too deep
        assert len(read_reply(piece * (200_000 // len(piece))).objects) <= 1


def objects_of(text: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    numbers = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
    values = st.recursive(
        st.none() | st.booleans() | numbers | text,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
        max_leaves=12,
    )
    return st.dictionaries(text, values, max_size=5)


json_objects = objects_of(st.text())


@given(json_objects, st.sampled_from([None, 2]), st.booleans())
def test_both_parsers_agree_with_json(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    expected = json.loads(text)
    strict = read_reply(text).objects[0]
    lenient = read_object(text, 0)
    assert strict.value == lenient.value == expected
    assert (strict.end, lenient.end) == (len(text), len(text))
    assert lenient.flaws == ()


@given(objects_of(st.text(alphabet=st.sampled_from("aé日\"'\\{}[],:/# 1"))))
def test_python_repr_is_read(value: Any) -> None:
    assert read_object(repr(value), 0).value == read_object(json.dumps(value), 0).value


@given(json_objects.filter(bool), st.data())
def test_a_cut_reply_yields_only_true_members(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    (found,) = read_reply(cut).objects
    assert not found.complete
    whole = json.loads(text)
    assert all(same(whole[key], member) for key, member in found.value.items())
    assert list(found.value) == list(whole)[: len(found.value)], "in order, none skipped"


@settings(max_examples=300)
@given(st.text(alphabet="{}[]\",:'\\/*#<>think truefalsn019.-+e\n\u3042", max_size=120))
def test_no_text_raises_anything_but_unscored(text: str) -> None:
    for found in read_reply(text).objects:
        assert isinstance(found.value, dict)
        assert 0 <= found.start <= found.end <= len(text)
        json.dumps(found.value, allow_nan=False).encode("utf-8")


def test_real_malformed_strings_never_escape(shared: Path) -> None:
    """Every string of parsers' own test suites is read, or refused by name."""
    lines = (shared / "data/replies/malformed_json.jsonl").read_text("utf-8").strip().split("\n")
    for line in lines:
        row = json.loads(line)
        try:
            reading = read_reply(row["text"])
        except Unscored:
            continue
        for found in reading.objects:
            json.dumps(found.value, allow_nan=False).encode("utf-8")
        if row["valid_json"] and row["text"].lstrip().startswith("{"):
            assert len(reading.objects) == 1
            assert reading.objects[0].complete

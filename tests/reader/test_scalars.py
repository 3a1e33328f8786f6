"""Numbers, booleans and labels as judges write them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.text.values import flag, label, metric_name, number

NUMBERS: list[tuple[Any, int, Fraction | None, str]] = [
    (8, 10, Fraction(8), "an integer is itself"),
    (0.1, 10, Fraction(1, 10), "the decimal that was written, not its binary neighbour"),
    (1e-7, 10, Fraction(1, 10**7), "repr in exponent form"),
    (True, 10, None, "a boolean is an int in Python, not in a verdict"),
    (False, 10, None, "the same for false, which would be a made-up zero"),
    (None, 10, None, "missing is not zero"),
    ([8], 10, None, "a list is not a number"),
    (float("nan"), 10, None, "NaN"),
    (float("inf"), 10, None, "infinity"),
    ("8.5", 10, Fraction(17, 2), "a number in a string"),
    (" 8 ", 10, Fraction(8), "blanks around"),
    ("8,5", 10, Fraction(17, 2), "decimal comma"),
    ("0,833", 10, Fraction(833, 1000), "no thousands mark follows a lone zero"),
    ("1,234", 10, None, "a decimal or a thousands mark: not read"),
    ("1,234.5", 10, None, "both marks: not read"),
    ("8/10", 10, Fraction(8), "out of the scale"),
    ("8 / 10", 10, Fraction(8), "with blanks"),
    ("8 out of 10", 10, Fraction(8), "in words"),
    ("8,5/10", 10, Fraction(17, 2), "comma and share"),
    ("4/5", 10, Fraction(8), "another scale: the same share"),
    ("55/60", 60, Fraction(55), "a rubric axis of 60"),
    ("5/6", 1, Fraction(5, 6), "a fraction on the scale of 1"),
    ("8/0", 10, None, "a share of nothing"),
    ("1/2/3", 10, None, "a date or nonsense"),
    ("85%", 10, Fraction(17, 2), "per cent of the scale"),
    ("85 %", 1, Fraction(17, 20), "per cent of one"),
    ("55点", 60, Fraction(55), "Japanese points"),
    ("8 points", 10, Fraction(8), "English points"),
    ("８．５", 10, Fraction(17, 2), "full-width digits"),
    ("-1", 10, Fraction(-1), "negative: the protocol refuses it, not the reader"),
    ("−1", 10, Fraction(-1), "typographic minus"),
    ("+1", 10, Fraction(1), "plus sign"),
    (".5", 10, Fraction(1, 2), "no leading zero"),
    ("1e2", 10, Fraction(100), "exponent"),
    ("1e999999999", 10, None, "never worked out"),
    ("1e-999999999", 10, None, "nor this way"),
    ("9" * 5000, 10, None, "longer than any number"),
    ("NaN", 10, None, "NaN in a string"),
    ("Infinity", 10, None, "infinity in a string"),
    ("8-9", 10, None, "a span of numbers is no number"),
    ("~8", 10, None, "about"),
    ("eight", 10, None, "a word"),
    ("", 10, None, "empty"),
    (".", 10, None, "a mark without digits"),
    ("1_000", 10, None, "Python's underscores"),
    ("٣", 10, None, "digits that fold to nothing ASCII"),
    ("½", 10, None, "a fraction sign"),
]


@pytest.mark.parametrize(("value", "scale", "expected", "why"), NUMBERS)
def test_a_number_has_one_reading(
    value: Any, scale: int, expected: Fraction | None, why: str
) -> None:
    read = number(value, scale)
    assert read.value == expected, why
    assert (read.value is None) <= (read.flaw is not None), "unreadable always says why"


def test_clean_numbers_have_no_flaw_and_strings_do() -> None:
    assert number(8).flaw is None
    assert number(8.5).flaw is None
    assert number("8").flaw == "a number in a string"
    assert number("8/10").flaw == "a share out of 10"


@given(st.text() | st.integers() | st.floats() | st.booleans() | st.none())
def test_number_never_raises_and_never_yields_more_than_it_was_given(value: Any) -> None:
    read = number(value)
    assert read.value is None or isinstance(read.value, Fraction)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-999, max_value=999))
def test_a_decimal_in_a_string_is_exact(value: Any) -> None:
    assert number(str(value)).value == Fraction(value)
    assert number(f"{value}/10").value == Fraction(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (False, False),
        ("true", True),
        ("False", False),
        (" YES ", True),
        ("no", False),
        (1, True),
        (0, False),
        ("0", False),
        (2, None),
        (1.0, None),
        (10**400, None),
        ("maybe", None),
        ("", None),
        (None, None),
        ([], None),
        ("x" * 10_000, None),
    ],
)
def test_a_flag_has_one_reading(value: Any, expected: bool | None) -> None:
    assert flag(value).value is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Fully", "Fully"),
        ("fully", "Fully"),
        (" FULLY ", "Fully"),
        ("Partially", "Partial"),
        ("partially", "Partial"),
        ("full", None),
        (None, None),
        (3, None),
        ({"a": 1}, None),
    ],
)
def test_a_label_is_folded_but_not_guessed(value: Any, expected: str | None) -> None:
    read = label(value, ("Fully", "Partial", "Not"), {"Partially": "Partial"})
    assert read.value == expected


@pytest.mark.parametrize(
    "written",
    ["bias_toxicity", "Bias-Toxicity", "BIAS & TOXICITY", " bias  toxicity ", "Bias_&_Toxicity"],
)
def test_metric_names_fold_joints_and_case(written: str) -> None:
    assert metric_name(written) == "bias_toxicity"


def test_what_is_no_name_folds_to_nothing() -> None:
    assert metric_name(None) == metric_name(3) == metric_name("x" * 10_000) == ""

"""Exact numbers, against decimal's own half-up."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.arith import exact, half_up, harmonic, round_to_show, show

HUNDREDTHS = st.integers(-10_000, 10_000_000)


@given(HUNDREDTHS, st.integers(0, 3))
def test_half_up_is_decimals_for_positive_numbers(n: int, places: int) -> None:
    value = Fraction(abs(n), 1000)
    expected = Decimal(abs(n)).scaleb(-3).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    assert half_up(value, places) == Fraction(expected)
    assert round_to_show(value, places) == float(expected)


@given(st.fractions(-1000, 1000, max_denominator=10_000))
def test_half_up_is_within_half_a_unit_and_ties_go_up(value: Fraction) -> None:
    rounded = half_up(value, 2)
    assert -Fraction(1, 200) < rounded - value <= Fraction(1, 200)


@pytest.mark.parametrize(
    ("value", "expected", "why"),
    [
        (Fraction(5, 1000), 0.01, "half goes up"),
        (Fraction(-5, 1000), 0.0, "towards +infinity, also below zero"),
        (Fraction(765, 100), 7.65, "nothing to round"),
        (Fraction(2, 3), 0.67, "a third never ends"),
        (7, 7.0, "a whole number stays"),
        (exact(0.285) * 10, 2.85, "0.285 means 285/1000, not its binary neighbour"),
    ],
)
def test_shown(value: Fraction | int, expected: float, why: str) -> None:
    assert round_to_show(value) == expected, why


@given(st.fractions(0, 10), st.fractions(0, 10))
def test_harmonic_lies_between_and_is_zero_for_two_zeros(a: Fraction, b: Fraction) -> None:
    mean = harmonic(a, b)
    assert min(a, b) <= mean <= max(a, b)
    assert harmonic(0, 0) == 0


@given(st.decimals(min_value=-1000, max_value=1000, places=6))
def test_exact_reads_a_float_as_it_is_written(value: Decimal) -> None:
    assert exact(float(value)) == Fraction(repr(float(value)))
    assert abs(exact(float(value)) - Fraction(value)) < Fraction(1, 10**6)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        exact(value)


def test_show_walks_containers_and_leaves_the_rest() -> None:
    assert show({"a": [Fraction(1, 3), True, None, "x"], "b": (Fraction(1, 2),)}) == {
        "a": [0.33, True, None, "x"],
        "b": [0.5],
    }

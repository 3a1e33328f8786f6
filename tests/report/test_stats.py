"""Intervals and tests against scipy, and the intervals' coverage by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from oyer.report.stats import bounds, interval, paired_p, t_quantile, win_rate


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 10, 29, 30, 200])
@pytest.mark.parametrize("p", [0.6, 0.9, 0.975, 0.999, 0.025])
def test_students_t_is_scipys(df: int, p: float) -> None:
    assert t_quantile(p, df) == pytest.approx(scipy_stats.t.ppf(p, df), rel=1e-6)


@pytest.mark.parametrize(
    ("name", "n", "draw", "mean"),
    [
        ("normal, few", 10, lambda r, n: r.normal(5, 2, n), 5.0),
        ("normal", 40, lambda r, n: r.normal(5, 2, n), 5.0),
        ("all or nothing", 20, lambda r, n: (r.random(n) < 0.7) * 10.0, 7.0),
        ("skewed, as scores near the top are", 30, lambda r, n: 10 - r.exponential(2, n), 8.0),
    ],
)
def test_the_interval_covers_the_truth_about_as_often_as_it_says(
    name: str, n: int, draw: Any, mean: float
) -> None:
    """600 simulated runs: nominal 95 %, at least 91 % seen (three standard errors are 2.7 %)."""
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(600):
        made = interval(np.asarray(draw(rng, n), dtype=np.float64))
        assert made.low is not None
        assert made.high is not None
        hits += made.low <= mean <= made.high
    assert 0.91 <= hits / 600 <= 0.99, (name, hits / 600)


def test_many_cases_use_the_normal_interval_and_say_so() -> None:
    values = np.random.default_rng(1).normal(6, 1, 10_000)
    made = interval(values)
    low, high = scipy_stats.norm.interval(0.95, values.mean(), scipy_stats.sem(values))
    assert made.method == "normal"
    assert (made.low, made.high) == pytest.approx((low, high))


def test_two_cases_have_no_interval() -> None:
    made = interval(np.array([1.0, 2.0]))
    assert (made.mean, made.low, made.high) == (1.5, None, None)


@pytest.mark.parametrize("n", [4, 8, 12, 40, 3000])
def test_the_permutation_test_is_scipys(n: int) -> None:
    difference = np.random.default_rng(n).normal(0.3, 1, n)
    theirs = scipy_stats.permutation_test(
        (difference,),
        lambda x, axis: np.mean(x, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000 if n < 100 else 2_000,
        rng=np.random.default_rng(3),
    )
    assert paired_p(difference) == pytest.approx(theirs.pvalue, abs=0.02)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-10, 10, allow_nan=False), min_size=1, max_size=11))
def test_p_is_a_probability_and_symmetric(values: list[float]) -> None:
    difference = np.array(values)
    p = paired_p(difference)
    assert 0 < p <= 1
    assert p == pytest.approx(paired_p(-difference))


def test_no_difference_is_no_evidence() -> None:
    assert paired_p(np.zeros(30)) == 1.0


def test_a_tie_is_half_a_win() -> None:
    assert win_rate(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 4.0])) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("sums", "scored", "unscored", "expected"),
    [
        ([8, 6, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], (3.5, 8.5)),  # two cases of four
        ([8, 6], [1, 1], [1, 0], ((4 + 6) / 2, (9 + 6) / 2)),  # one of two judges of one case
        ([8, 6, 0], [1, 1, 0], [0, 0, 0], (7, 7)),  # a case this candidate does not have
        ([0], [0], [3], (0, 10)),  # nothing is known
        ([], [], [], (0, 10)),
    ],
)
def test_unscored_verdicts_widen_to_the_worst_and_the_best(
    sums: list[float], scored: list[float], unscored: list[float], expected: tuple[float, float]
) -> None:
    arrays = [np.array(numbers, dtype=np.float64) for numbers in (sums, scored, unscored)]
    made = bounds(arrays[0], arrays[1], arrays[2], (0, 10))
    assert made == pytest.approx(expected)

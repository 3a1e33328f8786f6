"""Consistency, variance components and leans, against references and on planted ones."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from oyer.trust.biases import adjust, find_biases
from oyer.trust.consistency import components, consistency, gather_cells

EXACT = 1e-9


def test_a_judge_that_repeats_itself():
    text, total = np.array([0, 0, 1, 1, 2]), np.array([5.0, 5.0, 7.0, 8.0, 3.0])
    found = consistency(text, total)
    assert (found.texts, found.same) == (2, 0.5)
    assert found.spread == pytest.approx(0.5)


def test_nothing_was_judged_twice():
    assert math.isnan(consistency(np.arange(3), np.ones(3)).spread)


def test_variance_components_are_those_of_statsmodels_anova():
    """Two judges, two repeats, forty texts: expected mean squares of the crossed design."""
    rng = np.random.default_rng(4)
    text, judge, _ = (a.ravel() for a in np.meshgrid(range(40), range(2), range(2), indexing="ij"))
    total = rng.normal(6, 2, 40)[text] + judge * 0.8 + rng.normal(0, 0.7, 80)[text * 2 + judge]
    total = total + rng.normal(0, 0.5, len(text))
    data = pd.DataFrame({"text": text, "judge": judge, "total": total})
    table = anova_lm(ols("total ~ C(text) * C(judge)", data).fit())
    squares = table["mean_sq"]
    both, rest = squares["C(text):C(judge)"], squares["Residual"]
    expected = [
        (squares["C(text)"] - both) / 4,
        (squares["C(judge)"] - both) / 80,
        (both - rest) / 2,
        rest,
    ]
    found = components(gather_cells(text, judge, total))
    shares = np.array(expected) / sum(expected)
    parts = (found.text, found.judge, found.taste, found.repeat)
    assert parts == pytest.approx(shares, abs=EXACT)


def test_the_mean_difference_is_a_t_test_but_for_leverage():
    rng = np.random.default_rng(2)
    difference = rng.normal(0.02, 0.1, 50)
    people = rng.random(50)
    [bias] = find_biases("total", "people", (people + difference, people), np.arange(50), {})
    expected = stats.ttest_1samp(difference, 0)
    assert bias.effect == pytest.approx(difference.mean())
    statistic = stats.t.isf(bias.p / 2, 49)
    assert statistic * math.sqrt(50 / 49) == pytest.approx(abs(expected.statistic), abs=1e-6)


def test_a_lean_to_the_own_vendor_is_found_and_no_other():
    rng = np.random.default_rng(5)
    case = np.repeat(np.arange(200), 2)
    own = np.tile([0.0, 1.0], 200)
    length = rng.normal(5, 1, 400)
    difference = 0.1 * own + rng.normal(0, 0.2, 400)
    features = {"own vendor": own, "length": length}
    others = rng.random(400)
    pair = (others + difference, others)
    found = adjust(find_biases("total", "other judges", pair, case, features))
    assert [bias.kind for bias in found if bias.flagged] == ["own vendor"]
    assert found[0].low < 0.1 < found[0].high


def test_few_cases_are_underpowered_not_innocent():
    rng = np.random.default_rng(6)
    pair = (rng.normal(0.5, 0.5, 12), rng.random(12))
    [bias] = adjust(find_biases("total", "people", pair, np.arange(12), {}))
    assert bias.underpowered


def test_what_does_not_vary_is_not_tested():
    values = np.random.default_rng(1).random((2, 20))
    same = {"length": np.full(20, 3.0)}
    assert find_biases("total", "other judges", (values[0], values[1]), np.arange(20), same) == []


def test_a_blunt_judge_does_not_lean():
    """It gives all much the same; the own vendor's texts are truly better."""
    rng = np.random.default_rng(8)
    own = np.tile([0.0, 1.0], 300)
    people = 0.3 + 0.4 * own + rng.normal(0, 0.1, 600)
    judge = 0.5 + 0.1 * people + rng.normal(0, 0.05, 600)
    found = find_biases(
        "total", "other judges", (judge, people), np.arange(600), {"own vendor": own}
    )
    assert not any(bias.flagged for bias in adjust(found))

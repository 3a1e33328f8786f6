"""Every statistic agrees with its reference implementation to 1e-9."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.multitest import multipletests

from oyer.trust import agreement, ranking, resampling

EXACT = 1e-9
IRRCAC = json.loads(Path(__file__).with_name("irrcac.json").read_text())


def pair(seed: int, k: int = 4, n: int = 60) -> tuple[Any, Any]:
    """Two raters that agree more often than by chance."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, k, n)
    b = np.where(rng.random(n) < 0.6, a, rng.integers(0, k, n))
    return a, b


def numbers(seed: int, n: int = 80) -> tuple[Any, Any]:
    """Two lists with ties that go together."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 12, n).astype(float)
    b = np.round(a + rng.normal(0, 4, n))
    return a, b


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("ours", "theirs"), [("plain", None), ("quadratic", "quadratic")])
def test_cohens_kappa_is_that_of_scikit_learn(seed, ours, theirs):
    a, b = pair(seed)
    expected = metrics.cohen_kappa_score(a, b, weights=theirs)
    found = agreement.cohen_kappa(agreement.confusion(a, b, 4), ours)
    assert found == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("row", IRRCAC, ids=range(len(IRRCAC)))
def test_gwets_ac_is_that_of_irrcac(row):
    table = np.array(row["ratings"], dtype=float)
    assert agreement.gwet_ac(table, row["k"]) == pytest.approx(row["ac1"], abs=EXACT)
    assert agreement.gwet_ac(table, row["k"], "quadratic") == pytest.approx(row["ac2"], abs=EXACT)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("row", IRRCAC, ids=range(len(IRRCAC)))
def test_krippendorffs_alpha_is_that_of_krippendorff(row, level):
    table = np.array(row["ratings"], dtype=float)
    expected = krippendorff.alpha(reliability_data=table.T, level_of_measurement=level)
    assert agreement.krippendorff_alpha(table, level) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_correlations_are_those_of_scipy(seed):
    a, b = numbers(seed)
    assert ranking.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic, abs=EXACT)
    assert ranking.kendall(a, b) == pytest.approx(stats.kendalltau(a, b).statistic, abs=EXACT)
    assert ranking.pearson(a, b) == pytest.approx(stats.pearsonr(a, b).statistic, abs=EXACT)


def test_kendall_is_the_same_over_many_blocks():
    a, b = numbers(3, n=1300)
    assert ranking.kendall(a, b) == pytest.approx(stats.kendalltau(a, b).statistic, abs=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_auc_and_brier_are_those_of_scikit_learn(seed):
    a, b = numbers(seed)
    positive, forecast = a > 6, (b - b.min()) / (b.max() - b.min())
    area = metrics.roc_auc_score(positive, forecast)
    assert ranking.auc(positive, forecast) == pytest.approx(area, abs=EXACT)
    loss = metrics.brier_score_loss(positive, forecast)
    assert ranking.brier(positive.astype(float), forecast) == pytest.approx(loss, abs=EXACT)


@pytest.mark.parametrize("seed", range(3))
def test_sensitivity_specificity_precision_are_those_of_scikit_learn(seed):
    judge, people = pair(seed, k=2)
    table = agreement.confusion(judge, people, 2)
    recall = metrics.recall_score(people, judge, pos_label=0)
    assert agreement.sensitivity(table) == pytest.approx(recall, abs=EXACT)
    true_negatives = metrics.recall_score(people, judge, pos_label=1)
    assert agreement.specificity(table) == pytest.approx(true_negatives, abs=EXACT)
    balanced = metrics.balanced_accuracy_score(people, judge)
    assert agreement.balanced_accuracy(table) == pytest.approx(balanced, abs=EXACT)
    found = metrics.precision_score(people, judge, pos_label=0)
    assert agreement.precision(table) == pytest.approx(found, abs=EXACT)


@pytest.mark.parametrize("seed", range(3))
def test_the_reliability_curve_is_that_of_scikit_learn(seed):
    from sklearn.calibration import calibration_curve

    rng = np.random.default_rng(seed)
    forecast = rng.random(200)
    outcome = (rng.random(200) < forecast).astype(float)
    people, judge = calibration_curve(outcome, forecast, n_bins=10)
    curve = ranking.reliability_curve(outcome, forecast)
    assert [step.people for step in curve] == pytest.approx(people, abs=EXACT)
    assert [step.judge for step in curve] == pytest.approx(judge, abs=EXACT)
    assert sum(step.n for step in curve) == 200


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_benjamini_hochberg_is_that_of_statsmodels(p_values):
    expected = multipletests(p_values, method="fdr_bh")[1]
    assert resampling.benjamini_hochberg(p_values) == pytest.approx(expected, abs=EXACT)


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_that_of_statsmodels(b, c):
    expected = reference_mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0
    assert resampling.mcnemar(b, c) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize(
    "value",
    [
        agreement.cohen_kappa(np.zeros((2, 2))),
        agreement.cohen_kappa(np.diag([5.0, 0.0])),  # one label only: chance explains all
        agreement.krippendorff_alpha(np.array([[1.0, math.nan]])),
        agreement.gwet_ac(np.array([[1.0, math.nan]]), 2),
        agreement.sensitivity(np.diag([0.0, 5.0])),
        ranking.spearman(np.array([1.0, 1.0]), np.array([1.0, 2.0])),
        ranking.auc(np.array([1.0, 1.0]), np.array([1.0, 2.0])),
        ranking.kendall(np.array([1.0]), np.array([1.0])),
    ],
)
def test_what_cannot_be_told_is_not_a_number(value):
    assert math.isnan(value)


def test_a_bootstrap_draws_cases_not_units():
    """Ten sentences of one case say no more than one when they are all the same."""
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, 40)
    alone = resampling.bootstrap(lambda some: float(values[some].mean()), np.arange(40))
    many, cases = np.repeat(values, 10), np.repeat(np.arange(40), 10)
    repeated = resampling.bootstrap(lambda some: float(many[some].mean()), cases)
    assert (repeated.low, repeated.high) == pytest.approx((alone.low, alone.high), abs=EXACT)
    assert repeated.n == 40


def test_few_cases_have_no_interval():
    found = resampling.bootstrap(lambda some: float(len(some)), np.array([0, 0, 1, 2]))
    assert (found.low, found.high) == (None, None)


def test_statistics_by_the_same_draws_are_those_of_each_alone() -> None:
    rng = np.random.default_rng(3)
    values, cases = rng.normal(size=60), rng.integers(0, 20, 60)

    def both(some: npt.NDArray[np.int64]) -> dict[str, float]:
        return {"mean": float(values[some].mean()), "most": float(values[some].max())}

    together = resampling.bootstrap_all(both, cases)
    assert together["mean"] == resampling.bootstrap(lambda some: both(some)["mean"], cases)
    assert together["most"] == resampling.bootstrap(lambda some: both(some)["most"], cases)

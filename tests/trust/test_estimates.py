"""Corrected estimates: points and limits against references, and what must always hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ppi_py import ppi_mean_pointestimate
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from oyer.trust.label_budget import needs_of_mean, needs_of_rate
from oyer.trust.means import corrected_mean
from oyer.trust.proportions import beta_limits, beta_quantile, beta_share, wilson_limits
from oyer.trust.rates import corrected_rate, design_effect, split_by_candidate, strata_of
from oyer.trust.samples import Judged, Labelled

EXACT = 1e-9


@given(st.floats(0.01, 0.99), st.floats(0.4, 400), st.floats(0.4, 400))
def test_beta_distribution_is_that_of_scipy(p, a, b):
    expected = stats.beta.ppf(p, a, b)
    assert beta_quantile(p, a, b) == pytest.approx(expected, abs=EXACT)
    assert beta_share(p, a, b) == pytest.approx(stats.beta.cdf(p, a, b), abs=EXACT)


@given(st.integers(1, 300), st.data())
def test_limits_of_a_proportion_are_those_of_statsmodels(n, data):
    hits = data.draw(st.integers(0, n))
    expected = proportion_confint(hits, n, method="wilson")
    assert wilson_limits(hits / n, n) == pytest.approx(expected, abs=EXACT)
    low, high = beta_limits(hits / n, n, prior=0.5)
    jeffreys = proportion_confint(hits, n, method="jeffreys")
    assert low == pytest.approx(jeffreys[0] if hits else 0, abs=EXACT)
    assert high == pytest.approx(jeffreys[1] if hits < n else 1, abs=EXACT)


def scores(seed: int, n: int = 40, total: int = 300) -> tuple[Any, ...]:
    """A run of judged texts of which the first `n` are labelled."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(6, 2, total).clip(0, 10)
    judge = (0.7 * truth + rng.normal(1, 1, total)).clip(0, 10)
    labelled = Labelled(truth[:n], judge[:n], np.arange(n))
    return truth, labelled, Judged(judge, np.arange(total))


@pytest.mark.parametrize("seed", range(6))
def test_the_mean_is_that_of_ppi_py(seed):
    _, labelled, judged = scores(seed)
    expected = ppi_mean_pointestimate(labelled.people, labelled.judge, judged.judge[40:])
    found = corrected_mean(labelled, judged, (0, 10))
    assert found.value == pytest.approx(float(np.squeeze(expected)), abs=EXACT)


def test_a_run_that_is_labelled_whole_needs_no_judge():
    truth, _, judged = scores(1)
    all_labelled = Labelled(truth, judged.judge, judged.case)
    assert corrected_mean(all_labelled, judged, (0, 10)).value == pytest.approx(truth.mean())
    passes = truth > 5
    as_rate = Labelled(passes.astype(float), (judged.judge > 5).astype(float), judged.case)
    found = corrected_rate(as_rate, Judged(as_rate.judge, judged.case))
    assert (found.low, found.value, found.high) == pytest.approx([passes.mean()] * 3)


@st.composite
def rate_samples(draw):
    """Labels of any kind: rare, unequal chances, several units of a case."""
    total = draw(st.integers(20, 200))
    n = draw(st.integers(5, total))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    case = np.sort(rng.integers(0, draw(st.integers(1, total)), total))
    truth = (rng.random(total) < draw(st.floats(0, 1))).astype(float)
    judge = np.where(rng.random(total) < draw(st.floats(0, 1)), truth, rng.integers(0, 3, total))
    picked = rng.permutation(total)[:n]
    chance = rng.uniform(0.1, 1, n) if draw(st.booleans()) else None
    labelled = Labelled(truth[picked], judge[picked], case[picked], chance)
    read, in_run = draw(st.sampled_from([(1.0, None), (0.1, 10_000)]))
    return labelled, Judged(judge, case, read, in_run)


@given(rate_samples(), st.sampled_from(["run", "alike"]))
def test_limits_never_leave_the_scale(sample, scope):
    labelled, judged = sample
    rate = corrected_rate(labelled, judged, scope)
    mean = corrected_mean(labelled, judged, (0, 2), scope)
    for found, top in ((rate, 1), (mean, 2)):
        if found.low is None:
            assert found.note
        else:
            assert found.high is not None
            assert 0 <= found.low <= found.value + EXACT
            assert found.value - EXACT <= found.high <= top


@given(rate_samples())
def test_cases_like_these_are_known_less_well_than_this_run(sample):
    labelled, judged = sample
    run, alike = (corrected_rate(labelled, judged, scope) for scope in ("run", "alike"))
    if run.low is not None:
        assert alike.low is not None
        assert alike.high is not None
        assert run.high is not None
        assert alike.low <= run.low + EXACT
        assert alike.high >= run.high - EXACT


def test_oversampled_fails_do_not_pull_the_rate():
    """Half of the labels come from the few that the judge failed; chances put them right."""
    judge = np.repeat([0.0, 1.0], [100, 900])
    truth = judge.copy()
    picked = np.r_[0:50, 100:150]
    chance = np.repeat([50 / 100, 50 / 900], 50)
    case = np.arange(1000)
    labelled = Labelled(truth[picked], judge[picked], case[picked], chance)
    found = corrected_rate(labelled, Judged(judge, case))
    assert found.value == pytest.approx(0.9)
    assert corrected_mean(labelled, Judged(judge, case), (0, 1)).value == pytest.approx(0.9)


def width(estimate: Any) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return float(estimate.high - estimate.low)


def test_sentences_of_one_case_count_for_less():
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.integers(0, 2, 30), 6).astype(float)
    judge = np.ones(180)
    alone = Labelled(truth, judge, np.arange(180))
    together = Labelled(truth, judge, np.repeat(np.arange(30), 6))
    assert design_effect(alone) == 1
    assert design_effect(together) == pytest.approx(6, rel=0.1)
    wide = corrected_rate(together, Judged(np.ones(9000), np.repeat(np.arange(1500), 6)))
    narrow = corrected_rate(alone, Judged(np.ones(9000), np.arange(9000)))
    assert width(wide) > 2 * width(narrow)


def test_too_few_labels_are_said_to_be_too_few():
    few = Labelled(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.arange(2))
    judged = Judged(np.array([1.0, 0.0, 1.0]), np.arange(3))
    assert "do not bear" in corrected_rate(few, judged).note
    assert "do not bear" in corrected_mean(few, judged, (0, 1)).note


def test_a_better_judge_needs_fewer_labels():
    truth = np.repeat([0.0, 1.0], [200, 800])
    case = np.arange(1000)
    found = {}
    for name, wrong in (("good", 20), ("poor", 3)):
        judge = truth.copy()
        judge[::wrong] = 1 - judge[::wrong]
        mixed = np.random.default_rng(1).permutation(1000)[:100]
        labelled = Labelled(truth[mixed], judge[mixed], case[mixed])
        strata = strata_of(labelled, Judged(judge, case))
        found[name] = needs_of_rate(strata, 1000)
    assert found["good"][0].labels < found["poor"][0].labels
    assert found["good"][1].saved > 0
    for need in found["good"]:
        assert sum(need.by_stratum) == need.labels


def test_labels_for_a_mean_are_what_its_interval_says():
    """As many labels as are there give the interval that is there."""
    _, labelled, judged = scores(2, n=100, total=100_000)
    found = corrected_mean(labelled, judged, (0, 10))
    half = width(found) / 2
    t_over_z = stats.t.ppf(0.975, 98) / stats.norm.ppf(0.975)
    [need] = needs_of_mean(labelled, judged, (0, 10), [half / 10 / t_over_z])
    assert need.labels == pytest.approx(100, abs=1)
    assert need.alone > need.labels


def test_sentences_of_one_case_need_more_labels():
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.integers(0, 2, 60), 5).astype(float)
    judge = np.ones(300)
    every = Judged(np.ones(90_000), np.arange(90_000))
    alone = needs_of_rate(strata_of(Labelled(truth, judge, np.arange(300)), every), 90_000)
    cases = Labelled(truth, judge, np.repeat(np.arange(60), 5))
    together = needs_of_rate(strata_of(cases, every), 90_000)
    assert together[1].labels > 4 * alone[1].labels


def test_strata_by_candidate_where_each_has_labels_enough():
    """The judge passes both candidates alike; people pass one of them only."""
    case, who = np.arange(2000), np.tile([0, 1], 1000)
    truth = (who == 0).astype(float)
    judge = np.ones(2000)
    judged = Judged(judge, case, candidate=who)
    picked = np.r_[0:60]
    labelled = Labelled(truth[picked], judge[picked], case[picked], candidate=who[picked])
    plain = corrected_rate(labelled, judged)
    split = corrected_rate(*split_by_candidate(labelled, judged))
    assert split.value == plain.value == 0.5
    assert width(split) < width(plain) / 2
    few = Labelled(truth[:12], judge[:12], case[:12], candidate=who[:12])
    assert split_by_candidate(few, judged) == (few, judged)

"""Consistency, variance components and biases, against references and on planted ones."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.store.aggregates import RunTotals
from oyer.trust.agreement import Floats, Labels
from oyer.trust.biases import Compared, Features, Judgements, adjust, find_biases, follow_length
from oyer.trust.consistency import components, consistency, gather_cells
from oyer.trust.judgements import RunJudgements

EXACT = 1e-9


def compared(
    judge: Floats, reference: Floats, case: Labels, features: Features | None = None
) -> Compared:
    """Units of equal chances."""
    return Compared(judge, case, features or {}, reference, np.ones(len(case)))


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
    units = compared(people + difference, people, np.arange(50))
    [bias] = find_biases("total", "people", units)
    expected = stats.ttest_1samp(difference, 0)
    assert bias.effect == pytest.approx(difference.mean())
    statistic = stats.t.isf(bias.p / 2, 49)
    assert statistic * math.sqrt(50 / 49) == pytest.approx(abs(expected.statistic), abs=1e-6)


def test_a_bias_to_the_own_vendor_is_found_and_no_other():
    rng = np.random.default_rng(5)
    case = np.repeat(np.arange(200), 2)
    own = np.tile([0.0, 1.0], 200)
    length = rng.normal(5, 1, 400)
    difference = 0.1 * own + rng.normal(0, 0.2, 400)
    features = {"own vendor": own, "length": length}
    others = rng.random(400)
    units = compared(others + difference, others, case, features)
    found = adjust(find_biases("total", "other judges", units))
    assert [bias.kind for bias in found if bias.flagged] == ["own vendor"]
    assert found[0].low < 0.1 < found[0].high


def test_few_cases_are_underpowered_not_innocent():
    rng = np.random.default_rng(6)
    units = compared(rng.normal(0.5, 0.5, 12), rng.random(12), np.arange(12))
    [bias] = adjust(find_biases("total", "people", units))
    assert bias.underpowered


def test_what_does_not_vary_is_not_tested():
    values = np.random.default_rng(1).random((2, 20))
    same = {"length": np.full(20, 3.0)}
    units = compared(values[0], values[1], np.arange(20), same)
    assert find_biases("total", "other judges", units) == []


def test_a_blunt_judge_is_not_biased():
    """It gives all much the same; the own vendor's texts are truly better."""
    rng = np.random.default_rng(8)
    own = np.tile([0.0, 1.0], 300)
    people = 0.3 + 0.4 * own + rng.normal(0, 0.1, 600)
    judge = 0.5 + 0.1 * people + rng.normal(0, 0.05, 600)
    units = compared(judge, people, np.arange(600), {"own vendor": own})
    found = find_biases("total", "other judges", units)
    assert not any(bias.flagged for bias in adjust(found))


def test_the_slope_is_that_of_statsmodels_by_cluster():
    """Without unlabelled units: least squares of the difference; its error is HC3 of one text a
    case."""
    import statsmodels.api as sm

    rng = np.random.default_rng(3)
    length = rng.normal(5, 1, 120)
    people = rng.random(120)
    judge = people + 0.05 * length + rng.normal(0, 0.2, 120)
    units = compared(judge, people, np.arange(120), {"length": length})
    [bias] = find_biases("total", "other judges", units)
    low, high = np.quantile(length, [0.1, 0.9])
    design = sm.add_constant(length / (high - low))
    fit = sm.OLS(judge - people, design).fit(cov_type="HC3", use_t=True)
    assert bias.effect == pytest.approx(fit.params[1], abs=EXACT)
    t = stats.t.ppf(0.975, 118)
    assert bias.high - bias.effect == pytest.approx(t * fit.bse[1], abs=EXACT)


def test_among_equals_is_statsmodels_regression_on_the_reference():
    """k · slope of the reference is what a regression with the reference takes away."""
    import statsmodels.api as sm

    from oyer.trust.case_regression import JudgedUnits, Units, bias_slope

    rng = np.random.default_rng(9)
    x, people = rng.normal(0, 1, 80), rng.random(80)
    judge = 0.4 * people + 0.1 * x + rng.normal(0, 0.1, 80)
    design = np.stack([x, np.ones(80)], axis=1)
    units = Units(design, judge, people, np.arange(80), np.ones(80))
    found = bias_slope(
        units, JudgedUnits(design, judge, np.arange(80), np.ones(80)), among_equals=True
    )
    expected = sm.OLS(judge, np.column_stack([design, people])).fit()
    assert found.value == pytest.approx(expected.params[0], abs=EXACT)


def labelled_part(
    rng: np.random.Generator, n: int = 60, total: int = 1200, effect: float = 0.1
) -> tuple[Compared, Judgements]:
    """A run of which `n` texts are labelled; long texts get more by `effect`."""
    length = rng.normal(6, 0.5, total)
    truth = 0.6 + rng.normal(0, 0.2, total)
    people = truth + rng.normal(0, 0.05, total)
    judge = truth + effect * (length - 6) + rng.normal(0, 0.15, total)
    case = np.arange(total)
    some = compared(judge[:n], people[:n], case[:n], {"length": length[:n]})
    return some, Judgements(judge, case, {"length": length})


def test_what_was_only_judged_makes_biases_smaller_than_labels_alone_visible():
    some, judged = labelled_part(np.random.default_rng(4))
    [alone] = find_biases("total", "other judges", some)
    [helped] = find_biases("total", "other judges", some, judged)
    assert helped.error < alone.error
    assert helped.low < 0.1 * 2 * 1.2816 * 0.5 < helped.high


def test_texts_of_one_case_are_compared_within_it():
    """The judge misreads whole cases; candidates of a case are misread alike."""
    rng = np.random.default_rng(5)
    case = np.repeat(np.arange(60), 4)
    length = rng.normal(6, 0.5, 240)
    people = rng.random(240)
    judge = people + rng.normal(0, 0.3, 60)[case] + rng.normal(0, 0.05, 240)
    judge = judge + 0.08 * (length - 6)
    [paired] = adjust(
        find_biases("t", "other judges", compared(judge, people, case, {"length": length}))
    )
    [apart] = find_biases(
        "t", "other judges", compared(judge, people, np.arange(240), {"length": length})
    )
    assert paired.flagged
    assert paired.error < apart.error / 2


def test_unequal_chances_are_weighted():
    """Low scores were drawn more often: without weights the judge would look strict."""
    rng = np.random.default_rng(6)
    truth = rng.random(4000)
    judge = truth + rng.normal(0, 0.2, 4000)
    chance = np.where(judge < 0.3, 0.4, 0.04)
    drawn = rng.random(4000) < chance
    case = np.arange(4000)
    fair = Compared(judge[drawn], case[drawn], {}, truth[drawn], 1 / chance[drawn])
    naive = Compared(judge[drawn], case[drawn], {}, truth[drawn], np.ones(int(drawn.sum())))
    assert not adjust(find_biases("t", "people", fair))[0].flagged
    assert adjust(find_biases("t", "people", naive))[0].flagged


def test_without_labels_scores_are_followed_by_length_within_cases_and_candidates():
    """Statsmodels with a dummy for each candidate; one text a case, so nothing is paired."""
    import statsmodels.api as sm

    rng = np.random.default_rng(12)
    candidate = np.tile([0, 1], 50)
    length = rng.normal(6, 0.5, 100) + 0.4 * candidate
    scores = 0.5 + 0.05 * length + 0.2 * candidate + rng.normal(0, 0.1, 100)
    found = follow_length(scores, np.arange(100), candidate, length)
    assert found is not None
    low, high = np.quantile(length, [0.1, 0.9])
    design = np.column_stack([length / (high - low), candidate == 0, candidate == 1])
    fit = sm.OLS(scores, design.astype(float)).fit(cov_type="HC3")
    assert found[0] == pytest.approx(fit.params[0], abs=EXACT)
    half = stats.t.ppf(0.975, 97) * fit.bse[0]
    assert found[2] - found[0] == pytest.approx(half, abs=EXACT)
    assert follow_length(scores[:5], np.arange(5), candidate[:5], length[:5]) is None


def test_the_vendor_of_a_named_judge_is_its_models(tmp_path: Path) -> None:
    nothing = np.empty(0, dtype=np.int64)
    totals = RunTotals(
        row=nothing,
        repeat=nothing,
        text=nothing,
        judge=nothing,
        total=np.empty(0),
        cases={},
        candidates={"ours": 0, "openai:gpt-5-mini": 1, "nobody's": 2},
        judges={"strict": 0},
    )
    named = {
        "judges": {"strict": {"model": "openai:gpt-5"}},
        "candidates": {"ours": {"model": "anthropic:claude-sonnet-4-5"}},
    }
    with open_store(str(tmp_path / "oyer.db")) as store:
        protocol = find_protocol("judge-lock")
        by_model = RunJudgements(store, protocol, totals, named).own_vendor("strict")
        by_name = RunJudgements(store, protocol, totals).own_vendor("strict")
    assert by_model[:2].tolist() == [0.0, 1.0]
    assert np.isnan(by_model[2])
    assert np.isnan(by_name).all(), "a name alone tells no vendor"

"""The draw: every member has a known chance, and gets it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.errors import UsageError
from oyer.trust.sampling import allocate, draw_sample, score_bands, split_of


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), st.integers(1, 200))
def test_allocation_takes_what_is_wanted_and_no_more_than_there_is(
    sizes: list[int], n: int
) -> None:
    if n < len(sizes):
        with pytest.raises(UsageError):
            allocate(sizes, n)
        return
    taken = allocate(sizes, n)
    assert sum(taken) == min(n, sum(sizes))
    assert all(1 <= got <= size for got, size in zip(taken, sizes, strict=True))
    full = [got for got, size in zip(taken, sizes, strict=True) if got < size]
    assert not full or max(full) - min(full) <= 1, "strata with room get the same"


def test_the_chance_that_is_stated_is_the_chance_that_it_has() -> None:
    strata = ["a"] * 6 + ["b"] * 18
    hits: Counter[int] = Counter()
    for seed in range(4000):
        drawn = draw_sample(strata, 8, seed=seed)
        assert len(drawn) == 8
        hits.update(one.index for one in drawn)
        for one in drawn:
            assert one.prob == (4 / 6 if one.index < 6 else 4 / 18)
    for index in range(24):
        chance = 4 / 6 if index < 6 else 4 / 18
        assert hits[index] / 4000 == pytest.approx(chance, abs=0.04)


def test_a_share_goes_to_two_people_and_a_seed_repeats_the_draw() -> None:
    drawn = draw_sample([""] * 300, 60, second=0.2, seed=5)
    assert sum(one.people == 2 for one in drawn) == 12
    assert drawn == draw_sample([""] * 300, 60, second=0.2, seed=5)
    assert drawn != draw_sample([""] * 300, 60, second=0.2, seed=6)
    assert [one.index for one in drawn] != sorted(one.index for one in drawn)


def test_a_sample_larger_than_the_population_takes_all_of_it() -> None:
    drawn = draw_sample(["a", "a", "b"], 10)
    assert sorted((one.index, one.prob) for one in drawn) == [(0, 1.0), (1, 1.0), (2, 1.0)]


def test_bands_are_thirds_and_unscored_is_a_band_of_its_own() -> None:
    assert score_bands([1, 2, 3, None]) == ["low", "middle", "high", "unscored"]
    assert score_bands([None, None]) == ["unscored", "unscored"]
    assert set(score_bands([5.0] * 9)) == {"high"}
    assert Counter(score_bands(list(range(90)))) == {"low": 30, "middle": 30, "high": 30}


def test_a_case_is_on_one_side_of_the_split_always() -> None:
    sides = Counter(split_of(f"case {n}", 0.25) for n in range(4000))
    assert sides["dev"] / 4000 == pytest.approx(0.25, abs=0.03)
    assert {split_of(f"case {n}", 0.0) for n in range(100)} == {"test"}
    dev = {n for n in range(4000) if split_of(f"case {n}", 0.1) == "dev"}
    wider = {n for n in range(4000) if split_of(f"case {n}", 0.25) == "dev"}
    assert dev <= wider, "a larger share keeps those that were dev before"


@pytest.mark.parametrize(("n", "second"), [(0, 0.0), (5, -0.1), (5, 1.1)])
def test_what_cannot_be_drawn_is_refused(n: int, second: float) -> None:
    with pytest.raises(UsageError):
        draw_sample(["a"] * 9, n, second=second)

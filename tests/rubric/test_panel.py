"""Several judges, several runs: means, spreads, counts, flags and agreement."""

from __future__ import annotations

import gzip
import json
import math
import statistics
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.arith import Alpha, alpha
from oyer.protocols.rubric.panel import AxisMark, panel, tally
from oyer.protocols.rubric.rules import AXES


def mark(judge: str, total: int, **said: Any) -> AxisMark:
    return AxisMark(judge, dict(zip((*AXES, "total"), (total, 0, 0, total), strict=True)), **said)


def runs(judge: str, *totals: int) -> list[AxisMark]:
    return [mark(judge, total, confidence="high") for total in totals]


def test_one_judge_over_its_runs() -> None:
    one = tally("a", runs("a", 80, 85, 90))
    assert one.mean["total"] == 85
    assert one.sd["total"] == 5.0
    assert (one.runs, one.critical, one.failed, one.confidence) == (3, 0, False, {"high": 3})
    assert tally("a", runs("a", 80)).sd["total"] is None


@pytest.mark.parametrize(
    ("fails", "failed", "tied"),
    [
        ((False, False, False), False, False),
        ((True, False, False), False, False),
        ((True, True, False), True, False),
        ((True, False), True, True),
        ((True,), True, False),
    ],
)
def test_the_majority_decides_a_critical_fail_and_a_tie_is_one(
    fails: tuple[bool, ...], failed: bool, tied: bool
) -> None:
    one = tally("a", [mark("a", 0, critical_fail=fail) for fail in fails])
    assert (one.critical, one.failed, one.tied) == (sum(fails), failed, tied)


def test_across_judges_each_counts_once_however_often_it_ran() -> None:
    made = panel([*runs("a", 60, 60, 60), *runs("b", 70), *runs("c", 95)])
    assert made.median["total"] == 70
    assert made.mean["total"] == 75
    assert made.range["total"] == 35


FLAGS = [
    (runs("a", 80, 85, 90), [], "an SD of 5 is not over 5"),
    (runs("a", 80, 85, 91), ["sd: a"], "a little more is"),
    (runs("a", 80) + runs("b", 95), [], "a range of 15 is not over 15"),
    (runs("a", 80) + runs("b", 96), ["range"], "16 is"),
    ([mark("a", 5, confidence="low")], ["low-confidence: a"], "any low confidence"),
    (
        [mark("a", 0, critical_fail=True), mark("b", 5)],
        ["critical-disagreement"],
        "judges disagree",
    ),
    (
        [mark("a", 0, critical_fail=True), mark("a", 0)],
        ["critical-tie: a", "critical-disagreement"],
        "one judge disagrees with itself",
    ),
    ([mark("a", 0, critical_fail=True), mark("b", 0, critical_fail=True)], [], "they agree"),
]


@pytest.mark.parametrize(("marks", "flags", "why"), FLAGS)
def test_flags(marks: list[AxisMark], flags: list[str], why: str) -> None:
    assert list(panel(marks).flags) == flags, why


def test_a_judge_of_the_subjects_family_is_shown_and_left_out_on_request() -> None:
    marks = runs("openai:gpt-5.2", 90) + runs("anthropic:claude-x", 80)
    shown = panel(marks, "openrouter/openai/gpt-4o")
    assert shown.flags == ("self-judging: openai:gpt-5.2",)
    assert len(shown.judges) == 2
    without = panel(marks, "openrouter/openai/gpt-4o", without_self=True)
    assert without.left_out == ("openai:gpt-5.2",)
    assert without.mean["total"] == 80


def test_a_panel_of_nobody_is_empty() -> None:
    made = panel(runs("openai:gpt-5", 90), "gpt-5", without_self=True)
    assert (made.judges, made.mean, made.range) == ((), {}, {})


#: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): 4 observers, 12 units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_alpha_is_the_published_value() -> None:
    found = alpha(zip(*OBSERVERS, strict=True))
    assert found is not None
    assert round(float(found), 3) == 0.849


def test_alpha_of_labels_is_the_published_value() -> None:
    made = Alpha(labels=True)
    for unit in zip(*OBSERVERS, strict=True):
        made.add(unit)
    assert made.value is not None
    assert round(float(made.value), 3) == 0.743


@pytest.mark.parametrize(
    ("units", "expected", "why"),
    [
        ([[1, 1], [5, 5]], 1, "perfect"),
        ([[1, 5], [5, 1]], Fraction(-1, 2), "worse than chance"),
        ([[1], [2, None]], None, "nothing to compare"),
        ([[3, 3], [3, 3]], None, "no variation: chance and agreement are the same"),
        ([], None, "nothing"),
    ],
)
def test_alpha_at_its_ends(units: Any, expected: Fraction | None, why: str) -> None:
    assert alpha(units) == expected, why


def by_definition(units: list[list[int]]) -> float | None:
    """Observed over expected disagreement, pair by pair."""
    rows = [row for row in units if len(row) > 1]
    values = [value for row in rows for value in row]
    if len(values) < 2 or len(set(values)) == 1:
        return None
    observed = sum(
        (a - b) ** 2 / (len(row) - 1) for row in rows for a, b in permutations(row, 2)
    ) / len(values)
    pairs = list(permutations(values, 2))
    return 1 - observed / (sum((a - b) ** 2 for a, b in pairs) / len(pairs))


@given(st.lists(st.lists(st.integers(0, 100), max_size=5), max_size=6))
def test_alpha_is_its_definition(units: list[list[int]]) -> None:
    found, expected = alpha(units), by_definition(units)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert math.isclose(float(found), expected, abs_tol=1e-9)


@given(st.lists(st.integers(0, 100), min_size=2, max_size=8))
def test_mean_and_sd_are_those_of_statistics(totals: list[int]) -> None:
    one = tally("a", runs("a", *totals))
    assert one.mean["total"] == Fraction(sum(totals), len(totals))
    spread = one.sd["total"]
    assert spread is not None
    assert math.isclose(spread, statistics.stdev(totals), abs_tol=1e-9)


def test_real_judges_agree_more_than_chance(shared: Path) -> None:
    """Five judge models on four Japanese benchmarks; some scores are null or no numbers."""
    with gzip.open(shared / "data/panel/japanese_judges.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    units = [
        [Fraction(s) for s in row["scores"].values() if type(s) is int or type(s) is float]
        for row in rows
    ]
    found = alpha(units)
    assert found is not None
    assert 0.3 < float(found) < 1

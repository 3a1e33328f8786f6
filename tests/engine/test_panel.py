"""Panels of a protocol that cannot match findings: the median of the scores, by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.engine import PLAINLY, Asking, Hearing, hear
from oyer.errors import ProviderError, UsageError
from oyer.judges.panel import Panel, open_panel
from oyer.types import Case
from tests.engine.toy_protocol import TOY, Parrot, says

CASE = Case("c1", {"text": "judge me"}, candidate="meta-llama/llama-3.1-70b")


def panel(*lines: str | ProviderError, names: Sequence[str] = ()) -> Panel:
    labels = names or [f"judge{i}" for i in range(len(lines))]
    return open_panel([Parrot([line], name) for line, name in zip(lines, labels, strict=True)])


def heard(bench: Panel, case: Case = CASE, asking: Asking = PLAINLY) -> Hearing:
    return asyncio.run(hear(case, TOY, bench, asking=asking))


def seat(hearing: Hearing) -> dict[str, Any]:
    made: dict[str, Any] = hearing.verdict.extra["panel"]
    return made


@pytest.mark.parametrize(
    ("marks", "expected", "reason"),
    [
        ([40, 90, 50], 50, "odd: the middle one; the outlier does not pull"),
        ([40, 50], 45, "even: the mean of the two in the middle"),
        ([1, 2, 3, 100], 2.5, "even, with an outlier"),
        ([70, 70, 0], 70, "two agree"),
    ],
)
def test_a_score_is_the_median(marks: list[int], expected: float, reason: str) -> None:
    hearing = heard(panel(*(says(m) for m in marks)))
    assert hearing.verdict.scores == {"marks": expected}, reason
    assert hearing.verdict.total == expected


@given(st.lists(st.integers(0, 100), min_size=2, max_size=7))
def test_the_median_is_the_librarys(marks: list[int]) -> None:
    verdict = heard(panel(*(says(m) for m in marks))).verdict
    assert verdict.total == pytest.approx(median(marks))
    assert [s.rule for s in verdict.trace] == ["PANEL", "PANEL-MEDIAN", "PANEL-MEDIAN"]


def test_every_members_verdict_is_kept_and_paid_for() -> None:
    hearing = heard(panel(says(40), "nothing", says(60)))
    assert [h.verdict.scores for h in hearing.members] == [{"marks": 40}, None, {"marks": 60}]
    assert hearing.verdict.judge == "judge0+judge1+judge2"
    assert hearing.verdict.usage.calls == 5, "the unreadable one was asked three times"
    assert hearing.verdict.scores == {"marks": 50}
    assert "no score from judge1: unreadable" in seat(hearing)["flags"]
    assert [m["counted"] for m in seat(hearing)["members"]] == [True, False, True]


def test_a_panel_without_any_score_has_none() -> None:
    verdict = heard(panel("nothing", ProviderError("gone"), "nothing")).verdict
    assert (verdict.status, verdict.error, verdict.scores) == ("unscored", "unreadable", None)


@pytest.mark.parametrize(
    ("fails", "decided", "marks", "reason"),
    [
        ([True, False, False], False, 65, "overruled: the failing member's zero does not count"),
        ([True, True, False], True, 0, "the majority fails it"),
        ([True, False], True, 0, "a tie counts as fail"),
        ([False, False], False, 55, "nobody fails it"),
    ],
)
def test_a_critical_fail_is_the_majoritys(
    fails: list[bool], decided: bool, marks: float, reason: str
) -> None:
    lines = [says(50 + 10 * i, fail=fail) for i, fail in enumerate(fails)]
    hearing = heard(panel(*lines))
    assert hearing.verdict.extra["critical_fail"] is decided, reason
    assert hearing.verdict.total == marks, reason
    split = any(flag.startswith("critical fail") for flag in seat(hearing)["flags"])
    assert split is (len(set(fails)) > 1)
    assert any("a tie" in f for f in seat(hearing)["flags"]) is (fails == [True, False])


def test_wide_ranges_are_flagged() -> None:
    assert "wide: marks from 40 to 56" in seat(heard(panel(says(40), says(56))))["flags"]
    close = heard(panel(says(40), says(55)))
    assert seat(close)["flags"] == []
    spread = {"median": 47.5, "mean": 47.5, "range": 15.0, "sd": 7.5}
    assert seat(close)["scores"]["marks"] == spread
    assert (seat(close)["combined"], seat(close)["findings"]) == ("scores", [])


def test_self_judging_is_shown_and_left_out_on_request() -> None:
    names = ["ollama:llama3.3", "openai:gpt-5"]
    bench = panel(says(90), says(40), names=names)
    shown = heard(bench)
    assert shown.verdict.total == 65
    assert "self-judging: ollama:llama3.3 is of the candidate's family" in seat(shown)["flags"]
    left_out = heard(panel(says(90), says(40), names=names), asking=Asking(without_self=True))
    assert left_out.verdict.total == 40
    nobody = heard(panel(says(9), says(8), names=["ollama:llama3", "llama-x"]),
                   asking=Asking(without_self=True))  # fmt: skip
    assert nobody.verdict.scores is None
    assert [v.code for v in nobody.verdict.violations] == ["panel.nobody"]


def test_one_judge_may_sit_twice() -> None:
    hearing = heard(panel(says(40), says(60), names=["j", "j"]))
    assert [m["judge"] for m in seat(hearing)["members"]] == ["j#1", "j#2"]
    assert hearing.verdict.total == 50


def test_a_panel_needs_two() -> None:
    with pytest.raises(UsageError, match="two judges"):
        open_panel([Parrot(["x"])])

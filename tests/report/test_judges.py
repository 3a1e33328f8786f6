"""Judges side by side; a panel and its members are never mixed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from oyer.arith import Alpha
from oyer.cli import main
from oyer.report import judges
from oyer.report.standings import gather, members_of_panels, standings
from oyer.report.tally import JudgeTally
from oyer.store import open_store
from oyer.store.columns import columns_of
from tests.report.stored_runs import FOLDER, MINUTES, Hearing, keep

A, B = "openai:a", "openai:b"
Said = pytest.CaptureFixture[str]


def mixed() -> list[Hearing]:
    """Two judges and their panel, two candidates, four cases; `x` is better for both."""
    rows = []
    for n in range(4):
        for who, (a, b, both) in {"x": (3, 2, 2.5), "y": (1, 0, 0.5)}.items():
            rows += [
                Hearing(f"c{n}", who, a, A),
                Hearing(f"c{n}", who, b, B),
                Hearing(f"c{n}", who, both, f"{A}+{B}", cost=0.002),
            ]
    return rows


@pytest.fixture
def store(tmp_path: Path) -> str:
    keep(tmp_path / "oyer.db", "mixed", mixed())
    return str(tmp_path / "oyer.db")


def board(capsys: Said, store: str, *more: str) -> dict[str, object]:
    args = ["leaderboard", "--json", *more, "--store", store, "--protocol-path", str(FOLDER)]
    assert main(args) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_only_the_panel_counts_where_its_members_judged_too(store: str, capsys: Said) -> None:
    rows = board(capsys, store)["standings"]
    assert isinstance(rows, list)
    assert [round(row["total"]["mean"], 2) for row in rows] == [83.33, 16.67], "2.5 and 0.5 of 3"
    assert rows[0]["cost"] == pytest.approx(0.008), "four verdicts of the panel, not twelve"
    assert rows[0]["violations"] == 4, "each stored verdict here states a wrong score"


def test_violations_are_counted_with_the_members_not_twice(store: str) -> None:
    with open_store(store, write=False) as opened:
        made = gather(columns_of(opened.outcomes(1)), MINUTES.scale)
    assert set(made.by_judge) == {A, B}
    assert made.aside == {A, B}


def test_candidates_stand_beside_each_judge(store: str, capsys: Said) -> None:
    side = board(capsys, store)["side_by_side"]
    assert isinstance(side, dict)
    assert side["means"]["x"] == pytest.approx({A: 100, B: 66.67, f"{A}+{B}": 83.33}, abs=0.01)
    assert side["ranks"][B] == {"x": 1, "y": 2}
    assert side["texts"] == 8
    (pair,) = side["correlations"]
    assert (pair["judges"], pair["rho"]) == ([A, B], pytest.approx(1))
    assert main(["leaderboard", "--store", store, "--protocol-path", str(FOLDER)]) == 0
    shown = capsys.readouterr().out
    assert "judges side by side" in shown
    assert "Krippendorff's alpha" in shown


def test_one_judge_alone(store: str, capsys: Said) -> None:
    answer = board(capsys, store, "--judge", B)
    rows = answer["standings"]
    assert isinstance(rows, list)
    assert [round(row["total"]["mean"], 2) for row in rows] == [66.67, 0.0]
    assert answer["side_by_side"] is None


def test_members_are_known_by_name_or_signature() -> None:
    seen = ["embedded@1-full", "openai:m", "embedded+openai:m", "gemini:g"]
    assert members_of_panels(seen) == {"embedded@1-full", "openai:m"}
    assert members_of_panels(["a+b", "c"]) == frozenset()


def test_few_cases_say_that_they_can_rank_nobody(tmp_path: Path, capsys: Said) -> None:
    """Four tasks, 95 against 30: both were `1=` without a word."""
    rows = [Hearing(f"c{n}", who, value) for n in range(4) for who, value in (("a", 3), ("b", 1))]
    keep(tmp_path / "oyer.db", "few", rows)
    own = ["--store", str(tmp_path / "oyer.db"), "--protocol-path", str(FOLDER)]
    assert main(["leaderboard", *own]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == (
        "a has the highest mean (100.00 of 100), but 4 cases are too few to rank anybody: "
        "it takes 6."
    )


def test_six_cases_can_be_ranked(tmp_path: Path, capsys: Said) -> None:
    rows = [Hearing(f"c{n}", who, value) for n in range(6) for who, value in (("a", 3), ("b", 1))]
    keep(tmp_path / "oyer.db", "six", rows)
    own = ["--store", str(tmp_path / "oyer.db"), "--protocol-path", str(FOLDER)]
    assert main(["leaderboard", *own]) == 0
    assert capsys.readouterr().out.startswith(
        "a is best (100.00 of 100), clearly ahead of b (33.33)."
    )


@pytest.mark.parametrize(
    ("runs", "mean"),
    [
        ([(0, True), (85, False), (84, False)], 84.5),
        ([(0, True), (0, True), (84, False)], 0.0),
        ([(0, True), (84, False)], 0.0),
        ([(80, False), (84, False)], 82.0),
    ],
    ids=["overruled", "majority", "a tie is a fail", "none"],
)
def test_a_critical_fail_is_decided_before_the_mean(
    runs: list[tuple[float, bool]], mean: float
) -> None:
    """The leaderboard had 56.3 where `--combine` had 84.5."""
    tally = JudgeTally(1)
    for value, failed in runs:
        tally.grow(1)
        tally.add(np.array([0]), np.array([[value]]), np.array([failed]))
    assert tally.means(0, 1)[0] == pytest.approx(mean)


scores = st.lists(
    st.lists(st.integers(0, 10) | st.none(), min_size=3, max_size=3), min_size=2, max_size=12
)


@given(scores)
def test_alpha_is_the_exact_one(units: list[list[int | None]]) -> None:
    exact = Alpha()
    for unit in units:
        exact.add(unit)
    columns = {
        str(at): np.array([np.nan if u[at] is None else float(u[at] or 0) for u in units])
        for at in range(3)
    }
    value, _ = judges._alpha(columns)
    wanted = exact.value
    assert (value is None) == (wanted is None)
    if value is not None and wanted is not None:
        assert value == pytest.approx(float(wanted), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=3, max_size=20))
def test_the_rank_correlation_is_spearmans(pairs: list[tuple[int, int]]) -> None:
    one, other = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    made = judges._correlation("a", "b", {"a": one, "b": other})
    if one.std() > 0 and other.std() > 0:
        assert made.rho == pytest.approx(stats.spearmanr(one, other).statistic)
    else:
        assert made.rho is None


def test_standings_still_rank_by_the_panel(store: str) -> None:
    with open_store(store, write=False) as opened:
        rows = standings(gather(columns_of(opened.outcomes(1)), MINUTES.scale), MINUTES.scale)
    assert [row.candidate for row in rows] == ["x", "y"]

"""Leaderboard, comparison and gate over stored runs, as a user calls them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from oyer.cli import main
from oyer.cli.tables import blocks
from oyer.report.tables import Sheet, markdown, parts
from tests.report.stored_runs import FOLDER, Hearing, keep


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "oyer.db"


def oyer(capsys: pytest.CaptureFixture[str], store: Path, *args: str) -> tuple[int, str, str]:
    code = main([*args, "--store", str(store), "--protocol-path", str(FOLDER)])
    out = capsys.readouterr()
    return code, out.out, out.err


def spread(candidate: str, mean: float, n: int = 24, seed: int = 0, **more: str) -> list[Hearing]:
    draws = np.random.default_rng(seed).choice([-0.5, 0, 0.5], n)
    return [
        Hearing(f"case-{at}", candidate, float(np.clip(mean + d, 0, 3)), **more)  # type: ignore[arg-type]
        for at, d in enumerate(draws)
    ]


def test_a_clear_winner_and_a_tie(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    """b and c differ by chance only: they share a rank; a is clearly first."""
    keep(store, "s", [*spread("a", 2.5), *spread("b", 1.5, seed=1), *spread("c", 1.5, seed=2)])
    code, out, _ = oyer(capsys, store, "leaderboard", "latest", "--json")
    rows = json.loads(out)["standings"]
    assert code == 0
    assert rows[0]["candidate"] == "a"
    assert [row["rank"] for row in rows] == [1, 2, 2]
    assert rows[0]["win_rate"] > 0.9
    assert rows[0]["total"]["low"] < rows[0]["total"]["mean"] < rows[0]["total"]["high"]


def test_unscored_cases_have_bounds_and_are_not_zeros(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    hearings = [Hearing(str(n), "a", 3, readable=n > 0) for n in range(4)]
    keep(store, "s", hearings)
    _, out, _ = oyer(capsys, store, "leaderboard", "--json")
    (row,) = json.loads(out)["standings"]
    assert row["total"]["mean"] == 100.0
    assert row["bounds"] == [75.0, 100.0]
    assert row["unscored"] == 0.25


def test_an_unknown_cost_is_never_zero(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    keep(store, "s", [Hearing("1", "a", 3, cost=None), Hearing("2", "a", 3)])
    _, out, _ = oyer(capsys, store, "leaderboard")
    assert "unknown" in out


def test_a_case_that_one_judge_could_not_score_has_bounds_too(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """Case 0 has 100 by x and nothing by y: it is worth 50 at the worst."""
    keep(store, "s", [
        Hearing(str(n), "a", 3, judge=judge, readable=n > 0 or judge == "x")
        for n in range(2) for judge in "xy"
    ])  # fmt: skip
    _, out, _ = oyer(capsys, store, "leaderboard", "--json")
    assert json.loads(out)["standings"][0]["bounds"] == [75.0, 100.0]


def test_judges_and_repeats_of_a_case_are_one_case(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    keep(store, "s", [Hearing("1", "a", r, judge=j) for r, j in ((3, "x"), (0, "y"))])
    _, out, _ = oyer(capsys, store, "leaderboard", "--json")
    total = json.loads(out)["standings"][0]["total"]
    assert (total["n"], total["mean"]) == (1, 50.0)


def test_two_rows_with_one_id_are_told(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    """Two files of cases without ids, say: both begin with line 1."""
    keep(store, "s", [Hearing("1", "a", 3), Hearing("1", "a", 0, transcript="Ben: Not that one.")])
    _, out, _ = oyer(capsys, store, "leaderboard")
    assert "1 verdict is on rows with the id and candidate" in out


def test_markdown_neutralises_names(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    keep(store, "s", [Hearing("1", "x|y<img src=a>@team", 3)])
    _, out, _ = oyer(capsys, store, "leaderboard", "--markdown")
    assert "<img" not in out
    assert "@team" not in out


def test_compare_pairs_cases_and_names_the_movers(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    before = keep(store, "one", spread("a", 2.0))
    after = keep(store, "two", [*spread("a", 2.0)[:-1], Hearing("case-23", "a", 0)])
    code, out, _ = oyer(capsys, store, "compare", str(before), str(after), "--json")
    made = json.loads(out)
    assert code == 0
    assert made["pairs"] == 24
    assert [move["case"] for move in made["moved"]] == ["case-23"]
    assert made["changed"]["suite"] == ["one", "two"]


def test_one_candidates_fall_is_not_hidden_by_the_others(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """b falls as far as c rises: together nothing moved, and b's own line and gate say so."""
    before = keep(store, "one", [*spread("a", 2.0), *spread("b", 2.5), *spread("c", 0.5)])
    after = keep(store, "two", [*spread("a", 2.0), *spread("b", 1.5), *spread("c", 1.5)])
    _, out, _ = oyer(capsys, store, "compare", str(before), str(after), "--json")
    made = json.loads(out)
    means = {(d["candidate"], d["metric"]): d["difference"]["mean"] for d in made["candidates"]}
    assert len(made["candidates"]) == 3 * 2
    assert means["a", "total"] == 0
    assert means["b", "total"] < -15
    assert means["c", "total"] > 15
    assert abs(next(d for d in made["deltas"] if d["metric"] == "total")["difference"]["mean"]) < 5
    _, shown, _ = oyer(capsys, store, "compare", str(before), str(after))
    assert "all candidates" in shown
    code, told, _ = oyer(capsys, store, "gate", str(after), "--baseline", str(before))
    assert code == 1
    assert "FAIL  drop.total.b" in told
    assert "pass  drop.total.c" in told


def test_scores_that_went_missing_are_told(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    """A run that no longer scores its hard cases must not pass in silence."""
    hearings = spread("a", 2.0)
    before = keep(store, "one", hearings)
    mute = [replace(h, readable=at > 4) for at, h in enumerate(hearings)]
    after = keep(store, "two", mute)
    _, out, _ = oyer(capsys, store, "compare", str(before), str(after))
    names = ", ".join(h.case for h in hearings[:5])
    line = f"left out, no score after (unreadable): a: {names} (5 cases)."
    assert line in " ".join(out.split())
    code, _, err = oyer(capsys, store, "gate", str(after), "--baseline", str(before))
    assert code == 0
    assert "5 cases had a score in the baseline and have none now" in err


def test_compare_refuses_strangers(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    first = keep(store, "one", [Hearing("1", "a", 1)])
    second = keep(store, "two", [Hearing("2", "a", 1)])
    code, _, err = oyer(capsys, store, "compare", str(first), str(second))
    assert code == 2
    assert "no scored case in common" in err


def test_the_gate_fails_on_a_real_drop_only(
    capsys: pytest.CaptureFixture[str], store: Path, tmp_path: Path
) -> None:
    good = keep(store, "base", spread("a", 2.5))
    same = keep(store, "same", spread("a", 2.5, seed=5))
    worse = keep(store, "worse", spread("a", 1.0, seed=6))
    xml = tmp_path / "gate.xml"
    assert oyer(capsys, store, "gate", str(same), "--baseline", str(good))[0] == 0
    code, out, _ = oyer(
        capsys, store, "gate", str(worse), "--baseline", str(good), "--junit", str(xml), "--github"
    )
    assert code == 1
    assert "::error title=oyer gate drop.total::" in out
    checks, cases = ET.parse(xml).getroot()
    assert checks.get("failures") == "1"
    assert cases.get("tests") == "24"
    wide = ("--baseline", str(good), "--margin", "90")
    assert oyer(capsys, store, "gate", str(worse), *wide)[0] == 0


@pytest.mark.parametrize("bar", [("--fail-under", "total=1"), ("--max-unscored", "1")])
def test_a_run_without_a_verdict_passes_no_gate(
    capsys: pytest.CaptureFixture[str], store: Path, bar: tuple[str, str]
) -> None:
    keep(store, "s", [])
    code, out, _ = oyer(capsys, store, "gate", "latest", *bar)
    assert code == 1
    assert "FAIL  verdicts  the run has no verdict yet" in out


def test_the_gate_on_absolute_bars(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    run = str(keep(store, "s", spread("a", 2.5)))
    assert oyer(capsys, store, "gate", run, "--fail-under", "score=50")[0] == 0
    assert oyer(capsys, store, "gate", run, "--fail-under", "score=99")[0] == 1
    assert oyer(capsys, store, "gate", run, "--fail-under", "nothing=1")[0] == 2
    assert oyer(capsys, store, "gate", run)[0] == 2
    for wrong in ("--fail-under=score=nan", "--max-unscored=5", "--max-unscored=nan"):
        assert oyer(capsys, store, "gate", run, wrong)[0] == 2
    assert oyer(capsys, store, "gate", run, "--baseline", run, "--margin=-1")[0] == 2
    assert oyer(capsys, store, "gate", run, "--max-unscored", "0")[0] == 0


def test_no_store_no_file_left_behind(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    code, _, err = oyer(capsys, store, "leaderboard")
    assert code == 2
    assert str(store) in err
    assert not store.exists()


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_column_is_lost_on_a_narrow_terminal(width: int) -> None:
    header = ("rank", "candidate", *(f"metric_{n}" for n in range(9)))
    sheet = Sheet(header, (("1", "a-model", *("7.25 [6.10, 8.40]",) * 9),), names=2)
    made = blocks(sheet, width)
    assert [at for block in made for at in block[2:]] == list(range(2, 11))  # each once, in order
    assert all(block[:2] == [0, 1] for block in made)  # each block says whose row it is


def test_a_candidate_without_any_score_is_last_and_never_nan(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    bad = [Hearing(f"case-{n}", "mute", 0, readable=False) for n in range(24)]
    keep(store, "s", [*spread("a", 2.0), *bad])
    _, out, _ = oyer(capsys, store, "leaderboard", "--json")
    rows = json.loads(out, parse_constant=pytest.fail)["standings"]
    assert [(row["candidate"], row["rank"]) for row in rows] == [("a", 1), ("mute", None)]
    assert rows[1]["total"]["mean"] is None
    assert "nan" not in oyer(capsys, store, "leaderboard")[1]


def test_a_protocols_own_report_keeps_every_column() -> None:
    table = "| issue | n | |\n|---|---:|---|\n| id | 4 | systemic |\n| x | 1 | |"
    text = f"Two rows.\n\n{table}\n\nEnd.\n"
    first, sheet, last = parts(text)
    assert (first, last) == ("Two rows.", "End.")
    assert isinstance(sheet, Sheet)
    assert (sheet.header, sheet.rows[0]) == (("issue", "n", ""), ("id", "4", "systemic"))
    assert [sheet.is_number(at) for at in range(3)] == [False, True, False]


def test_markdown_is_escaped_once() -> None:
    sheet = Sheet(("x",), (("8.50 [8.00, 9.00] #1",),))
    assert "| 8.50 &#91;8.00, 9.00&#93; &#35;1 |" in markdown(sheet)

"""From a run to its verdicts: the list, the filters, deletion, and runs that are not finished."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.report.filters import Filter
from oyer.store import open_store
from tests.report.stored_runs import FOLDER, Hearing, keep

Said = pytest.CaptureFixture[str]
HEARINGS = [
    *(Hearing(f"c{n}", "good", 4) for n in range(3)),
    *(Hearing(f"c{n}", "bad", n) for n in range(3)),
    Hearing("c3", "bad", 1, readable=False),
]


@pytest.fixture
def store(tmp_path: Path) -> str:
    keep(tmp_path / "oyer.db", "weekly", HEARINGS)
    return str(tmp_path / "oyer.db")


def listed(capsys: Said, store: str, *filters: str) -> list[tuple[str, str]]:
    own = ["--store", store, "--protocol-path", str(FOLDER)]
    assert main(["cases", "weekly", "--json", *filters, *own]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return [(line["case"], line["candidate"]) for line in lines]


def test_filters_choose(store: str, capsys: Said) -> None:
    assert len(listed(capsys, store)) == len(HEARINGS)
    assert listed(capsys, store, "--candidate", "bad", "--case", "c1") == [("c1", "bad")]
    assert listed(capsys, store, "--worst", "2") == [("c0", "bad"), ("c1", "bad")]
    assert listed(capsys, store, "--unscored") == [("c3", "bad")]
    assert listed(capsys, store, "--violation", "reply") == [("c3", "bad")]
    assert listed(capsys, store, "--judge", "nobody") == []


def test_the_list_leads_to_an_explanation(store: str, capsys: Said) -> None:
    own = ["--store", store, "--protocol-path", str(FOLDER)]
    assert main(["cases", "--worst", "1", *own]) == 0
    told = capsys.readouterr().out.rpartition("oyer explain ")[2]  # with its store
    assert main(["explain", *told.split(), "--protocol-path", str(FOLDER)]) == 0
    assert "case c0 · by bad" in capsys.readouterr().out


def test_a_run_is_explained_by_case_and_candidate(store: str, capsys: Said) -> None:
    own = ["--store", store, "--protocol-path", str(FOLDER)]
    assert main(["explain", "latest", "--case", "c1", "--candidate", "bad", *own]) == 0
    out = capsys.readouterr().out
    assert out.count("judged by") == 1
    assert "case c1 · by bad" in out
    assert main(["explain", "latest", "--case", "nosuch", *own]) == 2
    assert "latest has no verdict of case 'nosuch'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("--case nowt", "case 'nowt'; did you mean ' nowt'?"),  # printed, both look the same
        (
            "--case bridges --candidate a",
            "case 'bridges' and candidate 'a'; did you mean 'bridge'?",
        ),
        ("--case bridge --candidate alphas", "candidate 'alphas'; did you mean 'alpha'?"),
        ("--case quite-another", "case 'quite-another'."),
    ],
)
def test_a_name_that_is_nearly_right_gets_the_right_one(
    wanted: str, told: str, tmp_path: Path, capsys: Said
) -> None:
    keep(tmp_path / "oyer.db", "s", [Hearing(" nowt", "a", 3), Hearing("bridge", "alpha", 3)])
    own = ["--store", str(tmp_path / "oyer.db"), "--protocol-path", str(FOLDER)]
    assert main(["explain", "latest", *wanted.split(), *own]) == 2
    assert capsys.readouterr().err.strip().endswith(told)


def test_more_than_three_verdicts_are_listed(tmp_path: Path, capsys: Said) -> None:
    keep(tmp_path / "oyer.db", "big", [Hearing(f"c{n}", "a", 4) for n in range(30)])
    own = ["--store", str(tmp_path / "oyer.db"), "--protocol-path", str(FOLDER)]
    assert main(["explain", "big", *own]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "judged by" not in shown
    assert "30 verdicts. Why one is what it is: oyer explain " in shown
    assert "--store" in shown  # not the default's folder: the command must find it


def test_an_unknown_name_is_told_what_there_is(store: str, capsys: Said) -> None:
    assert main(["explain", "nosuch", "--store", store]) == 2
    assert "no run or verdict 'nosuch' in " in capsys.readouterr().err


def test_the_commands_of_a_report_find_its_store(tmp_path: Path, capsys: Said) -> None:
    where = str(tmp_path / "elsewhere.db")
    keep(Path(where), "big", [Hearing("c", "a", 2)])
    out = tmp_path / "report.md"
    own = ["--store", where, "--protocol-path", str(FOLDER)]
    assert main(["report", "big", "-o", str(out), *own]) == 0
    assert "`oyer leaderboard 1 --store " in out.read_text("utf-8")


def test_few_cases_are_too_few_to_compare_and_a_move_says_why(tmp_path: Path, capsys: Said) -> None:
    where = tmp_path / "few.db"
    keep(where, "before", [Hearing(f"c{n}", None, 3) for n in range(3)])
    keep(where, "after", [Hearing(f"c{n}", None, 1) for n in range(3)])
    own = ["--store", str(where), "--protocol-path", str(FOLDER)]
    assert main(["compare", "before", "after", *own]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Too few cases to tell (3 cases; it takes 6): the total went from ")
    assert "(no candidate)" not in shown
    assert "why now" in shown


@pytest.mark.parametrize("wrong", [["--worst", "0"], ["--worst", "2", "--unscored"]])
def test_filters_that_make_no_sense_are_refused(store: str, wrong: list[str]) -> None:
    assert main(["cases", *wrong, "--store", store, "--protocol-path", str(FOLDER)]) == 2


def test_runs_show_when_how_many_and_who_is_best(store: str, capsys: Said) -> None:
    assert main(["runs", "--json", "--store", store]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["best"] == {"candidate": "good", "total": 100.0}
    assert main(["runs", "--store", store]) == 0
    shown = capsys.readouterr().out
    assert "good (mean 100.00)" in shown
    assert told["updated"][:10] in shown


def test_a_deleted_run_is_gone_and_its_number_stays_its_own(store: str, capsys: Said) -> None:
    assert main(["runs", "weekly", "--delete", "--store", store]) == 0
    assert "7 verdicts deleted" in capsys.readouterr().out
    assert main(["doctor", "--store", store]) == 0
    assert main(["runs", "1", "--store", store]) == 2
    again = keep(Path(store), "other", HEARINGS[:1])
    assert again == 2
    with open_store(store) as opened:
        assert [run.id for run in opened.runs()] == [2]
        assert list(opened.outcomes(1)) == []


def test_a_deleted_run_can_be_run_again(store: str) -> None:
    assert main(["runs", "1", "--delete", "--store", store]) == 0
    assert keep(Path(store), "weekly", HEARINGS) == 1
    with open_store(store) as opened:
        assert len(list(opened.outcomes(1))) == len(HEARINGS)


def test_delete_needs_a_run(store: str, capsys: Said) -> None:
    assert main(["runs", "--delete", "--store", store]) == 2
    assert "oyer runs RUN --delete" in capsys.readouterr().err


@pytest.mark.parametrize("form", [[], ["--markdown"]])
def test_an_unfinished_run_says_so_first(store: str, capsys: Said, form: list[str]) -> None:
    with open_store(store) as opened:
        run = opened.begin_run(opened.find_run("1").manifest)
        opened.end_run(run, "stopped")
    own = ["--store", store, "--protocol-path", str(FOLDER)]
    assert main(["leaderboard", *form, *own]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.strip("*").startswith("UNFINISHED (stopped): 7 of 7 verdicts")


def test_a_judge_is_named_with_or_without_its_version() -> None:
    from oyer.report.filters import same_judge

    assert same_judge("embedded", "embedded@1-full")
    assert not same_judge("embedded@1-light", "embedded@1-full")
    assert list(Filter(case="a", unscored=True).words()) == ["case 'a'", "without a score"]


def test_a_comparison_says_first_what_happened(tmp_path: Path, capsys: Said) -> None:
    store = tmp_path / "oyer.db"
    for name, value in (("before", 3), ("after", 1)):
        rows = [Hearing(f"c{n}", "moved", value) for n in range(7)]
        keep(store, name, [*rows, *(Hearing(f"c{n}", "still", 2) for n in range(7))])
    own = ["--store", str(store), "--protocol-path", str(FOLDER)]
    assert main(["compare", "1", "2", *own]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(
        "The total fell by 33.34 (83.34 → 50.00, 7 cases, p = 0.016, two-sided); most: "
    )
    assert "the same in every case: still." in shown
    assert main(["compare", "1", "1", *own]) == 0
    assert capsys.readouterr().out.startswith("No clear change: the total went from 83.34")

"""Slips of a hurried hand, and what is said to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer.cases import ProblemSummary
from oyer.cli import main
from tests.report.stored_runs import FOLDER, Hearing, keep

Said = pytest.CaptureFixture[str]
LAW = "Vu l'article 5, § 1er, de la loi du 3 juillet 1978, et les articles 10 à 12 du Code civil."


@pytest.fixture
def rubrics(tmp_path: Path) -> Path:
    """Cases of another protocol: every row lacks the same field."""
    rows = [{"id": str(n), "prompt": "p", "response": "r", "rubric": "x"} for n in range(20)]
    file = tmp_path / "rubrics.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_a_file_of_another_protocol_is_told_in_three_lines(rubrics: Path, capsys: Said) -> None:
    assert main(["judge", "judge-lock", str(rubrics), "--json"]) == 2
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 20, "each row has its verdict all the same"
    first, rest, hint = told.err.splitlines()
    assert first.startswith(f"oyer: {rubrics}:1: field 'article'")
    assert "and 19 more like it (lines 2, 3, 4, 5, 6, 7, 8, 9 …)" in rest
    assert "--map article=COLUMN" in hint


def test_so_is_a_suite(rubrics: Path, capsys: Said) -> None:
    suite = rubrics.parent / "suite.toml"
    suite.write_text('protocol = "judge-lock"\ncases = "rubrics.jsonl"\njudges = ["embedded"]\n')
    assert main(["run", str(suite), "--dry-run"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "rubrics.jsonl:1: field 'article'" in line
    assert "; and 19 more like it (lines 2, 3, " in line


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], []),
        (["f:1: a"], ["f:1: a"]),
        (["f:1: a", "f:2: a"], ["f:1: a; and 1 more like it (line 2)"]),
        # Another field, another file: another fault.
        (["f:1: a", "f:2: b", "g:1: a"], ["f:1: a", "f:2: b", "g:1: a"]),
        # Where in its line a row is broken does not make it another fault.
        (["f:1: not JSON: x (character 4)", "f:3: not JSON: x (character 9)"],
         ["f:1: not JSON: x (character 4); and 1 more like it (line 3)"]),
        # No line is known: counted all the same.
        (["bad", "bad", "bad"], ["bad; and 2 more like it"]),
    ],
)  # fmt: skip
def test_rows_are_grouped_by_what_is_wrong(rows: list[str], told: list[str]) -> None:
    problems = ProblemSummary()
    for row in rows:
        problems.take(row)
    assert list(problems.messages()) == told


def test_nothing_is_lost_when_every_row_is_wrong_in_its_own_way() -> None:
    problems = ProblemSummary()
    for n in range(50):
        problems.take(f"f:{n}: fault {'x' * n}")
    told = list(problems.messages())
    assert len(told) == 21
    assert told[-1] == "… and 30 more bad rows"


@pytest.mark.parametrize(
    ("protocol", "choices"),
    [("judge-lock", "en"), ("twin-lock", "en"), ("belgian-law", "en"), ("rubric", "en or ja")],
)
def test_a_language_without_a_prompt_is_refused(
    protocol: str, choices: str, rubrics: Path, capsys: Said
) -> None:
    assert main(["judge", protocol, str(rubrics), "--language", "zz"]) == 2
    said = capsys.readouterr().err
    assert f"the prompt of {protocol} is not written in 'zz': {choices}" in said


def test_so_it_is_in_a_suite(rubrics: Path, capsys: Said) -> None:
    suite = rubrics.parent / "suite.toml"
    suite.write_text(
        'protocol = "rubric"\ncases = "rubrics.jsonl"\njudges = ["embedded"]\n'
        '[asking]\nlanguage = "zz"\n'
    )
    assert main(["run", str(suite), "--dry-run"]) == 2
    assert "not written in 'zz': en or ja" in capsys.readouterr().err


def test_a_run_compared_with_itself_says_so(tmp_path: Path, capsys: Said) -> None:
    store = tmp_path / "oyer.db"
    keep(store, "s", [Hearing(str(n), "a", 3) for n in range(5)])  # with fewer, it is undecided
    own = ["--store", str(store), "--protocol-path", str(FOLDER)]
    assert main(["compare", "1", "latest", "--json", *own]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["itself"] is True
    assert "Both names mean the same run" in told.err
    assert main(["gate", "1", "--baseline", "s", *own]) == 0
    assert "its own baseline" in capsys.readouterr().err


def test_what_is_cited_can_be_told_in_a_pipe(tmp_path: Path, capsys: Said) -> None:
    file = tmp_path / "decision.txt"
    file.write_text(LAW, encoding="utf-8")
    assert main(["cite", str(file)]) == 0
    shown = "".join(capsys.readouterr().out.split())
    assert ">>articles10à12duCodecivil<<" in shown


@pytest.mark.parametrize(
    ("run", "verdicts", "first"),
    [
        ("1", 0, "has no verdict '1'."),
        ("1", 100, "several verdicts begin with '1'; give more of the id."),  # hexadecimal ids
        ("latest", 1, "has no verdict 'latest'."),
        ("weekly", 1, "has no verdict 'weekly'."),
    ],
)
def test_a_run_in_a_verdicts_place_is_told_what_to_type(
    tmp_path: Path, capsys: Said, run: str, verdicts: int, first: str
) -> None:
    store = tmp_path / "oyer.db"
    keep(store, "weekly", [Hearing(str(n), "a", 3) for n in range(verdicts)])
    assert main(["show", run, "--store", str(store)]) == 2
    told = capsys.readouterr().err
    assert first in told
    for what in ("runs", "leaderboard", "export"):
        assert f"`oyer {what} {run}" in told

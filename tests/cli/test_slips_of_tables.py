"""Small slips at the command line and in tables: the message says what to type."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"
ROW = '{"id": "a", "candidate": "m", "article": "The pool is closed for repairs.", "summary": "%s"}'


def oyer(folder: Path, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "oyer", *args],
        capture_output=True, text=True, cwd=folder, check=False,
        env={**os.environ, "PYTHONPATH": str(SRC)},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.jsonl").write_text(ROW % "Closed." + "\n", "utf-8")
    (tmp_path / "list.jsonl").write_text("[" + ROW % "Closed." + "]\n", "utf-8")
    (tmp_path / "twice.jsonl").write_text("\n".join([ROW % "Closed.", ROW % "Open."]), "utf-8")
    (tmp_path / "nan.csv").write_text("article,summary\nThe pool is closed.,NaN\n", "utf-8")
    (tmp_path / "nan.jsonl").write_text(ROW % "NaN" + "\n", "utf-8")
    (tmp_path / "empty.csv").write_text("article,summary\nThe pool is closed.,\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("judge judge-lock good.jsonl --jsn", "no option --jsn: did you mean --json?"),
        ("runs here there", "oyer runs has no use for"),
        ("judge good.jsonl", "It is a file; the protocol comes first, as in"),
        ("check judge-lock good.jsonl", "oyer check FILE --protocol judge-lock"),
        ("judge judge-lock list.jsonl", "a list belongs into a file named .json"),
        ("check twice.jsonl", "the id 'a' and the candidate m of a row before"),
        ("check nan.csv", "nan.csv:2: error: 'summary' the cell says 'NaN', as programs write an"),
        ("judge judge-lock nan.csv", "nan.csv:2: field 'summary': the cell says 'NaN'"),
        ("check nan.jsonl", "'NaN' as the summary: an empty cell of a table?"),
        ("judge judge-lock empty.csv", "the summary is empty"),
    ],
)
def test_a_slip_is_told_with_what_to_type(command: str, message: str, folder: Path) -> None:
    assert message in oyer(folder, *command.split())


def test_a_doubled_row_is_one_case_in_every_mean(folder: Path) -> None:
    rows = [ROW % "The pool is closed for repairs.", ROW.replace('"a"', '"b"') % "Free tea."]
    (folder / "doubled.jsonl").write_text("\n".join([*rows, rows[1]]), "utf-8")
    judge = ("judge", "judge-lock", "doubled.jsonl", "--judge", "embedded:light")
    assert "a row before: they count as one case, in every mean" in oyer(
        folder, "check", "doubled.jsonl"
    )
    judged = oyer(folder, *judge, "--store", "my.db")
    assert "mean of 2 cases (3 verdicts):" in judged
    assert "1 row has the id and candidate of a row before: they count as one case" in judged
    total = judged.partition("mean of 2 cases")[2].partition("total ")[2].split()[0]
    assert f"m has {total} of 10 on average over 2 cases" in oyer(
        folder, "leaderboard", "--store", "my.db"
    )
    assert f"the mean is {total}" in oyer(folder, *judge, "--fail-under", "10")


def test_repeats_of_a_case_are_no_doubled_rows(folder: Path) -> None:
    rows = [ROW % "Closed.", ROW.replace('"a"', '"b"') % "Free tea."]
    (folder / "two.jsonl").write_text("\n".join(rows), "utf-8")
    judged = oyer(
        folder, "judge", "judge-lock", "two.jsonl", "--judge", "embedded:light", "--repeat", "2"
    )
    assert "mean of 2 cases (4 verdicts):" in judged
    assert "count as one case" not in judged

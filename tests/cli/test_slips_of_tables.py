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

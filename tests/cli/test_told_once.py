"""What is wrong is told once: not on standard error and again in the explanation below it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Oyer

GERMAN = {
    "article": "Der Stadtrat hat am Montag beschlossen, die Brücke zu schließen, weil die Lager "
    "gebrochen sind.",
    "summary": "Der Stadtrat hat die Brücke am Montag geschlossen.",
}
ENV = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "300"}


def on_one_screen(folder: Path, *args: str) -> str:
    """Both streams as a terminal shows them."""
    command = [sys.executable, "-m", "oyer", *args]
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=ENV, check=False
    )
    return ran.stdout.decode()


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (GERMAN, "seems to be German"),
        ({**GERMAN, "article": 5}, "must be text, not a number"),
        ({"document": "a", "highlights": "b"}, "field 'article': missing"),
    ],
    ids=["unsupported language", "no text", "missing column"],
)
def test_why_a_single_case_has_no_score_is_told_once(
    row: dict[str, object], told: str, tmp_path: Path, oyer_cli: Oyer
) -> None:
    (tmp_path / "case.jsonl").write_text(json.dumps(row), "utf-8")
    command = ("judge", "judge-lock", "case.jsonl", "--judge", "embedded:light")
    assert on_one_screen(tmp_path, *command).count(told) == 1
    apart = oyer_cli(*command)  # a script that keeps the output still sees it on standard error
    assert (apart.stdout.count(told), apart.stderr.count(told)) == (1, 1)


def test_a_file_that_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "a.article.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "a.summary.txt").write_text("A summary.")
    shown = on_one_screen(tmp_path, "judge", "judge-lock", ".")
    assert shown.count("is not UTF-8 text") == shown.count("a.article.txt") == 1


def test_rows_that_lack_the_same_column_are_told_with_the_fault_once(oyer_cli: Oyer) -> None:
    rows = "".join(json.dumps({"foo": n}) + "\n" for n in range(30))
    ran = oyer_cli("judge", "judge-lock", "-", "--judge", "embedded:light", stdin=rows)
    first, rest = ran.stderr.splitlines()
    assert "field 'article': missing" in first
    assert rest.startswith(f"{first.partition(': field')[0]}: and 29 more like it (lines 2, 3, ")
    assert "missing" not in rest


def test_a_row_that_is_judged_twice_is_one_bad_row(oyer_cli: Oyer) -> None:
    judges = ("--judge", "embedded:light", "--repeat", "2")
    row = json.dumps({**GERMAN, "article": 5})
    ran = oyer_cli("judge", "judge-lock", "-", *judges, stdin=row)
    assert ran.stdout.count("unscored (input)") == 2
    assert len(ran.stderr.splitlines()) == 1


def test_a_panel_that_refuses_with_one_voice_is_told_once(oyer_cli: Oyer) -> None:
    pytest.importorskip("onnxruntime", reason="embedded:full is the second voice")
    panel = "embedded:light+embedded:full"
    ran = oyer_cli("judge", "judge-lock", "-", "--judge", panel, stdin=json.dumps(GERMAN))
    assert ran.stdout.count("seems to be German") == 1

"""Rows without an id: texts of several candidates on one source are one case."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from oyer.cases import BadRow, load
from oyer.protocols.catalogue import find_protocol

SRC = Path(__file__).resolve().parents[2] / "src"
POOL = "The council of Ardleigh closes its pool for eight months. The repairs cost two millions."
FLOOD = "Rain flooded four villages near the Ostra on Sunday. The brigade pumped sixty cellars dry."
ROWS = [
    (POOL, "alpha", "Ardleigh's council closes the pool for eight months."),
    (POOL, "beta", "Ardleigh sold its pool to a bank."),
    (FLOOD, "alpha", "Four villages near the Ostra were flooded on Sunday."),
    (FLOOD, "beta", "Three people died in floods near the Ostra."),
]


def ids(rows: Sequence[dict[str, str]], folder: Path) -> list[str]:
    file = folder / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = []
    for row in load(str(file), find_protocol("judge-lock")):
        assert not isinstance(row, BadRow)
        found.append(row.id)
    return found


def as_rows() -> list[dict[str, str]]:
    return [{"article": a, "candidate": c, "summary": s} for a, c, s in ROWS]


def test_texts_on_one_source_are_one_case(tmp_path: Path) -> None:
    assert ids(as_rows(), tmp_path) == ["1", "1", "3", "3"]


def test_an_id_that_is_there_stays(tmp_path: Path) -> None:
    rows = [{**row, "id": str(number)} for number, row in enumerate(as_rows(), 1)]
    assert ids(rows, tmp_path) == ["1", "2", "3", "4"]


def test_without_a_candidate_each_row_is_a_case(tmp_path: Path) -> None:
    rows = [{"article": a, "summary": s} for a, _, s in ROWS]
    assert ids(rows, tmp_path) == ["1", "2", "3", "4"]


def test_a_candidates_second_text_is_a_case_of_its_own(tmp_path: Path) -> None:
    rows = as_rows()
    again = {**rows[0], "summary": "The pool of Ardleigh is closed."}
    assert ids([*rows, again, rows[0]], tmp_path) == ["1", "1", "3", "3", "5", "6"]


def test_replies_of_two_judges_to_one_text_are_of_one_case(tmp_path: Path) -> None:
    row = as_rows()[0]
    rows = [{**row, "reply": "{}", "judge": "a"}, {**row, "reply": "{}", "judge": "b"}]
    assert ids(rows, tmp_path) == ["1", "1"]


# ── as a user sees it ─────────────────────────────────────────────────────────────────────────

MAP = "article=document,summary=highlights,candidate=model"


def oyer(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "oyer", *args],
        capture_output=True, text=True, cwd=folder, check=False,
        env={**os.environ, "PYTHONPATH": str(SRC)},
    )  # fmt: skip


def write_csv(file: Path, rows: Sequence[tuple[str, str, str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(("document", "model", "highlights"))
        table.writerows(rows)


def test_a_table_without_ids_pairs_its_candidates(tmp_path: Path) -> None:
    """And compare warns where the same number means another article."""
    write_csv(tmp_path / "cases.csv", ROWS)
    write_csv(tmp_path / "turned.csv", [*ROWS[2:], *ROWS[:2]])
    judge = ("judge", "judge-lock", "--map", MAP, "--judge", "embedded:light", "--store", "s.db")
    assert oyer(tmp_path, *judge, "cases.csv").returncode == 0
    board = oyer(tmp_path, "leaderboard", "--store", "s.db").stdout
    assert "of 2 cases" in board, board
    assert oyer(tmp_path, *judge, "turned.csv").returncode == 0
    compared = oyer(tmp_path, "compare", "1", "2", "--store", "s.db")
    assert "2 of 2 pairs looked at have another article in the two runs" in compared.stderr
    gate = oyer(tmp_path, "gate", "2", "--baseline", "1", "--store", "s.db")
    assert "have another article in the two runs" in gate.stderr


def test_a_table_with_other_names_is_told_what_to_type(tmp_path: Path) -> None:
    write_csv(tmp_path / "cases.csv", ROWS)
    assert f"try --map {MAP}" in oyer(tmp_path, "judge", "judge-lock", "cases.csv").stderr
    assert f"--map {MAP}" in oyer(tmp_path, "check", "cases.csv").stdout

"""A run of many verdicts leaves their columns behind: its first report need not read each row."""

from __future__ import annotations

import json
from pathlib import Path

import sqlalchemy as sa

from oyer.cli import main
from oyer.store import open_store, schema
from tests.runs.suites import TOY


def test_the_columns_of_a_large_run_are_there_when_it_ends(tmp_path: Path) -> None:
    rows = []
    for number in range(schema.FEWEST):
        reply = json.dumps({"marks": number % 11})
        rows.append(json.dumps({"id": f"c{number}", "text": f"text {number}", "reply": reply}))
    cases = tmp_path / "replies.jsonl"
    cases.write_text("\n".join(rows), encoding="utf-8")
    file = tmp_path / "oyer.db"
    words = ["audit", "toy", str(cases), "--protocol-path", str(TOY), "--store", str(file)]
    assert main(words) == 0
    with open_store(str(file), create=False, write=False) as store:
        counted = store._fetch(sa.select(schema.columns.c.rows))
    assert [rows for (rows,) in counted] == [schema.FEWEST]

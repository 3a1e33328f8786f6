"""`oyer audit --store`: recorded replies as a run like any other, each counted once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.store import open_store
from tests.runs.suites import TOY

PATH = ["--protocol-path", str(TOY)]


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "oyer.db")


def reply(marks: int) -> str:
    return json.dumps({"marks": marks})


def write(file: Path, rows: list[dict[str, Any]]) -> str:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def recorded(case: int, judge: str, marks: int, **more: Any) -> dict[str, Any]:
    text = {"id": f"c{case}", "text": f"text {case}", "candidate": "someone"}
    return {**text, "judge": judge, "reply": reply(marks), **more}


def audit(cases: str, where: str, *options: str) -> int:
    return main(["audit", "toy", cases, *PATH, "--store", where, *options])


def totals(where: str, run: int = 1) -> list[tuple[str, str, int, float | None]]:
    with open_store(where, write=False) as store:
        return [(o.case, o.judge, o.repeat, o.total) for o in store.outcomes(run)]


def test_replies_are_kept_under_their_judges_and_repeats(tmp_path: Path, where: str) -> None:
    rows = [
        recorded(1, "a", 3, repeat=0),
        recorded(1, "a", 4, repeat=1),
        recorded(1, "b", 5),
        recorded(2, "a", 6),
        recorded(2, "b", 7),
        recorded(2, "b", 8),  # no repeat is named: it is the next one
    ]
    assert audit(write(tmp_path / "r.jsonl", rows), where) == 0
    assert sorted(totals(where)) == [
        ("c1", "a", 0, 3), ("c1", "a", 1, 4), ("c1", "b", 0, 5),
        ("c2", "a", 0, 6), ("c2", "b", 0, 7), ("c2", "b", 1, 8),
    ]  # fmt: skip


def test_a_reply_counts_once(tmp_path: Path, where: str) -> None:
    """The same row twice, the same command twice."""
    row = recorded(1, "a", 3, repeat=0)
    cases = write(tmp_path / "r.jsonl", [row, row, recorded(1, "a", 4, repeat=1)])
    assert audit(cases, where) == 0
    assert audit(cases, where) == 0
    assert sorted(totals(where)) == [("c1", "a", 0, 3), ("c1", "a", 1, 4)]
    with open_store(where, write=False) as store:
        assert [run.state for run in store.runs()] == ["done"]
        assert store.find_run("1").manifest.tasks == 2


def test_two_replies_under_one_number_are_a_bad_row(
    tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [recorded(1, "a", 3, repeat=0), recorded(1, "a", 9, repeat=0)]
    assert audit(write(tmp_path / "r.jsonl", rows), where) == 2
    assert "r.jsonl:2" in (told := capsys.readouterr().err)
    assert "a has another reply as repeat 0 of the same case" in told
    assert sorted(t[3] for t in totals(where) if t[3] is not None) == [3]


@pytest.mark.parametrize("bad", [-1, 1.5, "one", True, 10**9])
def test_a_repeat_is_a_whole_number(
    tmp_path: Path, where: str, bad: object, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = write(tmp_path / "r.jsonl", [recorded(1, "a", 3, repeat=bad)])
    assert audit(cases, where) == 2
    assert "a repeat is a whole number from 0" in capsys.readouterr().err


def test_reports_work_on_it(tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Leaderboard, compare, gate, report, rescore, export."""
    first = [recorded(i, judge, 3 + i % 5) for i in range(8) for judge in ("a", "b")]
    second = [recorded(i, judge, 4 + i % 5) for i in range(8) for judge in ("a", "b")]
    assert audit(write(tmp_path / "one.jsonl", first), where) == 0
    assert audit(write(tmp_path / "two.jsonl", second), where) == 0
    own = ["--store", where, *PATH]
    capsys.readouterr()
    assert main(["leaderboard", "1", "--json", *own]) == 0
    board = json.loads(capsys.readouterr().out)
    assert board["standings"][0]["cases"] == 8
    assert main(["compare", "1", "2", *own]) == 0
    assert main(["gate", "2", "--baseline", "1", *own]) in (0, 1)
    assert main(["report", "1", "-o", str(tmp_path / "r.html"), *own]) == 0
    assert main(["export", "1", "-o", str(tmp_path / "x.csv"), "--store", where]) == 0
    capsys.readouterr()
    assert main(["rescore", "1", *own]) == 0
    assert "16 verdicts are the same, 0 are not" in capsys.readouterr().out


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_with_and_without_a_store_the_verdicts_are_the_same(
    tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids, bad rows, self-judging: byte for byte."""
    rows: list[Any] = [recorded(i, "openai:gpt-5", i, repeat=1) for i in range(3)]
    rows.append({"id": "own", "text": "x", "candidate": "gpt-5-mini", "judge": "openai:gpt-5",
                 "reply": reply(2)})  # fmt: skip
    rows.append({"id": "bad", "candidate": "someone", "judge": "a", "reply": "…"})
    cases = write(tmp_path / "r.jsonl", rows)
    assert main(["audit", "toy", cases, *PATH, "--json"]) == 2
    without = printed(capsys)
    assert audit(cases, where, "--json") == 2
    assert printed(capsys) == without
    assert without[3]["self_judging"] is True
    assert [row["repeat"] for row in without] == [1, 1, 1, 0, 0]


@pytest.mark.parametrize("judges", [["a"], ["a", "b"]])
def test_judging_with_and_without_a_store_agrees_on_bad_rows(
    tmp_path: Path, where: str, judges: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    good = {"id": "good", "text": "(code decides)", "candidate": "x"}
    cases = write(tmp_path / "c.jsonl", [good, {"id": "bad", "candidate": "y", "txet": "…"}])
    replies = {name: write(tmp_path / f"{name}.jsonl", [{"id": "good", "reply": reply(1)}])
               for name in judges}  # fmt: skip
    asked = [option for file in replies.values() for option in ("--judge", f"replay:{file}")]
    command = ["judge", "toy", cases, *PATH, *asked, "--repeat", "2", "--json"]
    assert main(command) == 2
    without = printed(capsys)
    assert main([*command, "--store", where]) == 2
    assert printed(capsys) == without
    assert len(without) == 2 * 2 * len(judges)


def test_a_bad_row_of_standard_input_does_not_stop_the_others(where: str) -> None:
    """`- --store` once ended at the first bad row."""
    rows = ['{"id": "1", "text": "(code decides)"}', "not json", '{"id": "3", "text": "other"}']
    command = ["judge", "toy", "-", *PATH, "--judge", "replay:/dev/null", "--store", where]
    done = subprocess.run(
        [sys.executable, "-m", "oyer", *command, "--json"],
        input="\n".join(rows), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict["error"] for verdict in verdicts] == [None, "input", "provider"]
    assert "<stdin>:2" in done.stderr

"""What was never judged is told apart from what a judge did wrong, wherever a user looks."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from tests.report.stored_runs import FOLDER, keep
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import KEY, ProviderServer


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with ProviderServer(reply=marks, key=None) as running:
        yield running


def oyer(bed: Bed, capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    own = ["--protocol-path", str(TOY)] if args[0] != "run" else []
    code = main([*args, *own, "--store", bed.store])
    told = capsys.readouterr()
    return code, told.out, told.err


def ran(bed: Bed, capsys: pytest.CaptureFixture[str], *faults: str, **settings: Any) -> str:
    """Run the suite, one question after the other; what standard error says."""
    bed.server.will(*faults)
    bed.write(concurrency=1, **settings)
    return oyer(bed, capsys, "run", str(bed.suite))[2]


def test_a_judge_that_was_not_heard_broke_no_rule(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refusal, no such model, a row without its text: three reasons, no violation."""
    bed = Bed(tmp_path, server)
    rows = [{"id": f"c{i}", "text": "t", "candidate": "a"} for i in range(3)]
    bed.rows([*rows, {"id": "bad", "candidate": "a"}])
    ran(bed, capsys, "", "refusal", "404")
    board = json.loads(oyer(bed, capsys, "leaderboard", "--json")[1])
    (scored,) = [row for row in board["standings"] if row["cases"]]
    assert scored["errors"] == {"refused": 1, "provider": 1, "input": 1}
    assert board["errors"] == {"refused": 1, "provider": 1, "input": 1}
    assert [row["violations"] for row in board["standings"]] == [0] * len(board["standings"])
    _, told, _ = oyer(bed, capsys, "leaderboard")
    assert "without a score: input 1, provider 1, refused 1" in " ".join(told.split())
    main(["export", "1", "-o", str(tmp_path / "v.csv"), "--store", bed.store])
    with (tmp_path / "v.csv").open(encoding="utf-8", newline="") as file:
        cells = [(row["error"], row["violations"]) for row in csv.DictReader(file)]
    assert sorted(cells) == [("", ""), ("input", ""), ("provider", ""), ("refused", "")]


def test_a_run_without_a_verdict_ranks_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "oyer.db"
    keep(store, "s", [])
    assert main(["leaderboard", "--store", str(store), "--protocol-path", str(FOLDER)]) == 0
    assert "Nothing to rank: the run has no verdict" in capsys.readouterr().out


def test_a_reply_that_breaks_the_protocol_is_a_violation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same column counts what it is for: a judge that answered, and not as it was asked."""
    with ProviderServer(reply='{"grade": "A"}', key=None) as server:
        bed = Bed(tmp_path, server)
        bed.cases(2)
        ran(bed, capsys)
        board = json.loads(oyer(bed, capsys, "leaderboard", "--json")[1])
    assert board["standings"][0]["violations"] == 2
    assert board["errors"] == {"missing_metric": 2}


@pytest.mark.parametrize(
    ("fault", "heading"),
    [("404", "Why there is no score"), ("refusal", "Why there is no score")],
)
def test_nobody_who_was_not_heard_is_said_to_have_broken_the_protocol(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str],
    fault: str, heading: str,
) -> None:  # fmt: skip
    bed = Bed(tmp_path, server)
    bed.cases(1)
    ran(bed, capsys, fault)
    oyer(bed, capsys, "report", "-o", str(tmp_path / "r.html"))
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    main(["export", "1", "--to", str(tmp_path / "v.jsonl"), "--store", bed.store])
    _, explained, _ = oyer(bed, capsys, "explain", str(tmp_path / "v.jsonl"))
    assert heading in page
    assert '"broken":[]' in page
    assert heading in explained
    assert "The judge broke its rules" not in explained
    assert "Violations by kind and judge" not in page


def test_where_nobody_has_a_score_nobody_is_ranked(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.rows([{"id": "c", "text": "t", "candidate": name} for name in "ab"])
    ran(bed, capsys, "404", "404")
    code, told, _ = oyer(bed, capsys, "leaderboard")
    flat = " ".join(told.split())
    assert code == 0
    assert "Nothing to rank: none of the 2 verdicts has a score (provider 2)." in flat
    assert "rank candidate" not in flat
    board = json.loads(oyer(bed, capsys, "leaderboard", "--json")[1])
    assert [row["rank"] for row in board["standings"]] == [None, None]
    assert "404" in board["reasons"][0], "what the server said, once"


def test_a_run_tells_how_many_of_each_kind_and_what_the_first_said(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.cases(4)
    told = ran(bed, capsys, "404", "refusal", "404")
    lines = [line for line in told.splitlines() if "without a score" in line]
    assert len(lines) == 2
    assert "2 without a score by" in lines[0]
    assert ": provider, the first: " in lines[0]
    assert "404" in lines[0]
    assert ": refused, " in lines[1]


def test_a_key_that_a_server_echoes_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with ProviderServer(reply=marks, faults=["echo"] * 9) as server:
        bed = Bed(tmp_path, server)
        bed.cases(1)
        said = ran(bed, capsys)
        _, out, err = oyer(bed, capsys, "leaderboard")
    assert "without a score by" in said
    assert "[key]" in said
    assert KEY not in said + out + err

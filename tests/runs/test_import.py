"""`oyer export` and `oyer import`: a run moves to another store and stays the same run."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.store import open_store

ROOT = Path(__file__).resolve().parents[2]
FIRST = ROOT / "examples/first/replies.jsonl"
PANEL = "embedded:light+embedded:full"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run of recorded replies, and one of a panel."""
    folder = tmp_path_factory.mktemp("there")
    store = folder / "there.db"
    assert main(["audit", "judge-lock", str(FIRST), "--store", str(store)]) == 0
    case = json.loads(FIRST.read_text("utf-8"))
    cases = folder / "cases.jsonl"
    row = {"id": "panel", "article": case["article"], "summary": case["summary"]}
    cases.write_text(json.dumps(row) + "\n", encoding="utf-8")
    judged = ["judge", "judge-lock", str(cases), "--judge", PANEL, "--store", str(store)]
    assert main(judged) == 0
    return store


def exported(store: Path, run: str, target: Path) -> Path:
    assert main(["export", run, "-o", str(target), "--store", str(store)]) == 0
    return target


def records(store: Path, run: int) -> list[str]:
    with open_store(str(store), create=False, write=False) as opened:
        return [json.dumps(kept.record) for kept in opened.verdicts_in_order(run)]


@pytest.mark.parametrize("run", ["1", "2"])
def test_a_whole_run_is_the_same_elsewhere(
    there: Path, run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its verdicts, its texts and its replies: rescoring changes nothing, without a model."""
    file = exported(there, run, tmp_path / "run.oyer")
    here = tmp_path / "here.db"
    assert main(["import", str(file), "--store", str(here)]) == 0
    assert records(here, 1) == records(there, int(run))
    capsys.readouterr()
    assert main(["rescore", "1", "--store", str(here)]) == 0
    assert "1 verdicts are the same, 0 are not" in capsys.readouterr().out
    assert main(["explain", "latest", "--store", str(here)]) == 0
    assert "Not in the article" in capsys.readouterr().out


def test_a_second_import_doubles_nothing(there: Path, tmp_path: Path) -> None:
    file = exported(there, "1", tmp_path / "run.oyer")
    here = tmp_path / "here.db"
    for _ in range(2):
        assert main(["import", str(file), "--store", str(here)]) == 0
    assert records(here, 1) == records(there, 1)
    with open_store(str(here), create=False, write=False) as store:
        assert len(store.runs()) == 1


def test_verdicts_alone_are_read_but_not_rescored(
    there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(there, "1", tmp_path / "verdicts.jsonl")
    here = tmp_path / "here.db"
    assert main(["import", str(file), "--store", str(here)]) == 0
    assert "cannot be rescored" in capsys.readouterr().err
    assert records(here, 1) == records(there, 1)
    for command in (["leaderboard", "1"], ["cases", "1"], ["explain", "1"], ["compare", "1", "1"]):
        assert main([*command, "--store", str(here)]) == 0, command
    page = tmp_path / "report.html"
    assert main(["report", "1", "-o", str(page), "--store", str(here)]) == 0
    assert "Passengers get free travel" in page.read_text("utf-8")


def test_a_file_that_was_cut_is_refused_and_leaves_no_run(
    there: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(there, "1", tmp_path / "run.oyer")
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    here = tmp_path / "here.db"
    whole = file.read_bytes()
    odd = gzip.compress(b'{"oyer": 1, "run": {"suite": 7}, "state": "done"}\n')
    for broken in (whole[:-40], gzip.compress(b"".join(lines[:-1])), b"{}", odd):
        file.write_bytes(broken)
        assert main(["import", str(file), "--store", str(here)]) == 2
        message = capsys.readouterr().err
        assert str(file) in message
        assert "export" in message or "copy the file again" in message
    with open_store(str(here)) as store:
        assert not store.runs()

"""A store that Oyer 0.1 wrote opens, resumes without asking, rescores and reports."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.runs.session import run_session
from oyer.store import open_store
from tests.goldens.files import STORE, SUITES, old_store, planned, rescored


def bodies(where: str, name: str) -> dict[str, bytes]:
    """The bytes of a run's records, by task."""
    with open_store(where, write=False) as store:
        return {kept.task.key: kept.body for kept in store.raw_verdicts(store.find_run(name).id)}


@pytest.mark.parametrize("name", SUITES)
def test_an_old_run_is_done_and_stays_as_it_is(name: str, tmp_path: Path) -> None:
    """The same suite again finds its run, does nothing and pays nothing."""
    where = old_store(tmp_path)
    before = bodies(where, f"golden-{name}")
    with planned(name) as plan, open_store(where) as store:
        session = run_session(plan, store)
        assert len(store.runs()) == 4
    assert (session.state, session.new, session.left, session.paid) == ("done", 0, 0, 0)
    assert bodies(where, f"golden-{name}") == before


@pytest.mark.parametrize("name", SUITES)
def test_lost_verdicts_are_made_again_from_stored_replies(name: str, tmp_path: Path) -> None:
    """No judge listens at the address in the suite: every reply is found under its key."""
    where = old_store(tmp_path)
    before = bodies(where, f"golden-{name}")
    with sqlite3.connect(where) as database:
        database.execute("DELETE FROM oyer_verdicts")
    database.close()
    with planned(name) as plan, open_store(where) as store:
        session = run_session(plan, store)
    assert (session.state, session.new, session.paid) == ("done", len(before), 0)
    after = bodies(where, f"golden-{name}")
    assert comparable(after) == comparable(before)


def comparable(bodies: dict[str, bytes]) -> dict[str, bytes]:
    """Verdicts on rows that could not be read had an id of their own in 0.1; now they have the
    same as without a store (`oyer judge` and `oyer judge --store` disagreed). A panel that is
    combined score by score had one member's output, whose numbers were not the panel's. A judge
    that declines in words was unreadable, and asked again; now it is refused, like one that gives
    an error object."""
    plain = {}
    for key, body in bodies.items():
        record = json.loads(body)
        if record["case"] == "refuses":
            assert record["error"] in ("unreadable", "refused")
            plain[key] = b"refused"
        elif record["error"] == "input":
            record["id"] = record["sha"] = "…"
            plain[key] = json.dumps(record).encode()
        elif (record.get("panel") or {}).get("combined") == "scores":
            record["output"] = "…"
            plain[key] = json.dumps(record).encode()
        else:
            plain[key] = body
    return plain


def test_rescoring_gives_what_is_expected(tmp_path: Path) -> None:
    """No change, or each change by its name (store/rescored.json)."""
    made = rescored(old_store(tmp_path))
    assert made.splitlines() == (STORE / "rescored.json").read_text("utf-8").splitlines()


@pytest.mark.parametrize("run", ["golden-judge-lock", "golden-rubric"])
def test_an_old_run_is_reported(
    run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leaderboard, report, export and doctor read it."""
    where = old_store(tmp_path)
    page, table = tmp_path / "report.html", tmp_path / "run.jsonl"
    assert main(["leaderboard", run, "--store", where]) == 0
    assert main(["report", run, "-o", str(page), "--store", where]) == 0
    assert main(["export", run, "-o", str(table), "--store", where]) == 0
    assert main(["doctor", "--store", where]) == 0
    assert "<html" in page.read_text("utf-8")
    assert len(table.read_text("utf-8").splitlines()) == len(bodies(where, run))

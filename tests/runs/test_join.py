"""Several processes on one run: they share its work, and each question is asked once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.store import open_store
from tests.runs.rig import ProcessStarter, Rig

CASES = 320


@pytest.fixture
def rig(tmp_path: Path, starter: ProcessStarter) -> Iterator[Rig]:
    with Rig(tmp_path, starter, CASES, concurrency=8, delay=0.02) as made:
        yield made


def start(rig: Rig, where: str, **env: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "oyer", "run", str(rig.suite), "--store", where]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, **env},
    )  # fmt: skip


def check_whole(where: str) -> None:
    with open_store(where, write=False) as store:
        (run,) = store.runs()
        assert run.state == "done"
        judged = Counter(outcome.case for outcome in store.outcomes(run.id))
    assert judged == Counter(f"c{i}" for i in range(CASES))


def test_three_processes_share_a_run(rig: Rig, where: str) -> None:
    workers = [start(rig, where) for _ in range(3)]
    told = [worker.communicate(timeout=300)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0, 0], told
    check_whole(where)
    assert rig.billed().total() == CASES
    assert sum("joining" in text for text in told) >= 1


def test_a_killed_worker_s_share_is_taken_over(rig: Rig, where: str) -> None:
    workers = [start(rig, where) for _ in range(2)]
    while rig.billed().total() < 60:
        assert workers[0].poll() is None
    workers[0].kill()
    workers[0].communicate()
    told = workers[1].communicate(timeout=300)[0]
    assert workers[1].returncode == 0, told
    check_whole(where)
    assert rig.billed().total() <= CASES + 8, "asked twice: at most what was in flight"


def test_a_worker_that_stood_still_writes_nothing_stale(rig: Rig, where: str) -> None:
    """PostgreSQL ends the session of a worker that is silent past its lease."""
    if not where.startswith("postgresql"):
        pytest.skip("on one machine the kernel knows who is there: a paused process is waited for")
    workers = [start(rig, where, OYER_LEASE="8") for _ in range(2)]
    while rig.billed().total() < 60:
        assert workers[0].poll() is None
    workers[0].send_signal(signal.SIGSTOP)
    told = workers[1].communicate(timeout=300)[0]
    assert workers[1].returncode == 0, told
    check_whole(where)
    with open_store(where, write=False) as store:
        (run,) = store.runs()
        before = [(o.row, o.verdict, o.total) for o in store.outcomes(run.id)]
    workers[0].send_signal(signal.SIGCONT)
    workers[0].communicate(timeout=300)
    with open_store(where, write=False) as store:
        assert [(o.row, o.verdict, o.total) for o in store.outcomes(run.id)] == before


def test_caps_hold_over_all_processes(rig: Rig, where: str) -> None:
    """Three processes, one budget: it is used up, and passed by nobody."""
    rig.suite.write_text(rig.suite.read_text() + "[budget]\ncalls = 100\n")
    workers = [start(rig, where) for _ in range(3)]
    messages = [worker.communicate(timeout=300)[0] for worker in workers]
    assert {worker.returncode for worker in workers} == {3}, messages
    assert all("100 calls is used up" in text for text in messages), messages
    assert rig.billed().total() == 100


def test_a_killed_worker_s_share_of_the_budget_comes_back(rig: Rig, where: str) -> None:
    rig.suite.write_text(rig.suite.read_text() + "[budget]\ncalls = 200\n")
    workers = [start(rig, where) for _ in range(2)]
    while rig.billed().total() < 60:
        assert workers[0].poll() is None
    workers[0].kill()
    workers[0].communicate()
    message = workers[1].communicate(timeout=300)[0]
    assert workers[1].returncode == 3, message
    # What was in flight at the killed is billed, and nowhere noted: docs/runs.md, Budgets.
    assert 200 <= rig.billed().total() <= 200 + 8


def test_a_provider_s_rate_holds_over_all_processes(rig: Rig, where: str) -> None:
    """320 calls at 6,000 a minute take 3.2 s, however many ask; a burst and slices begin them."""
    rig.suite.write_text(rig.suite.read_text() + "[options]\nrequests_per_minute = 6000\n")
    began = time.monotonic()
    workers = [start(rig, where) for _ in range(3)]
    for worker in workers:
        worker.communicate(timeout=300)
    assert time.monotonic() - began > 2.0
    check_whole(where)


def test_candidates_write_each_text_once(rig: Rig, where: str) -> None:
    """Who claims the question writes the text; the others find it."""
    suite = rig.suite.read_text()
    writing = '[writing]\nfield = "text"\ntemplate = "write.md"\n'
    (rig.folder / "write.md").write_text("WRITE {{topic}}")
    rig.suite.write_text(suite + f"candidates = ['{rig.judge}']\n{writing}")
    rows = [json.dumps({"id": f"c{i}", "topic": f"t{i}"}) for i in range(80)]
    (rig.folder / "cases.jsonl").write_text("\n".join(rows * 2) + "\n")
    workers = [start(rig, where) for _ in range(3)]
    messages = [worker.communicate(timeout=300)[0] for worker in workers]
    assert {worker.returncode for worker in workers} == {0}, messages
    written = [line for line in rig.billed().elements() if line.startswith("WRITE")]
    assert len(written) == len(set(written)) == 80


def test_the_list_of_runs_shows_who_works(rig: Rig, where: str) -> None:
    rig._allow(40, 0)  # the others wait for ever
    workers = [start(rig, where) for _ in range(2)]
    while rig.billed().total() < 40:
        assert workers[0].poll() is None
    words = [sys.executable, "-m", "oyer", "runs", "1", "--store", where]
    shown = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert {one["pid"] for one in shown["workers"]} == {worker.pid for worker in workers}
    assert all(one["host"] and one["since"] for one in shown["workers"])
    for worker in workers:
        worker.kill()
        worker.communicate()
    shown = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert shown["workers"] == []

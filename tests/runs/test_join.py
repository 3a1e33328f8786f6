"""Several processes on one run: they share its work, and each question is asked once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.store import open_store
from tests.runs.rig import Rig, Sitter

CASES = 320


@pytest.fixture
def rig(tmp_path: Path, sitter: Sitter) -> Iterator[Rig]:
    with Rig(tmp_path, sitter, CASES, concurrency=8, delay=0.02) as made:
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
    told = [worker.communicate(timeout=120)[0] for worker in workers]
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
    told = workers[1].communicate(timeout=120)[0]
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
    told = workers[1].communicate(timeout=120)[0]
    assert workers[1].returncode == 0, told
    check_whole(where)
    with open_store(where, write=False) as store:
        (run,) = store.runs()
        before = [(o.row, o.verdict, o.total) for o in store.outcomes(run.id)]
    workers[0].send_signal(signal.SIGCONT)
    workers[0].communicate(timeout=120)
    with open_store(where, write=False) as store:
        assert [(o.row, o.verdict, o.total) for o in store.outcomes(run.id)] == before


def test_a_run_with_a_budget_is_not_joined(rig: Rig, where: str) -> None:
    rig.suite.write_text(rig.suite.read_text() + "[budget]\ncalls = 1000\n")
    rig._allow(20, 0)  # the others wait for ever
    first = start(rig, where)
    while rig.billed().total() < 20:
        assert first.poll() is None
    second = start(rig, where)
    told = second.communicate(timeout=60)[0]
    first.kill()
    first.communicate()
    assert second.returncode == 2
    assert "another process" in told

"""Two runs of two processes on one store that ask the same: each question is paid for once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.store import open_store
from tests.runs.rig import HERE, ProcessStarter, Rig


@pytest.fixture
def rig(tmp_path: Path, starter: ProcessStarter) -> Iterator[Rig]:
    with Rig(tmp_path, starter, 60, concurrency=16, delay=0.03) as made:
        yield made


def start(suite: Path, where: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "oyer", "run", str(suite), "--store", where]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_the_same_question_of_two_runs_is_asked_once(
    rig: Rig, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    other = rig.folder / "other.toml"
    other.write_text(rig.suite.read_text() + 'name = "other"\n')
    runs = [start(suite, where) for suite in (rig.suite, other)]
    assert [run.wait(timeout=120) for run in runs] == [0, 0]
    assert rig.billed().total() == 60
    with open_store(where, write=False) as store:
        first, second = store.runs()
        for run in (first, second):
            assert len(list(store.outcomes(run.id))) == 60
        assert store.spent(first.id).calls + store.spent(second.id).calls == 60
    for run in (first, second):
        words = ["rescore", str(run.id), "--store", where, "--protocol-path", str(HERE / "toy")]
        assert main([*words, "--json"]) == 0
        assert '"changed": 0' in capsys.readouterr().out


def test_calls_cut_off_by_a_second_interrupt_count_as_spent(rig: Rig, tmp_path: Path) -> None:
    store = tmp_path / "oyer.db"
    rig._allow(20, 0)  # the others wait for ever
    run = start(rig.suite, str(store))
    while rig.billed().total() < 20:
        assert run.poll() is None
    run.send_signal(2)
    while run.poll() is None:
        run.send_signal(2)
        try:
            run.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            continue
    with open_store(str(store), write=False) as kept:
        (only,) = kept.runs()
        assert kept.spent(only.id).calls > 20, "what was in flight was sent"

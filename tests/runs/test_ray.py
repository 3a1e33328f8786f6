"""Heavy work on a real Ray cluster of two nodes; kills of a node and of the head.

Long (about a minute on a quiet machine): Ray's nodes take ten seconds each to start, and are
started again after the head was killed. One cluster serves all tests.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oyer.store import open_store

CASES = 120


def _why_not() -> str | None:
    if importlib.util.find_spec("ray") is None:
        return "Ray is not installed: pip install 'oyer[ray]'"
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return "unshare or ip is missing: Ray is only started in a network of its own"
    tried = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "this user may not make a network namespace"


pytestmark = pytest.mark.skipif(_why_not() is not None, reason=str(_why_not()))


class Cluster:
    """The process in the namespace (ray_cluster.py)."""

    def __init__(self, folder: Path) -> None:
        script = Path(__file__).with_name("ray_cluster.py")
        inside = ["unshare", "-n", "--pid", "--fork", "--kill-child", "--mount-proc"]
        self.process = subprocess.Popen(
            [*inside, sys.executable, str(script), str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def do(self, name: str, *values: object) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, *values]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def start(self) -> None:
        self.do("start", "head")
        self.do("start", "node")
        self.do("wait_for", 2)

    def oyer(self, *words: str) -> str:
        """A command's standard output; it must succeed."""
        ended = self.do("finish", self.do("begin", list(words)))
        assert ended["code"] == 0, ended["err"]
        return str(ended["out"])


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    # Ray's sockets want a short path.
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        running = Cluster(Path(folder))
        running.start()
        yield running
        assert running.process.stdin is not None
        running.process.stdin.close()
        running.process.wait()


def write_suite(folder: Path) -> Path:
    """A suite for the embedded judge."""
    lines = [json.dumps(_case(number)) + "\n" for number in range(CASES)]
    (folder / "cases.jsonl").write_text("".join(lines))
    suite = folder / "suite.toml"
    suite.write_text(
        'protocol = "judge-lock"\ncases = "cases.jsonl"\njudges = ["embedded:light"]\n'
    )
    return suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_suite(tmp_path_factory.mktemp("suite"))


@pytest.fixture(scope="module")
def expected(suite: Path) -> dict[str, str]:
    """The verdicts of one process on this machine."""
    store = str(suite.with_name("alone.db"))
    _oyer("run", str(suite), "--store", store)
    return verdicts(store)


def _case(number: int) -> dict[str, str]:
    place = ("harbour", "school", "bridge", "market")[number % 4]
    article = " ".join(
        f"In {1950 + number + i} the council of Northport spent {number * 7 + i} million euros on "
        f"the {place}. The mayor said that the work on part {i} would take {i + 2} years."
        for i in range(12)
    )
    summary = f"The council spent {number * 7} million euros on the {place} in {1950 + number}."
    return {"id": f"c{number}", "article": article, "summary": summary}


def _oyer(*words: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", "oyer", *words], capture_output=True, text=True, check=False,
        env={**os.environ, "RAY_ADDRESS": ""},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def verdicts(store: str) -> dict[str, str]:
    with open_store(store, write=False) as opened:
        (run,) = opened.runs()
        return {kept.task.key: json.dumps(kept.record) for kept in opened.verdicts(run.id)}


def wait_for_verdicts(store: Path, count: int) -> None:
    """Until a run has made so many. Reading waits for nobody."""
    made = 0
    while made < count:
        if not store.exists():
            continue
        with contextlib.suppress(Exception), open_store(str(store), write=False) as opened:
            made = sum(sum(opened.counts(run.id).values()) for run in opened.runs())


def test_two_workers_give_the_same_bytes(suite: Path, expected: dict[str, str]) -> None:
    store = str(suite.with_name("two.db"))
    words = [sys.executable, "-m", "oyer", "run", str(suite), "--store", store]
    workers = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for _ in range(2)]
    assert [worker.wait() for worker in workers] == [0, 0]
    assert verdicts(store) == expected


def test_ray_gives_the_same_bytes_and_rescores_them(
    cluster: Cluster, suite: Path, expected: dict[str, str]
) -> None:
    store = str(suite.with_name("ray.db"))
    cluster.oyer("run", str(suite), "--store", store, "--on", "ray")
    assert verdicts(store) == expected
    again = json.loads(cluster.oyer("rescore", "1", "--store", store, "--on", "ray", "--json"))
    assert (again["same"], again["changed"]) == (CASES, 0)


def test_a_file_is_audited_on_ray_in_its_order(cluster: Cluster, suite: Path) -> None:
    store = str(suite.with_name("alone.db"))
    with open_store(store, write=False) as opened:
        (run,) = opened.runs()
        stored = list(opened.verdicts(run.id))
        replies = opened.replies([kept.task.ask for kept in stored])
    rows = [
        {**_case(int(kept.record["case"][1:])), "reply": replies[kept.task.ask][0].reply.text}
        for kept in stored
    ]
    file = suite.with_name("replies.jsonl")
    file.write_text("".join(json.dumps(row) + "\n" for row in rows * 3))
    words = ("audit", "judge-lock", str(file), "--json")
    assert cluster.oyer(*words, "--on", "ray") == _oyer(*words)


def test_a_folder_is_cited_on_ray_in_its_order(cluster: Cluster, tmp_path: Path) -> None:
    for number in range(40):
        text = f"Gelet op artikel {number + 1} van het Gerechtelijk Wetboek en artikel 10 Grondwet."
        (tmp_path / f"{number:03}.txt").write_text(text)
    words = ("cite", str(tmp_path), "--json")
    assert cluster.oyer(*words, "--on", "ray") == _oyer(*words)


def test_a_node_and_then_the_head_are_killed_and_the_same_command_goes_on(
    cluster: Cluster, suite: Path, expected: dict[str, str]
) -> None:
    store = suite.with_name("killed.db")
    words = ["run", str(suite), "--store", str(store), "--on", "ray"]
    running = cluster.do("begin", words)
    wait_for_verdicts(store, 10)
    cluster.do("kill", "node")
    wait_for_verdicts(store, 40)  # it goes on without the node
    cluster.do("kill", "head")
    ended = cluster.do("finish", running)
    assert ended["code"] != 0
    cluster.start()
    cluster.oyer(*words)
    assert verdicts(str(store)) == expected


def test_without_a_cluster_it_says_what_to_do(tmp_path: Path, suite: Path) -> None:
    words = ["run", str(suite), "--store", str(tmp_path / "oyer.db"), "--on", "ray"]
    ended = subprocess.run(
        [sys.executable, "-m", "oyer", *words], capture_output=True, text=True, check=False,
        env={**os.environ, "RAY_ADDRESS": "127.0.0.1:1"},
    )  # fmt: skip
    assert ended.returncode == 2
    assert "no Ray cluster answers at 127.0.0.1:1" in ended.stderr

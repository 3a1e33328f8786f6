"""A run under attack: a server that counts what it bills, and sittings that are killed."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import TracebackType
from urllib.request import ProxyHandler, Request, build_opener

from oyer.store import open_store
from oyer.store.doctor import examine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_DIRECT = build_opener(ProxyHandler({}))  # whatever http_proxy says


class ProcessStarter:
    """The process that starts sessions (process_starter.py); one serves many rigs."""

    def __init__(self) -> None:
        self.process = _start(HERE / "process_starter.py")

    def sit(self, order: dict[str, object]) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(json.loads(_line(self.process))["status"])

    def close(self) -> None:
        self.process.communicate()  # closing its input ends it


class Rig:
    """Cases, a suite, a counting server, a starter. Use it in a `with`."""

    def __init__(
        self,
        folder: Path,
        starter: ProcessStarter,
        cases: int,
        *,
        concurrency: int = 8,
        delay: float = 0.002,
    ) -> None:
        self.folder, self.starter = folder, starter
        self.cases, self.concurrency = cases, concurrency
        self.log, self.store = folder / "billed.log", folder / "oyer.db"
        self.server = _start(HERE / "counting_server.py", str(self.log), str(delay))
        self.port = int(_line(self.server))
        rows = (json.dumps({"id": f"c{i}", "text": f"text {i}"}) for i in range(cases))
        (folder / "cases.jsonl").write_text("\n".join(rows) + "\n")
        self.suite = folder / "suite.toml"
        self.suite.write_text(
            f'protocol = "toy"\nprotocol_path = "{HERE / "toy"}"\ncases = "cases.jsonl"\n'
            f"judges = ['{self.judge}']\nconcurrency = {concurrency}\n"
        )

    @property
    def judge(self) -> str:
        return f"openai:m@http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Rig:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.server.communicate()

    def sit(
        self,
        *,
        crash_at: str = "",
        kill_after: float | None = None,
        kill_after_answers: int = 0,
        answers: int | None = None,
        bill_unsent: int = 0,
        file_limit: int = 0,
    ) -> int:
        """One `oyer run` in a process of its own; its exit status, -9 when it was killed.

        Killed after so many seconds, or when the server has billed so many more answers.
        `answers`: the server gives no more than so many, so the sitting cannot end by itself;
        `bill_unsent`: so many more it bills and never sends.
        `file_limit`: no file may grow beyond so many bytes, as on a disk that is full.
        """
        billed = self.billed().total()
        order: dict[str, object] = {
            "argv": ["run", str(self.suite), "--store", str(self.store)],
            "env": {"OYER_CRASH_AT": crash_at},
            "kill_after": kill_after,
            "file_limit": file_limit,
            "books": str(self.log),
            "kill_at_lines": kill_after_answers and billed + kill_after_answers,
            "log": str(self.folder / "said.log"),
        }
        self._allow(math.inf if answers is None else answers, bill_unsent)
        status = self.starter.sit(order)
        while _DIRECT.open(f"http://127.0.0.1:{self.port}/").read() != b"0":
            pass  # the server still answers the dead: its books are not closed yet
        return status

    def _allow(self, answers: float, bill_unsent: int) -> None:
        address = f"http://127.0.0.1:{self.port}/{answers}?bill={bill_unsent}"
        _DIRECT.open(Request(address, method="PUT")).close()

    def said(self) -> str:
        return (self.folder / "said.log").read_text()

    def billed(self) -> Counter[str]:
        """How often each question was answered, by the server's own books."""
        return Counter(self.log.read_text().splitlines()) if self.log.exists() else Counter()

    def kept(self) -> int:
        """Replies on the disk; 0 while there is no store."""
        if not self.store.exists() or not self.store.stat().st_size:
            return 0
        with open_store(str(self.store)) as store:
            return sum(store.spent(run.id).calls for run in store.runs())

    def check_done(self) -> None:
        """Every case has exactly one verdict, made of one kept reply, and the store is well."""
        with open_store(str(self.store), write=False) as store:
            (run,) = store.runs()
            assert run.state == "done"
            judged = Counter(outcome.case for outcome in store.outcomes(run.id))
            assert judged == Counter(f"c{i}" for i in range(self.cases))
            kept = list(store.verdicts(run.id))
            assert all(len(r) == 1 for r in store.replies([k.task.ask for k in kept]).values())
        bad = [finding for finding in examine(str(self.store)) if not finding.well]
        assert not bad, bad


def _start(script: Path, *args: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, str(script), *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "OPENAI_API_KEY": ""},
    )


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()

"""Starts `oyer` in milliseconds: loads it once, and forks. Use `Forks` in a `with`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]


class Forks:
    """A process that forks; its children are killed by their number, as any process."""

    def __enter__(self) -> Forks:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENAI_API_KEY": ""},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def start(self, argv: list[str], log: Path, **env: str) -> int:
        """Run `oyer`; the number of its process."""
        return int(self._do({"argv": argv, "log": str(log), "env": env}) or 0)

    def poll(self, pid: int) -> int | None:
        """How it ended; None while it runs. Once asked, it is forgotten."""
        return self._do({"poll": pid, "wait": False})

    def wait(self, pid: int) -> int:
        return int(self._do({"poll": pid, "wait": True}) or 0)

    def _do(self, order: dict[str, object]) -> int | None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: int | None = json.loads(self._process.stdout.readline())
        return answer


def serve() -> None:
    import psycopg  # noqa: F401
    import sqlalchemy.dialects.postgresql  # noqa: F401

    from tests.runs.process_starter import child, preload

    preload()
    for line in sys.stdin:
        order = json.loads(line)
        if "poll" in order:
            pid, status = os.waitpid(order["poll"], 0 if order["wait"] else os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if answer == 0:
                child(order)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()

"""Starts `oyer` again and again in real processes of their own, and kills them on demand.

Loads Oyer's modules once and forks: a sitting starts in milliseconds, so that dozens of kills fit
in a test. Commands come as JSON lines on standard input, exit statuses go back on standard output.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import time


def preload() -> None:
    """Everything a run imports, but no thread, no socket, no database."""
    import aiohttp  # noqa: F401
    import rich.console  # noqa: F401
    import sqlalchemy.dialects.sqlite  # noqa: F401

    import oyer.cli.run
    import oyer.judges.server
    import oyer.runs.estimate
    import oyer.runs.session
    import oyer.store.store  # noqa: F401


def child(order: dict[str, object]) -> None:
    log = os.open(str(order["log"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.update(order["env"])  # type: ignore[call-overload]
    from oyer.cli import main

    if order.get("file_limit"):
        limit = int(str(order["file_limit"]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    code = 70
    try:
        code = main(order["argv"])  # type: ignore[arg-type]
    finally:
        sys.stdout.flush()
        os._exit(code)


def sit(order: dict[str, object]) -> int:
    pid = os.fork()
    if pid == 0:
        child(order)
    exited = os.pidfd_open(pid)
    until = time.monotonic() + float(str(order.get("kill_after") or 600))
    lines = int(str(order.get("kill_at_lines") or 0))  # of the server's books
    while time.monotonic() < until and not (lines and grown(str(order["books"]), lines)):
        step = 0.0005 if lines else until - time.monotonic()
        if select.select([exited], [], [], max(step, 0.0))[0]:
            break
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(exited)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def grown(path: str, lines: int) -> bool:
    if not os.path.exists(path):
        return False
    with open(path, "rb") as books:
        return books.read().count(b"\n") >= lines


if __name__ == "__main__":
    preload()
    for line in sys.stdin:
        began = time.monotonic()
        status = sit(json.loads(line))
        print(json.dumps({"status": status, "seconds": time.monotonic() - began}), flush=True)

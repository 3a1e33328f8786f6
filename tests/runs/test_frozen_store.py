"""A PostgreSQL server that stands still in the middle of a run: the second Ctrl-C ends at once."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

CASES = Path(__file__).parents[2] / "examples/first/replies.jsonl"


def test_the_second_interrupt_ends_a_run_on_a_frozen_server(where: str) -> None:
    """Its time limit is 60 s; nobody waits for that. The first lets what is in flight arrive."""
    if not where.startswith("postgresql"):
        pytest.skip("only a server can freeze")
    import psycopg

    with socket.create_server(("127.0.0.1", 0)) as judge:  # takes questions, never answers
        name = f"openai:m@http://127.0.0.1:{judge.getsockname()[1]}/v1"
        store = f"{where}&application_name=frozen"
        run = subprocess.Popen(
            [sys.executable, "-m", "oyer", "judge", "judge-lock", str(CASES), "--judge", name,
             "--store", store],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert run.stderr is not None
        asked, _ = judge.accept()
        with psycopg.connect(where.partition("?")[0], autocommit=True) as server:
            query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'frozen'"
            backends = [pid for (pid,) in server.execute(query)]
        assert backends
        for pid in backends:
            os.kill(pid, signal.SIGSTOP)
        try:
            run.send_signal(signal.SIGINT)
            while "Ctrl-C again" not in run.stderr.readline():
                pass
            run.send_signal(signal.SIGINT)
            _, words = run.communicate(timeout=30)
        finally:
            for pid in backends:
                os.kill(pid, signal.SIGCONT)
            asked.close()
            run.kill()
            run.communicate()
    assert run.returncode == 130
    assert "the store does not answer" in words

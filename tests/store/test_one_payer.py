"""Several processes on one store: one asks, one pays, and a lost lock is a stopped writer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from oyer.errors import StoreBusy, StoreError
from oyer.store import open_store
from oyer.store.store import Store
from tests.store.made import manifest, reply, task

ROOT = Path(__file__).parents[2]


def test_a_question_is_claimed_by_one_store_at_a_time(where: str) -> None:
    with open_store(where) as one, open_store(where) as two:
        assert one.claim(["a", "b"])
        assert not two.claim(["b", "c"]), "b is taken"
        assert two.claim(["c"]), "what was refused together was not kept in part"
        one.release(["a", "b"])
        assert two.claim(["a", "b"])


def test_a_killed_process_lets_go_of_its_claims(where: str) -> None:
    script = (
        "import sys; from oyer.store import open_store\n"
        f"store = open_store({where!r}); assert store.claim(['a'])\n"
        "print('held', flush=True); sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with open_store(where) as store:
        assert not store.claim(["a"])
        holder.kill()
        holder.communicate()
        for _ in range(10_000):  # PostgreSQL notices a dead client a moment later
            if store.claim(["a"]):
                return
    pytest.fail("the dead process still holds its claim")


def test_of_two_answers_the_first_counts_and_both_are_paid(where: str) -> None:
    with open_store(where) as one, open_store(where) as two:
        first = one.begin_run(manifest("one"))
        second = two.begin_run(manifest("two"))
        from oyer.store.codec import reply_row

        kept = reply_row(task(first.id), 0, reply("first"))
        late = reply_row(task(second.id), 0, reply("second"))
        one.keep_rows([kept], ()).result()
        two.keep_rows([late], ()).result()
        assert not one.came_late(kept)
        assert two.came_late(late)
        (stored,) = two.replies(["ask0"])["ask0"]
        assert stored.reply.text == "first"
        assert one.spent(first.id).cost_usd == two.spent(second.id).cost_usd == 0.25
        two.keep_rows([kept], ()).result()
        assert not two.came_late(kept), "the same row again is no second answer"


def lock_space(store: Store) -> int:
    """The number that pg_locks has for this store's runs."""
    return (zlib.crc32(store._identity.encode()) - 2**31) % 2**32


def test_who_loses_the_run_on_the_server_cannot_write(where: str) -> None:
    """PostgreSQL: the connection that holds the run is the one that writes."""
    if not where.startswith("postgresql"):
        pytest.skip("a file's lock goes with its process")
    import psycopg

    with open_store(where) as store:
        run = store.begin_run(manifest())
        with open_store(where) as other, pytest.raises(StoreBusy):
            other.begin_run(manifest())
        with psycopg.connect(where.partition("?")[0], autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks "
                "WHERE locktype = 'advisory' AND objid = %s AND classid = %s",
                [run.id, lock_space(store)],
            )
        with pytest.raises(StoreError, match="connection"):
            store.keep_reply(task(run.id), 0, reply()).result()
        with open_store(where) as other:
            other.begin_run(manifest())
            with pytest.raises(StoreError, match="connection"):
                store.keep_reply(task(run.id, 1), 0, reply()).result()


def test_a_number_no_column_can_hold_fails_whoever_waits(where: str) -> None:
    """It once ended the writer's thread, and everybody waited for ever."""
    from oyer.types import Reply, Usage

    with open_store(where) as store:
        run = store.begin_run(manifest())
        huge = Reply("x", "j", Usage(input_tokens=2**70))
        with pytest.raises(StoreError, match=r"oyer\.db|postgresql"):
            store.keep_reply(task(run.id), 0, huge).result(timeout=60)
        with pytest.raises(StoreError):
            store.keep_reply(task(run.id, 1), 0, reply()).result(timeout=60)


_FROZEN = """
import os, sys
sys.path.insert(0, {root!r})
from oyer.store import open_store
from oyer.errors import StoreError
from tests.store.made import *
store = open_store({where!r})
run = store.begin_run(manifest())
print("begun", flush=True)
sys.stdin.readline()
try:
    store.keep_reply(task(run.id), 0, reply()).result()
except StoreError as silent:
    print("StoreError", silent, flush=True)
os._exit(0)
"""


def test_a_frozen_server_is_an_error_not_a_hang(where: str) -> None:
    if not where.startswith("postgresql"):
        pytest.skip("only a server can freeze")
    import psycopg

    writer = subprocess.Popen(
        [sys.executable, "-c", _FROZEN.format(root=str(ROOT), where=where)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OYER_STORE_TIMEOUT": "1"},
    )
    assert writer.stdout is not None
    assert writer.stdin is not None
    assert writer.stdout.readline() == "begun\n"
    with psycopg.connect(where.partition("?")[0], autocommit=True) as server:
        with open_store(where, write=False) as store:
            space = lock_space(store)
        backends = server.execute(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = %s", [space]
        ).fetchall()
    for (pid,) in backends:
        os.kill(pid, signal.SIGSTOP)
    try:
        writer.stdin.write("\n")
        writer.stdin.flush()
        said = writer.stdout.readline()
    finally:
        for (pid,) in backends:
            os.kill(pid, signal.SIGCONT)
        writer.communicate()
    assert said.startswith("StoreError")
    assert "no sign of life" in said

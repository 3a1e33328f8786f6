"""The tray: what comes together is committed together, and not much is ever under way."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from oyer.errors import StoreError
from oyer.store import open_store
from oyer.store.batch_writer import HIGH, BatchWriter
from oyer.store.codec import reply_row, verdict_row
from tests.store.made import manifest, reply, task, verdict


def commits(file: Path) -> int:
    with sqlite3.connect(file) as eye:
        return int(eye.execute("SELECT commits FROM oyer_ledger").fetchone()[0])


def test_replies_of_one_moment_share_one_commit(tmp_path: Path) -> None:
    file = tmp_path / "oyer.db"
    with open_store(str(file)) as store:
        run = store.begin_run(manifest()).id
        before = commits(file)

        async def bring() -> None:
            tray = BatchWriter(store)
            rows = [reply_row(task(run, i), 0, reply()) for i in range(20)]
            await asyncio.gather(*map(tray.reply, rows))
            assert store.spent(run).calls == 20, "whoever is told that a reply is kept can read it"

        asyncio.run(bring())
        assert commits(file) == before + 1


def test_verdicts_that_nobody_waits_for_are_few(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "oyer.db")) as store:
        run = store.begin_run(manifest()).id

        async def bring() -> None:
            tray = BatchWriter(store)
            for i in range(5 * HIGH):
                await tray.verdict(verdict_row(task(run, i), "sha", verdict(i), 1))
                assert i + 1 - sum(store.counts(run).values()) <= 2 * HIGH
            await tray.flush()
            assert sum(store.counts(run).values()) == 5 * HIGH
            await tray.flush()  # nothing is under way: nothing to wait for

        asyncio.run(bring())


def test_who_waits_is_told_when_nothing_can_be_kept(tmp_path: Path) -> None:
    where = str(tmp_path / "oyer.db")
    open_store(where).close()
    with open_store(where, write=False) as store:

        async def bring() -> None:
            await BatchWriter(store).reply(reply_row(task(1), 0, reply()))

        with pytest.raises(StoreError, match="reading only"):
            asyncio.run(bring())

"""Who writes a run: one process at a time, and a killed process lets go by itself."""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa

from oyer.errors import StoreBusy, StoreError


def busy(run: int) -> StoreBusy:
    """What somebody is told who wants a run that another process writes."""
    return StoreBusy(
        f"run {run} is being written by another process; wait for it, or stop it first. "
        "Nothing was changed."
    )


@contextlib.contextmanager
def file_lock(database: Path, run: int, *, shared: bool = False) -> Iterator[None]:
    """Hold `database.runN.lock`, alone or with others. The kernel drops it when we die."""
    import fcntl

    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    path = database.with_name(f"{database.name}.run{run}.lock")
    while True:
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as cannot:
            raise StoreError(f"cannot lock run {run} at {path}: {cannot.strerror}") from cannot
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            raise busy(run) from None
        if path.exists() and os.fstat(fd).st_ino == path.stat().st_ino:
            break
        os.close(fd)  # its last holder removed the file between our open and our lock
    try:
        yield
    finally:
        if not shared:  # whoever else holds it would lose sight of it
            path.unlink(missing_ok=True)
        os.close(fd)


def lock_run(connection: sa.Connection, store: str, run: int, *, shared: bool = False) -> bool:
    """PostgreSQL's own advisory lock: held until unlocked, or until the connection ends."""
    ask = sa.text(f"SELECT pg_try_advisory_lock{_suffix(shared)}(:space, :run)")
    return bool(connection.execute(ask, _key(store, run)).scalar_one())


def unlock_run(connection: sa.Connection, store: str, run: int, *, shared: bool = False) -> None:
    """Let another process have the run."""
    ask = sa.text(f"SELECT pg_advisory_unlock{_suffix(shared)}(:space, :run)")
    connection.execute(ask, _key(store, run))


def _suffix(shared: bool) -> str:
    return "_shared" if shared else ""


def _key(store: str, run: int) -> dict[str, int]:
    """Two numbers of 32 bits: which store, which run."""
    return {"space": zlib.crc32(store.encode()) - 2**31, "run": run}

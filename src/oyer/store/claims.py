"""Who asks which question: of all processes on one store, one asks and the others wait.

A claim costs no commit. It is a lock of the kernel (a byte of a file beside the database) or of
the PostgreSQL server, so a process that dies lets go of its claims by dying.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from oyer.errors import StoreError
from oyer.store.engine import GOES_ON, say_failures


class Claims(Protocol):
    """Questions that this process alone may ask."""

    def take(self, ask: str) -> bool:
        """Claim a question; False while another process has it."""
        ...

    def release(self, ask: str) -> None:
        """Let go of it."""
        ...

    def stay(self) -> None:
        """Say that we are alive."""
        ...

    def close(self) -> None:
        """Let go of all."""
        ...


def take_all(claims: Claims, asks: Iterable[str]) -> bool:
    """Claim all of these questions or none. They are taken in one order, so nobody deadlocks."""
    taken: list[str] = []
    for ask in sorted(asks):
        if not claims.take(ask):
            for mine in taken:
                claims.release(mine)
            return False
        taken.append(ask)
    return True


def _number(ask: str) -> int:
    """A question as a number that locks can name: positive, below 2^62."""
    digest = hashlib.sha256(ask.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 2


class FileClaims:
    """Claims on a SQLite file: one byte of `FILE.asks.lock` stands for one question."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(f"{database.name}.asks.lock")
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as cannot:
            raise StoreError(f"cannot open {path}: {cannot.strerror}") from cannot

    def take(self, ask: str) -> bool:
        try:
            self._lock(fcntl.F_WRLCK, _number(ask))
        except (BlockingIOError, PermissionError):  # POSIX allows either for "somebody has it"
            return False
        return True

    def release(self, ask: str) -> None:
        self._lock(fcntl.F_UNLCK, _number(ask))

    def stay(self) -> None:
        """The kernel knows."""

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _lock(self, kind: int, at: int) -> None:
        """Linux's locks belong to the open file, so two stores of one process differ, too."""
        if hasattr(fcntl, "F_OFD_SETLK"):
            lock = struct.pack("hhqqi", kind, os.SEEK_SET, at, 1, 0)
            fcntl.fcntl(self._fd, fcntl.F_OFD_SETLK, lock)
            return
        flags = fcntl.LOCK_UN if kind == fcntl.F_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB
        fcntl.lockf(self._fd, flags, 1, at)


class ServerClaims:
    """Claims on PostgreSQL: advisory locks of one connection that does nothing else.

    When that connection is lost, so are the claims; the next question then fails, and with it
    the run, before anything is asked twice.
    """

    def __init__(self, engine: sa.Engine, shown: str) -> None:
        self._shown = shown
        with say_failures(shown):
            connection = engine.connect()
            self._connection = connection.execution_options(isolation_level="AUTOCOMMIT")

    def take(self, ask: str) -> bool:
        return self._call("SELECT pg_try_advisory_lock(:number)", ask)

    def release(self, ask: str) -> None:
        self._call("SELECT pg_advisory_unlock(:number)", ask)

    def stay(self) -> None:
        self._call("SELECT true", "")

    def close(self) -> None:
        with contextlib.suppress(StoreError), say_failures(self._shown):
            self._connection.invalidate()  # a pooled connection would keep its locks
            self._connection.close()

    def _call(self, statement: str, ask: str) -> bool:
        if self._connection.invalidated:  # SQLAlchemy would connect again, without our claims
            raise StoreError(f"{self._shown}: the connection to the database was lost; {GOES_ON}")
        with say_failures(self._shown):
            values = {"number": _number(ask)} if ask else {}
            return bool(self._connection.scalar(sa.text(statement), values))

"""How a database is opened, and how its failures are said."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from oyer.errors import StoreDamaged, StoreError, UsageError
from oyer.store.address import shown_store

_HEAD = 512  # bytes of the smallest page a SQLite file can have
_BUSY_MS = 60_000  # a second process writing another run takes its turn


@dataclass(frozen=True, slots=True)
class Database:
    """An engine, and the file behind it if there is one."""

    engine: sa.Engine
    file: Path | None
    shown: str  # the address without its password

    def insert(self, table: sa.Table) -> Any:
        """The dialect's own INSERT, which knows ON CONFLICT."""
        if self.file is None:
            from sqlalchemy.dialects import postgresql

            return postgresql.insert(table)
        from sqlalchemy.dialects import sqlite

        return sqlite.insert(table)


def connect(where: str, *, create: bool, write: bool) -> Database:
    """The database at a file name or a URL; nothing is opened yet but what proves it is there."""
    if "://" not in where:
        return _sqlite(where, create=create, write=write)
    try:
        url = sa.make_url(where)
    except SQLAlchemyError as bad:
        name = shown_store(where)
        raise UsageError(f"not a store: {name}. Give a file or postgresql://…") from bad
    kind = url.get_backend_name()
    if kind == "sqlite":
        return _sqlite(url.database or "", create=create, write=write)
    if kind != "postgresql":
        raise UsageError(f"a store is a SQLite file or postgresql://…, not {kind}://")
    return _postgres(url)


def _sqlite(name: str, *, create: bool, write: bool) -> Database:
    if not Path(name).name or name == ":memory:":
        raise UsageError("a store is a file; replies that were paid for are not kept in memory.")
    file = _real_file(name)
    if not file.exists() and not create:
        raise StoreError(f"there is no store at {name}; `oyer run` makes one, `--store` names one.")
    if not file.parent.is_dir():
        raise StoreError(f"cannot make {name}: the folder {file.parent} is missing.")
    if file.is_dir():
        inside = Path(name) / "oyer.db"
        raise StoreError(f"{name} is a folder; a store is a file, such as {inside}.")
    _refuse_short_file(file)
    if create:
        mode = "rwc"
    elif write:
        mode = "rw"
    else:
        mode = _reading(file)
    address = f"file:{quote(os.fsencode(file))}?mode={mode}"

    def open_file() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, timeout=_BUSY_MS / 1000, check_same_thread=False)

    # The path never passes through SQLAlchemy's URL, which reads `#`, `?` and `%41` as its own.
    engine = sa.create_engine("sqlite://", creator=open_file, poolclass=sa.QueuePool)
    _tune(engine, write=write)
    return Database(engine, file, name)


def _real_file(name: str) -> Path:
    """The file itself, whatever links lead there: it has one lock, one log and one mark."""
    try:
        return Path(name).resolve()
    except (OSError, RuntimeError, ValueError) as bad:  # a loop of links, a NUL in the name
        raise UsageError(f"not the name of a store: {name!r} ({bad})") from bad


def _refuse_short_file(file: Path) -> None:
    """Leave a file alone that is too short for SQLite's head: it would be taken for a new one.

    Whatever is longer SQLite knows itself. The file is not opened here: closing it again would
    drop the locks that another connection of this process has on it.
    """
    if file.exists() and 0 < file.stat().st_size < _HEAD:
        raise StoreError(f"{file}: this file is not an Oyer store.")


def _reading(file: Path) -> str:
    """A WAL database in a folder we may not write can only be read if no log stands beside it."""
    log = file.with_name(file.name + "-wal")
    settled = not log.exists() or log.stat().st_size == 0
    return "ro&immutable=1" if settled and not os.access(file.parent, os.W_OK) else "ro"


def _tune(engine: sa.Engine, *, write: bool) -> None:
    @event.listens_for(engine, "connect")
    def _open(connection: Any, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves
        cursor = connection.cursor()
        if write:
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA synchronous = FULL")  # a committed reply survives a power cut
        # in kB, for each connection: a run appends and looks keys up, a report reads all
        cursor.execute(f"PRAGMA cache_size = -{4_096 if write else 32_768}")
        cursor.execute("PRAGMA mmap_size = 0")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        eager = connection.get_execution_options().get("oyer_write", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if eager else "BEGIN")


def _postgres(url: sa.URL) -> Database:
    shown = url.set(query={}).render_as_string(hide_password=True)  # a query may hold a password
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    try:
        from oyer.store.patience import connect_patiently
    except ImportError as absent:
        raise StoreError(
            "PostgreSQL needs the driver psycopg: pip install 'oyer[postgres]'"
        ) from absent
    engine = sa.create_engine(url, pool_pre_ping=True)
    event.listen(engine, "do_connect", connect_patiently)
    return Database(engine, None, shown)


@contextlib.contextmanager
def say_failures(shown: str) -> Iterator[None]:
    """Say a database's failure in a sentence: what, where, what to do. Never a key or password."""
    try:
        yield
    except DBAPIError as wrong:
        raise _failure(str(wrong.orig).strip(), shown) from wrong
    except sqlite3.Error as wrong:  # of the driver itself
        raise _failure(str(wrong), shown) from wrong
    except SQLAlchemyError as wrong:
        raise StoreError(f"{shown}: {wrong}") from wrong
    except UnicodeDecodeError as wrong:  # SQLite quotes a damaged schema as it finds it
        raise _failure("malformed database schema", shown) from wrong


_DAMAGED = "malformed"  # SQLite's word for it
GOES_ON = "nothing that was kept is lost, and the same command goes on when it is back"
_SENTENCES = (
    ("disk is full", "the disk is full; free some space and run the same command again"),
    ("readonly", "the store cannot be written (read-only); check its permissions or use --store"),
    ("unable to open", "the store cannot be opened; check the path and its permissions"),
    ("disk I/O error", "the disk refused to read or write; check its space and health"),
    (_DAMAGED, "the file is damaged; `oyer doctor` lists what can be trusted"),
    ("not a database", "this file is not an Oyer store"),
    ("database is locked", "another program holds the store; try again when it is done"),
    ("connection", f"the database cannot be reached; {GOES_ON}"),
    ("terminating", f"the database ended the connection; {GOES_ON}"),
    ("timeout", f"the database takes too long; {GOES_ON}"),
)


def _failure(message: str, shown: str) -> StoreError:
    for sign, sentence in _SENTENCES:
        if sign in message:
            whole = f"{shown}: {sentence} ({message})."
            return StoreDamaged(shown, whole) if sign == _DAMAGED else StoreError(whole)
    return StoreError(f"{shown}: {message}")

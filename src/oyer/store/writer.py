"""The one writer: a thread that commits what waits, in groups.

A reply costs money, so whoever brings one hears when it is on the disk; meanwhile others bring
theirs, and one sync serves them all. Never more than LIMIT pieces are answered but uncommitted.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa

from oyer.errors import StoreError
from oyer.store.commit_mark import CommitMark
from oyer.store.crash import crash_point
from oyer.store.engine import Database, say_failures

LIMIT = 64
_TOGETHER = (64, 32, 16, 8, 4, 2, 1)  # rows in one statement; few lengths: all stay prepared
T = TypeVar("T")
Work: TypeAlias = "tuple[tuple[Put, ...] | Callable[[sa.Connection], Any], Future[Any]]"


class Insert:
    """How a table takes rows, as text compiled once: SQLAlchemy's own way costs as much as the row.

    SQLite's driver lets go of the interpreter for each statement and has to get it back from a
    busy event loop, so it is given many rows in one. PostgreSQL's sends them all in one go.
    """

    def __init__(self, table: sa.Table, statement: Any, engine: sa.Engine) -> None:
        self.table = table
        columns = [column.name for column in table.columns if column.name != "id"]
        compiled = statement.inline().compile(dialect=engine.dialect, column_keys=columns)
        self.sql = str(compiled)
        self.order: Sequence[str] = compiled.positiontup or () if compiled.positional else ()
        self._values = itemgetter(*(self.order or columns))
        marks = f"({', '.join('?' * len(self.order))})"
        self._several = {
            count: self.sql.replace(f"VALUES {marks}", f"VALUES {', '.join([marks] * count)}")
            for count in _TOGETHER
        }

    def __call__(self, connection: sa.Connection, rows: Sequence[dict[str, Any]]) -> int:
        """Write the rows; returns how many were new or changed."""
        if not rows:
            return 0
        if not self.order:
            return connection.exec_driver_sql(self.sql, list(rows)).rowcount
        done = written = 0
        for count, sql in self._several.items():
            while len(rows) - done >= count:
                some = rows[done : done + count]
                values = tuple(chain.from_iterable(map(self._values, some)))
                written += connection.exec_driver_sql(sql, values).rowcount
                done += count
        return written


Rows: TypeAlias = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Put:
    """Rows for a table. Those of a group that go the same way are handed over together.

    `refused` is called, in the same transaction, when some of them met a row that stays.
    """

    insert: Insert
    rows: Rows
    refused: Callable[[sa.Connection, Rows], None] | None = None


class Writer:
    """Takes pieces of work (functions of a connection) and commits them in the order given."""

    def __init__(self, database: Database, mark: CommitMark | None) -> None:
        self._database, self._mark = database, mark
        self._queue: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._slots = threading.BoundedSemaphore(LIMIT)
        self._failure: StoreError | None = None
        #: Called at the end of each transaction, in it; what it raises undoes all of it.
        self.note: Callable[[sa.Connection, list[Work]], None] | None = None
        with say_failures(database.shown):
            self._connection = database.engine.connect().execution_options(oyer_write=True)
        self._thread = threading.Thread(target=self._serve, name="oyer-writer", daemon=True)
        self._thread.start()

    def submit(self, work: tuple[Put, ...] | Callable[[sa.Connection], T]) -> Future[T]:
        """Queue a piece of work; waits while LIMIT pieces are uncommitted.

        The future is done when the work is committed, and fails with StoreError if it cannot be.
        """
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # who stops waiting does not undo the work
        self._slots.acquire()
        try:
            self.ensure()
        except StoreError:
            self._slots.release()
            raise
        self._queue.put((work, future))
        return future

    def ensure(self) -> None:
        """Raise StoreError once a commit has failed: nothing given now would be kept."""
        if self._failure is not None:
            raise StoreError(str(self._failure))

    def close(self) -> None:
        """Commit what waits, then end."""
        self._queue.put(None)
        self._thread.join()

    def _serve(self) -> None:
        open_ = True
        with self._connection as connection:
            while open_:
                group, open_ = self._gather()
                if group:
                    self._commit(connection, group)
        if self._mark is not None:
            self._mark.close()

    def _gather(self) -> tuple[list[Work], bool]:
        """All that waits now, at least one piece."""
        piece = self._wait()
        group: list[Work] = []
        while piece is not None:
            group.append(piece)
            if len(group) == LIMIT or self._queue.empty():
                break
            piece = self._queue.get()
        return group, piece is not None

    def _wait(self) -> Work | None:
        """The next piece. A server is shown meanwhile that we are alive (see `patience`)."""
        if self._database.file is not None:
            return self._queue.get()
        from oyer.store.patience import LEASE_SECONDS

        while True:
            try:
                return self._queue.get(timeout=LEASE_SECONDS / 4)
            except queue.Empty:
                self._stay()

    def _stay(self) -> None:
        if self._failure is not None:
            return
        try:
            with say_failures(self._database.shown), self._connection.begin():
                self._connection.exec_driver_sql("SELECT 1")
        except StoreError as lost:
            self._failure = lost

    def _commit(self, connection: sa.Connection, group: list[Work]) -> None:
        failure = self._failure
        results: list[Any] = []
        if failure is None:
            try:
                results = self._write(connection, group)
            except StoreError as wrong:
                failure = self._failure = wrong  # nothing of this group, nothing after it
            except Exception as wrong:  # whoever waits must hear of it: nobody else would
                message = (
                    f"{self._database.shown}: cannot be written: {type(wrong).__name__}: {wrong}"
                )
                failure = self._failure = StoreError(message)
        for i, (_, future) in enumerate(group):
            self._slots.release()
            if failure is None:
                future.set_result(results[i])
            else:
                future.set_exception(StoreError(str(failure)))

    def _write(self, connection: sa.Connection, group: list[Work]) -> list[Any]:
        with say_failures(self._database.shown):
            with connection.begin():
                crash_point("group.begun")
                results = _do_all(connection, group)
                if self.note is not None:
                    self.note(connection, group)
                # One row for all: on a server, every process would wait for every other.
                counted = None
                if self._mark is not None:
                    counted = connection.exec_driver_sql(_COUNT).one()
                crash_point("group.written")
            crash_point("group.committed")
        if self._mark is not None and counted is not None:
            self._mark.write(*counted)
        crash_point("group.marked")
        return results


def _do_all(connection: sa.Connection, works: list[Work]) -> list[Any]:
    """Do all works. Rows for one table keep their order; other works wait for the rows before."""
    results: list[Any] = []
    waiting: dict[int, list[Put]] = {}
    for work, _ in works:
        if isinstance(work, tuple):
            for put in work:
                waiting.setdefault(id(put.insert), []).append(put)
            results.append(None)
        else:
            _put(connection, waiting)
            results.append(work(connection))
    _put(connection, waiting)
    return results


def _put(connection: sa.Connection, waiting: dict[int, list[Put]]) -> None:
    for puts in waiting.values():
        rows = list(chain.from_iterable(put.rows for put in puts))
        written = puts[0].insert(connection, rows)
        refused = puts[0].refused
        if refused is not None and written < len(rows):
            refused(connection, rows)
    waiting.clear()


_COUNT = "UPDATE oyer_ledger SET commits = commits + 1 RETURNING store, commits"

"""How long we wait for PostgreSQL: a server that is frozen or gone is an error, not a hang.

The server's own `statement_timeout` ends what takes too long there. It cannot help when the server
itself stands still, so the connection here keeps a limit too, a little longer.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from typing import Any

import psycopg
from psycopg import waiting

CONNECT_SECONDS = 10
STATEMENT_SECONDS = float(os.environ.get("OYER_STORE_TIMEOUT", "60"))
#: A client that is silent for so long has died, or stands still: the server ends its session, and
#: with it its locks, and it cannot write any more. Who works says that it is there more often.
LEASE_SECONDS = float(os.environ.get("OYER_LEASE", "60"))
SILENCE_SECONDS = STATEMENT_SECONDS + 5  # the server is given the time to say so itself


class _PatientConnection(psycopg.Connection[object]):
    """A connection that gives a silent server up, and at once when the user does."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        work = _until(gen, time.monotonic() + SILENCE_SECONDS)
        try:
            return waiting.wait(work, self.pgconn.socket, interval=interval, timeout=timeout)
        except KeyboardInterrupt:
            # The driver would ask the server to cancel first: ten seconds for a frozen one.
            self.pgconn.finish()
            raise
        except TimeoutError as silent:
            self.close()  # whatever arrived now would be taken for the answer to something else
            raise psycopg.OperationalError(str(silent)) from silent


def _until(work: Generator[object, object, object], end: float) -> Generator[Any, object, object]:
    """The driver's work, which it resumes several times a second while nothing arrives."""
    try:
        wanted = next(work)
        while True:
            arrived = yield wanted
            if not arrived and time.monotonic() > end:
                raise TimeoutError(f"timeout: no sign of life for {SILENCE_SECONDS:.0f} s")
            wanted = work.send(arrived)
    except StopIteration as done:
        return done.value


def connect_patiently(_dialect: object, _record: object, arguments: Any, options: Any) -> object:
    """SQLAlchemy's event `do_connect`: connect within limits."""
    options.setdefault("connect_timeout", CONNECT_SECONDS)
    connection = _PatientConnection.connect(*arguments, **options)
    connection.execute(f"SET statement_timeout = {int(STATEMENT_SECONDS * 1000)}")
    connection.commit()
    lease = int(LEASE_SECONDS * 1000)
    connection.execute(f"SET idle_in_transaction_session_timeout = {lease}")
    connection.commit()
    try:
        connection.execute(f"SET idle_session_timeout = {lease}")
    except psycopg.Error:  # PostgreSQL before 14: a session then ends with its connection only
        connection.rollback()
    connection.commit()
    return connection

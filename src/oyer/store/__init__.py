"""What is kept: cases, raw replies, verdicts, run manifests. SQLite by default, PostgreSQL by URL.

`open_store("oyer.db")` is the door; nothing else in Oyer opens a database. Importing this room is
light: SQLAlchemy is loaded when a store is opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oyer.store.address import shown_store
from oyer.store.address import store_option as _store_option
from oyer.store.crash import crash_point
from oyer.store.records import (
    CaseRow,
    Manifest,
    Outcome,
    Run,
    RunState,
    StoredVerdict,
    Task,
    case_sha,
    prompt_sha,
    rules_sha,
)

if TYPE_CHECKING:
    from oyer.store.store import Store

__all__ = [
    "CaseRow",
    "Manifest",
    "Outcome",
    "Run",
    "RunState",
    "StoredVerdict",
    "Task",
    "case_sha",
    "crash_point",
    "open_store",
    "prompt_sha",
    "rules_sha",
    "shown_store",
    "store_option",
]

DEFAULT = "oyer.db"


def store_option(where: str | None) -> str:
    """What a printed command needs to read this store; "": it is the default."""
    return _store_option(where, DEFAULT)


def open_store(where: str | None = None, *, create: bool = True, write: bool = True) -> Store:
    """Open a store: a file name, `sqlite:///file`, or `postgresql://user@host/name`.

    `create=False` refuses a store that does not exist (commands that only read say so instead of
    leaving an empty file behind); `write=False` opens for reading only.
    Raises StoreError with what is wrong and what to do next.
    """
    from oyer.store.store import Store

    return Store.open(where or DEFAULT, create=create and write, write=write)

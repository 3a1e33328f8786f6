"""The store: everything goes in through one writer, everything comes out in pages.

Reading is in `reading.py`; this file opens, writes and closes.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import sqlalchemy as sa

from oyer.errors import StoreBusy, StoreError
from oyer.store import codec, schema
from oyer.store.claims import Claims, FileClaims, ServerClaims, take_all
from oyer.store.commit_mark import CommitMark
from oyer.store.engine import Database, connect, say_failures
from oyer.store.locks import busy, file_lock, lock_run, unlock_run
from oyer.store.migrations import migrate, missing, read_applied
from oyer.store.reading import Reader
from oyer.store.records import Manifest, Run, RunState, Task, case_body
from oyer.store.wal import find_log_damage
from oyer.store.writer import Insert, Put, Work, Writer
from oyer.types import Case, JsonObject, Reply, Verdict

_JOIN_TRIES = 50


class Store(Reader):
    """An open store. Close it, or use it in a `with`: closing commits what waits."""

    def __init__(self, database: Database, writer: Writer | None, identity: str = "") -> None:
        super().__init__(database)
        self._identity = identity  # one server may hold several stores, each with its own locks
        self._writer = writer
        self._puts = _puts(database)
        self._held: dict[int, contextlib.ExitStack] = {}
        self._joined: set[int] = set()  # runs that others may write at the same time
        self._company: set[int] = set()
        self._late: set[bytes] = set()  # checks of replies that came second
        self._claims: Claims | None = None

    @classmethod
    def open(cls, where: str, *, create: bool, write: bool) -> Store:
        """See `oyer.store.open_store`."""
        database = connect(where, create=create, write=write)
        if not write and _is_older(database):
            cls.open(where, create=False, write=True).close()  # brings it up to date
        with say_failures(database.shown):
            identity, mark = _prepare(database, write=write)
        return cls(database, Writer(database, mark) if write else None, identity)

    def close(self) -> None:
        """Commit what waits, let go of runs, close the database."""
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            for held in self._held.values():
                held.close()
            self._held.clear()
            if self._claims is not None:
                self._claims.close()
            if self._lookup is not None:
                self._lookup.close()
            self._database.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ── runs ──────────────────────────────────────────────────────────────────────────────────

    def begin_run(self, manifest: Manifest, *, join: bool = False) -> Run:
        """The run of this manifest, new or resumed, held by this process until `end_run`.

        `join`: other processes may work on it at the same time, if they join too. Raises
        StoreBusy when another process holds it for itself.
        """
        now = _now()
        row = codec.run_row(manifest, now)
        new = self._database.insert(schema.runs).values(row).on_conflict_do_nothing()
        known = sa.select(schema.runs.c.id).where(schema.runs.c.identity == row["identity"])

        def insert(connection: sa.Connection) -> None:
            if connection.execute(known).first() is None:  # or PostgreSQL would skip a number
                connection.execute(new)

        self._write(insert).result()
        run = self.run_of(manifest)
        if join:
            self._join(run.id)
        else:
            self._hold(run.id)
        self._set_state(run.id, "running")
        return self.find_run(str(run.id))

    def has_company(self, run: int) -> bool:
        """Whether others worked on the run when we joined it."""
        return run in self._company

    def _join(self, run: int) -> None:
        """Hold the run with others, and see whether there are any."""
        self._company.discard(run)
        try:
            self._hold(run)
            self._let_go(run)
        except StoreBusy:
            self._company.add(run)
        for again in range(_JOIN_TRIES):  # somebody may be looking whether they are alone, too
            try:
                self._hold(run, shared=True)
                return
            except StoreBusy:
                if again == _JOIN_TRIES - 1:
                    raise
                time.sleep(0.02)

    def end_run(self, run: Run, state: RunState) -> None:
        """Note how the run ended, after all that was given before; let go of it.

        Of several that work on it, the last one notes it.
        """
        if run.id in self._joined:
            self._let_go(run.id, shared=True)
            try:
                self._hold(run.id)
            except StoreBusy:
                return  # others go on
        self._set_state(run.id, state)
        self._let_go(run.id)

    def _let_go(self, run: int, *, shared: bool = False) -> None:
        self._joined.discard(run)
        held = self._held.pop(run, None)
        if held is not None:
            held.close()
        elif self._database.file is None:
            self._write(lambda c: unlock_run(c, self._identity, run, shared=shared)).result()

    def delete_run(self, run: Run) -> int:
        """Delete a run's verdicts, and hide the run; how many there were.

        Its replies stay: they were paid for, and a run that asks the same finds them again.
        """
        self._hold(run.id)
        gone = schema.verdicts.delete().where(schema.verdicts.c.run == run.id)
        count = self._write(lambda connection: connection.execute(gone).rowcount).result()
        self.end_run(run, "deleted")
        return int(count)

    def _hold(self, run: int, *, shared: bool = False) -> None:
        """Keep other processes from writing this run, until `end_run` or our death; shared: only
        those that want it for themselves."""
        file = self._database.file
        if file is not None:
            held = contextlib.ExitStack()
            held.enter_context(file_lock(file, run, shared=shared))
            self._held[run] = held
        else:
            # On the connection that writes: who loses the lock cannot write any more, either.
            locked = self._write(lambda c: lock_run(c, self._identity, run, shared=shared))
            if not locked.result():
                raise busy(run)
        if shared:
            self._joined.add(run)

    def _set_state(self, run: int, state: RunState) -> None:
        change = schema.runs.update().where(schema.runs.c.id == run)
        self._write(lambda c: c.execute(change.values(state=state, updated=_now()))).result()

    # ── who asks ──────────────────────────────────────────────────────────────────────────────

    def claim(self, asks: Collection[str]) -> bool:
        """Claim these questions for this process; False while another has one of them.

        Look for stored replies after this, not before: the other may have answered meanwhile.
        """
        if self._claims is None:
            self._claims = self._open_claims()
        return take_all(self._claims, self._names_here(asks))

    def release(self, asks: Collection[str]) -> None:
        """Let go of questions that were claimed."""
        if self._claims is not None:
            for ask in self._names_here(asks):
                self._claims.release(ask)

    @property
    def stay_seconds(self) -> float:
        """How often `stay` wants to be called."""
        if self._database.file is not None:
            return 60.0
        from oyer.store.patience import LEASE_SECONDS

        return LEASE_SECONDS / 4

    def stay(self) -> None:
        """Show a server that we are alive: it ends the session of one that is silent too long,
        so that others can take over its questions (see `patience`)."""
        if self._claims is not None:
            self._claims.stay()

    def _names_here(self, asks: Collection[str]) -> list[str]:
        """These questions as questions of this store."""
        return [f"{self._identity}/{ask}" for ask in asks]

    def _open_claims(self) -> Claims:
        file = self._database.file
        if file is None:
            return ServerClaims(self._database.engine, self.where)
        return FileClaims(file)

    # ── what is kept ──────────────────────────────────────────────────────────────────────────

    def keep_cases(self, cases: Sequence[Case]) -> Future[None]:
        """Keep cases under the hash of their content; one that is there already stays."""
        bodies = map(case_body, cases)
        return self.keep_bodies([(hashlib.sha256(body).hexdigest(), body) for body in bodies])

    def keep_bodies(self, cases: Sequence[tuple[str, bytes]]) -> Future[None]:
        """The same for cases whose sha and content (`case_body`) are known."""
        return self._execute(schema.cases, [codec.case_row(*case) for case in cases])

    def keep_reply(self, task: Task, attempt: int, reply: Reply) -> Future[None]:
        """Keep a raw reply. Wait for the future before reading the reply: then it is on disk."""
        return self.keep_rows([codec.reply_row(task, attempt, reply)], ())

    def keep_verdict(self, task: Task, case: str, verdict: Verdict, attempts: int) -> Future[None]:
        """Keep a verdict; a task has one, so a second one takes the place of the first.

        `case` is the sha of the judged case, `attempts` how many replies led here.
        """
        return self.keep_verdicts([codec.verdict_row(task, case, verdict, attempts)])

    def keep_verdicts(self, rows: Sequence[dict[str, object]]) -> Future[None]:
        """Many rows of `codec.verdict_row` in one piece."""
        return self.keep_rows((), rows)

    def keep_rows(
        self, replies: Sequence[dict[str, object]], verdicts: Sequence[dict[str, object]]
    ) -> Future[None]:
        """Many rows of `codec.reply_row` and `codec.verdict_row` in one piece."""
        puts = self._puts
        paid = Put(puts[schema.replies.name], replies, self._note_late)
        return self._write((paid, Put(puts[schema.verdicts.name], verdicts)))

    def came_late(self, reply: JsonObject) -> bool:
        """Whether another answer was kept before this row of `codec.reply_row`. Then that one
        counts, for everybody; what this one cost stays spent."""
        return reply["check"] in self._late

    def _note_late(self, connection: sa.Connection, rows: Sequence[dict[str, Any]]) -> None:
        """In the writer's thread: which of these replies met one that was there already."""
        table = schema.replies.c
        asks = [row["ask"] for row in rows]
        stored = sa.select(table.ask, table.attempt, table.check).where(table.ask.in_(asks))
        checks = {(ask, attempt): check for ask, attempt, check in connection.execute(stored)}
        late = [row for row in rows if checks[row["ask"], row["attempt"]] != row["check"]]
        self._puts[schema.replies.name](connection, [codec.loss_of(row) for row in late])
        self._late.update(row["check"] for row in late)

    def keep_state(self, kind: str, name: str, body: bytes) -> Future[None]:
        """Keep what an exam or a provider's batch must remember; replaces what was there."""
        row = {"kind": kind, "name": name, "body": body, "check": codec.check([kind, name], body)}
        return self._execute(schema.states, [row])

    def keep_columns(self, row: dict[str, object]) -> Future[None]:
        """Keep a chunk of columns (see `kept_columns`); it takes the place of the one before."""
        return self._execute(schema.columns, [row])

    @property
    def is_writable(self) -> bool:
        """Whether it was opened for writing."""
        return self._writer is not None

    @property
    def address(self) -> str:
        """What opens it again, password included: for another process, never to be shown."""
        file = self._database.file
        if file is not None:
            return str(file)
        return self._database.engine.url.render_as_string(hide_password=False)

    def _execute(self, table: sa.Table, rows: Sequence[dict[str, Any]]) -> Future[None]:
        return self._write((Put(self._puts[table.name], rows),))

    def ensure(self) -> None:
        """Raise StoreError when this store cannot keep anything more: then ask nobody."""
        if self._writer is not None:
            self._writer.ensure()

    def write(self, work: Callable[[sa.Connection], object]) -> Future[Any]:
        """Do this in the writer's next transaction, after all that was given before."""
        return self._write(work)

    def note_commits(self, note: Callable[[sa.Connection, list[Work]], None] | None) -> None:
        """Call this in each transaction of ours, at its end; what it raises undoes all of it."""
        if self._writer is not None:
            self._writer.note = note

    def _write(self, work: Any) -> Future[Any]:
        if self._writer is None:
            raise StoreError(f"{self._database.shown} was opened for reading only.")
        return self._writer.submit(work)


def _puts(database: Database) -> dict[str, Insert]:
    """How each table takes rows, built once: what is there stays, or is replaced."""
    statements = {
        schema.cases: database.insert(schema.cases).on_conflict_do_nothing(),
        schema.replies: database.insert(schema.replies).on_conflict_do_nothing(),
        schema.verdicts: _replacing(database, schema.verdicts, ("run", "task")),
        schema.states: _replacing(database, schema.states, ("kind", "name")),
        schema.columns: _replacing(database, schema.columns, ("run", "after")),
    }
    return {
        table.name: Insert(table, statement, database.engine)
        for table, statement in statements.items()
    }


def _replacing(database: Database, table: sa.Table, key: tuple[str, ...]) -> object:
    new = database.insert(table)
    changed = {c.name: new.excluded[c.name] for c in table.columns if c.name not in ("id", *key)}
    return new.on_conflict_do_update(index_elements=list(key), set_=changed)


def _is_older(database: Database) -> bool:
    """Whether an Oyer before this one wrote the store."""
    with say_failures(database.shown), database.engine.connect() as connection:
        return bool(read_applied(connection) and missing(connection))


_REMEDY = (
    "Put the complete files back, or accept the loss with `oyer doctor --accept-loss`; what was "
    "lost will then be asked again."
)


def _describe_emptied(mark: CommitMark) -> str:
    return (
        f"is empty, but {mark.commits} groups were committed to it: "
        "its log (-wal) was left behind in a copy"
    )


def _prepare(database: Database, *, write: bool) -> tuple[str, CommitMark | None]:
    """Migrate, and see that no committed group was lost since the mark was written.

    Returns the store's own name, which no other store has, and its mark.
    """
    mark = None if database.file is None else CommitMark.beside(database.file)
    if mark is not None and mark.absent and database.file is not None:
        broken = find_log_damage(database.file)
        if broken is not None:
            raise StoreError(f"{database.shown}: {broken}. {_REMEDY}")
    with database.engine.connect() as bare:
        connection = bare.execution_options(oyer_write=write)
        with connection.begin():
            if mark is not None and mark.has_lost_all(read_applied(connection)):
                raise StoreError(f"{database.shown} {_describe_emptied(mark)}. {_REMEDY}")
            if write:
                if database.file is None:  # two servers' clients migrate one after the other
                    connection.execute(sa.text("SELECT pg_advisory_xact_lock(1869178226)"))
                migrate(connection)
            elif missing(connection):
                raise StoreError(f"{database.shown}: this is not an Oyer store.")
            store, commits = connection.execute(sa.select(schema.ledger)).one()
    if mark is None:
        return store, None
    lost = mark.count_lost(store, commits)
    if lost:
        raise StoreError(
            f"{database.shown} has lost its last {lost} committed groups: its log (-wal) was torn, "
            f"changed or left behind in a copy. {_REMEDY}"
        )
    if write:
        mark.write(store, commits)
    return store, mark


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

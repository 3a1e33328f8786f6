"""Is the store well? Reads every row and says what can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from oyer.errors import StoreDamaged
from oyer.store import codec, schema
from oyer.store.commit_mark import CommitMark
from oyer.store.engine import connect, say_failures
from oyer.store.labels import LABEL_COLUMNS, read_label
from oyer.store.migrations import MIGRATIONS, read_applied
from oyer.store.wal import find_log_damage

_PAGE = 1000
_NAMED = 10  # damaged rows that are named one by one; the rest are counted


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at."""

    what: str
    well: bool
    detail: str


def examine(where: str, *, accept_loss: bool = False) -> Iterator[Diagnosis]:
    """Look at everything, from the file down to each row; goes on after what is damaged.

    Where SQLite cannot go on at all (a file that was cut short), that is the last finding.
    """
    try:
        yield from _looks(where, accept_loss)
    except StoreDamaged:
        yield Diagnosis("file", False, "cut or overwritten: what stands behind this cannot be read")


def _looks(where: str, accept_loss: bool) -> Iterator[Diagnosis]:
    database = connect(where, create=False, write=accept_loss)
    mark = None if database.file is None else CommitMark.beside(database.file)
    if mark is not None and mark.absent and database.file is not None:
        broken = find_log_damage(database.file)  # before SQLite opens it, and tidies it away
        yield Diagnosis("log", broken is None or accept_loss, broken or "nothing wrong to be seen")
        if broken is not None and not accept_loss:
            return
    with say_failures(database.shown), database.engine.connect() as connection:
        if database.file is not None:
            yield from _file(connection)
        names = read_applied(connection)
        if mark is not None and mark.has_lost_all(names):
            yield _all_lost(mark, accept_loss)
            return
        if not names:
            yield Diagnosis("migrations", False, "this is not an Oyer store")
            return
        unknown = [name for name in names if name not in MIGRATIONS]
        behind = [name for name in MIGRATIONS if name not in names]
        state = f"{len(names)} applied" + (f", {len(behind)} to come" if behind else "")
        yield Diagnosis("migrations", not unknown, f"unknown: {unknown}" if unknown else state)
        if mark is not None:
            yield _commits(connection, mark, accept_loss)
        for look in (_runs, _cases, _replies, _verdicts, _labels):
            yield from look(connection)
        yield from _references(connection)
    database.engine.dispose()


def _all_lost(mark: CommitMark, accept_loss: bool) -> Diagnosis:
    """A database without its log, before the first checkpoint: nothing of it is left here."""
    if accept_loss:
        mark.forget()
        return Diagnosis("commits", True, f"{mark.commits:,} lost groups accepted; nothing is left")
    return Diagnosis("commits", False, f"all {mark.commits:,} groups are lost (-wal left behind)")


def _file(connection: sa.Connection) -> Iterator[Diagnosis]:
    try:
        said_ = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
    except SQLAlchemyError as torn:
        yield Diagnosis("file", False, str(torn.__cause__ or torn))
        return
    well = said_ == ["ok"]
    yield Diagnosis("file", well, "pages and indexes are sound" if well else "; ".join(said_[:5]))


def _commits(connection: sa.Connection, mark: CommitMark, accept_loss: bool) -> Diagnosis:
    store, commits = connection.execute(sa.select(schema.ledger)).one()
    lost = mark.count_lost(store, commits)
    if accept_loss and mark.absent:
        mark.write(store, commits)
        mark.close()
    if not lost:
        return Diagnosis("commits", True, f"{commits:,}, none lost")
    if accept_loss:
        mark.write(store, commits)
        mark.close()
        return Diagnosis("commits", True, f"{lost:,} lost groups accepted; {commits:,} are there")
    return Diagnosis(
        "commits", False, f"the last {lost:,} groups are lost (torn or changed -wal file)"
    )


def _rows(
    connection: sa.Connection,
    what: str,
    columns: Sequence[sa.Column[object]],
    read: Callable[[Sequence[Any]], object],
) -> Iterator[Diagnosis]:
    """Read every row of a table by its first column, counting those that fail their check."""
    key = columns[0]
    last = None
    good = 0
    bad = list[str]()
    query = sa.select(*columns).order_by(key).limit(_PAGE)
    while True:
        try:
            page = connection.execute(query if last is None else query.where(key > last)).all()
        except SQLAlchemyError as torn:
            yield Diagnosis(what, False, f"cannot be read after {last}: {torn.__cause__ or torn}")
            return
        if not page:
            break
        last = page[-1][0]
        for row in page:
            try:
                read(row)
                good += 1
            except StoreDamaged as wrong:
                bad.append(wrong.what)
    named = ", ".join(bad[:_NAMED]) + (" …" if len(bad) > _NAMED else "")
    detail = f"{good:,} are well" + (f", {len(bad):,} damaged: {named}" if bad else "")
    yield Diagnosis(what, not bad, detail)


def _runs(connection: sa.Connection) -> Iterator[Diagnosis]:
    columns = [schema.runs.c[name] for name in codec.RUN]
    yield from _rows(connection, "runs", columns, codec.read_run)


def _cases(connection: sa.Connection) -> Iterator[Diagnosis]:
    table = schema.cases.c
    yield from _rows(connection, "cases", [table.sha, table.body], lambda r: codec.read_case(*r))


def _replies(connection: sa.Connection) -> Iterator[Diagnosis]:
    columns = [schema.replies.c[name] for name in codec.REPLY]
    yield from _rows(connection, "replies", columns, codec.read_reply)


def _verdicts(connection: sa.Connection) -> Iterator[Diagnosis]:
    columns = [schema.verdicts.c[name] for name in (*codec.OUTCOME, "check", "record")]
    yield from _rows(connection, "verdicts", columns, codec.read_verdict)


def _labels(connection: sa.Connection) -> Iterator[Diagnosis]:
    if "0005-labels" in read_applied(connection):
        yield from _rows(connection, "labels", list(LABEL_COLUMNS), read_label)


def _references(connection: sa.Connection) -> Iterator[Diagnosis]:
    verdicts = schema.verdicts.c
    cases = schema.cases.c
    replies = schema.replies.c
    lone = sa.select(sa.func.count()).where(~sa.exists().where(cases.sha == verdicts.case_sha))
    try:
        missing = connection.execute(lone.select_from(schema.verdicts)).scalar_one()
        # A panel's verdict names several asks, joined by +; those are looked at by rescore.
        unheard = connection.execute(
            sa.select(sa.func.count())
            .select_from(schema.verdicts)
            .where(verdicts.attempts > 0, ~verdicts.ask.contains("+"))
            .where(~sa.exists().where(replies.ask == verdicts.ask, replies.attempt >= 0))
        ).scalar_one()
    except SQLAlchemyError as torn:
        yield Diagnosis("references", False, str(torn.__cause__ or torn))
        return
    detail = f"{missing:,} verdicts without their case, {unheard:,} without their reply"
    yield Diagnosis("references", not missing and not unheard, detail)

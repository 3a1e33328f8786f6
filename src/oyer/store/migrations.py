"""Named migrations: each runs once, in order, in one transaction with the note that it ran."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime

import sqlalchemy as sa

from oyer.errors import StoreError
from oyer.store import label_tables, schema


def _first(connection: sa.Connection) -> None:
    for table in (schema.ledger, schema.runs, schema.cases, schema.replies, schema.verdicts):
        table.create(connection)
    connection.execute(schema.ledger.insert().values(store=uuid.uuid4().hex, commits=0))


def _states(connection: sa.Connection) -> None:
    schema.states.create(connection)


def _counts(connection: sa.Connection) -> None:
    """Counting a run's verdicts by judge and error reads this index, not the wide rows."""
    connection.execute(
        sa.text("CREATE INDEX oyer_verdicts_counts ON oyer_verdicts (run, judge, error)")
    )


def _outcomes(connection: sa.Connection) -> None:
    """Leaderboards and comparisons read this index alone: a row with its record fills a page of
    SQLite's, ten without it. PostgreSQL keeps long values apart by itself."""
    if connection.dialect.name != "sqlite":
        return
    names = ", ".join(f'"{name}"' for name in ("run", "id", *_OUTCOME, "check"))
    connection.execute(sa.text("DROP INDEX oyer_verdicts_run"))  # this one begins like it
    connection.execute(sa.text(f"CREATE INDEX oyer_verdicts_outcomes ON oyer_verdicts ({names})"))


def _labels(connection: sa.Connection) -> None:
    """What people say: queues to be labelled, and labels."""
    for table in (label_tables.queues, label_tables.items, label_tables.labels):
        table.create(connection)


def _browsing(connection: sa.Connection) -> None:
    """Pages of a run in the order of totals, or by the case's id, follow these (browse.py)."""
    indexes: tuple[str, ...] = (
        "oyer_verdicts_totals ON oyer_verdicts (run, total, id, case_id, candidate, judge)",
        "oyer_verdicts_cases ON oyer_verdicts (run, case_id, id)",
    )
    if connection.dialect.name != "sqlite":
        # PostgreSQL refuses index rows of more than 8 kB, and a case's id may be of any length.
        indexes = (
            "oyer_verdicts_totals ON oyer_verdicts (run, total, id)",
            'oyer_verdicts_cases ON oyer_verdicts (run, left(case_id, 500) COLLATE "C", id)',
            "oyer_verdicts_case ON oyer_verdicts USING hash (case_id)",
        )
    for index in indexes:
        connection.execute(sa.text(f"CREATE INDEX {index}"))


def _workers(connection: sa.Connection) -> None:
    """Who works on a run, with which share of its budget; what providers allow in a minute."""
    for table in (schema.workers, schema.limits):
        table.create(connection)


def _columns(connection: sa.Connection) -> None:
    """Verdicts as columns, and notes on rows that were replaced or deleted (kept_columns.py).

    By triggers: an upsert does not say which of its rows were there before.
    """
    schema.columns.create(connection)
    schema.replaced.create(connection)
    note = "INSERT INTO oyer_replaced (run, verdict) VALUES (OLD.run, OLD.id);"
    if connection.dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            trigger = f"oyer_verdicts_note_{event.lower()} AFTER {event} ON oyer_verdicts"
            connection.execute(sa.text(f"CREATE TRIGGER {trigger} BEGIN {note} END"))
        return
    connection.execute(
        sa.text(
            "CREATE FUNCTION oyer_note_replaced() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN {note} RETURN NULL; END $$"
        )
    )
    connection.execute(
        sa.text(
            "CREATE TRIGGER oyer_verdicts_note AFTER UPDATE OR DELETE ON oyer_verdicts "
            "FOR EACH ROW EXECUTE FUNCTION oyer_note_replaced()"
        )
    )


def _cases(connection: sa.Connection) -> None:
    """Whether an earlier verdict on a case matches is told by the index alone (browse.py): its rows
    lie far apart. PostgreSQL finds them by its hash of the case's id."""
    if connection.dialect.name != "sqlite":
        return
    connection.execute(sa.text("DROP INDEX oyer_verdicts_cases"))  # this one begins like it
    names = "run, case_id, id, total, candidate, judge"
    connection.execute(sa.text(f"CREATE INDEX oyer_verdicts_cases ON oyer_verdicts ({names})"))


_OUTCOME = (
    "task", "ask", "attempts", "seq", "case_sha", "case_id", "candidate", "judge", "repeat",
    "verdict", "status", "error", "total", "brief",
    "input_tokens", "output_tokens", "cost_usd", "calls", "seconds",
)  # fmt: skip

#: Append only. A migration that has been released is never edited.
MIGRATIONS: dict[str, Callable[[sa.Connection], None]] = {
    "0001-runs-cases-replies-verdicts": _first,
    "0002-states": _states,
    "0003-counts": _counts,
    "0004-outcomes": _outcomes,
    "0005-labels": _labels,
    "0006-browsing": _browsing,
    "0007-workers": _workers,
    "0008-columns": _columns,
    "0009-cases": _cases,
}


def read_applied(connection: sa.Connection) -> list[str]:
    """The names of the migrations this database has seen."""
    if not sa.inspect(connection).has_table(schema.migrations.name):
        return []
    names = connection.execute(sa.select(schema.migrations.c.name)).scalars().all()
    return sorted(names)


def missing(connection: sa.Connection) -> list[str]:
    """What is still to be run; refuses a database from a newer Oyer."""
    done = read_applied(connection)
    unknown = [name for name in done if name not in MIGRATIONS]
    if unknown:
        raise StoreError(
            f"this store was written by a newer Oyer (migration {unknown[0]}); "
            "upgrade Oyer, or use another store."
        )
    return [name for name in MIGRATIONS if name not in done]


def migrate(connection: sa.Connection) -> None:
    """Bring the database to the newest form, inside the caller's transaction."""
    schema.migrations.create(connection, checkfirst=True)
    for name in missing(connection):
        MIGRATIONS[name](connection)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        connection.execute(schema.migrations.insert().values(name=name, applied=now))

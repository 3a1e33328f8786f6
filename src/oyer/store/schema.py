"""The tables. A migration creates them; what is described here is the newest form."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
Key = sa.BigInteger().with_variant(sa.Integer, "sqlite")  # SQLite's rowid wants plain INTEGER

migrations = sa.Table(
    "oyer_migrations",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("applied", sa.Text, nullable=False),
)

#: One row: which store this is, and how many groups were ever committed (see marks.py).
ledger = sa.Table(
    "oyer_ledger",
    metadata,
    sa.Column("store", sa.Text, primary_key=True),
    sa.Column("commits", sa.BigInteger, nullable=False),
)

runs = sa.Table(
    "oyer_runs",
    metadata,
    sa.Column("id", Key, primary_key=True, autoincrement=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("identity", sa.Text, nullable=False, unique=True),
    sa.Column("manifest", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("started", sa.Text, nullable=False),
    sa.Column("updated", sa.Text, nullable=False),
    sa.Column("check", sa.LargeBinary, nullable=False),
)

cases = sa.Table(
    "oyer_cases",
    metadata,
    sa.Column("sha", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),  # zlib(canonical JSON); sha checks it
)

_USAGE = (
    ("input_tokens", sa.BigInteger, False),
    ("output_tokens", sa.BigInteger, False),
    ("cost_usd", sa.Double, True),  # NULL: the price is unknown, never free
    ("calls", sa.BigInteger, False),
    ("seconds", sa.Double, False),
)


def _usage() -> list[sa.Column[object]]:
    return [sa.Column(name, kind, nullable=null) for name, kind, null in _USAGE]


replies = sa.Table(
    "oyer_replies",
    metadata,
    sa.Column("id", Key, primary_key=True, autoincrement=True),
    sa.Column("ask", sa.Text, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),  # below 0: billed, but no reply came
    sa.Column("run", Key, nullable=False),
    sa.Column("judge", sa.Text, nullable=False),
    *_usage(),
    sa.Column("body", sa.LargeBinary, nullable=False),  # zlib(JSON of text, judge, about)
    sa.Column("check", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("ask", "attempt"),
    sa.Index("oyer_replies_run", "run", "id"),
)

verdicts = sa.Table(
    "oyer_verdicts",
    metadata,
    sa.Column("id", Key, primary_key=True, autoincrement=True),
    sa.Column("run", Key, nullable=False),
    sa.Column("task", sa.Text, nullable=False),
    sa.Column("ask", sa.Text, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("case_sha", sa.Text, nullable=False),
    sa.Column("case_id", sa.Text, nullable=False),
    sa.Column("candidate", sa.Text),
    sa.Column("judge", sa.Text, nullable=False),
    sa.Column("repeat", sa.Integer, nullable=False),
    sa.Column("verdict", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("error", sa.Text),
    sa.Column("total", sa.Double),
    sa.Column("brief", sa.Text, nullable=False),  # JSON: scores, stated, violations, facts
    *_usage(),
    sa.Column("record", sa.LargeBinary, nullable=False),  # zlib(JSON record)
    sa.Column("check", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("run", "task"),
    sa.Index("oyer_verdicts_run", "run", "id"),
    sa.Index("oyer_verdicts_verdict", "verdict"),
)

#: What long work wants to remember between two commands: exams, provider batches.
states = sa.Table(
    "oyer_states",
    metadata,
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("check", sa.LargeBinary, nullable=False),
)

CHUNK = 20_000  # verdicts whose columns are kept together
FEWEST = 2_000  # verdicts at a run's end that are worth a chunk of their own

#: Columns of a run's verdicts, kept for readers of many (see kept_columns.py); safe to lose.
columns = sa.Table(
    "oyer_columns",
    metadata,
    sa.Column("run", Key, primary_key=True),
    sa.Column("after", sa.BigInteger, primary_key=True),  # rows with higher numbers …
    sa.Column("last", sa.BigInteger, nullable=False),  # … up to this one
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("notes", sa.BigInteger, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("check", sa.LargeBinary, nullable=False),
)

#: A note for each time that a verdict's row was replaced or deleted; made by triggers.
replaced = sa.Table(
    "oyer_replaced",
    metadata,
    sa.Column("id", Key, primary_key=True, autoincrement=True),
    sa.Column("run", Key, nullable=False),
    sa.Column("verdict", Key, nullable=False),  # the row's number
    sa.Index("oyer_replaced_run", "run", "verdict"),
)

#: Each process that works on a run, or did (see workers.py).
workers = sa.Table(
    "oyer_workers",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("run", Key, nullable=False),
    sa.Column("host", sa.Text, nullable=False),
    sa.Column("pid", sa.BigInteger, nullable=False),
    sa.Column("started", sa.Double, nullable=False),
    sa.Column("ended", sa.Text),
    sa.Column("verdicts", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("input_tokens", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("output_tokens", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("cost_usd", sa.Double, server_default="0"),
    sa.Column("calls", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("seconds", sa.Double, nullable=False, server_default="0"),
    sa.Column("may_calls", sa.Double, server_default="0"),  # NULL: no cap
    sa.Column("may_tokens", sa.Double, server_default="0"),
    sa.Column("may_dollars", sa.Double, server_default="0"),
    sa.Index("oyer_workers_run", "run"),
)

#: Until when the calls of a model are booked, where a provider allows so many a minute.
limits = sa.Table(
    "oyer_limits",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("until", sa.Double, nullable=False),
)

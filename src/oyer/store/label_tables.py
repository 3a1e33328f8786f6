"""The tables of people's labels. Rows are only ever added; a change is a row that supersedes."""

from __future__ import annotations

import sqlalchemy as sa

from oyer.store.schema import Key, metadata

queues = sa.Table(
    "oyer_queues",
    metadata,
    sa.Column("id", Key, primary_key=True, autoincrement=True),
    sa.Column("run", Key, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),  # blind | review
    sa.Column("protocol", sa.Text, nullable=False),  # id@version
    sa.Column("body", sa.Text, nullable=False),  # JSON: how the sample was drawn
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("check", sa.LargeBinary, nullable=False),
)

items = sa.Table(
    "oyer_queue_items",
    metadata,
    sa.Column("id", Key, primary_key=True, autoincrement=True),
    sa.Column("queue", Key, nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("case_sha", sa.Text, nullable=False),
    sa.Column("case_id", sa.Text, nullable=False),
    sa.Column("candidate", sa.Text),
    sa.Column("verdict", sa.Text),  # in review: whose findings are shown
    sa.Column("units", sa.Text, nullable=False),  # JSON: [[where, metric], …]
    sa.Column("stratum", sa.Text, nullable=False),
    sa.Column("prob", sa.Double, nullable=False),
    sa.Column("split", sa.Text, nullable=False),  # dev | test
    sa.Column("people", sa.Integer, nullable=False),  # how many are to label it
    sa.Column("check", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("queue", "position"),
)

labels = sa.Table(
    "oyer_labels",
    metadata,
    sa.Column("row", Key, primary_key=True, autoincrement=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("case_sha", sa.Text, nullable=False),
    sa.Column("case_id", sa.Text, nullable=False),
    sa.Column("candidate", sa.Text),
    sa.Column("protocol", sa.Text, nullable=False),
    sa.Column("unit", sa.Text, nullable=False),
    sa.Column("metric", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("value", sa.Text),
    sa.Column("reviewer", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("blind", sa.Boolean, nullable=False),
    sa.Column("shown_sha", sa.Text),
    sa.Column("verdict", sa.Text),
    sa.Column("queue", Key),
    sa.Column("prob", sa.Double),
    sa.Column("split", sa.Text),
    sa.Column("seconds", sa.Double),
    sa.Column("note", sa.Text),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("supersedes", sa.Text),
    sa.Column("check", sa.LargeBinary, nullable=False),
    sa.Index("oyer_labels_case", "case_sha"),
    sa.Index("oyer_labels_queue", "queue", "row"),
)

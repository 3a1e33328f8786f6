"""The version of a run's verdicts: what was computed from them is true while it is the same."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from oyer.store import schema
from oyer.store.store import Store


class Version(NamedTuple):
    """Of a run's verdicts: while it is the same, they are the same."""

    last: int  # row
    notes: int  # rows that were replaced or deleted, each time


def read_version(store: Store, run: int) -> Version:
    """What changes whenever a verdict of the run is added, replaced or deleted."""
    notes = sa.select(sa.func.count()).where(schema.replaced.c.run == run)
    return Version(store.span(run)[1], int(store._fetch(notes)[0][0]))

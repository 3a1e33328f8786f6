"""The columns of a run's verdicts, kept in the store: a verdict is parsed and checked only once.

Whoever writes many verdicts keeps their columns on the way (`keep_new_columns`), while the rows are
still in memory: the first reader of a large run need not read all of it from the disk. Columns are
kept in chunks by row number and can be lost at any time: readers make them again. A kept chunk is
used only while it is what the rows say:

- A row that is replaced or deleted is noted by the database itself (`oyer_replaced`, by triggers).
  A chunk carries how many notes its rows had before they were read; with more it is read again.
- PostgreSQL may show a row after rows with higher numbers, when several processes write. So there
  the rows of a chunk are counted, too. SQLite has one writer at a time.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np
import sqlalchemy as sa

from oyer.errors import OyerError
from oyer.processes import available_cores, process_pool
from oyer.store import codec, schema
from oyer.store.columns import (
    Columns,
    ColumnsBuilder,
    Numbers,
    pack,
    unpack,
)
from oyer.store.reading import OUTCOME_AND_CHECK
from oyer.store.schema import CHUNK, FEWEST
from oyer.store.store import Store

MANY = 5  # chunks that are worth starting processes for
_PAGE = 2_000


class RowSpan(NamedTuple):
    """Row numbers: those above `after`, up to `last`."""

    after: int
    last: int


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is known of a kept chunk without reading it."""

    span: RowSpan
    rows: int
    notes: int  # on its rows, before they were read


def read_columns(store: Store, run: int, chunk: int = CHUNK) -> Iterator[Columns]:
    """All verdicts of a run as columns, in the order kept; what had to be read anew is kept, in
    chunks of so many rows."""
    notes = _read_notes(store, run)
    kept_chunks = _kept_chunks(store, run)
    low, high = store.span(run)
    after = min([low - 1, *(kept.span.after for kept in kept_chunks[:1])])
    with contextlib.closing(_Keeper(store, run, notes)) as keeper:
        for kept in kept_chunks:
            if kept.span.after > after:
                break  # the chunk before this one was lost: from here on all is read
            if kept.span.after < after:
                continue  # two processes kept chunks of different lengths
            columns = _load(store, run, kept, notes)
            if columns is None:
                body = pack_span(store, run, kept.span)
                columns = keeper.keep(kept.span, body)
            if columns is not None:
                yield columns
            after = kept.span.last
        full, rest = _divide(store, run, RowSpan(after, high), chunk)
        for span, body in _pack_all(store, run, [*full, *rest]):
            columns = unpack(body) if span in rest else keeper.keep(span, body)
            if columns is not None:
                yield columns


def keep_new_columns(store: Store, run: int, fewest: int = FEWEST, chunk: int = CHUNK) -> None:
    """Keep the columns of verdicts that were just written; of the last ones, which fill no chunk,
    if there are at least `fewest`. A row that cannot be read is left to whoever reads the run."""
    with contextlib.suppress(OyerError):
        low, high = store.span(run)
        kept_chunks = _kept_chunks(store, run)
        after = kept_chunks[-1].span.last if kept_chunks else low - 1
        full, rest = _divide(store, run, RowSpan(after, high), chunk)
        spans = full + [span for span in rest if store.count(run, *span) >= fewest]
        if spans:
            with contextlib.closing(_Keeper(store, run, _read_notes(store, run))) as keeper:
                for span in spans:
                    keeper.keep(span, pack_span(store, run, span))


def _pack_all(store: Store, run: int, spans: Sequence[RowSpan]) -> Iterator[tuple[RowSpan, bytes]]:
    """The columns of each span, in order; of many, on all cores."""
    workers = available_cores() if len(spans) >= MANY else 1
    if workers == 1:
        for span in spans:
            yield span, pack_span(store, run, span)
        return
    with process_pool(workers) as pool:
        work = partial(_pack_apart, store.address, run)
        waiting = deque[Future[bytes]]()
        later = iter(spans)
        for span in spans:
            ahead = islice(later, 2 * workers - len(waiting))
            waiting.extend(pool.submit(work, following) for following in ahead)
            yield span, waiting.popleft().result()


def _pack_apart(address: str, run: int, span: RowSpan) -> bytes:
    """In a process of its own."""
    with Store.open(address, create=False, write=False) as store:
        return pack_span(store, run, span)


def pack_span(store: Store, run: int, span: RowSpan) -> bytes:
    """The columns of these rows, each of them checked; nothing: there are none."""
    builder = ColumnsBuilder()
    key = schema.verdicts.c.id
    wanted = OUTCOME_AND_CHECK.where(schema.verdicts.c.run == run, key <= span.last)
    wanted = wanted.order_by(key).limit(_PAGE)
    after = span.after
    while page := store._fetch(wanted.where(key > after)):
        after = page[-1][0]
        builder.add([codec.read_outcome(row) for row in page])
    return pack(builder.finish()) if after > span.after else b""


def _divide(
    store: Store, run: int, span: RowSpan, chunk: int
) -> tuple[list[RowSpan], list[RowSpan]]:
    """Spans of `chunk` rows each, and the span of those that are left over, if any."""
    table = schema.verdicts.c
    full: list[RowSpan] = []
    after = span.after
    while after < span.last:
        wanted = sa.select(table.id).where(table.run == run, table.id > after)
        wanted = wanted.where(table.id <= span.last).order_by(table.id).offset(chunk - 1).limit(1)
        found = store._fetch(wanted)
        if not found:
            return full, [RowSpan(after, span.last)]
        full.append(RowSpan(after, found[0][0]))
        after = full[-1].last
    return full, []


# ── what is kept ──────────────────────────────────────────────────────────────────────────────


def _read_notes(store: Store, run: int) -> Numbers:
    """The row numbers that were replaced or deleted, one for each time, in order."""
    table = schema.replaced.c
    wanted = sa.select(table.verdict).where(table.run == run).order_by(table.verdict)
    return np.array([row for (row,) in store._fetch(wanted)], dtype=np.int64)


def _count_notes(notes: Numbers, span: RowSpan) -> int:
    first, end = np.searchsorted(notes, [span.after + 1, span.last + 1])
    return int(end - first)


def _kept_chunks(store: Store, run: int) -> list[_Kept]:
    table = schema.columns.c
    wanted = sa.select(table.after, table.last, table.rows, table.notes)
    found = store._fetch(wanted.where(table.run == run).order_by(table.after))
    return [_Kept(RowSpan(after, last), rows, notes) for after, last, rows, notes in found]


def _load(store: Store, run: int, kept: _Kept, notes: Numbers) -> Columns | None:
    """A kept chunk; None: it is no longer what the rows say, or cannot be read."""
    if kept.notes != _count_notes(notes, kept.span):
        return None
    if store.has_many_writers and kept.rows != store.count(run, *kept.span):
        return None
    table = schema.columns.c
    wanted = sa.select(table.body, table.check)
    found = store._fetch(wanted.where(table.run == run, table.after == kept.span.after))
    for body, check in found:
        if codec.check(_check_values(run, kept), bytes(body)) == check:
            return unpack(bytes(body))
    return None


def _check_values(run: int, kept: _Kept) -> list[int]:
    return [run, *kept.span, kept.rows, kept.notes]


class _Keeper:
    """Keeps chunks, if the store can be written; columns are made again where they are not kept."""

    def __init__(self, store: Store, run: int, notes: Numbers) -> None:
        self._store = store
        self._run = run
        self._notes = notes
        self._opened = contextlib.ExitStack()
        self._writable: Store | None = store if store.is_writable else None
        self._gave_up = False

    def close(self) -> None:
        self._opened.close()

    def keep(self, span: RowSpan, body: bytes) -> Columns | None:
        """Keep packed columns, and unpack them."""
        columns = unpack(body)
        if columns is not None and not self._gave_up:
            self._write(_Kept(span, len(columns), _count_notes(self._notes, span)), body)
        return columns

    def _write(self, kept: _Kept, body: bytes) -> None:
        row = {
            "run": self._run,
            "after": kept.span.after,
            "last": kept.span.last,
            "rows": kept.rows,
            "notes": kept.notes,
            "body": body,
            "check": codec.check(_check_values(self._run, kept), body),
        }
        try:
            if self._writable is None:
                self._writable = self._opened.enter_context(
                    Store.open(self._store.address, create=False, write=True)
                )
            self._writable.keep_columns(row).result()
        except OyerError:  # read-only, full, or busy for long
            self._gave_up = True

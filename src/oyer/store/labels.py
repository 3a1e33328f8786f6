"""People's labels in the store: queues to be labelled, and labels, which are only ever added.

    from oyer.store import open_store
    from oyer.store.labels import Label, LabelStore

    with open_store("oyer.db") as store:
        labels = LabelStore(store)
        queue = labels.create_queue(run_id, "blind", protocol.name, items, drawn)
        item = labels.next_item(queue.id, "ann")            # None: nothing left for ann
        labels.add([Label(item.case_sha, queue.protocol, "supported", "not", "ann",
                          unit="summary[0:89]", queue=queue.id, prob=item.prob, split=item.split)])
        labels.supersede(old_label, value="partly")         # a correction: one more row
        labels.withdraw(old_label)                          # undo: one more row
        labels.disagreements(queue.id)                      # units two people differ on
        labels.adjudicate(labels_that_differ, "supported", "cara")
        labels.progress(queue.id)

`label_item` fills in what an item knows. `add` returns when the rows are on the disk. A label whose
`id` is there already is not kept twice, so a client may send again what it is not sure of.
`history` gives every row, `current` those that count: not superseded, not withdrawn, and of one
reviewer on one thing the newest.

Units are cut by `oyer.trust.units.units_of(protocol, case)`, samples are drawn by
`oyer.trust.sampling.draw_sample`, both together by `oyer.trust.queues.draw_queue`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from oyer.errors import StoreError
from oyer.store import codec
from oyer.store.label_records import (
    Label,
    LabelKind,
    LabelProgress,
    Mode,
    Queue,
    QueueItem,
    Subject,
    new_label_id,
    now,
)
from oyer.store.label_tables import items as item_table
from oyer.store.label_tables import labels as label_table
from oyer.store.label_tables import queues as queue_table
from oyer.store.store import Store

__all__ = [
    "Label", "LabelKind", "LabelProgress", "LabelStore", "Mode", "Queue", "QueueItem",
    "current_labels", "label_item", "new_label_id",
]  # fmt: skip

_PAGE = 2000
_IN = 500  # values in one IN (…)
_LABEL = [column.name for column in label_table.columns if column.name not in ("row", "check")]
_ITEM = [column.name for column in item_table.columns if column.name not in ("id", "check")]
_QUEUE = ("run", "mode", "protocol", "body", "created")


class LabelStore:
    """The labels' side of an open store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ── labels ────────────────────────────────────────────────────────────────────────────────

    def add(self, labels: Sequence[Label]) -> None:
        """Keep labels; come back when they are on the disk. One that is there already stays."""
        rows = [_label_row(label) for label in labels]
        if not rows:
            return
        insert = self._store._database.insert(label_table).on_conflict_do_nothing()
        self._store._write(lambda connection: connection.execute(insert, rows)).result()

    def supersede(self, old: Label, **changes: Any) -> Label:
        """Keep a corrected label in the place of an old one; the old row stays on record."""
        fresh = replace(old, id=new_label_id(), created=now(), row=0, supersedes=old.id)
        label = replace(fresh, **changes)
        self.add([label])
        return label

    def withdraw(self, old: Label) -> Label:
        """Undo: the label counts no more, and that is on record, too."""
        return self.supersede(old, kind="withdrawn", value=None)

    def history(
        self,
        *,
        queue: int | None = None,
        case_shas: Iterable[str] | None = None,
        after: int = 0,
    ) -> Iterator[Label]:
        """Every row, also superseded ones, in the order kept."""
        if case_shas is not None:
            known = list(case_shas)
            for start in range(0, len(known), _IN):
                some = label_table.c.case_sha.in_(known[start : start + _IN])
                yield from self._labels(queue, after, some)
            return
        yield from self._labels(queue, after, sa.true())

    def current(
        self, *, queue: int | None = None, case_shas: Iterable[str] | None = None
    ) -> list[Label]:
        """The labels that count."""
        return current_labels(self.history(queue=queue, case_shas=case_shas))

    def find(self, label_id: str) -> Label:
        """One label by its id."""
        for row in self._store._fetch(_SELECT_LABEL.where(label_table.c.id == label_id)):
            return read_label(row)
        raise StoreError(f"{self._store.where} has no label '{label_id}'.")

    # ── queues ────────────────────────────────────────────────────────────────────────────────

    def create_queue(
        self,
        run: int,
        mode: Mode,
        protocol: str,
        items: Sequence[QueueItem],
        drawn: dict[str, object],
    ) -> Queue:
        """Keep a drawn sample; in one transaction, so that no half of a queue is ever seen."""
        row: dict[str, object] = {
            "run": run,
            "mode": mode,
            "protocol": protocol,
            "body": json.dumps(drawn, sort_keys=True),
            "created": now(),
        }
        row["check"] = codec.check([row[name] for name in _QUEUE])

        def insert(connection: sa.Connection) -> int:
            new = connection.execute(queue_table.insert().values(row).returning(queue_table.c.id))
            queue = int(new.scalar_one())
            rows = [_item_row(item, queue, at) for at, item in enumerate(items)]
            if rows:
                connection.execute(item_table.insert(), rows)
            return queue

        return self.queue(self._store._write(insert).result())

    def queues(self, run: int | None = None) -> list[Queue]:
        """All queues, or those of a run, oldest first."""
        wanted = _SELECT_QUEUE.order_by(queue_table.c.id)
        if run is not None:
            wanted = wanted.where(queue_table.c.run == run)
        return [_read_queue(row) for row in self._store._fetch(wanted)]

    def queue(self, number: int) -> Queue:
        """One queue by its number."""
        for row in self._store._fetch(_SELECT_QUEUE.where(queue_table.c.id == number)):
            return _read_queue(row)
        raise StoreError(f"{self._store.where} has no queue {number}; `oyer label` draws one.")

    def items(self, queue: int) -> list[QueueItem]:
        """The items of a queue, in the order in which they are to be labelled."""
        wanted = _SELECT_ITEM.where(item_table.c.queue == queue).order_by(item_table.c.position)
        return [_read_item(row) for row in self._store._fetch(wanted)]

    def next_item(self, queue: int, reviewer: str, avoid: Iterable[int] = ()) -> QueueItem | None:
        """What this reviewer is to label next: an item that still needs people and that they have
        not finished. `avoid`: items (by id) that others have open; they come last."""
        done = self._finishers(queue)
        items = self.items(queue)
        open_elsewhere = set(avoid)
        wanted = [
            item
            for item in items
            if reviewer not in done[item.subject] and len(done[item.subject]) < item.people
        ]
        wanted.sort(key=lambda item: (item.id in open_elsewhere, item.position))
        return wanted[0] if wanted else None

    def progress(self, queue: int) -> LabelProgress:
        """How far a queue is."""
        items = self.items(queue)
        done = self._finishers(queue)
        by_reviewer: dict[str, int] = defaultdict(int)
        for reviewers in done.values():
            for reviewer in reviewers:
                by_reviewer[reviewer] += 1
        return LabelProgress(
            wanted=sum(item.people for item in items),
            done=sum(min(item.people, len(done[item.subject])) for item in items),
            by_reviewer=dict(by_reviewer),
            disagreements=len(self.disagreements(queue)),
        )

    def disagreements(self, queue: int) -> list[list[Label]]:
        """Opinions that differ on one thing and that nobody has decided yet."""
        opinions: dict[tuple[str, str, str, str | None], list[Label]] = defaultdict(list)
        decided = set()
        for label in self.current(queue=queue):
            if label.role == "adjudication":
                decided.add(label.subject)
            elif label.kind in ("label", "score", "agree"):
                opinions[label.subject].append(label)
        undecided = [labels for subject, labels in opinions.items() if subject not in decided]
        return [labels for labels in undecided if _differ(labels)]

    def adjudicate(self, opinions: Sequence[Label], value: str, reviewer: str) -> Label:
        """Keep the decision on opinions that differ; the opinions stay."""
        if len({label.subject for label in opinions}) != 1:
            raise StoreError("one decision is on one thing; these labels are on several or none.")
        decision = replace(
            opinions[0],
            id=new_label_id(),
            created=now(),
            row=0,
            supersedes=None,
            role="adjudication",
            value=value,
            reviewer=reviewer,
            seconds=None,
            note=None,
        )
        self.add([decision])
        return decision

    # ── how ───────────────────────────────────────────────────────────────────────────────────

    def _finishers(self, queue: int) -> dict[Subject, set[str]]:
        """An item's subject -> the reviewers who have labelled or skipped every unit of it."""
        labelled: dict[tuple[Subject, str], set[tuple[str, str]]] = defaultdict(set)
        for label in self.current(queue=queue):
            if label.role == "opinion" and label.kind != "note":
                subject = (label.case_sha, label.verdict)
                labelled[subject, label.reviewer].add((label.unit, label.metric))
        units = {item.subject: set(item.units) for item in self.items(queue)}
        done: dict[Subject, set[str]] = defaultdict(set)
        for (subject, reviewer), own in labelled.items():
            if own >= units.get(subject, own):
                done[subject].add(reviewer)
        return done

    def _labels(self, queue: int | None, after: int, which: Any) -> Iterator[Label]:
        wanted = _SELECT_LABEL.where(which).order_by(label_table.c.row).limit(_PAGE)
        if queue is not None:
            wanted = wanted.where(label_table.c.queue == queue)
        while page := self._store._fetch(wanted.where(label_table.c.row > after)):
            after = page[-1][0]
            yield from map(read_label, page)


def _differ(labels: Sequence[Label]) -> bool:
    return len({label.value for label in labels}) > 1


def current_labels(labels: Iterable[Label]) -> list[Label]:
    """Those that count: the newest of a reviewer on a thing, none that was superseded."""
    rows = sorted(labels, key=lambda label: label.row)
    superseded = {label.supersedes for label in rows if label.supersedes is not None}
    newest: dict[tuple[object, ...], Label] = {}
    for label in rows:
        key = (*label.subject, label.reviewer, label.role, label.blind, label.kind == "note")
        newest[key] = label
    return [
        label
        for label in newest.values()
        if label.id not in superseded and label.kind != "withdrawn"
    ]


def label_item(queue: Queue, item: QueueItem, metric: str, value: str | None, reviewer: str,
               **more: Any) -> Label:  # fmt: skip
    """A label on a unit of a queue's item; what the item knows is filled in."""
    return Label(
        case_sha=item.case_sha,
        case_id=item.case_id,
        candidate=item.candidate,
        protocol=queue.protocol,
        metric=metric,
        value=value,
        reviewer=reviewer,
        blind=queue.mode == "blind",
        verdict=item.verdict,
        queue=queue.id,
        prob=item.prob,
        split=item.split,
        **more,
    )


# ── rows ──────────────────────────────────────────────────────────────────────────────────────


LABEL_COLUMNS = (
    label_table.c.row, *(label_table.c[name] for name in _LABEL), label_table.c.check
)  # fmt: skip
_SELECT_LABEL = sa.select(*LABEL_COLUMNS)
_SELECT_ITEM = sa.select(
    item_table.c.id, *(item_table.c[name] for name in _ITEM), item_table.c.check
)
_SELECT_QUEUE = sa.select(
    queue_table.c.id, *(queue_table.c[name] for name in _QUEUE), queue_table.c.check
)


def _label_row(label: Label) -> dict[str, object]:
    row: dict[str, object] = {}
    for name in _LABEL:
        value = getattr(label, name)
        row[name] = codec.text(value) if isinstance(value, str) else value
    return {**row, "check": codec.check([row[name] for name in _LABEL])}


def read_label(row: Sequence[Any]) -> Label:
    """`row`: LABEL_COLUMNS."""
    number, *values, check = row
    known = dict(zip(_LABEL, values, strict=True))
    known["blind"] = bool(known["blind"])
    if codec.check([known[name] for name in _LABEL]) != bytes(check):
        raise codec.damage_error(f"label {known['id']}")
    return Label(**known, row=number)


def _item_row(item: QueueItem, queue: int, position: int) -> dict[str, object]:
    row: dict[str, object] = {
        "queue": queue,
        "position": position,
        "case_sha": item.case_sha,
        "case_id": codec.text(item.case_id),
        "candidate": None if item.candidate is None else codec.text(item.candidate),
        "verdict": item.verdict,
        "units": json.dumps(item.units),
        "stratum": codec.text(item.stratum),
        "prob": item.prob,
        "split": item.split,
        "people": item.people,
    }
    return {**row, "check": codec.check([row[name] for name in _ITEM])}


def _read_item(row: Sequence[Any]) -> QueueItem:
    number, *values, check = row
    known = dict(zip(_ITEM, values, strict=True))
    if codec.check(values) != bytes(check):
        raise codec.damage_error(f"item {number} of queue {known['queue']}")
    known["units"] = tuple((where, metric) for where, metric in json.loads(known["units"]))
    return QueueItem(**known, id=number)


def _read_queue(row: Sequence[Any]) -> Queue:
    number, *values, check = row
    if codec.check(values) != bytes(check):
        raise codec.damage_error(f"queue {number}")
    run, mode, protocol, body, created = values
    return Queue(number, run, mode, protocol, json.loads(body), created)

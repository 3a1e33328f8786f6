"""One person before a queue: what they are shown, what they may say, how it is kept.

A blind sheet holds the case and its units, and nothing of any judge: not even the candidate's
name. A review sheet holds one verdict's findings. The two are never mixed in one queue.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from oyer.errors import StoreError, Unscored, UsageError
from oyer.store import StoredVerdict
from oyer.store.label_records import LabelKind, now
from oyer.store.labels import Label, LabelStore, Queue, QueueItem, label_item
from oyer.store.records import canonical
from oyer.store.store import Store
from oyer.trust.units import AGREE, findings_of, units_of
from oyer.types import AnyProtocol, Case, Unit
from oyer.verdicts import what_if

LONGEST = 2000  # characters of a note
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Slot:
    """A unit before a person: what may be said of it, and what they said already."""

    unit: Unit
    choices: tuple[str, ...] = ()  # of a review: what the label could have been instead
    given: Label | None = None


@dataclass(frozen=True, slots=True)
class ReviewSheet:
    """What one person sees of one item."""

    queue: Queue
    item: QueueItem
    case: Case
    slots: tuple[Slot, ...]
    kept: StoredVerdict | None = None  # of a review: the verdict

    @property
    def shown_sha(self) -> str:
        """Of everything that was shown: two people who saw the same have the same."""
        shown = [[slot.unit.key, slot.unit.text, slot.unit.question] for slot in self.slots]
        verdict = None if self.kept is None else self.kept.record["id"]
        return hashlib.sha256(canonical([self.case.fields, shown, verdict])).hexdigest()


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a person says of one unit, as it comes from the page."""

    id: str
    unit: str
    metric: str
    kind: str
    value: str | None
    reviewer: str
    seconds: float | None = None
    note: str | None = None


class Reviewing:
    """The queues of a store, as people work on them."""

    def __init__(self, store: Store, protocol: AnyProtocol, queue: Queue) -> None:
        self._store = store
        self._protocol = protocol
        self.queue = queue
        self._labels = LabelStore(store)

    def next_sheet(self, reviewer: str, avoid: Iterable[int] = ()) -> ReviewSheet | None:
        """What this person is to label next; None: they are done."""
        item = self._labels.next_item(self.queue.id, reviewer, avoid)
        return None if item is None else self.sheet(item, reviewer)

    def sheet_of(self, number: int, reviewer: str) -> ReviewSheet:
        """One item of the queue, by its id."""
        for item in self._labels.items(self.queue.id):
            if item.id == number:
                return self.sheet(item, reviewer)
        raise UsageError(f"queue {self.queue.id} has no item {number}.")

    def sheet(self, item: QueueItem, reviewer: str) -> ReviewSheet:
        """Lay an item out for a person."""
        stored = self._store.cases([item.case_sha]).get(item.case_sha)
        if stored is None:
            raise StoreError(f"case '{item.case_id}' of queue {self.queue.id} is not in the store.")
        kept = None if item.verdict is None else self._store.verdict(item.verdict)
        units = self._units(stored.case, kept)
        choices = {} if kept is None else self._choices(stored.case, kept)
        given = self._labels_given(item, reviewer)
        slots = tuple(
            Slot(units[key], choices.get(key[0], ()), given.get(key))
            for key in item.units
            if key in units
        )
        return ReviewSheet(self.queue, item, stored.case, slots, kept)

    def keep(self, item: int, opinion: Opinion) -> Label:
        """Keep what a person says; returns when it is on the disk. Said twice, it is kept once."""
        sheet = self.sheet_of(item, opinion.reviewer)
        slot = _slot(sheet, opinion)
        _refuse(not _ID.fullmatch(opinion.id), "a label's id has 32 hexadecimal digits.")
        kind, value = _check_opinion(opinion, slot, self.queue.mode)
        label = label_item(
            self.queue,
            sheet.item,
            opinion.metric,
            value,
            opinion.reviewer,
            unit=opinion.unit,
            kind=kind,
            seconds=opinion.seconds,
            note=(opinion.note or "")[:LONGEST] or None,
            shown_sha=sheet.shown_sha,
            id=opinion.id,
            supersedes=_id_of_replaced(slot, opinion),
        )
        self._labels.add([label])
        return label

    def undo(self, reviewer: str, new_id: str) -> Label | None:
        """Take back this person's newest label in the queue; asked twice, one is taken back."""
        _refuse(not _ID.fullmatch(new_id), "a label's id has 32 hexadecimal digits.")
        history = list(self._labels.history(queue=self.queue.id))
        if any(label.id == new_id for label in history):
            return None
        own = [
            label for label in self._labels.current(queue=self.queue.id) if _is_own(label, reviewer)
        ]
        if not own:
            return None
        newest = max(own, key=lambda label: label.row)
        self._labels.supersede(newest, id=new_id, kind="withdrawn", value=None, created=now())
        return newest

    # ── how ───────────────────────────────────────────────────────────────────────────────────

    def _units(self, case: Case, kept: StoredVerdict | None) -> dict[tuple[str, str], Unit]:
        found = units_of(self._protocol, case) if kept is None else findings_of(kept.record)
        return {unit.key: unit for unit in found}

    def _choices(self, case: Case, kept: StoredVerdict) -> dict[str, tuple[str, ...]]:
        """Finding -> the labels that the judge could have given instead."""
        replies = self._store.replies([kept.task.ask]).get(kept.task.ask, [])
        if not replies or kept.record["status"] != "scored":
            return {}
        try:
            every = [kept.reply for kept in replies]
            objects = what_if.verdict_objects(case, self._protocol, *every)
        except Unscored:
            return {}
        found: dict[str, tuple[str, ...]] = {}
        for label in what_if.labels(self._protocol, objects):
            place = label.where.rpartition(".")[0]
            found[place] = tuple(str(choice) for choice in label.choices if choice != label.value)
        return found

    def _labels_given(self, item: QueueItem, reviewer: str) -> dict[tuple[str, str], Label]:
        return {
            (label.unit, label.metric): label
            for label in self._labels.current(queue=self.queue.id, case_shas=[item.case_sha])
            if _is_own(label, reviewer) and label.verdict == item.verdict and label.kind != "note"
        }


def _is_own(label: Label, reviewer: str) -> bool:
    return label.reviewer == reviewer and label.role == "opinion"


def _slot(sheet: ReviewSheet, opinion: Opinion) -> Slot:
    for slot in sheet.slots:
        if slot.unit.key == (opinion.unit, opinion.metric):
            return slot
    raise UsageError(f"item {sheet.item.id} has no unit '{opinion.unit}' for '{opinion.metric}'.")


def _id_of_replaced(slot: Slot, opinion: Opinion) -> str | None:
    if opinion.kind == "note" or slot.given is None or slot.given.id == opinion.id:
        return None
    return slot.given.id


def _check_opinion(opinion: Opinion, slot: Slot, mode: str) -> tuple[LabelKind, str | None]:
    """The kind and the value, if this unit can have them."""
    kind = opinion.kind
    value = opinion.value
    unit = slot.unit
    if kind in ("skip", "note"):
        return cast(LabelKind, kind), None
    if mode == "review":
        known: Mapping[str, Sequence[str]] = {"agree": AGREE, "label": slot.choices}
    elif unit.scale is not None:
        _refuse(kind != "score", "this unit takes a number.")
        return "score", _number(value, unit.scale)
    else:
        known = {"label": unit.choices}
    _refuse(kind not in known, f"a {mode} queue takes no '{kind}' here.")
    _refuse(value not in known[kind], f"'{value}' is none of {', '.join(known[kind])}.")
    return cast(LabelKind, kind), value


def _number(value: str | None, scale: tuple[int, int]) -> str:
    low, high = scale
    try:
        number = float(value or "")
    except ValueError:
        number = math.nan
    _refuse(not low <= number <= high, f"a number from {low} to {high}, please.")
    return f"{number:g}"


def _refuse(wrong: bool, message: str) -> None:
    if wrong:
        raise UsageError(message)

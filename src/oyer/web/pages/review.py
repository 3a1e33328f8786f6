"""People judge, too: queues, the sheet before one person, and decisions where two differ."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from oyer.errors import UsageError
from oyer.records import texts_in
from oyer.report.highlight import place_of
from oyer.store.labels import LabelProgress, Mode, Queue, QueueItem
from oyer.trust.queues import Draw, draw_queue
from oyer.trust.reviewing import Opinion, Reviewing, ReviewSheet
from oyer.types import AnyProtocol, Case, JsonObject, Unit
from oyer.web.findings import findings_by_place
from oyer.web.marks import Piece, TextMark, cut, marks_on
from oyer.web.render import Page
from oyer.web.site import JsonAnswer, NotThere, PageRequest, Site

OPEN_FOR = 600.0  # seconds: an item that somebody has open is offered to others last
POINT = {"Fully": "told in full", "Partial": "told in part", "Not": "not told"}
NAME = 60  # characters of a reviewer's name


@dataclass(frozen=True, slots=True)
class QueueLine:
    """A queue as the list shows it."""

    queue: Queue
    run_name: str
    size: str
    progress: LabelProgress


def show_all(site: Site, request: PageRequest) -> Page:
    """All queues, newest first, and the form that draws another."""
    only = int(request.word("run")) if request.word("run").isdigit() else None
    runs = {run.id: run for run in site.store.runs()}
    lines = [
        QueueLine(
            queue,
            runs[queue.run].name if queue.run in runs else "?",
            tell_size(site.labels.items(queue.id)),
            site.labels.progress(queue.id),
        )
        for queue in reversed(site.labels.queues(only))
    ]
    values = {"page": "review", "lines": lines, "runs": list(reversed(runs.values())), "only": only}
    return Page("queues.html", values)


def show(site: Site, request: PageRequest) -> Page:
    """The next sheet of a person, or one that they ask for."""
    queue = _queue(site, request.number("queue"))
    reviewer = request.word("as").strip()[:NAME]
    if not reviewer:
        return Page("reviewer.html", {"page": "review", "queue": queue})
    desk = Reviewing(site.store, _protocol(site, queue), queue)
    elsewhere = _open_elsewhere(site, queue, reviewer)
    wanted = request.word("item")
    if wanted.isdigit():
        sheet: ReviewSheet | None = desk.sheet_of(int(wanted), reviewer)
    else:
        sheet = desk.next_sheet(reviewer, elsewhere)
        if sheet is not None and elsewhere.count(sheet.item.id) >= sheet.item.people:
            sheet = None  # as many as should label it have it before them
    values = {
        "elsewhere": len(elsewhere),
        "page": "review",
        "queue": queue,
        "reviewer": reviewer,
        "progress": site.labels.progress(queue.id),
        "size": tell_size(site.labels.items(queue.id)),
        "word_of": word_of,
        "sheet": sheet,
    }
    if sheet is None:
        return Page("queue_done.html", values)
    site.open_items[queue.id, sheet.item.id, reviewer] = time.monotonic()
    texts = _texts(sheet, _protocol(site, queue))
    findings = findings_by_place(sheet.kept.record) if sheet.kept else {}
    return Page("sheet.html", {**values, "texts": texts, "findings": findings})


def show_decisions(site: Site, request: PageRequest) -> Page:
    """Where two people differ: both opinions, and the choices."""
    queue = _queue(site, request.number("queue"))
    protocol = _protocol(site, queue)
    desk = Reviewing(site.store, protocol, queue)
    by_subject = {item.subject: item for item in site.labels.items(queue.id)}
    open_ones = []
    for labels in site.labels.disagreements(queue.id):
        item = by_subject.get((labels[0].case_sha, labels[0].verdict))
        if item is None:
            continue
        sheet = desk.sheet(item, "")
        slot = next(
            (s for s in sheet.slots if s.unit.key == (labels[0].unit, labels[0].metric)), None
        )
        if slot is not None:
            texts = _texts(sheet, protocol, slot.unit)
            open_ones.append({"labels": labels, "slot": slot, "texts": texts, "sheet": sheet})
    values = {"page": "review", "queue": queue, "open": open_ones, "reviewer": request.word("as")}
    return Page("decisions.html", values)


# ── answers ───────────────────────────────────────────────────────────────────────────────────


def keep_label(site: Site, request: PageRequest) -> JsonAnswer:
    """Keep one label; the answer comes when it is on the disk."""
    body = request.body
    queue = _queue(site, _whole(body, "queue"))
    desk = Reviewing(site.store, _protocol(site, queue), queue)
    opinion = Opinion(
        id=_word(body, "id"),
        unit=_word(body, "unit"),
        metric=_word(body, "metric"),
        kind=_word(body, "kind"),
        value=None if body.get("value") is None else str(body["value"]),
        reviewer=_reviewer(body),
        seconds=_seconds(body),
        note=_word(body, "note") or None,
    )
    label = desk.keep(_whole(body, "item"), opinion)
    return {"kept": label.id}


def undo(site: Site, request: PageRequest) -> JsonAnswer:
    """Take the newest label back; says where it was."""
    queue = _queue(site, _whole(request.body, "queue"))
    desk = Reviewing(site.store, _protocol(site, queue), queue)
    taken = desk.undo(_reviewer(request.body), _word(request.body, "id"))
    if taken is None:
        return {"undone": None}
    items = {item.subject: item.id for item in site.labels.items(queue.id)}
    return {"undone": taken.id, "item": items.get((taken.case_sha, taken.verdict))}


def decide(site: Site, request: PageRequest) -> JsonAnswer:
    """Keep a decision between opinions that differ."""
    queue = _queue(site, _whole(request.body, "queue"))
    wanted = request.body.get("labels")
    known = {label.id for label in site.labels.current(queue=queue.id)}
    if not isinstance(wanted, list) or not wanted or not known.issuperset(map(str, wanted)):
        raise UsageError("These opinions are not there any more; load the page again.")
    opinions = [site.labels.find(str(label)) for label in wanted]
    decided = site.labels.adjudicate(
        opinions, _word(request.body, "value"), _reviewer(request.body)
    )
    return {"kept": decided.id}


def draw(site: Site, request: PageRequest) -> JsonAnswer:
    """Draw a sample of a run."""
    body = request.body
    run = site.run(_whole(body, "run"))
    by = tuple(name for name in ("candidate", "score") if body.get(f"by_{name}"))
    mode: Mode = "review" if body.get("mode") == "review" else "blind"
    second = float(body.get("second") or 0)
    drawn = Draw(n=_whole(body, "n"), second=second, by=by, mode=mode)
    queue = draw_queue(site.store, run, site.protocol(run), drawn)
    return {"queue": queue.id}


# ── how ───────────────────────────────────────────────────────────────────────────────────────


def _queue(site: Site, number: int) -> Queue:
    for queue in site.labels.queues():
        if queue.id == number:
            return queue
    raise NotThere(f"There is no queue {number}.")


def _protocol(site: Site, queue: Queue) -> AnyProtocol:
    for run in site.store.runs():
        if run.id == queue.run:
            return site.protocol(run)
    return site.protocol_named(queue.protocol.partition("@")[0])  # its run was deleted


def _open_elsewhere(site: Site, queue: Queue, reviewer: str) -> list[int]:
    since = time.monotonic() - OPEN_FOR
    return [
        item
        for (number, item, who), when in list(site.open_items.items())
        if number == queue.id and who != reviewer and when > since
    ]


def _texts(
    sheet: ReviewSheet, protocol: AnyProtocol, only: Unit | None = None
) -> list[tuple[str, list[Piece]]]:
    """The case's fields, with the units (or one of them) marked where they stand."""
    slots = [slot for slot in sheet.slots if only is None or slot.unit == only]
    marks: list[TextMark] = []
    for at, slot in enumerate(slots):
        marks += _unit_marks(slot.unit, f"u{at}")
        marks += _evidence_marks(sheet, slot.unit, f"u{at}")
    fields = [field.name for field in protocol.fields if field.name in sheet.case.fields]
    boxes: list[tuple[str, list[Piece]]] = []
    for name in fields:
        boxes += _boxes(sheet.case, name, marks)
    return boxes


def _unit_marks(unit: Unit, name: str) -> list[TextMark]:
    """summary[120:155] -> its stretch."""
    field, bracket, rest = unit.where.partition("[")
    start, colon, end = rest.rstrip("]").partition(":")
    if not (bracket and colon and start.isdigit() and end.isdigit()):
        return []
    return [TextMark(field, int(start), int(end), "evidence", name)]


def _evidence_marks(sheet: ReviewSheet, unit: Unit, name: str) -> list[TextMark]:
    """Of a review: what the judge quoted for a finding."""
    evidence = sheet.kept.record["evidence"] if sheet.kept else ()
    return [
        TextMark(quote["source"], quote["start"], quote["end"], "evidence", name)
        for quote in evidence
        if place_of(quote["where"]) == unit.where
    ]


def _boxes(case: Case, name: str, marks: list[TextMark]) -> list[tuple[str, list[Piece]]]:
    """The texts of a field, each with its marks; other JSON as it is written."""
    value = case.fields[name]
    texts = list(texts_in(name, value))
    if not texts:
        import json

        return [(name, cut(json.dumps(value, ensure_ascii=False, indent=1), ()))]
    return [(source, cut(text, marks_on(source, marks))) for source, text in texts]


def _word(body: JsonObject, name: str) -> str:
    value = body.get(name, "")
    return value if isinstance(value, str) else str(value)


def _whole(body: JsonObject, name: str) -> int:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(f"'{name}' must be a whole number.")
    return value


def _seconds(body: JsonObject) -> float | None:
    value = body.get("seconds")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(float(value), 2) if 0 <= value < 86_400 else None


def _reviewer(body: JsonObject) -> str:
    name = _word(body, "reviewer").strip()[:NAME]
    if not name:
        raise UsageError("Who are you? A label needs its reviewer's name.")
    return name


def tell_size(items: Sequence[QueueItem]) -> str:
    """How many texts, and how many of them two people are to label: "4 texts, 1 of them twice"."""
    texts = f"{len(items):,} text{'s' if len(items) != 1 else ''}"
    twice = sum(item.people > 1 for item in items)
    return f"{texts}, {twice:,} of them twice" if twice else texts


def word_of(label: str, unit: Unit) -> str:
    """A judge's label in plain words: Not, of a key point, is "not told"."""
    return POINT.get(label, label) if unit.metric.endswith("key_points") else label

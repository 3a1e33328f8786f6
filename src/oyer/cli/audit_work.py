"""Auditing many rows on all cores, in order, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Literal, TypeAlias

from oyer.cases import BadRow, Line, Row, with_own_reply
from oyer.cli.output import PrintedVerdict, format_verdict
from oyer.engine import decide
from oyer.runs.parallel import ProtocolRef, available_cores, load_protocol
from oyer.runs.recorded import answers_of
from oyer.runs.workers import HERE, map_in_order, open_workers
from oyer.types import AnyProtocol

CHUNK = 64  # rows a task: some milliseconds of work, so that passing it on does not dominate
PARALLEL_FROM = 512  # below this, starting processes costs more than it saves
#: Characters that are held at most, of rows that wait for a worker: some rows are megabytes long.
HEAD_CHARACTERS = 32_000_000
CHUNK_CHARACTERS = 2_000_000

Item: TypeAlias = Row | Line


@dataclass(frozen=True, slots=True)
class AuditWork:
    """What a worker process needs to know: picklable, so it can be sent to one."""

    protocol: ProtocolRef
    judge: str | None
    how: Literal["json", "protocol", "row"]
    workers: int = 0
    on: str = HERE


def audit_rows(
    items: Iterable[Item], protocol: AnyProtocol, work: AuditWork
) -> Iterator[PrintedVerdict]:
    """The verdicts of the rows, in their order, ready to print."""
    stream = iter(items)
    head = _take_some(stream, PARALLEL_FROM, HEAD_CHARACTERS)
    workers = max(work.workers, 0) or available_cores()
    if work.on == HERE and (len(head) < PARALLEL_FROM or workers == 1):
        while head:
            yield _audit_row(head.pop(0), protocol, work)
        for item in stream:
            yield _audit_row(item, protocol, work)
        return
    chunks = _chunks(chain(head, stream))
    with open_workers(work.on, workers) as (pool, count):
        for verdicts in map_in_order(pool, partial(audit_chunk, work=work), chunks, 4 * count):
            yield from verdicts


def _chunks(items: Iterator[Item]) -> Iterator[list[Item]]:
    while chunk := _take_some(items, CHUNK, CHUNK_CHARACTERS):
        yield chunk


def _take_some(items: Iterator[Item], rows: int, characters: int) -> list[Item]:
    """So many rows at most, and no more than so many characters but for the last one's."""
    taken: list[Item] = []
    size = 0
    for item in items:
        taken.append(item)
        size += _size(item)
        if len(taken) == rows or size >= characters:
            break
    return taken


def _size(item: Item) -> int:
    if isinstance(item, Line):
        return len(item.text)
    case = item.subject if isinstance(item, BadRow) else item
    return sum(len(value) for value in case.fields.values() if isinstance(value, str))


def audit_chunk(items: list[Item], work: AuditWork) -> list[PrintedVerdict]:
    protocol = load_protocol(work.protocol)
    return [_audit_row(item, protocol, work).light() for item in items]


def _audit_row(item: Item, protocol: AnyProtocol, work: AuditWork) -> PrintedVerdict:
    row = with_own_reply(item.row(protocol)) if isinstance(item, Line) else item
    answers = answers_of(row, work.judge)
    printed = format_verdict(decide(answers, protocol), protocol, work.how)
    return replace(printed, fields=answers.case.fields)

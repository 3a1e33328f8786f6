"""Auditing many rows on all cores, in order, in constant memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Literal, TypeAlias

from oyer.cases import Line, Row, with_own_reply
from oyer.cli.output import PrintedVerdict, made_of
from oyer.engine import decide
from oyer.runs.parallel import ProtocolRef, available_cores, load_protocol, process_pool
from oyer.runs.recorded import answers_of
from oyer.types import Protocol

CHUNK = 64  # rows a task: some milliseconds of work, so that passing it on does not dominate
PARALLEL_FROM = 512  # below this, starting processes costs more than it saves

Item: TypeAlias = Row | Line


@dataclass(frozen=True, slots=True)
class AuditWork:
    """What a worker process needs to know: picklable, so it can be sent to one."""

    protocol: ProtocolRef
    judge: str | None
    how: Literal["json", "protocol", "row"]
    workers: int = 0


def audited(
    items: Iterable[Item], protocol: Protocol[Any], work: AuditWork
) -> Iterator[PrintedVerdict]:
    """The verdicts of the rows, in their order, ready to print."""
    stream = iter(items)
    head = list(islice(stream, PARALLEL_FROM))
    workers = max(work.workers, 0) or available_cores()
    if len(head) < PARALLEL_FROM or workers == 1:
        for item in chain(head, stream):
            yield _made(item, protocol, work)
        return
    with process_pool(workers) as pool:
        waiting: deque[Future[list[PrintedVerdict]]] = deque()
        everything = chain(head, stream)
        while chunk := list(islice(everything, CHUNK)):
            waiting.append(pool.submit(_chunk, chunk, work))
            if len(waiting) >= 4 * workers:  # a bounded queue: memory stays constant
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _chunk(items: list[Item], work: AuditWork) -> list[PrintedVerdict]:
    protocol = load_protocol(work.protocol)
    return [_made(item, protocol, work).light() for item in items]


def _made(item: Item, protocol: Protocol[Any], work: AuditWork) -> PrintedVerdict:
    row = with_own_reply(item.row(protocol)) if isinstance(item, Line) else item
    answers = answers_of(row, work.judge)
    made = made_of(decide(answers, protocol), protocol, work.how)
    return replace(made, fields=answers.case.fields)

"""The rows that a run judges: cases, bad rows, and the recorded replies of an audit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TypeAlias

from oyer.cases import BadRow, Row, load, make_mapper, split_reply
from oyer.errors import InputError
from oyer.runs.recorded import UNKNOWN, Recorded, ReplyLog
from oyer.runs.suite import Suite
from oyer.store.records import case_body
from oyer.types import AnyProtocol, Case, Writing

#: Reads the rows of a run, as often as it is called: fields of that protocol, the same rows.
ReadRows: TypeAlias = Callable[[AnyProtocol], Iterable[Row]]


@dataclass(frozen=True, slots=True)
class Source:
    """One row of the cases: its place, its case, and why it cannot be judged, if so."""

    seq: int
    case: Case  # as it is stored and named by its sha
    sha: str
    problem: InputError | None = None
    body: bytes = b""  # the case as it is stored; its sha is the hash of this
    subject: Case | None = None  # of a bad row: what could be read of it
    recorded: Recorded | None = None  # of an audit: the reply that somebody gave


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """One text to be judged: a source, and the candidate who will write it (None: it is there)."""

    source: Source
    candidate: str | None = None
    answer: int = 0  # which of the candidate's texts, where it writes several


def suite_rows(suite: Suite) -> ReadRows:
    """The cases that the suite names: its files, or its folder of tasks."""

    def read(protocol: AnyProtocol) -> Iterator[Row]:
        if suite.tasks is not None:
            yield from _tasks(suite.tasks, protocol)
        mapper = make_mapper(suite.columns, protocol)
        for path in suite.sources:
            yield from load(path, protocol, mapper)

    return read


def read_sources(
    rows: ReadRows, protocol: AnyProtocol, writing: Writing | None, *, recorded: bool = False
) -> Iterator[Source]:
    """The rows of a run's cases, in order; a bad one is a source with a problem.

    `recorded`: the rows hold replies, which are told apart from their cases.
    """
    wanted = protocol
    if writing is not None:  # what candidates will write is not there yet
        kept = tuple(f for f in protocol.fields if f.name != writing.field)
        wanted = replace(protocol, fields=kept)
    replies = ReplyLog()
    seq = 0
    for found in rows(wanted):
        row = refuse_faulty(found, wanted) if writing is not None else found
        source = _recorded_source(row, replies) if recorded else _source(row)
        if source is not None:
            yield replace(source, seq=seq)
            seq += 1


def refuse_faulty(row: Row, protocol: AnyProtocol) -> Row:
    """A row whose rubric (or other text with a form) is faulty, before a candidate is paid."""
    if isinstance(row, BadRow):
        return row
    for field in protocol.fields:
        if field.inspect is None:
            continue
        for problem in field.inspect(row.text(field.name)).problems:
            if problem.severity == "error":
                file, line = row.place or (None, None)
                message = f"line {problem.line} of the {field.name}: {problem.sentence}"
                error = InputError(message, file=file, line=line, field=field.name)
                return BadRow(row.id, error, row)
    return row


def _source(row: Row) -> Source:
    if isinstance(row, BadRow):
        # The fault is part of the case's name: a row that was corrected is another case.
        case = Case(row.id, {}, meta={"problem": row.error.fault})
        return replace(_source_of(case), problem=row.error, subject=row.subject)
    return _source_of(row)


def _recorded_source(row: Row, replies: ReplyLog) -> Source | None:
    """A row of an audit: its case, and the reply apart. None: the same reply stood there before."""
    if isinstance(row, BadRow):
        judge = row.subject.judge or UNKNOWN
        source = _source(row)
        repeat = replies.next_repeat(source.sha, judge)
        return replace(source, recorded=Recorded(judge, "", repeat))
    try:
        case, reply = split_reply(row)
        source = _source_of(case)
        taken = replies.take(source.sha, reply)
    except InputError as error:
        error.file, error.line = row.place or (None, None)
        return _recorded_source(BadRow(row.id, error, row), replies)
    if taken is None:
        return None
    return replace(source, recorded=Recorded(reply.judge, reply.text, taken))


def _source_of(case: Case) -> Source:
    body = case_body(case)
    return Source(0, case, hashlib.sha256(body).hexdigest(), body=body)


def units_of(source: Source, suite: Suite) -> list[WorkUnit]:
    """A source once for each candidate and answer, also if it is a row nobody can write about."""
    if not suite.candidates:
        return [WorkUnit(source)]
    texts = product(suite.candidates, range(suite.answers))
    return [WorkUnit(source, name, answer) for name, answer in texts]


def _tasks(folder: Path, protocol: AnyProtocol) -> Iterator[Case | BadRow]:
    """A folder of tasks: each field in a folder of its own, one file a task (prompts/NN.md)."""
    kept = {field.name: folder / field.folder for field in protocol.fields if field.folder}
    if not kept:
        message = f"{protocol.id} does not take a folder of tasks; give cases"
        raise InputError(message, file=str(folder), field="tasks")
    names = {file.name for place in kept.values() for file in place.glob("*.md")}
    if not names:
        first = next(iter(kept.values())).name
        raise InputError(f"the folder has no {first}/*.md", file=str(folder), field="tasks")
    for name in sorted(names):
        yield _task(name, kept, protocol)


def _task(name: str, kept: Mapping[str, Path], protocol: AnyProtocol) -> Case | BadRow:
    fields = {}
    for field_name, place in kept.items():
        file = place / name
        try:
            fields[field_name] = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as cannot:
            why = cannot.strerror if isinstance(cannot, OSError) else cannot
            return BadRow(file.stem, InputError(f"cannot be read: {why}", file=str(file)))
    formed = next((kept[f.name] for f in protocol.fields if f.inspect and f.name in kept), None)
    where = None if formed is None else (str(formed / name), None)
    return Case(Path(name).stem, fields, place=where)

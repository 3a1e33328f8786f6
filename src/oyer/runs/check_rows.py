"""`oyer check` of cases: how many, how long, what is wrong with them, and the first one."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from oyer.cases import BadRow, ProblemSummary, Row, load
from oyer.cases.mapping import is_unsure, likely_candidate, paths_of, suggest_map
from oyer.cases.rows import EMPTY_WORDS
from oyer.errors import InputError, OyerError, UsageError
from oyer.records import texts_in
from oyer.runs.check_result import Check, CheckOptions, FileProblem
from oyer.types import AnyProtocol, Case, Problem

_SHOWN = 60  # characters of a value in a preview
_LOOKED_AT = 20  # rows in which one is looked for that has columns: a table may begin with none


def check_cases(path: str, options: CheckOptions) -> Check:
    """A file, a pattern or a folder of cases."""
    check = Check(path, "cases")
    try:
        protocol = options.find() or guess_protocol(path, options)
        look_at_rows(check, load(path, protocol, options.mapper(protocol)), protocol)
    except OyerError as error:
        check.add(error, path)
    return check


def guess_protocol(path: str, options: CheckOptions) -> AnyProtocol:
    """The protocol whose fields the first row has; InputError says what it has instead."""
    candidates = _that_take(options)
    bad: BadRow | None = None
    for protocol in candidates:
        first = _find_first(load(path, protocol, options.mapper(protocol)))
        if isinstance(first, Case):
            return protocol
        bad = first
    if bad is None:
        raise InputError("there is no row in it; a case is a row, or an object a line of .jsonl")
    columns = paths_of({**bad.subject.meta, **bad.subject.fields})
    if not columns:
        raise bad.error  # not even its columns can be read
    nearest = max(candidates, key=lambda protocol: _shared_fields(protocol, columns))
    if _shared_fields(nearest, columns):
        return nearest
    raise _name_columns(columns, candidates)


def _that_take(options: CheckOptions) -> list[AnyProtocol]:
    """The protocols that have the fields of --map; UsageError if none has."""
    wrong: UsageError | None = None
    found = []
    for protocol in options.all_protocols():
        try:
            options.mapper(protocol)
        except UsageError as error:
            wrong = wrong or error
        else:
            found.append(protocol)
    if not found and wrong is not None:
        raise wrong
    return found


def _find_first(rows: Iterable[Row]) -> Row | None:
    """The first row that has columns, be it good or bad; where none has, the first."""
    first: Row | None = None
    for row in islice(rows, _LOOKED_AT):
        if isinstance(row, Case) or row.case is not None:
            return row
        first = first or row
    return first


def _name_columns(columns: Sequence[str], candidates: Sequence[AnyProtocol]) -> InputError:
    """What a file has whose columns have other names, and what to type."""
    hints = []
    for protocol in candidates:
        missing = [f.name for f in protocol.fields if f.required and f.name not in columns]
        suggestion = suggest_map(columns, protocol, missing)
        if suggestion:
            hints.append(f"try --protocol {protocol.id} {suggestion}")
    hints.sort(key=is_unsure)  # stable: the first protocol for which all columns are known
    hint = hints[0] if hints else "name a protocol with --protocol"
    others = " (`oyer protocols` lists the protocols)" if is_unsure(hint) or not hints else ""
    return InputError(f"the columns are {', '.join(columns[:12])}", hint=hint + others)


def _shared_fields(protocol: AnyProtocol, columns: Sequence[str]) -> int:
    return sum(1 for known in protocol.fields if known.name in columns)


def look_at_rows(check: Check, rows: Iterable[Row], protocol: AnyProtocol) -> None:
    """Count, measure, validate; show the first case as it was understood."""
    sizes: dict[str, list[int]] = {}
    candidates: set[str] = set()
    first: Case | None = None
    good = bad = 0
    summary = ProblemSummary()
    doubts = _Doubts()
    for row in rows:
        problem = row.error if isinstance(row, BadRow) else _validate(row, protocol)
        if problem is not None:
            bad += 1
            if summary.take(str(problem)):
                check.add(problem)
            continue
        assert isinstance(row, Case)
        good += 1
        first = first or row
        doubts.take(row)
        if row.candidate:
            candidates.add(row.candidate)
        for name, value in row.fields.items():
            length = sum(len(text) for _, text in texts_in(name, value))
            sizes.setdefault(name, []).append(length)
    check.problems.extend(FileProblem(check.file, problem) for problem in doubts.problems())
    if check.kind == "cases":
        check.understood.append(("protocol", protocol.name))
    check.understood.append(("cases", f"{good:,} good, {bad:,} bad"))
    if candidates:
        check.understood.append(("candidates", ", ".join(sorted(candidates)[:8])))
    elif first is not None and (column := likely_candidate(list(first.meta), list(first.meta))):
        check.understood.append(("candidates", f"none; is it {column}? --map candidate={column}"))
    for name, lengths in sizes.items():
        if any(lengths):
            median = int(statistics.median(lengths))
            check.understood.append((name, f"{median:,} characters, at most {max(lengths):,}"))
    if first is not None:
        check.understood.extend(_preview(first))


def _validate(case: Case, protocol: AnyProtocol) -> InputError | None:
    try:
        if protocol.validate is not None:
            protocol.validate(case)
    except InputError as error:
        if case.place is not None:
            error.file, error.line = error.file or case.place[0], error.line or case.place[1]
        return error
    return None


def _preview(case: Case) -> Iterator[tuple[str, str]]:
    yield "first case", case.id
    for name, value in case.fields.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        shown = " ".join(text.split())
        yield f"  {name}", shown[:_SHOWN] + ("…" if len(shown) > _SHOWN else "")


class _Doubts:
    """Rows that can be judged, but hardly as their author means."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str | None]] = set()
        self._twice: list[Case] = []
        self._empty: list[tuple[Case, str]] = []

    def take(self, case: Case) -> None:
        name = (case.id, case.candidate)
        if name in self._seen and case.reply is None:
            self._twice.append(case)
        self._seen.add(name)
        for field, value in case.fields.items():
            if isinstance(value, str) and value.strip().casefold() in EMPTY_WORDS:
                self._empty.append((case, field))

    def problems(self) -> Iterator[Problem]:
        """One warning of each kind, with its first row."""
        if self._twice:
            first = self._twice[0]
            who = f" and the candidate {first.candidate}" if first.candidate else ""
            message = f"{_count(len(self._twice))} the id {first.id!r}{who} of a row before: they"
            message = f"{message} count as one case, in every mean"
            yield Problem(message, _line(first), severity="warning")
        if self._empty:
            case, field = self._empty[0]
            message = f"{_count(len(self._empty))} {case.text(field).strip()!r} as the {field}: an"
            yield Problem(f"{message} empty cell of a table?", _line(case), severity="warning")


def _count(rows: int) -> str:
    return "this row has" if rows == 1 else f"this row and {rows - 1:,} more have"


def _line(case: Case) -> int | None:
    return case.place[1] if case.place else None

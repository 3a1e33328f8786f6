"""Replies that come apart from their cases: one text file, or JSON Lines of {id, reply}."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from oyer.cases.load import is_lines, lines, stdin
from oyer.cases.rows import BadRow, Row
from oyer.errors import InputError
from oyer.types import Case

_REPEAT = re.compile("[0-9]{1,6}")


def attach(rows: Iterable[Row], source: str | None) -> Iterator[Row]:
    """The rows with their replies: those of `source` when it is given, else the rows' own."""
    if source is None:
        for row in rows:
            yield with_own_reply(row)
    elif is_lines(source):
        by_id = _by_id(source)
        for row in rows:
            yield _with_reply(row, by_id, source)
    else:
        yield from _only(rows, _read(source), source)


def with_own_reply(row: Row) -> Row:
    """The row, if it has a reply to audit; else what to do about it."""
    if isinstance(row, Case) and row.reply is None:
        file, line = row.place or (None, None)
        message = f"case '{row.id}' has no reply to audit; give it in the row, or with --reply FILE"
        return BadRow(row.id, InputError(message, file=file, line=line, field="reply"), row)
    return row


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """A reply that some judge gave: whose it is, its text, and its `repeat` if the row says so."""

    judge: str
    text: str
    repeat: int | None = None


def split_reply(case: Case) -> tuple[Case, RecordedReply]:
    """The case as if nobody had judged it, and the reply apart. A bad `repeat` is an InputError.

    So a case is the same case whoever judged it: what runs are compared by.
    """
    given = case.meta.get("repeat")
    meta = {name: value for name, value in case.meta.items() if name != "repeat"}
    reply = RecordedReply(case.judge or "unknown", case.reply or "", _repeat(given))
    return replace(case, reply=None, judge=None, meta=meta), reply


def _repeat(given: object) -> int | None:
    if given is None:
        return None
    text = str(given)
    if isinstance(given, bool) or not _REPEAT.fullmatch(text):
        raise InputError(f"a repeat is a whole number from 0, not {text[:40]}", field="repeat")
    return int(text)


def _with_reply(row: Row, by_id: dict[str, tuple[str, str | None]], source: str) -> Row:
    if isinstance(row, BadRow):
        return row
    if row.id not in by_id:
        error = InputError(f"no line has the id '{row.id}'", file=source, field="id")
        return BadRow(row.id, error, row)
    reply, judge = by_id[row.id]
    return replace(row, reply=reply, judge=judge or row.judge)


def _only(rows: Iterable[Row], reply: str, source: str) -> Iterator[Row]:
    for count, row in enumerate(rows):
        if count:
            raise InputError(
                "holds one reply, but there are several cases; give JSON Lines of {id, reply}",
                file=source,
            )
        yield row if isinstance(row, BadRow) else replace(row, reply=reply)


def _by_id(source: str) -> dict[str, tuple[str, str | None]]:
    found: dict[str, tuple[str, str | None]] = {}
    hint = "a file that is one raw reply goes by another name than .jsonl"
    for line in lines(source):
        number = line.number
        try:
            row = json.loads(line.text)
        except (ValueError, RecursionError) as cause:
            raise InputError(f"not JSON: {cause}", file=source, line=number) from None
        if not isinstance(row, dict) or row.get("reply") is None:
            raise InputError(f"needs an id and a reply; {hint}", file=source, line=number)
        case = Case.of(row, (), id=str(number))
        if case.id in found:
            raise InputError(f"the id '{case.id}' stands twice", file=source, line=number)
        found[case.id] = (case.reply or "", case.judge)
    return found


def _read(source: str) -> str:
    if source == "-":
        return stdin().read()
    try:
        return Path(source).read_text(encoding="utf-8", errors="replace")
    except OSError as cause:
        raise InputError(f"cannot be read: {cause.strerror}", file=source) from None

"""Replies that come apart from their cases: one text file, or JSON Lines of {id, reply}."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from oyer.cases.load import BadRow, Row
from oyer.errors import InputError
from oyer.types import Case


def attach(rows: Iterable[Row], source: str | None) -> Iterator[Row]:
    """The rows with their replies: the row's own `reply`, else that of `source`."""
    if source is None:
        for row in rows:
            yield with_own_reply(row)
    elif source.endswith(".jsonl"):
        by_id = _by_id(source)
        for row in rows:
            yield _given(row, by_id, source)
    else:
        yield from _only(rows, _read(source), source)


def with_own_reply(row: Row) -> Row:
    """The row, if it has a reply to audit; else what to do about it."""
    if isinstance(row, Case) and row.reply is None:
        return BadRow(
            row.id,
            InputError(
                f"case '{row.id}' has no reply to audit; give it in the row, or with --reply FILE",
                field="reply",
            ),
        )
    return row


def _given(row: Row, by_id: dict[str, tuple[str, str | None]], source: str) -> Row:
    if isinstance(row, BadRow):
        return row
    if row.id not in by_id:
        error = InputError(f"no line has the id '{row.id}'", file=source, field="id")
        return BadRow(row.id, error)
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
    with open(source, encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError as cause:
                raise InputError(f"not JSON: {cause}", file=source, line=number) from None
            if not isinstance(row, dict) or not isinstance(row.get("reply"), str):
                raise InputError("needs an id and a reply (text)", file=source, line=number)
            key = str(row.get("id", number))
            if key in found:
                raise InputError(f"the id '{key}' stands twice", file=source, line=number)
            found[key] = (row["reply"], row.get("judge"))
    return found


def _read(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8", errors="replace")
    except OSError as cause:
        raise InputError(f"cannot be read: {cause.strerror}", file=source) from None

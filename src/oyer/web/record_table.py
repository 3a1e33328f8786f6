"""A JSON field that is a list of plain records, as a table: easier to read than its braces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from oyer.records import JsonObject

MOST_ROWS, MOST_COLUMNS = 200, 12


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Columns with the shortest values first; a value that is absent is ""."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_of(value: object) -> RecordTable | None:
    """The table, or None where the value is something else. `{"items": [...]}` counts, too."""
    records = _records(value)
    if not records or len(records) > MOST_ROWS:
        return None
    names = dict.fromkeys(chain.from_iterable(records))
    if len(names) > MOST_COLUMNS:
        return None
    columns = tuple(sorted(names, key=lambda name: _width(records, name)))
    return RecordTable(columns, tuple(_row(record, columns) for record in records))


def _records(value: object) -> Sequence[JsonObject]:
    if isinstance(value, Mapping) and len(value) == 1:
        value = next(iter(value.values()))
    if not isinstance(value, list):
        return ()
    return value if all(_is_plain(entry) for entry in value) else ()


def _is_plain(entry: object) -> bool:
    if not isinstance(entry, Mapping):
        return False
    return not any(isinstance(value, Mapping | list) for value in entry.values())


def _row(record: JsonObject, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(_word(record.get(name)) for name in columns)


def _width(records: Sequence[JsonObject], name: str) -> int:
    return max(len(_word(record.get(name))) for record in records)


def _word(value: object) -> str:
    return "" if value is None else str(value)

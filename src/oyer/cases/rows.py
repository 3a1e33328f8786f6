"""A parsed row -> a case, or a bad row that names the fault."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

from oyer.cases.files import read_path, text_or_file
from oyer.cases.mapping import Mapper, paths_of, suggest_map
from oyer.errors import InputError
from oyer.types import AnyProtocol, Case, JsonObject

#: One row may hold this many characters (a whole decision with its extraction is under 2 million).
ROW_LIMIT = 16_000_000
#: How programs write an empty cell of a table.
EMPTY_WORDS = frozenset(("nan", "nat", "<na>", "null", "none", "n/a", "#n/a"))


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that cannot be judged, with its place and what to do; `case` is what could be read."""

    id: str
    error: InputError
    case: Case | None = None

    @property
    def subject(self) -> Case:
        """The case as far as it was read, for the verdict that says why there is no score."""
        return self.case or Case(self.id, {})


Row: TypeAlias = Case | BadRow


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands: its file, its line if lines can be counted, and what it is called."""

    file: str
    line: int | None
    fallback: str  # the id of a row that has none
    folder: Path  # where the files are that a row names

    def bad(self, message: str, field: str | None = None) -> BadRow:
        """A row here that cannot be used."""
        error = InputError(message, file=self.file, line=self.line, field=field)
        return BadRow(self.fallback, error)


@dataclass(frozen=True, slots=True)
class RowReader:
    """How rows become cases: the protocol's fields, and the user's mapping of columns."""

    protocol: AnyProtocol
    mapper: Mapper = field(default_factory=Mapper)

    def read(self, value: object, place: Place) -> Row:
        """The row as a case: fields there and of their kind, or a BadRow that names the fault."""
        if not isinstance(value, dict):
            return place.bad(f"a case is a JSON object, not {name_kind(value)}")
        try:
            row = self.mapper.apply(value, self._optional)
        except InputError as error:
            return place.bad(error.message, error.field)
        case = Case.of(row, [f.name for f in self.protocol.fields], id=place.fallback)
        fields = dict(case.fields)
        for wanted in self.protocol.fields:
            name = wanted.name
            if not wanted.required and fields.get(name) is None:
                fields.pop(name, None)
                continue
            if name not in fields:
                return _place_error(self._missing(row, name), place, case)
            try:
                fields[name] = _as_kind(fields[name], wanted.kind)
                if wanted.file:
                    fields[name] = text_or_file(fields[name], place.folder)
            except InputError as error:
                error.field = error.field or name
                return _place_error(error, place, case)
        where = (place.file, place.line)
        return replace(case, fields=fields, place=where)

    @property
    def required_columns(self) -> frozenset[str]:
        """The columns of a table whose empty cells are told as empty texts."""
        required = [field.name for field in self.protocol.fields if field.required]
        return frozenset(self.mapper.paths.get(name, name) for name in required)

    @property
    def mapped_columns(self) -> frozenset[str]:
        """The columns that the user named: an empty cell is another thing than no such column."""
        return frozenset(self.mapper.paths.values())

    @property
    def _optional(self) -> frozenset[str]:
        return frozenset(field.name for field in self.protocol.fields if not field.required)

    def _missing(self, row: JsonObject, name: str) -> InputError:
        needs = [field.name for field in self.protocol.fields if field.required]
        columns = paths_of(row)
        if blank := next((column for column in columns if column.strip() == name), None):
            message = f"missing; the row has {blank!r}, with a blank in the name: rename it"
            return InputError(message, field=name)
        has = ", ".join(columns[:12])
        message = f"missing; a {self.protocol.id} case has {', '.join(needs)}; this row has {has}"
        lacking = [need for need in needs if need not in row]
        suggestion = suggest_map(columns, self.protocol, lacking)
        hint = f"try {suggestion} (in a suite: the table [map])" if suggestion else ""
        return InputError(message, field=name, hint=hint)


def case_of(value: JsonObject, protocol: AnyProtocol) -> Case:
    """A case that is no file's. InputError names a field that is missing or of the wrong kind.

    A `Path` is read: it comes from a program, which may name any file.
    """
    values = {name: read_path(given, name) for name, given in value.items()}
    row = RowReader(protocol).read(values, Place("", None, "1", Path.cwd()))
    if isinstance(row, BadRow):
        row.error.file = None
        raise row.error
    return replace(row, place=None)


def _place_error(error: InputError, place: Place, case: Case) -> BadRow:
    error.file, error.line = place.file, place.line
    return BadRow(case.id, error, case)


def name_kind(value: object) -> str:
    """What a value is, in the words of JSON."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text",
             list: "a list", dict: "an object", type(None): "null"}  # fmt: skip
    return kinds.get(type(value), type(value).__name__)


def _as_kind(value: object, kind: str) -> object:
    if kind == "text":
        if not isinstance(value, str):
            raise InputError(f"must be text, not {name_kind(value)}")
        if len(value) > ROW_LIMIT:
            raise InputError(f"is longer than {ROW_LIMIT:,} characters")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError("is not valid UTF-8; save the file as UTF-8") from None
        return value
    if isinstance(value, str):  # CSV cells and some exports hold JSON as text
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as cause:
            raise InputError(f"must be JSON: {cause}") from None
    return value


def _number(value: Decimal) -> int | float | None:
    if not value.is_finite():
        return None
    return int(value) if value == value.to_integral_value() else float(value)


_CONVERTERS: tuple[tuple[tuple[type, ...], Callable[[Any], Any]], ...] = (
    ((bool, int, str, type(None)), lambda value: value),
    ((float,), lambda value: value if math.isfinite(value) else None),
    ((Decimal,), _number),
    ((datetime, date, time), lambda value: value.isoformat()),
    ((bytes,), lambda value: value.decode("utf-8", "surrogateescape")),
    ((Mapping,), lambda value: {str(key): as_json_value(v) for key, v in value.items()}),
    ((list, tuple), lambda value: [as_json_value(inner) for inner in value]),
)


def as_json_value(value: object) -> object:
    """A value of a typed column (Decimal, timestamp, list …) as JSON has it."""
    for kinds, convert in _CONVERTERS:
        if isinstance(value, kinds):
            return convert(value)
    return str(value)

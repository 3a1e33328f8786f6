"""Rows of tables: CSV and TSV, Parquet, Arrow (Hugging Face's `save_to_disk`)."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, zip_longest
from pathlib import Path
from typing import IO, Any

from oyer.cases.rows import EMPTY_WORDS, ROW_LIMIT, BadRow, Place, Row, RowReader, as_json_value
from oyer.errors import InputError
from oyer.types import Case

_GROUP_LIMIT = 2_000_000_000  # bytes of a row group: all of it may have to be in memory
_ROWS_AT_ONCE = 256
COMMAS = (",", ";", "\t")  # the first where a header has as many of each
_LONG = 8  # words that no name of a column has
_QUOTED = re.compile(r'"[^"]*(?:""[^"]*)*"')


def read_csv(handle: IO[str], path: Path, comma: str | None, rows: RowReader) -> Iterator[Row]:
    """The rows of a CSV file, by its header; European spreadsheets write semicolons, some programs
    tabs."""
    name = str(path)
    csv.field_size_limit(ROW_LIMIT)
    first = handle.readline(ROW_LIMIT)
    if comma is None:
        comma = max(COMMAS, key=first.count)
    lines = _RowLines(chain([first], handle))
    reader = csv.reader(lines, delimiter=comma, strict=True)
    try:
        header = [column.strip() for column in next(reader, [])]
    except csv.Error as cause:
        raise InputError(f"not CSV: {cause}", file=name, line=1) from None
    _refuse_twins(header, name)
    _refuse_rows_as_header(header, name, rows.required_columns)
    while True:
        line = reader.line_num + 1  # where the row begins; its cells may hold line ends
        place = Place(name, line, str(line), path.parent)
        lines.row.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as cause:  # the reader goes on with the next line
            at = _unmatched_cell("".join(lines.row), comma)
            if at is None or at >= len(header):
                yield place.bad(f"not CSV: {cause}")
            else:
                yield _bad_quotes(place, header[at], reader.line_num)
            continue
        if cells:
            yield _read_cells(header, cells, place, rows)


def _read_cells(header: list[str], cells: list[str], place: Place, rows: RowReader) -> Row:
    """A row by its header. An empty cell is no text; in a column that is needed it is an empty one,
    in one that the user named it is null."""
    if not any(map(str.strip, cells)):
        return place.bad("the row is empty; delete it, or fill in its texts")
    if len(cells) > len(header):
        return place.bad("the row has more cells than the header")
    required, mapped = rows.required_columns, rows.mapped_columns
    given: dict[str, str | None] = {}
    for key, cell in zip_longest(header, cells, fillvalue=""):
        if cell or key in required:
            given[key] = cell
        elif key in mapped:
            given[key] = None
    return _refuse_empty_words(rows.read(given, place), rows)


class _RowLines:
    """Lines on their way to the reader; those of the row that it reads are kept for a message."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.row: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.row.append(line)
        return line


def _unmatched_cell(row: str, comma: str) -> int | None:
    """The place of the cell whose quotation marks do not match; None: they all do."""
    cell = at = 0
    while True:
        if row.startswith('"', at):
            quoted = _QUOTED.match(row, at)
            if quoted is None:
                return cell
            at = quoted.end()
            if row[at : at + 1] not in (comma, "\r", "\n", ""):
                return cell
        else:
            at = row.find(comma, at)
        if at < 0 or not row.startswith(comma, at):
            return None
        at += 1
        cell += 1


def _bad_quotes(place: Place, column: str, last: int) -> BadRow:
    """A row that ends nowhere, or too early; the lines that it took with it are told."""
    first = place.line or last
    taken = "" if last <= first else f" (what stands up to line {last} was taken for this row)"
    message = (
        f"its quotation marks do not match{taken}: close the mark that opens the text, and write "
        'every mark inside the text twice ("")'
    )
    return place.bad(message, column)


def _refuse_empty_words(row: Row, rows: RowReader) -> Row:
    """Programs write an empty cell as NULL or NaN: nobody means that as a text to be judged."""
    if not isinstance(row, Case):
        return row
    for field in rows.protocol.fields:
        text = row.fields.get(field.name)
        if not field.required or not isinstance(text, str):
            continue
        if text.strip().casefold() in EMPTY_WORDS:
            file, line = row.place or (None, None)
            message = (
                f"the cell says '{text.strip()}', as programs write an empty one: fill in the "
                "text or delete the row; if this is the text, give the cases as .jsonl"
            )
            return BadRow(row.id, InputError(message, file=file, line=line, field=field.name), row)
    return row


def _refuse_twins(header: list[str], name: str) -> None:
    seen: set[str] = set()
    for column in header:
        if column in seen:
            raise InputError(f"the header has the column '{column}' twice", file=name, line=1)
        seen.add(column)


def _refuse_rows_as_header(header: list[str], name: str, wanted: Collection[str]) -> None:
    """A file without a header begins with a row: its texts would be taken for names."""
    reads_so = any(len(column.split()) >= _LONG for column in header)
    if reads_so and wanted and not any(column in header for column in wanted):
        names = " or ".join(sorted(wanted))
        message = f"the first line reads like a row, and no column is called {names}"
        hint = "put a line with the columns' names above it, or name these columns with --map"
        raise InputError(message, file=name, line=1, hint=hint)


def read_parquet(path: Path, rows: RowReader) -> Iterator[Row]:
    """The rows of a Parquet file. Texts stay in their dictionary until a row is looked at."""
    pyarrow = _pyarrow(path)
    from pyarrow import parquet

    try:
        about = parquet.read_metadata(path)
        _refuse_giants(about, path)
        table = parquet.ParquetFile(path, read_dictionary=_text_columns(about), pre_buffer=False)
        batches = table.iter_batches(batch_size=_ROWS_AT_ONCE)
        yield from _read_batches(batches, path, rows)
    except (pyarrow.ArrowException, OSError, MemoryError) as cause:
        raise InputError(f"not Parquet: {_first_line(cause)}", file=str(path)) from None


def read_arrow(path: Path, rows: RowReader) -> Iterator[Row]:
    """The rows of an Arrow stream or file."""
    pyarrow = _pyarrow(path)
    try:
        with pyarrow.memory_map(str(path)) as source:
            try:
                batches = pyarrow.ipc.open_stream(source)
            except pyarrow.ArrowInvalid:
                opened = pyarrow.ipc.open_file(source)
                batches = (opened.get_batch(i) for i in range(opened.num_record_batches))
            yield from _read_batches(batches, path, rows)
    except (pyarrow.ArrowException, OSError) as cause:
        raise InputError(f"not Arrow: {_first_line(cause)}", file=str(path)) from None


def _pyarrow(path: Path) -> Any:
    try:
        import pyarrow
    except ImportError:
        message = (
            f"reading {path.suffix[1:].capitalize()} needs pyarrow: pip install 'oyer[parquet]'"
        )
        raise InputError(message, file=str(path)) from None
    return pyarrow


def _read_batches(batches: Any, path: Path, rows: RowReader) -> Iterator[Row]:
    number = 0
    for batch in batches:
        for at in range(batch.num_rows):
            number += 1
            place = Place(str(path), number, str(number), path.parent)
            values = batch.slice(at, 1).to_pylist()[0]
            given = {key: as_json_value(v) for key, v in values.items() if v is not None}
            yield rows.read(given, place)


def _refuse_giants(about: Any, path: Path) -> None:
    for at in range(about.num_row_groups):
        size = about.row_group(at).total_byte_size
        if size > _GROUP_LIMIT:
            message = f"row group {at} has {size / 1e9:.1f} GB; write groups of at most 2 GB"
            raise InputError(message, file=str(path))


def _text_columns(about: Any) -> list[str]:
    schema = about.schema.to_arrow_schema()
    texts = ("string", "large_string", "binary", "large_binary")
    return [field.name for field in schema if str(field.type) in texts]


def _first_line(cause: BaseException) -> str:
    return re.sub(r"\s+", " ", str(cause))[:200]

"""One door for every source: .json, .jsonl(.gz), .csv(.gz), .parquet, a folder, standard input."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO, Any, TypeAlias

from oyer.cases.files import text_or_file
from oyer.errors import InputError
from oyer.types import Case, Protocol

#: One row may hold this many characters (a whole decision with its extraction is under 2 million).
ROW_LIMIT = 64_000_000
#: A broken archive, a file we may not read: nothing can be judged, and we say so.
UNREADABLE = (gzip.BadGzipFile, zlib.error, EOFError, PermissionError)


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
class Line:
    """A line of JSON Lines, not yet parsed: whoever works on it parses it."""

    file: str
    number: int
    text: str

    def row(self, protocol: Protocol[Any]) -> Row:
        """The line as a case."""
        name, number = self.file, self.number
        if len(self.text) > ROW_LIMIT:
            what = f"the row is longer than {ROW_LIMIT:,} characters"
            return BadRow(str(number), InputError(what, file=name, line=number))
        try:
            value = json.loads(self.text)
        except (ValueError, RecursionError) as cause:
            what = f"not JSON: {_why(cause)}; JSON Lines has one whole object a line"
            if self.text.strip() in ("{", "["):
                what += ". A document of several lines belongs in a file that ends in .json"
            return BadRow(str(number), InputError(what, file=name, line=number))
        return _row(value, str(number), (name, number), _beside(name), protocol)


@lru_cache(maxsize=1)
def _beside(file: str) -> Path:
    """Where the files are that a row names."""
    return Path.cwd() if file == "<stdin>" else Path(file).parent


def stdin() -> IO[str]:
    """Standard input as the files are read: UTF-8 whatever the locale, bad bytes kept visible."""
    return io.TextIOWrapper(
        sys.stdin.buffer, encoding="utf-8", errors="surrogateescape", newline=""
    )


def is_lines(source: str) -> bool:
    """Whether the source is a file of JSON Lines."""
    return source.endswith((".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"))


def lines(source: str) -> Iterator[Line]:
    """The lines of a JSON Lines file, blank ones left out."""
    path = Path(source)
    _refuse_nothing(path, source)
    try:
        with _open(path) as handle:
            yield from _numbered(handle, source)
    except UNREADABLE as cause:
        raise _unreadable(cause, source) from None


def _unreadable(cause: Exception, name: str) -> InputError:
    return InputError(f"cannot be read: {getattr(cause, 'strerror', None) or cause}", file=name)


def _refuse_nothing(path: Path, name: str) -> None:
    if not path.exists():
        raise InputError("there is no such file or folder", file=name)
    if not path.is_file():
        raise InputError("is no plain file; give - and let standard input read it", file=name)


def _numbered(handle: Iterable[str], name: str, first: int = 1) -> Iterator[Line]:
    for number, text in enumerate(handle, first):
        if text.strip():
            yield Line(name, number, text)


def load(source: str | Path, protocol: Protocol[Any]) -> Iterator[Row]:
    """The cases of a source, in order, one at a time. Raises only when nothing can be read."""
    name = str(source)
    if name == "-":
        yield from _stream(stdin(), protocol)
        return
    path = Path(source)
    if path.is_dir():
        files = sorted(path.glob("*.json"))
        if not files:
            raise InputError("the folder has no .json file", file=name)
        for file in files:
            yield from load(file, protocol)
        return
    _refuse_nothing(path, name)
    bare = path.with_suffix("") if path.suffix == ".gz" else path
    try:
        if bare.suffix == ".parquet":
            yield from _parquet(path, protocol)
        elif bare.suffix in (".csv", ".tsv"):
            with _open(path) as handle:
                yield from _csv(handle, path, "\t" if bare.suffix == ".tsv" else None, protocol)
        elif bare.suffix == ".json":
            with _open(path) as handle:
                yield from _json(handle.read(ROW_LIMIT + 1), name, path.parent, protocol)
        elif is_lines(name):
            for line in lines(name):
                yield line.row(protocol)
        else:
            raise InputError(
                "unknown kind of file; cases come as .json, .jsonl (also .gz), .csv, .parquet, "
                "a folder of .json, or - for standard input",
                file=name,
            )
    except UNREADABLE as cause:
        raise _unreadable(cause, name) from None


def load_copy(file: Path, protocol: Protocol[Any]) -> Iterator[Row]:
    """The cases of standard input, of which `file` is a copy: it can be read more than once."""
    with open(file, encoding="utf-8", errors="surrogateescape", newline="") as handle:
        yield from _stream(handle, protocol)


def _open(path: Path) -> IO[str]:
    # Undecodable bytes become lone surrogates, so that a bad row is named, not a crash.
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as raw:
        refuse_utf16(raw.read(2), str(path))
    return opener(path, "rt", encoding="utf-8-sig", errors="surrogateescape", newline="")


def refuse_utf16(start: bytes, name: str) -> None:
    """PowerShell and some editors write it: every row would be broken, and say so."""
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise InputError("is UTF-16 text; save it as UTF-8", file=name)


def _stream(handle: IO[str], protocol: Protocol[Any]) -> Iterator[Row]:
    """Standard input is JSON Lines, or one JSON document when its first line is not complete."""
    first, skipped = "", 0
    while not first.strip() and (read := handle.readline(ROW_LIMIT)):
        first, skipped = read.removeprefix("\ufeff"), skipped + 1
    rest: Iterable[str] = handle
    start = first.lstrip()[:1]
    if start == "[" or (start == "{" and not _is_json(first)):
        whole = first + handle.read(ROW_LIMIT)
        if _is_json(whole):
            yield from _json(whole, "<stdin>", Path.cwd(), protocol)
            return
        first, rest = "", io.StringIO(whole)
    for line in _numbered(chain([first] if first else [], rest), "<stdin>", skipped):
        yield line.row(protocol)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _why(cause: Exception) -> str:
    """What is wrong with a JSON text, counted from the beginning of its line."""
    if isinstance(cause, json.JSONDecodeError):
        return f"{cause.msg} (character {cause.colno})"
    return str(cause)


def _json(text: str, name: str, base: Path, protocol: Protocol[Any]) -> Iterator[Row]:
    """One object, or an array of them."""
    stem = Path(name).stem
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as cause:
        line = cause.lineno if isinstance(cause, json.JSONDecodeError) else 1
        yield BadRow(stem, InputError(f"not JSON: {_why(cause)}", file=name, line=line))
        return
    many = isinstance(value, list)
    for at, row in enumerate(value if many else [value], 1):
        yield _row(row, f"{stem}-{at}" if many else stem, (name, None), base, protocol)


def _csv(handle: IO[str], path: Path, comma: str | None, protocol: Protocol[Any]) -> Iterator[Row]:
    csv.field_size_limit(ROW_LIMIT)
    first = handle.readline(ROW_LIMIT)
    if comma is None:  # European spreadsheets write semicolons
        comma = ";" if first.count(";") > first.count(",") else ","
    reader = csv.DictReader(chain([first], handle), delimiter=comma, strict=True)
    name = str(path)
    header = reader.fieldnames or ()
    if twice := next((key for key in header if header.count(key) > 1), None):
        raise InputError(f"the header has the column '{twice}' twice", file=name, line=1)
    while True:
        line = reader.reader.line_num + 1  # where the row begins; its cells may hold line ends
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as cause:  # the reader goes on with the next line
            yield BadRow(str(line), InputError(f"not CSV: {cause}", file=name, line=line))
            continue
        if None in row:
            error = InputError("the row has more cells than the header", file=name, line=line)
            yield BadRow(str(line), error)
            continue
        given = {key: value for key, value in row.items() if value not in (None, "")}
        yield _row(given, str(line), (name, line), path.parent, protocol)


def _parquet(path: Path, protocol: Protocol[Any]) -> Iterator[Row]:
    try:
        from pyarrow import ArrowInvalid, parquet
    except ImportError:
        raise InputError(
            "reading Parquet needs pyarrow: pip install 'oyer[parquet]'", file=str(path)
        ) from None
    number = 0
    try:
        table = parquet.ParquetFile(path)
    except ArrowInvalid as cause:
        raise InputError(f"not Parquet: {cause}", file=str(path)) from None
    for batch in table.iter_batches(batch_size=256):
        for row in batch.to_pylist():
            number += 1
            given = {key: value for key, value in row.items() if value is not None}
            yield _row(given, str(number), (str(path), number), path.parent, protocol)


def _row(
    value: Any, fallback: str, place: tuple[str, int | None], base: Path, protocol: Protocol[Any]
) -> Row:
    """A parsed row as a case: fields there and of their kind, or a BadRow that names the fault."""
    file, line = place
    if not isinstance(value, dict):
        told = f"a case is a JSON object, not {_kind(value)}"
        return BadRow(fallback, InputError(told, file=file, line=line))
    case = Case.of(value, [f.name for f in protocol.fields], id=fallback)
    fields = dict(case.fields)
    try:
        for field in protocol.fields:
            if field.name not in fields:
                needs = ", ".join(f.name for f in protocol.fields)
                has = ", ".join(list(value)[:12])
                raise InputError(
                    f"missing; a {protocol.id} case has {needs}; this row has {has}",
                    file=file, line=line, field=field.name,
                )  # fmt: skip
            fields[field.name] = _typed(fields[field.name], field.kind)
            if field.file:
                fields[field.name] = text_or_file(fields[field.name], base)
    except InputError as error:
        error.file, error.line, error.field = file, line, error.field or field.name
        return BadRow(case.id, error, case)
    return Case(case.id, fields, case.candidate, case.reply, case.judge, case.meta, place=place)


def _kind(value: Any) -> str:
    """What a value is, in the words of JSON."""
    kinds = {bool: "true or false", int: "a number", float: "a number", str: "text",
             list: "a list", dict: "an object", type(None): "null"}  # fmt: skip
    return kinds.get(type(value), type(value).__name__)


def _typed(value: Any, kind: str) -> Any:
    if kind == "text":
        if not isinstance(value, str):
            raise InputError(f"must be text, not {_kind(value)}")
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

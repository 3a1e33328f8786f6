"""One door for every source: a file, several, a pattern, a folder, a data set, standard input."""

from __future__ import annotations

import codecs
import difflib
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import IO

from oyer.cases.mapping import Mapper
from oyer.cases.naming import name_rows
from oyer.cases.rows import ROW_LIMIT, BadRow, Place, Row, RowReader
from oyer.cases.sources import expand
from oyer.cases.tables import read_arrow, read_csv, read_parquet
from oyer.cases.texts import has_texts, read_texts
from oyer.errors import InputError
from oyer.types import AnyProtocol

#: A broken archive, a file we may not read: nothing can be judged, and we say so.
UNREADABLE = (gzip.BadGzipFile, zlib.error, EOFError, PermissionError)
NO_MAP = Mapper()
_TEXTS = ("", ".txt", ".md", ".htm", ".html")
_SKIPPED = 1 << 20  # characters of a line that is too long, at a time
_KINDS = (
    "unknown kind of file; cases come as .json, .jsonl, .csv (also .gz), .parquet, .arrow, "
    "a folder of these, a folder of texts (NAME.FIELD.txt), or - for standard input"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of JSON Lines, not yet parsed: whoever works on it parses it."""

    file: str
    number: int
    text: str
    mapper: Mapper = NO_MAP

    def row(self, protocol: AnyProtocol) -> Row:
        """The line as a case."""
        place = Place(self.file, self.number, str(self.number), _folder_of(self.file))
        if len(self.text) > ROW_LIMIT:
            return place.bad(f"the row is longer than {ROW_LIMIT:,} characters")
        try:
            value = json.loads(self.text)
        except (ValueError, RecursionError) as cause:
            what = f"not JSON: {_why(cause)}; JSON Lines has one whole object a line"
            if self.text.strip() in ("{", "["):
                what += ". A document of several lines belongs in a file that ends in .json"
            return place.bad(what)
        if isinstance(value, list):
            what = "a case is a JSON object, not a list; a list belongs into a file named .json"
            return place.bad(what)
        return RowReader(protocol, self.mapper).read(value, place)


@lru_cache(maxsize=1)
def _folder_of(file: str) -> Path:
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


def lines(source: str, mapper: Mapper = NO_MAP) -> Iterator[Line]:
    """The lines of a JSON Lines file, blank ones left out."""
    path = Path(source)
    _refuse_nothing(path, source)
    try:
        with _open(path) as handle:
            yield from _number_lines(_bound_lines(handle), source, mapper)
    except UNREADABLE as cause:
        raise _unreadable(cause, source) from None


def _unreadable(cause: Exception, name: str) -> InputError:
    return InputError(f"cannot be read: {getattr(cause, 'strerror', None) or cause}", file=name)


def _near(path: Path) -> str:
    """The neighbour whose name was probably meant."""
    try:
        neighbours = [neighbour.name for neighbour in path.parent.iterdir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, neighbours, n=1, cutoff=0.75)
    return f"; did you mean '{near[0]}'?" if near else ""


def _refuse_nothing(path: Path, name: str) -> None:
    try:
        there, plain = path.exists(), path.is_file()
    except (OSError, ValueError) as bad:  # a loop of links, a NUL in the name
        raise InputError(f"cannot be read: {bad}", file=repr(name)) from None
    if not there and path.is_symlink():
        raise InputError("is a link that leads nowhere, or to itself", file=name)
    if not there:
        raise InputError(f"there is no such file or folder{_near(path)}", file=name)
    if not plain:
        raise InputError("is no plain file; give - and let standard input read it", file=name)


def _bound_lines(handle: IO[str]) -> Iterator[str]:
    """Lines of at most one character more than a row may have; the rest of a longer one is read
    over, so that an archive of one endless line fills no memory."""
    while text := handle.readline(ROW_LIMIT + 1):
        yield text
        while len(text) > ROW_LIMIT and not text.endswith("\n"):
            rest = handle.readline(_SKIPPED)
            if not rest or rest.endswith("\n"):
                break


def _number_lines(
    handle: Iterable[str], name: str, mapper: Mapper = NO_MAP, first: int = 1
) -> Iterator[Line]:
    for number, text in enumerate(handle, first):
        if text.strip():
            yield Line(name, number, text, mapper)


def load(
    source: str | Path | Sequence[str], protocol: AnyProtocol, mapper: Mapper = NO_MAP
) -> Iterator[Row]:
    """The cases of one source or several, in order, one at a time. Raises only when nothing can
    be read."""
    sources = [source] if isinstance(source, str | Path) else source
    for part in sources:
        yield from name_rows(_load_source(str(part), RowReader(protocol, mapper)), protocol)


def _load_source(name: str, rows: RowReader) -> Iterator[Row]:
    if name == "-":
        yield from _stream(stdin(), rows)
        return
    files = expand(name)
    if not files and has_texts(Path(name), rows):
        yield from read_texts(Path(name), rows)
        return
    if not files:
        raise InputError("the folder has no file of cases, such as .jsonl or .csv", file=name)
    for file in files:
        yield from _load_file(file, rows)


def _flags_of_one(path: Path, protocol: AnyProtocol) -> str:
    """For a text in the place of cases: how a single case is given."""
    needed = [field for field in protocol.fields if field.required]
    if path.suffix not in _TEXTS or not all(field.flags for field in needed):
        return ""
    typed = (f"{field.flags[0]} {'VALUE' if field.literal else 'FILE'}" for field in needed)
    return f"; for one case of texts, type {' '.join(typed)}"


def load_copy(file: Path, protocol: AnyProtocol, mapper: Mapper = NO_MAP) -> Iterator[Row]:
    """The cases of standard input, of which `file` is a copy: it can be read more than once."""
    with open(file, encoding="utf-8", errors="surrogateescape", newline="") as handle:
        yield from name_rows(_stream(handle, RowReader(protocol, mapper)), protocol)


def _load_file(path: Path, rows: RowReader) -> Iterator[Row]:
    name = str(path)
    _refuse_nothing(path, name)
    bare = path.with_suffix("") if path.suffix == ".gz" else path
    try:
        if bare.suffix == ".parquet":
            yield from read_parquet(path, rows)
        elif bare.suffix == ".arrow":
            yield from read_arrow(path, rows)
        elif bare.suffix in (".csv", ".tsv"):
            with _open(path) as handle:
                yield from read_csv(handle, path, "\t" if bare.suffix == ".tsv" else None, rows)
        elif bare.suffix == ".json":
            with _open(path) as handle:
                yield from _read_json(handle.read(ROW_LIMIT * 4 + 1), name, path.parent, rows)
        elif is_lines(name):
            for line in lines(name, rows.mapper):
                yield line.row(rows.protocol)
        else:
            raise InputError(_KINDS + _flags_of_one(bare, rows.protocol), file=name)
    except UNREADABLE as cause:
        raise _unreadable(cause, name) from None


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


def _stream(handle: IO[str], rows: RowReader) -> Iterator[Row]:
    """Standard input is JSON Lines, or one JSON document when its first line is not complete."""
    first, skipped = "", 0
    while not first.strip() and (read := handle.readline(ROW_LIMIT)):
        first = read.removeprefix("\ufeff")
        skipped += 1
    rest: Iterable[str] = _bound_lines(handle)
    start = first.lstrip()[:1]
    if start == "[" or (start == "{" and not _is_json(first)):
        whole = first + handle.read(ROW_LIMIT * 4)
        if _is_json(whole):
            yield from _read_json(whole, "<stdin>", Path.cwd(), rows)
            return
        first, rest = "", io.StringIO(whole)
    opening = [first] if first else []
    for line in _number_lines(chain(opening, rest), "<stdin>", rows.mapper, skipped):
        yield line.row(rows.protocol)


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


def _read_json(text: str, name: str, folder: Path, rows: RowReader) -> Iterator[Row]:
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
        place = Place(name, None, f"{stem}-{at}" if many else stem, folder)
        yield rows.read(row, place)

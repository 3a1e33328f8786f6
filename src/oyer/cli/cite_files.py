"""What `oyer cite` reads: texts, JSON lines, folders; what is no text is refused by name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from oyer.errors import InputError

_LINES = (".jsonl", ".jsonl.gz", ".ndjson")
_TEXTS = (".txt", ".md", ".markdown", *_LINES)
#: How files that are no text begin, and what to do with them.
_NO_TEXT = {
    b"%PDF": "is a PDF; convert it to text first (pdftotext)",
    b"PK\x03\x04": "is a zip archive or an Office document; save it as text first",
    b"{\\rtf": "is RTF; save it as text first",
    b"\xd0\xcf\x11\xe0": "is an Office document; save it as text first",
}


class DecisionText(NamedTuple):
    """A text to read: its id when the file gives one, its language when known."""

    text: str
    id: str | None = None
    language: Any = None
    when: str | None = None
    citations: object = None  # if they were found elsewhere


def read_decisions(
    names: list[str], language: str | None, when: str | None
) -> Iterator[DecisionText]:
    """Every decision of the files and folders; with several, each has its file as id."""
    from oyer.cite import day_of_decision

    files = [*chain.from_iterable(map(_files, names or ["-"]))]
    for name in files:
        if name.endswith(_LINES):
            for row in _rows(name, language):
                yield row._replace(when=when or day_of_decision(row.id))
        else:
            yield DecisionText(_read(name), name if len(files) > 1 else None, language, when)


def _files(name: str) -> Iterator[str]:
    folder = Path(name)
    if name == "-" or not folder.is_dir():
        yield name
        return
    found = sorted(str(p) for p in folder.rglob("*") if p.is_file() and p.name.endswith(_TEXTS))
    if not found:
        raise InputError(f"has no file that ends in {', '.join(_TEXTS)}", file=name)
    yield from found


def _read(name: str) -> str:
    shown = "standard input" if name == "-" else name
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=shown) from None
    for opening, why in _NO_TEXT.items():
        if data.startswith(opening):
            raise InputError(why, file=shown)
    if name.lower().endswith((".csv", ".tsv", ".xlsx")):
        raise InputError("is a table, not a decision; give its text, or JSON lines", file=shown)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        raise InputError("is not UTF-8 text; convert it first", file=shown, line=where) from None


def _rows(name: str, language: str | None) -> Iterator[DecisionText]:
    import gzip
    import json
    import zlib

    number = 0
    try:
        with gzip.open(name) if name.endswith(".gz") else Path(name).open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(json.loads(line), language, name, number)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {why}", file=name) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("is not a JSON object on one line", file=name, line=number) from None


def _row(row: object, language: str | None, name: str, number: int) -> DecisionText:
    if not isinstance(row, dict):
        raise InputError("expected a JSON object", file=name, line=number)
    text = row.get("sourceText")
    id_ = row.get("decisionId")
    if not isinstance(text, str):
        raise InputError("is missing or not text", file=name, line=number, field="sourceText")
    if id_ is not None and not isinstance(id_, str):
        raise InputError("is not text", file=name, line=number, field="decisionId")
    spoken = row.get("proceduralLanguage")
    if language is None and spoken is not None:
        language = spoken.lower() if isinstance(spoken, str) else ""
        if language not in ("fr", "nl"):
            raise InputError(
                "must be FR or NL (or give --lang)",
                file=name,
                line=number,
                field="proceduralLanguage",
            )
    return DecisionText(text, id_, language)

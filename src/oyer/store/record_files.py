"""Verdict records in a file: what `oyer export RUN -o FILE.jsonl` and `--json` write."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, cast

from oyer.errors import InputError
from oyer.records import VerdictRecord

FILES = (".jsonl", ".jsonl.gz")
_NEEDED = {"id", "protocol", "case", "judge", "status", "scores", "trace", "usage"}


def read_records(name: str) -> Iterator[tuple[int, VerdictRecord]]:
    """Each verdict of the file with its line. Raises InputError for anything else."""
    with open_text(name) as handle:
        yield from parse_records(handle, name)


def parse_records(lines: Iterable[str], name: str) -> Iterator[tuple[int, VerdictRecord]]:
    """The same from an open file."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as cause:
            raise InputError(f"not JSON: {cause}", file=name, line=number) from None
        if not isinstance(record, dict) or not record.keys() >= _NEEDED:
            need = "not a verdict; make one with `oyer audit … --json` or `oyer export`"
            raise InputError(need, file=name, line=number)
        yield number, cast(VerdictRecord, record)


def open_text(name: str) -> IO[str]:
    """The file as text, unpacked if it is a `.gz`."""
    if not Path(name).is_file():
        raise InputError("there is no such file", file=name)
    if name.endswith(".gz"):
        return gzip.open(name, "rt", encoding="utf-8", errors="surrogateescape")
    return open(name, encoding="utf-8-sig", errors="surrogateescape")

"""A run as a folder of Parquet files, `run=3/judge=…/run-3.parquet`: what DuckDB and Spark read.

The names of folders are Hive's: a column and its value. That column is not in the files again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from oyer.errors import UsageError
from oyer.records import JsonObject, VerdictRecord
from oyer.runs.export import find_scores, flat_record, parquet_kinds, require_pyarrow
from oyer.store import Run
from oyer.store.store import Store

COLUMNS = ("run", "judge", "candidate", "status")
NOBODY = "__HIVE_DEFAULT_PARTITION__"  # what Hive calls a value that is not there
_BATCH = 500  # rows of a row group: a record can be large


def export_partitions(store: Store, run: Run, target: str, by: Sequence[str]) -> int:
    """Write the run into a folder, beside other runs that are there; how many verdicts it has.

    Its files take their places when all are written. Exporting it again replaces them.
    """
    wrong = [name for name in by if name not in COLUMNS]
    if wrong:
        raise UsageError(f"--partition-by takes {', '.join(COLUMNS)}; not '{wrong[0]}'")
    folder = Path(target)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{target}: is a file; partitions are written to a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=folder, prefix=".oyer-"))
        try:
            with _Writers(part, f"run-{run.id}.parquet", store, run, by) as writers:
                for stored in store.verdicts(run.id):
                    writers.write(stored.record)
            _move(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as cannot:
        raise UsageError(f"{target}: cannot be written: {cannot.strerror or cannot}") from cannot
    return writers.count


class _Writers:
    """A file for each value of the columns, opened when its first verdict comes."""

    def __init__(self, folder: Path, file: str, store: Store, run: Run, by: Sequence[str]) -> None:
        self.folder, self.file, self.run, self.by = folder, file, run, by
        self.scores = find_scores(store, run)
        self.count = 0
        pa, self._parquet = require_pyarrow()
        kinds = {"run": pa.int64(), **parquet_kinds(pa, self.scores)}
        self._schema = pa.schema([item for item in kinds.items() if item[0] not in by])
        self._table = pa.Table
        self._open: dict[str, Any] = {}
        self._waiting: dict[str, list[dict[str, Any]]] = {}
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> _Writers:
        return self

    def __exit__(self, *_: object) -> None:
        with self._closing:
            for place in self._waiting:
                self._flush(place)

    def write(self, record: VerdictRecord) -> None:
        row = {"run": self.run.id, **flat_record(record, self.scores)}
        place = "/".join(f"{name}={_value(row, name)}" for name in self.by)
        waiting = self._waiting.setdefault(place, [])
        waiting.append({name: value for name, value in row.items() if name not in self.by})
        self.count += 1
        if len(waiting) >= _BATCH:
            self._flush(place)

    def _flush(self, place: str) -> None:
        rows, self._waiting[place] = self._waiting[place], []
        if not rows:
            return
        if place not in self._open:
            folder = self.folder / place
            folder.mkdir(parents=True, exist_ok=True)
            writer = self._parquet.ParquetWriter(folder / self.file, self._schema)
            self._open[place] = self._closing.enter_context(writer)
        self._open[place].write_table(self._table.from_pylist(rows, schema=self._schema))


def _value(row: JsonObject, name: str) -> str:
    value = row[name]
    return NOBODY if value is None or value == "" else quote(str(value), safe="")


def _move(part: Path, folder: Path) -> None:
    for file in sorted(part.rglob("*.parquet")):
        target = folder / file.relative_to(part)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, target)

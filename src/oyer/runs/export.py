"""A run as a file: JSON Lines, CSV, Parquet, or whole (see `archive`).

Streams: a million verdicts need no more memory.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from oyer.errors import UsageError
from oyer.files import whole_file
from oyer.records import JsonObject, VerdictRecord
from oyer.runs.archive import ENDING, write_archive
from oyer.store import Outcome, Run
from oyer.store.store import Store
from oyer.verdicts import as_json
from oyer.verdicts.violations import breaches

_BATCH = 500  # rows of a Parquet row group: a record can be large
_PLAIN = (
    "verdict", "case", "candidate", "judge", "repeat", "status", "error", "total",
)  # fmt: skip
_USAGE = ("input_tokens", "output_tokens", "cost_usd", "calls", "seconds")
#: A cell that begins so is a formula to some spreadsheet (also after blanks, also full width).
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def export(store: Store, run: Run, target: str) -> int:
    """Write the run to a file, whole or not at all; how many verdicts it has."""
    path = Path(target)
    writers: dict[str, Callable[[Store, Run, Path], int]] = {
        ".jsonl": _jsonl,
        ".csv": _csv,
        ".parquet": _parquet,
        ENDING: write_archive,
    }
    write = writers.get(path.suffix)
    if write is None:
        raise UsageError(f"{target}: export to .jsonl, .csv, .parquet or {ENDING}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"{target}: the folder {path.absolute().parent} is missing")
    try:
        with whole_file(path) as part:
            return write(store, run, part)
    except OSError as cannot:
        raise UsageError(f"{target}: cannot be written: {cannot.strerror or cannot}") from cannot


def _jsonl(store: Store, run: Run, path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for kept in store.verdicts(run.id):
            out.write(as_json(kept.record) + "\n")
            count += 1
    return count


def _csv(store: Store, run: Run, path: Path) -> int:
    scores, facts = _columns(store, run)
    count = 0
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
        writer.writerow([safe(cell) for cell in _header(scores, facts)])
        for outcome in store.outcomes(run.id):
            writer.writerow([safe(cell) for cell in _cells(outcome, scores, facts)])
            count += 1
    return count


def safe(cell: Any) -> Any:
    """A cell no spreadsheet takes for a formula: text that looks like one begins with '.

    Where numbers have a comma, spreadsheets part cells at `;`, also inside one of ours.
    """
    if not isinstance(cell, str):
        return cell
    return ";".join("'" + part if _is_formula(part) else part for part in cell.split(";"))


def _is_formula(text: str) -> bool:
    return text.lstrip(' "\u00a0\ufeff').startswith(_FORMULA)


def _columns(store: Store, run: Run) -> tuple[list[str], list[str]]:
    """Every score and fact that occurs, in the order of first sight."""
    scores, facts = dict[str, None](), dict[str, None]()
    for outcome in store.outcomes(run.id):
        scores.update(dict.fromkeys(key for key in outcome.scores or () if key != "total"))
        facts.update(dict.fromkeys(outcome.facts))
    return list(scores), list(facts)


def _header(scores: list[str], facts: list[str]) -> list[str]:
    stated = [f"stated.{name}" for name in scores]
    return [*_PLAIN, *scores, *stated, *(f"fact.{n}" for n in facts), "violations", *_USAGE]


def _cells(outcome: Outcome, scores: list[str], facts: list[str]) -> list[Any]:
    given = outcome.scores or {}
    broken = breaches(outcome.violations)  # why there is no score stands in `error`
    violations = "; ".join(f"{code} ×{n}" for code, n in broken.items())
    stated = [outcome.stated.get(name) for name in scores]
    return [
        *(getattr(outcome, name) for name in _PLAIN),
        *(given.get(name) for name in scores),
        *(v if isinstance(v, int | float | str) or v is None else str(v) for v in stated),
        *(outcome.facts.get(name) for name in facts),
        violations,
        *(getattr(outcome.usage, name) for name in _USAGE),
    ]


def _parquet(store: Store, run: Run, path: Path) -> int:
    pa, pq = require_pyarrow()
    scores = find_scores(store, run)
    schema = pa.schema(list(parquet_kinds(pa, scores).items()))
    count = 0
    with pq.ParquetWriter(path, schema) as writer:
        for batch in _batches(store, run, scores):
            count += len(batch)
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
    return count


def require_pyarrow() -> tuple[Any, Any]:
    """pyarrow and its part for Parquet."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("Parquet needs pyarrow: pip install 'oyer[parquet]'") from None
    return pa, pq


def find_scores(store: Store, run: Run) -> list[str]:
    """Every score that occurs, in the order of first sight."""
    return _columns(store, run)[0]


def parquet_kinds(pa: Any, scores: list[str]) -> dict[str, Any]:
    """The columns of a file and what is in them."""
    text, number, whole = pa.string(), pa.float64(), pa.int64()
    return {
        **dict.fromkeys(_PLAIN, text),
        "repeat": whole,
        "total": number,
        **dict.fromkeys(scores, number),
        **dict.fromkeys(_USAGE, whole),
        "cost_usd": number,
        "seconds": number,
        "record": text,
    }


def _batches(store: Store, run: Run, scores: list[str]) -> Iterator[list[dict[str, Any]]]:
    # Row by row, so that no more than one parsed record is in memory.
    rows = (flat_record(kept.record, scores) for kept in store.verdicts(run.id))
    while some := list(islice(rows, _BATCH)):
        yield some


def _text(value: Any) -> Any:
    """Half a character (a lone surrogate) is nothing a Parquet file can hold: shown as \\ud800."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "backslashreplace").decode()


def flat_record(record: VerdictRecord, scores: list[str]) -> dict[str, Any]:
    """A verdict as a row of a table, with its whole record in the last column."""
    values: JsonObject = record
    given = record["scores"] or {}
    return {
        **{name: _text(values["id" if name == "verdict" else name]) for name in _PLAIN},
        **{name: given.get(name) for name in scores},
        **record["usage"],
        "record": as_json(record),
    }

"""Labels as files: JSON Lines and CSV, out and in; those made elsewhere come in the same way.

A row needs `case`, `value`, and `metric` or `unit`; `candidate`, `reviewer` and all other columns
of a label are taken where they are there. The case is found in a run by its id and candidate.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from oyer.errors import InputError, UsageError
from oyer.files import write_whole
from oyer.records import JsonObject
from oyer.store.labels import Label, LabelKind

COLUMNS = (
    "case", "candidate", "unit", "metric", "value", "reviewer", "kind", "role", "blind", "note",
    "prob", "split", "seconds", "queue", "verdict", "protocol", "case_sha", "shown_sha", "created",
    "id", "supersedes",
)  # fmt: skip
_NUMBERS = ("prob", "seconds")

#: (case id, candidate) -> the case's sha; candidate None: any.
Cases = Mapping[tuple[str, str | None], str]


def write_labels(labels: Iterable[Label], path: str) -> int:
    """Write labels as .jsonl or .csv; returns how many."""
    rows = [_as_row(label) for label in labels]
    text = io.StringIO(newline="")
    if path.endswith(".csv"):
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    elif path.endswith(".jsonl"):
        for row in rows:
            text.write(json.dumps(row, ensure_ascii=False) + "\n")
    else:
        raise UsageError(f"{path}: labels are written as .jsonl or .csv")
    encoded = text.getvalue().encode("utf-8", "backslashreplace")
    write_whole(path, encoded)
    return len(rows)


def read_labels(
    path: str, find_cases: Callable[[Collection[str]], Cases], protocol: str
) -> list[Label]:
    """The labels of a file, for the cases of a run, which are found by their ids. Raises InputError
    with file, line and field."""
    rows = list(read_rows(path))
    cases = find_cases({str(row["case"]) for _, row in rows if "case" in row})
    labels = []
    for line, row in rows:
        try:
            labels.append(_label(row, cases, protocol))
        except InputError as wrong:
            raise InputError(wrong.message, file=path, line=line, field=wrong.field) from None
        except UsageError as wrong:
            raise InputError(str(wrong), file=path, line=line) from None
    if not labels:
        raise InputError("there is no label in this file", file=path)
    return labels


def _as_row(label: Label) -> dict[str, object]:
    known = dataclasses.asdict(label)
    known["case"] = known.pop("case_id")
    return {name: known[name] for name in COLUMNS}


def read_rows(path: str) -> Iterator[tuple[int, JsonObject]]:
    """Lines of a .jsonl or .csv file, with their numbers; empty fields are left out."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as cause:
        raise InputError(f"cannot be read: {cause.strerror}", file=path) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", file=path) from None
    if path.endswith(".csv"):
        reader = csv.DictReader(io.StringIO(text, newline=""))
        for row in reader:
            filled = {key: value for key, value in row.items() if key and value not in (None, "")}
            yield reader.line_num, filled
        return
    if not path.endswith(".jsonl"):
        raise UsageError(f"{path}: it has to be .jsonl or .csv")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _object(line, path, number)


def _object(line: str, path: str, number: int) -> JsonObject:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise InputError(f"not JSON: {cause}", file=path, line=number) from None
    if not isinstance(row, dict):
        raise InputError("a label is an object", file=path, line=number)
    return {key: value for key, value in row.items() if value is not None}


def _label(row: JsonObject, cases: Cases, protocol: str) -> Label:
    case_id = _text(row, "case")
    candidate = row.get("candidate")
    sha = _find(cases, case_id, None if candidate is None else str(candidate))
    metric = str(row.get("metric", ""))
    unit = str(row.get("unit", ""))
    if not metric and not unit:
        raise InputError("give the metric, or the unit", field="metric")
    value = _value(row)
    known: dict[str, Any] = {
        name: row[name]
        for name in ("role", "note", "split", "verdict", "shown_sha", "created", "id", "supersedes")
        if name in row
    }
    for name in _NUMBERS:
        if name in row:
            known[name] = _number(row, name)
    return Label(
        case_sha=sha,
        case_id=case_id,
        candidate=None if candidate is None else str(candidate),
        protocol=str(row.get("protocol", protocol)),
        metric=metric or "supported",
        unit=unit,
        value=value,
        kind=row.get("kind") or _kind(value),
        reviewer=str(row.get("reviewer", "")) or "unnamed",
        blind=_truth(row, "blind"),
        **known,
    )


def _find(cases: Cases, case_id: str, candidate: str | None) -> str:
    sha = cases.get((case_id, candidate))
    if sha is None:
        of = "" if candidate is None else f" of candidate '{candidate}'"
        raise InputError(
            f"the run has no case '{case_id}'{of}, or several: name the candidate", field="case"
        )
    return sha


def _kind(value: str | None) -> LabelKind:
    try:
        float(value or "")
    except ValueError:
        return "label"
    return "score"


def _value(row: JsonObject) -> str | None:
    value = row.get("value")
    if value is None and row.get("kind") in ("skip", "note", "withdrawn"):
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise InputError("a value is a text or a number", field="value")
    return str(value)


def _text(row: JsonObject, name: str) -> str:
    if name not in row:
        raise InputError(f"there is no {name}", field=name)
    return str(row[name])


def _number(row: JsonObject, name: str) -> float:
    try:
        return float(row[name])
    except (TypeError, ValueError):
        raise InputError(f"must be a number, not '{row[name]}'", field=name) from None


def _truth(row: JsonObject, name: str) -> bool:
    value = row.get(name, True)
    return value if isinstance(value, bool) else str(value).lower() not in ("false", "0", "no")

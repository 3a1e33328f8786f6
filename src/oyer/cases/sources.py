"""What a user names as cases -> the files that are read, in order."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from pathlib import Path

from oyer.errors import InputError

#: Kinds of files that hold rows, by the end of their names.
ROW_FILES = (
    ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".arrow",
    ".json.gz", ".jsonl.gz", ".ndjson.gz", ".csv.gz", ".tsv.gz",
)  # fmt: skip
_MARKS = "*?["
#: Files of a data set's folder that describe it and hold no rows.
_ABOUT = frozenset({"dataset_info.json", "dataset_dict.json", "dataset_infos.json", "state.json"})


def is_row_file(name: str) -> bool:
    return name.lower().endswith(ROW_FILES)


def expand(source: str) -> list[Path]:
    """The files of a file name, a pattern (`data/*.jsonl`) or a folder; never an empty list."""
    try:
        path = Path(source)
        if path.is_dir():
            return _in_folder(path)
        if path.exists() or not any(mark in source for mark in _MARKS):
            return [path]
        found = sorted(Path(name) for name in glob.iglob(source, recursive=True))
    except (OSError, ValueError) as bad:  # a loop of links, a NUL in the name
        raise InputError(f"cannot be read: {bad}", file=repr(source)) from None
    files = [file for file in found if file.is_file()]
    if not files:
        raise InputError("no file has a name like this", file=source)
    return files


def _in_folder(folder: Path) -> list[Path]:
    """All files with rows; those of a data set (Hugging Face) lie in folders below."""
    files = sorted(_row_files(folder.iterdir()))
    if not files:
        files = sorted(_row_files(folder.rglob("*")))
    kinds = {file.suffix for file in files}
    if len(kinds) > 1 and ".json" in kinds:  # a cases file beside its settings
        files = [file for file in files if file.suffix != ".json"]
    return files


def _row_files(paths: Iterator[Path]) -> Iterator[Path]:
    for path in paths:
        hidden = any(part.startswith(".") for part in path.parts[-2:])
        if is_row_file(path.name) and path.name not in _ABOUT and not hidden and path.is_file():
            yield path

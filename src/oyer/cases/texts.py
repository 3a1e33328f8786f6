"""Cases as plain text files: `NAME.article.txt` beside `NAME.summary.txt`, or a folder a field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from oyer.cases.rows import Place, Row, RowReader
from oyer.errors import InputError

_ENDINGS = (".txt", ".md")


def has_texts(folder: Path, rows: RowReader) -> bool:
    """Whether a folder holds such files for the protocol's fields."""
    return bool(_collect(folder, rows))


def read_texts(folder: Path, rows: RowReader) -> Iterator[Row]:
    """A case for each name, in order; a field without its file is said."""
    for name, files in sorted(_collect(folder, rows).items()):
        place = Place(str(folder / name), None, name, folder)
        try:
            row = {field: _read(file) for field, file in files.items()}
        except InputError as error:
            yield place.bad(str(error))
            continue
        yield rows.read({"id": name, **row}, place)


def _collect(folder: Path, rows: RowReader) -> Mapping[str, Mapping[str, Path]]:
    """Case name -> field -> file."""
    found: dict[str, dict[str, Path]] = {}
    for field in (f.name for f in rows.protocol.fields):
        for place in (folder / field, folder / f"{field}s", folder / _plural(field)):
            for file in _texts(place):
                found.setdefault(file.stem, {})[field] = file
        for file in _texts(folder):
            name, dot, kind = file.stem.rpartition(".")
            if dot and kind == field:
                found.setdefault(name, {})[field] = file
    return found


def _plural(field: str) -> str:
    return f"{field[:-1]}ies" if field.endswith("y") else f"{field}es"


def _texts(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.suffix in _ENDINGS and file.is_file())


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", file=str(file)) from None
    except OSError as cannot:
        raise InputError(f"cannot be read: {cannot.strerror}", file=str(file)) from None

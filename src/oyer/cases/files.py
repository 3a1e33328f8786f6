"""Fields that may be paths: a text beside its cases file. A case is untrusted, so the path
must stay inside the folder of the cases file or the working folder."""

from __future__ import annotations

from pathlib import Path

from oyer.errors import InputError

SUFFIXES = (".md", ".txt", ".markdown")


def text_or_file(value: object, base: Path) -> object:
    """The text itself, or the contents of the file it names (one short line ending in .md/.txt)."""
    if not isinstance(value, str) or "\n" in value or len(value) > 1000:
        return value
    if not value.strip().lower().endswith(SUFFIXES):
        return value
    home = Path.cwd().resolve()
    for folder in (base.resolve(), home):
        path = (folder / value.strip()).resolve()
        if not (path.is_relative_to(folder) or path.is_relative_to(home)):
            raise InputError(f"the file {value!r} lies outside the folder of the cases")
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8-sig")
            except UnicodeDecodeError:
                raise InputError(f"the file {value!r} is not UTF-8 text") from None
    raise InputError(f"there is no file {value!r} in {base}")


def read_path(value: object, field: str) -> object:
    """The text of the file that a `Path` names; any other value as it is."""
    if not isinstance(value, Path):
        return value
    try:
        return value.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"the file {value} is not UTF-8 text", field=field) from None
    except OSError as cannot:
        message = f"the file {value} cannot be read: {cannot.strerror}"
        raise InputError(message, field=field) from None

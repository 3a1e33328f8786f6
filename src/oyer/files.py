"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A new file beside `path` that takes its place once everything is written.

    Its name cannot be guessed and nobody's link is followed there. An error leaves nothing behind,
    and names the file that was asked for (a full disk names none by itself).
    """
    target = Path(path)
    part: Path | None = None
    try:
        if target.exists() and not target.is_file():  # /dev/stdout, a pipe: written as it is
            yield target
            return
        handle, name = tempfile.mkstemp(dir=target.absolute().parent, prefix=".oyer-")
        os.close(handle)
        part = Path(name)
        yield part
        part.chmod(0o666 & ~_umask())
        os.replace(part, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    with whole_file(path) as part:
        part.write_bytes(content)


def _umask() -> int:
    """What the user takes away from new files; it can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""The mark beside a SQLite file: how many groups were committed, as far as this machine knows.

SQLite drops the tail of a torn or flipped WAL without a word, and committed (paid) replies with
it. The mark is written after each commit, so a file that knows of fewer commits than its mark has
lost some: that is then said, not guessed. A mark can lag behind (it is not synced), never lead.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from oyer.errors import StoreError

_WIDTH = 20  # digits: the mark has one length, so that it is overwritten in place by one write


@dataclass(slots=True)
class Mark:
    """`file-mark`: "STORE COMMITS\\n"."""

    path: Path
    store: str
    _fd: int = -1

    def read(self) -> int:
        """The commits this store was known to have; 0 when the mark is absent or another's."""
        try:
            told = self.path.read_bytes().split()
        except FileNotFoundError:
            return 0
        if len(told) != 2 or told[0] != self.store.encode() or not told[1].isdigit():
            return 0
        return int(told[1])

    def write(self, commits: int) -> None:
        """Note a commit that has happened."""
        try:
            if self._fd < 0:
                self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            os.pwrite(self._fd, f"{self.store} {commits:0{_WIDTH}d}\n".encode(), 0)
        except OSError as cannot:
            raise StoreError(f"cannot write {self.path}: {cannot.strerror}") from cannot

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

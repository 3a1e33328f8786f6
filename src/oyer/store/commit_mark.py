"""The mark beside a SQLite file: how many groups were committed, as far as this machine knows.

SQLite drops the tail of a torn or flipped WAL without a word, and committed (paid) replies with
it. The mark is written after each commit, so a file that knows of fewer commits than its mark has
lost some: that is then said, not guessed. A mark can lag behind (it is not synced), never lead.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from oyer.errors import StoreError

_WIDTH = 20  # digits: the mark has one length, so that it is overwritten in place by one write


@dataclass(slots=True)
class CommitMark:
    """`file-mark`: "STORE COMMITS\\n"."""

    path: Path
    words: list[bytes]  # as it was before the database was looked at
    beside_file: bool = True  # whether there was a database file, too
    _fd: int = -1

    @classmethod
    def beside(cls, file: Path) -> CommitMark:
        """The mark of a database. Read it before the database: a writer may be at work, and a
        mark read later could be of a commit that our reading of the database did not see."""
        path = file.with_name(file.name + "-mark")
        try:
            return cls(path, path.read_bytes().split(), file.exists())
        except FileNotFoundError:
            return cls(path, [])
        except OSError as cannot:
            raise StoreError(f"cannot read {path}: {cannot.strerror}") from cannot

    @property
    def absent(self) -> bool:
        return not self.words

    @property
    def commits(self) -> int:
        """How many commits it knows of, of whichever store."""
        if len(self.words) != 2 or not self.words[1].isdigit():
            return 0
        return int(self.words[1])

    def has_lost_all(self, migrations: Sequence[str]) -> bool:
        """Whether a database without a single table had commits: its log was left behind.

        Where no file was at all, its owner has removed it: what is made there is a new store.
        """
        return self.beside_file and self.commits > 0 and not migrations

    def count_lost(self, store: str, commits: int) -> int:
        """How many commits this store was known to have that the database does not have."""
        if not self.commits or self.words[0] != store.encode():
            return 0  # absent, or the mark of another store
        return max(0, self.commits - commits)

    def forget(self) -> None:
        """Its owner accepts that everything is lost."""
        self.path.unlink(missing_ok=True)

    def write(self, store: str, commits: int) -> None:
        """Note a commit that has happened."""
        try:
            if self._fd < 0:
                self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            os.pwrite(self._fd, f"{store} {commits:0{_WIDTH}d}\n".encode(), 0)
        except OSError as cannot:
            raise StoreError(f"cannot write {self.path}: {cannot.strerror}") from cannot

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

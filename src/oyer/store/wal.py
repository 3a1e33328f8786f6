"""SQLite's write-ahead log, looked at from outside: does it hold commits that SQLite would drop?

SQLite reads the log up to the first frame whose checksum is wrong and forgets the rest. That is
right for a commit that was never finished, and wrong for a log that was damaged later. The mark
beside the file tells the two apart; this is for stores that come without it (a careless copy).
Only the -wal file is read: opening the database file here could drop SQLite's locks on it.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER, _FRAME = 32, 24
_MAGIC = (0x377F0682, 0x377F0683)  # the second: checksums over big-endian words
_MASK = 0xFFFFFFFF


def find_log_damage(file: Path) -> str | None:
    """What is wrong with the log of a database, None when nothing can be seen to be."""
    try:
        raw = file.with_name(file.name + "-wal").read_bytes()
    except FileNotFoundError:
        return None
    if len(raw) < _HEADER + _FRAME:
        return None
    magic, _, size, _, salt1, salt2, *sums = struct.unpack(">8I", raw[:_HEADER])
    order = ">" if magic == _MAGIC[1] else "<"
    if magic not in _MAGIC or _sum(raw[:24], (0, 0), order) != tuple(sums):
        return "the head of its log (-wal) is damaged"
    salts = struct.pack(">2I", salt1, salt2)
    step = _FRAME + size
    running, good = (sums[0], sums[1]), True
    for at in range(_HEADER, len(raw) - step + 1, step):
        frame = raw[at : at + _FRAME]
        if frame[8:16] != salts:
            good = False  # left over from before the log began anew: then so are all that follow
        elif good:
            running = _sum(frame[:8] + raw[at + _FRAME : at + step], running, order)
            good = running == struct.unpack(">2I", frame[16:24])
        elif frame[4:8] != b"\0\0\0\0":  # a commit, after a frame that SQLite will stop at
            return "its log (-wal) is damaged before a commit"
    return None


def _sum(data: bytes, start: tuple[int, int], order: str) -> tuple[int, int]:
    """SQLite's checksum: two sums over pairs of 32-bit words."""
    first, second = start
    for a, b in struct.iter_unpack(f"{order}2I", data):
        first = (first + a + second) & _MASK
        second = (second + b + first) & _MASK
    return first, second

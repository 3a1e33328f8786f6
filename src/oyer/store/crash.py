"""Named points of the write path at which the crash tests let the process die."""

from __future__ import annotations

import os
import signal
from functools import cache

#: Every point there is, in the order in which a reply passes them.
POINTS = (
    "reply.answered",  # the judge answered, nothing is written yet
    "group.begun",  # the transaction is open
    "group.written",  # rows are written, not committed
    "group.committed",  # committed; nobody has been told
    "group.marked",  # the commit is marked beside the file; still nobody has been told
    "reply.kept",  # the writer of the reply knows that it is safe, and has not read it
    "verdict.made",  # the verdict exists in memory only
)
_left: dict[str, int] = {}


@cache
def _read_wanted() -> str:
    return os.environ.get("OYER_CRASH_AT", "")


def crash_point(name: str) -> None:
    """Die by SIGKILL if OYER_CRASH_AT names this point ("group.written", or its 3rd time ":3")."""
    wanted = _read_wanted()
    if not wanted:
        return
    point, _, count = wanted.partition(":")
    if point != name:
        return
    _left[name] = _left.get(name, int(count or 1)) - 1
    if _left[name] <= 0:
        os.kill(os.getpid(), signal.SIGKILL)

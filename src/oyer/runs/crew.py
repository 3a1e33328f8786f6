"""Worker processes that leave Ctrl-C to whoever started them.

A terminal sends it to all of a group. A worker that dies of it may hold the lock of the queue that
the others wait for, and nobody would ever end.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.context import BaseContext


@contextmanager
def crew(workers: int, context: BaseContext | None = None) -> Iterator[ProcessPoolExecutor]:
    """So many processes; what they have not begun when the block is left is not begun any more."""
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_deaf)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _deaf() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

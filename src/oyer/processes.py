"""Work on several cores: a pool of processes that end when they should."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait

_GARBAGE_EVERY = 20_000  # new objects between two collections; Python's own pace is 700


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_fork() -> bool:
    """Whether a copy of this process would be whole: no other thread holds anything."""
    return sys.platform == "linux" and threading.active_count() == 1


@contextlib.contextmanager
def process_pool(workers: int, *, forked: bool = False) -> Iterator[ProcessPoolExecutor]:
    """So many processes; what they have not begun when the block is left is not begun any more.

    They are spawned: a forked process would share the open database and its threads. `forked` is
    for who has neither (`can_fork`): the copies have everything loaded, and start at once.
    """
    context = multiprocessing.get_context("fork" if forked else "spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)
    try:
        with _interrupts_held():
            for _ in range(workers):
                pool.submit(int)  # starts a process
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits meanwhile. A process that is started here never sees it: `_begin_worker` says
    so, but only after the interpreter has started, and a worker must not die before that."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Ctrl-C is for whoever started the workers; and a worker ends when that process is killed.

    A terminal sends Ctrl-C to all. A worker that dies of it may hold the lock of the queue that
    the others wait for, and nobody would ever end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(_GARBAGE_EVERY, *gc.get_threshold()[1:])
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextlib.contextmanager
def gc_relaxed() -> Iterator[None]:
    """Collect garbage seldom: a verdict is thousands of small objects that form no cycle, and
    looking for cycles among them was a tenth of the CPU of a run."""
    before = gc.get_threshold()
    gc.freeze()  # what is loaded stays
    gc.set_threshold(_GARBAGE_EVERY, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()

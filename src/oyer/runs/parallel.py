"""Work on several cores: a pool of processes, and what a process needs to know of a protocol."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import wait
from typing import Any

from oyer.protocols.catalogue import find_protocol
from oyer.types import Protocol

_GARBAGE_EVERY = 20_000  # new objects between two collections; Python's own pace is 700


@dataclass(frozen=True, slots=True)
class ProtocolRef:
    """A protocol by its name: functions cannot be sent to another process, names can."""

    name: str
    paths: tuple[str, ...] = ()
    weights: tuple[tuple[str, float | str], ...] = ()

    @classmethod
    def of(
        cls, name: str, paths: tuple[str, ...], weights: Mapping[str, float | str]
    ) -> ProtocolRef:
        return cls(name, paths, tuple(weights.items()))


@lru_cache(maxsize=8)
def load_protocol(ref: ProtocolRef) -> Protocol[Any]:
    """The protocol, with the user's weights; found once in each process."""
    protocol = find_protocol(ref.name, ref.paths)
    return protocol.with_weights(dict(ref.weights)) if ref.weights else protocol


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def process_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes; what they have not begun when the block is left is not begun any more.

    They are spawned, not forked: a forked process would share the open database and its threads.
    """
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


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

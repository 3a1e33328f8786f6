"""Standings for pages: from the store if they are fresh, else gathered apart and kept.

A small run is gathered at once. A large one is gathered by a process of its own, which gives its
memory back when it is done; meanwhile the page shows the snapshot before, or says that it waits.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from oyer.errors import StoreError
from oyer.report.snapshot import Snapshot, keep_snapshot, load_snapshot
from oyer.store import Run, open_store
from oyer.store.run_protocol import protocol_of_run
from oyer.store.store import Store
from oyer.store.versions import Version, read_version

AT_ONCE = 1500  # verdicts that are gathered while somebody waits
PAUSE = 10  # a run that grows is gathered again after this many times what it took


class Snapshots:
    """The snapshots of a store's runs."""

    def __init__(self, store: Store, where: str, paths: Sequence[str], *, writable: bool) -> None:
        self._store = store
        self._where = where
        self._paths = tuple(paths)
        self._writable = writable
        self._known: dict[int, Snapshot] = {}
        self._took: dict[int, tuple[float, float]] = {}  # run -> (when it ended, seconds)
        self._working: dict[int, Future[Snapshot]] = {}
        self._lock = threading.Lock()
        self._crew: ProcessPoolExecutor | None = None

    def of(self, run: Run) -> Snapshot | None:
        """The newest snapshot there is; None: it is being gathered for the first time."""
        version = read_version(self._store, run.id)
        with self._lock:
            found = self._known.get(run.id)
        if found is None or found.version != version or found.state != run.state:
            found = self._fresher(run, version, found)
        return found

    def find(self, run: Run) -> Snapshot | None:
        """A snapshot that is there already, fresh or not."""
        with self._lock:
            found = self._known.get(run.id)
        return found or load_snapshot(self._store, run.id)

    def close(self) -> None:
        """End what is being gathered."""
        if self._crew is not None:
            self._crew.shutdown(wait=False, cancel_futures=True)

    def _fresher(self, run: Run, version: Version, found: Snapshot | None) -> Snapshot | None:
        if found is None:
            found = load_snapshot(self._store, run.id)
            if found is not None and found.version == version and found.state == run.state:
                return self._remember(run.id, found)
        if self._is_small(run):
            taken = _take(self._store, run, self._paths)
            if run.state == "running":  # it is old in a moment
                return self._remember(run.id, taken)
            return self._keep(run.id, taken)
        self._gather_apart(run)
        return found

    def _is_small(self, run: Run) -> bool:
        low, high = self._store.span(run.id)
        return min(high - low + 1, run.manifest.tasks) <= AT_ONCE

    def _remember(self, run: int, snapshot: Snapshot) -> Snapshot:
        with self._lock:
            self._known[run] = snapshot
        return snapshot

    def _gather_apart(self, run: Run) -> None:
        with self._lock:
            ended, seconds = self._took.get(run.id, (0.0, 0.0))
            is_early = run.state == "running" and time.monotonic() < ended + PAUSE * seconds
            if run.id in self._working or is_early:
                return
            if self._crew is None:
                context = multiprocessing.get_context("spawn")
                self._crew = ProcessPoolExecutor(1, context, max_tasks_per_child=1)
            began = time.monotonic()
            work = self._crew.submit(_gather, self._where, run.id, self._paths)
            self._working[run.id] = work
        work.add_done_callback(lambda done: self._done(run.id, done, began))

    def _done(self, run: int, work: Future[Snapshot], began: float) -> None:
        now = time.monotonic()
        with self._lock:
            self._working.pop(run, None)
            self._took[run] = (now, now - began)
            if not work.cancelled() and isinstance(work.exception(), BrokenProcessPool):
                self._crew = None  # its process was killed: the next one gets another
        if work.cancelled() or work.exception() is not None:
            return
        self._keep(run, work.result())

    def _keep(self, run: int, snapshot: Snapshot) -> Snapshot:
        """Also in the store: the next start shows it without gathering."""
        if self._writable:
            # Closed meanwhile, or full: it will be gathered again.
            with contextlib.suppress(StoreError):
                keep_snapshot(self._store, run, snapshot)
        return self._remember(run, snapshot)


def _gather(where: str, run: int, paths: tuple[str, ...]) -> Snapshot:
    """In a process of its own."""
    with open_store(where, create=False, write=False) as store:
        return _take(store, store.find_run(str(run)), paths)


def _take(store: Store, run: Run, paths: tuple[str, ...]) -> Snapshot:
    from oyer.report.take_snapshot import take_snapshot  # with numpy, which takes a while to import

    return take_snapshot(store, run, protocol_of_run(store, run, paths))

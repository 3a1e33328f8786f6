"""Ctrl-C during a run: the first lets what is in flight arrive, the second ends at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

from oyer.runs.runner import Runner

AT_ONCE = 4.0  # seconds that the second Ctrl-C gives the store to note what is lost
EXIT_INTERRUPTED = 130


class LastResort:
    """Ends the process when the second Ctrl-C could not: the store may stand still.

    What was kept is kept; how the session ended is then not noted, as after a kill -9.
    """

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def arm(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(AT_ONCE, self._end)
            self._timer.daemon = True
            self._timer.start()

    def disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        note = "oyer: stopped; the store does not answer, so how this session ended is not noted"
        print(note, file=sys.stderr, flush=True)
        os._exit(EXIT_INTERRUPTED)


@contextlib.contextmanager
def handle_interrupts(runner: Runner, last_resort: LastResort) -> Iterator[None]:
    """Stop the runner at the first Ctrl-C, cancel the session at the second.

    The handlers are Python's own and not the event loop's: the loop itself may stand still, in a
    question to a store that is frozen.
    """
    loop = asyncio.get_running_loop()
    session = asyncio.current_task()
    assert session is not None
    pressed = False

    def stop() -> None:
        runner.stop()
        note = "stopping: what is in flight will be kept (Ctrl-C again: at once)"
        runner.progress.note(note)

    def interrupt(_number: int, _frame: object) -> None:
        nonlocal pressed
        if pressed or runner.stopping:
            last_resort.arm()
            loop.call_soon_threadsafe(session.cancel)
        else:
            loop.call_soon_threadsafe(stop)
        pressed = True

    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, interrupt)
    except ValueError:
        yield  # not the main thread: Python's own handling applies
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

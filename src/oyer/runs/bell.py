"""Told of many commits at once: one ring wakes everybody whose piece is on the disk.

`asyncio.wrap_future` wakes the event loop for each future. The writer commits in groups, so a
group's futures come together, and one waking serves them all.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from concurrent.futures import Future


class Bell:
    """Waits for futures of the writer's thread; belongs to one event loop."""

    def __init__(self) -> None:
        self._done: deque[tuple[asyncio.Future[None], Future[None]]] = deque()
        self._rung = False

    async def committed(self, future: Future[None]) -> None:
        """Wait until the piece is committed; raise what the writer says if it cannot be."""
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[None] = loop.create_future()

        def ring(done: Future[None]) -> None:
            self._done.append((waiting, done))
            if not self._rung:  # `_answer` lowers this before it looks: nobody is left waiting
                self._rung = True
                # After a full disk the loop may have ended before the writer has said no to all.
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(self._answer)

        future.add_done_callback(ring)
        await waiting

    def _answer(self) -> None:
        self._rung = False
        while self._done:
            waiting, done = self._done.popleft()
            if waiting.cancelled():
                continue
            wrong = done.exception()
            if wrong is None:
                waiting.set_result(None)
            else:
                waiting.set_exception(wrong)

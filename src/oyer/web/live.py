"""What is new in the store, told to open pages as it comes (server-sent events).

One loop asks the store for rows beyond those it has seen, so the runs of other processes, and of
other machines on a shared store, show like our own. It sleeps while nobody listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from aiohttp import web

from oyer.errors import StoreError
from oyer.store import Run
from oyer.web.site import JsonAnswer, Site

EVERY = 0.3  # seconds between two looks at the store
WINDOW = 30.0  # seconds over which a rate is measured
QUIET = 15.0  # seconds after which a silent connection gets a sign of life


@dataclass(slots=True)
class Count:
    """How far one run is, as of a row."""

    row: int = 0
    scored: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    cost: float | None = 0.0
    state: str = ""
    history: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=200))

    @property
    def verdicts(self) -> int:
        return self.scored + sum(self.errors.values())

    def rate(self) -> float | None:
        """Verdicts a second, lately."""
        if len(self.history) < 2:
            return None
        (began, few), (ended, many) = self.history[0], self.history[-1]
        return (many - few) / (ended - began) if ended > began and many > few else None


def describe_progress(run: Run, count: Count) -> JsonAnswer:
    """A run's progress as the page shows it."""
    tasks = run.manifest.tasks
    rate = count.rate() if run.state == "running" else None
    left = max(0, tasks - count.verdicts)
    return {
        "run": run.id,
        "state": run.state,
        "verdicts": count.verdicts,
        "tasks": tasks,
        "unscored": sum(count.errors.values()),
        "errors": count.errors,
        "cost": count.cost,
        "rate": rate,
        "seconds_left": left / rate if rate else None,
    }


class Live:
    """The loop, and who listens."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._counts: dict[int, Count] = {}
        self._listeners: set[asyncio.Queue[str]] = set()
        self._wanted = asyncio.Event()
        self._number = 0
        self._lock = threading.Lock()  # a new listener and the loop look at the same time

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Keep the loop while the application lives."""
        task = asyncio.create_task(self._watch())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """One listener, until it goes."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        queue: asyncio.Queue[str] = asyncio.Queue(maxsize=1000)
        for run, count in await asyncio.to_thread(self._look):
            queue.put_nowait(self._event(describe_progress(run, count)))
        self._listeners.add(queue)
        self._wanted.set()
        try:
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), QUIET)
                except TimeoutError:
                    text = ": still here\n\n"
                await response.write(text.encode())
        except (ConnectionResetError, ConnectionError):
            return response
        finally:
            self._listeners.discard(queue)

    async def _watch(self) -> None:
        while True:
            if not self._listeners:
                self._wanted.clear()
                await self._wanted.wait()
            try:
                changed = await asyncio.to_thread(self._look, True)
            except StoreError:  # busy, or moved away: the next look may find it
                changed = []
            for run, count in changed:
                text = self._event(describe_progress(run, count))
                for queue in self._listeners:
                    if not queue.full():
                        queue.put_nowait(text)
            await asyncio.sleep(EVERY)

    def _event(self, value: JsonAnswer) -> str:
        self._number += 1
        return f"id: {self._number}\nevent: run\ndata: {json.dumps(value)}\n\n"

    def _look(self, only_new: bool = False) -> list[tuple[Run, Count]]:
        """Runs that have news (or all); rows that were seen before are not counted again."""
        with self._lock:
            last = self._site.browser.last_rows()
            news = []
            for run in self._site.store.runs():
                is_new = self._is_new(run, last.get(run.id, 0))
                if is_new:
                    self._add_news(run, self._counts[run.id])
                count = self._counts[run.id]
                if is_new or (run.state == "running" and not only_new):
                    news.append((run, count))
            return news

    def _is_new(self, run: Run, last: int) -> bool:
        count = self._counts.get(run.id)
        if count is None and run.state != "running":  # it was over before we came: nothing to tell
            self._counts[run.id] = Count(row=last, state=run.state)
            return False
        if count is None or count.state != run.state:  # verdicts may have been replaced meanwhile
            self._counts[run.id] = Count(
                history=deque(maxlen=200) if count is None else count.history
            )
            return True
        return last > count.row

    def _add_news(self, run: Run, count: Count) -> None:
        for news in self._site.browser.news(run.id, count.row):
            count.row = max(count.row, news.last)
            count.cost = None if count.cost is None or news.cost is None else count.cost + news.cost
            if news.error is None:
                count.scored += news.verdicts
            else:
                count.errors[news.error] = count.errors.get(news.error, 0) + news.verdicts
        count.state = run.state
        now = time.monotonic()
        count.history.append((now, count.verdicts))
        while count.history and count.history[0][0] < now - WINDOW:
            count.history.popleft()

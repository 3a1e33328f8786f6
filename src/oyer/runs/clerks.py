"""Who reads the replies of a run: the run itself, and where there are cores for it, its clerks.

Reading, checking and recording a reply takes longer than asking for it. What comes one by one the
run reads itself between two questions; what comes in heaps goes to processes that do nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from oyer.runs.clerk import HEAD, Clerk, Matter, Minute, hire, packed, read, unpacked
from oyer.runs.plan import Plan
from oyer.types import Protocol

FEW = 200  # verdicts that need no help
MOST = 3  # clerks: they read faster than one process can ask
BATCH = 8  # matters in one message
AT_ONCE = 64 * 1024  # bytes read from a pipe in one go: malloc asks the kernel for more
AHEAD = 4  # messages a clerk has at a time: a turn of a busy event loop takes as long as three
MANY = 16  # matters that may wait for a clerk before the run reads, too

#: The future's None says: read it yourself.
Waiting: TypeAlias = "tuple[Matter, asyncio.Future[Minute | None]]"


@contextlib.contextmanager
def hired(plan: Plan) -> Iterator[list[Clerk]]:
    """Clerks for a run: none for a small one, on one core, or where a process cannot be copied.

    Enter it before the store is opened. Elsewhere than on Linux, or beside other threads, a copied
    process may hang on what it inherits; then the run reads everything itself.
    """
    clerks: list[Clerk] = []
    alone = sys.platform == "linux" and threading.active_count() == 1
    count = min(MOST, len(os.sched_getaffinity(0)) - 1) if alone else 0
    try:
        if plan.manifest.tasks > FEW:
            for _ in range(count):
                clerks.append(hire(plan.protocol, clerks))
        yield clerks
    finally:
        for clerk in clerks:
            clerk.dismiss()


class Readers:
    """The readers of a run; belongs to one event loop. Use it in an `async with`."""

    def __init__(self, protocol: Protocol[Any], clerks: Sequence[Clerk] = ()) -> None:
        self.protocol = protocol
        self.elsewhere = self.returned = 0  # read by clerks; given to clerks who died
        self._waiting: deque[Waiting] = deque()
        self._lines = [Line(clerk, self) for clerk in clerks]
        self._handing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Readers:
        for line in self._lines:
            await line.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for line in self._lines:
            line.close()

    async def read(self, matter: Matter) -> Minute:
        """Decide this, here or elsewhere, when its turn comes."""
        minute: asyncio.Future[Minute | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((matter, minute))
        self.hand_out()
        return await minute or read(self.protocol, matter)

    def hand_out(self) -> None:
        """See to it that what waits is read: something came, or a clerk got free."""
        if self._waiting and self._handing is None:
            self._handing = asyncio.get_running_loop().create_task(self._hand_out())

    async def _hand_out(self) -> None:
        """One reply in each turn of the event loop is read here: who can ask goes first."""
        while self._waiting:
            await asyncio.sleep(0)
            for line in self._lines:
                while self._waiting and line.free:
                    count = min(BATCH, len(self._waiting))
                    line.give([self._waiting.popleft() for _ in range(count)])
            helped = any(line.up for line in self._lines)
            if helped and len(self._waiting) <= MANY:
                break  # the next clerk who is free takes these
            if self._waiting:
                _answer(self._waiting.popleft(), None)
        self._handing = None


class Line(asyncio.Protocol):
    """The line to one clerk, and what it has been given to read."""

    def __init__(self, clerk: Clerk, readers: Readers) -> None:
        self._clerk, self._readers = clerk, readers
        self._given: deque[list[Waiting]] = deque()
        self._came = bytearray()
        self.up = False

    @property
    def free(self) -> bool:
        return self.up and len(self._given) < AHEAD

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        give = os.fdopen(os.dup(self._clerk.give), "wb", 0)
        take = os.fdopen(os.dup(self._clerk.take), "rb", 0)
        self._give, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, give)
        self._take, _ = await loop.connect_read_pipe(lambda: self, take)
        if hasattr(self._take, "max_size"):
            self._take.max_size = AT_ONCE
        self.up = True

    def close(self) -> None:
        self.up = False
        if not self._give.is_closing():  # of itself, when the clerk died
            self._give.abort()
        self._take.close()

    def give(self, some: list[Waiting]) -> None:
        self._given.append(some)
        self._give.write(packed([matter.plain() for matter, _ in some]))

    def data_received(self, data: bytes) -> None:
        self._came += data
        while len(self._came) >= HEAD:
            end = HEAD + int.from_bytes(self._came[:HEAD], "big")
            if len(self._came) < end:
                break
            minutes = unpacked(bytes(self._came[HEAD:end]))
            del self._came[:end]
            for waiting, minute in zip(self._given.popleft(), minutes, strict=True):
                _answer(waiting, minute)
            self._readers.elsewhere += len(minutes)
        self._readers.hand_out()

    def connection_lost(self, _: Exception | None) -> None:
        """The clerk died; if of something it read, whoever reads that here will say so."""
        self.up = False
        for some in self._given:
            self._readers.returned += len(some)
            for waiting in some:
                _answer(waiting, None)
        self._given.clear()
        self._readers.hand_out()


def _answer(waiting: Waiting, minute: Minute | None) -> None:
    if not waiting[1].done():
        waiting[1].set_result(minute)

"""Where the replies of a run are decided: in this process, or in batches in worker processes.

Reading, checking and recording a reply takes longer than asking for it. What comes one by one is
decided here between two questions; what comes faster goes to processes that do nothing else. They
keep nothing: what they are given was committed before, and can be decided again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from oyer.engine import Answers, complaint, decide
from oyer.processes import available_cores, process_pool
from oyer.runs.parallel import ProtocolRef, load_protocol
from oyer.store import Task
from oyer.store.codec import verdict_row
from oyer.types import AnyProtocol, Verdict

FEW = 200  # verdicts that need no help
MOST = 3  # worker processes: they decide faster than one process can ask
BATCH = 8  # replies sent to a worker together
AHEAD = 4  # batches a worker has at a time, so that it never waits for a busy event loop
MANY = 16  # replies that may wait for a worker before some are decided here, too


@dataclass(frozen=True, slots=True)
class Undecided:
    """One judge's answers on one case, and the task that they are for."""

    task: Task
    case_sha: str
    answers: Answers


@dataclass(frozen=True, slots=True)
class Decided:
    """The verdict as it will be stored, and what to tell the judge if it is asked again."""

    row: dict[str, Any]
    status: str
    complaint: str | None = None


#: The future's None says: decide it yourself.
Waiting: TypeAlias = "tuple[Undecided, asyncio.Future[Decided | None]]"


def decide_one(work: Undecided, protocol: AnyProtocol) -> Decided:
    """Pure: the same here and in any other process."""
    replies = work.answers.replies
    verdict = decide(work.answers, protocol)
    return as_decided(work.task, work.case_sha, verdict, len(replies), complaint(verdict, replies))


def as_decided(
    task: Task, case_sha: str, verdict: Verdict, attempts: int, wrong: str | None = None
) -> Decided:
    """The verdict as it will be stored; `attempts` is how many replies led here."""
    return Decided(verdict_row(task, case_sha, verdict, attempts), verdict.status, wrong)


def decide_batch(batch: list[Undecided], ref: ProtocolRef) -> list[Decided]:
    """What a worker process does."""
    protocol = load_protocol(ref)
    return [decide_one(work, protocol) for work in batch]


@contextlib.asynccontextmanager
async def open_decider(
    protocol: AnyProtocol, ref: ProtocolRef, tasks: int
) -> AsyncIterator[Decider]:
    """The decider of a run; it has workers where there are cores and enough to do."""
    workers = min(MOST, available_cores() - 1)
    if tasks <= FEW or workers < 1:
        yield Decider(protocol)
        return
    with process_pool(workers) as pool:
        yield Decider(protocol, pool, ref, workers)


class Decider:
    """Decides replies; belongs to one event loop."""

    def __init__(
        self,
        protocol: AnyProtocol,
        pool: ProcessPoolExecutor | None = None,
        ref: ProtocolRef | None = None,
        workers: int = 0,
    ) -> None:
        self._protocol, self._pool, self._ref = protocol, pool, ref
        self._waiting: deque[Waiting] = deque()
        self._turn = asyncio.Lock()  # one reply at a time is decided here: who can ask goes first
        self._limit = AHEAD * workers
        self._here = 0  # replies that wait to be decided here, or are
        self._pressed = False  # more than can be decided here: workers are started only then
        self._sent = 0  # batches that workers have now
        self.by_workers = 0  # replies decided by workers

    async def decide(self, work: Undecided) -> Decided:
        """Decide this, here or in a worker, when its turn comes."""
        answers = work.answers
        if self._pool is None or not answers.replies or answers.failure is not None:
            return await self._decide_here(work)
        if not self._pressed and self._here < MANY:
            return await self._decide_here(work)
        self._pressed = True
        answer: asyncio.Future[Decided | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, answer))
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._send)  # what comes in this turn goes along
        else:
            self._send_full()
        decided = await answer
        return await self._decide_here(work) if decided is None else decided

    async def _decide_here(self, work: Undecided) -> Decided:
        self._here += 1
        try:
            async with self._turn:
                await asyncio.sleep(0)
                decided = decide_one(work, self._protocol)
        finally:
            self._here -= 1
        self._send()
        return decided

    def _send_full(self) -> None:
        if len(self._waiting) >= BATCH:
            self._send()

    def _send(self) -> None:
        """Batches to workers that are free; too much left over: one reply is decided here."""
        while self._waiting and self._pool is not None and self._sent < self._limit:
            count = min(BATCH, len(self._waiting))
            self._submit(self._pool, [self._waiting.popleft() for _ in range(count)])
        if self._pool is None:
            while self._waiting:
                _answer(self._waiting.popleft(), None)
        elif len(self._waiting) > MANY and not self._turn.locked():
            _answer(self._waiting.popleft(), None)

    def _submit(self, pool: ProcessPoolExecutor, batch: list[Waiting]) -> None:
        loop = asyncio.get_running_loop()
        assert self._ref is not None
        try:
            job = pool.submit(decide_batch, [work for work, _ in batch], self._ref)
        except RuntimeError:  # a worker died before: the pool takes nothing more
            self._pool = None
            self._waiting.extendleft(reversed(batch))
            return
        self._sent += 1

        def arrived(job: Future[list[Decided]]) -> None:  # in a thread of the pool
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(self._receive, batch, job)

        job.add_done_callback(arrived)

    def _receive(self, batch: list[Waiting], job: Future[list[Decided]]) -> None:
        """What a worker decided. If it died of what it read, whoever decides it here says so."""
        self._sent -= 1
        results: list[Decided | None] = [None] * len(batch)
        if not job.cancelled() and job.exception() is None:
            results = list(job.result())
            self.by_workers += len(batch)
        for waiting, decided in zip(batch, results, strict=True):
            _answer(waiting, decided)
        self._send()


def _answer(waiting: Waiting, decided: Decided | None) -> None:
    if not waiting[1].done():
        waiting[1].set_result(decided)

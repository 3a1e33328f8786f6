"""Where the replies of a run are decided: in this process, or in batches in worker processes.

Reading, checking and recording a reply takes longer than asking for it. What comes one by one is
decided here between two questions; what comes faster goes to processes that do nothing else. They
keep nothing: what they are given was committed before, and can be decided again.

Replies are decided several in a row wherever it is: the second finds the processor's caches full of
what the first has used, and takes two thirds of its time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

from oyer.engine import Answers, complaint, decide
from oyer.processes import available_cores, can_fork, process_pool
from oyer.runs.parallel import ProtocolRef, load_protocol
from oyer.store import Task
from oyer.store.codec import verdict_row
from oyer.types import AnyProtocol, Verdict

FEW = 200  # verdicts that need no help
MOST = 3  # worker processes: they decide faster than one process can ask
BATCH = 16  # replies sent to a worker together
AHEAD = 3  # batches a worker has at a time, so that it never waits for a busy event loop
MANY = 16  # replies that wait before workers are sent some
HERE = 4  # replies decided here in a row: then who can ask goes first
PAUSE = 0.002  # seconds until we look again whether somebody is about to ask


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


Waiting: TypeAlias = "tuple[Undecided, asyncio.Future[Decided]]"


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


@dataclass(frozen=True, slots=True)
class Workers:
    """Processes that decide, and how many they are."""

    pool: ProcessPoolExecutor
    count: int


@contextlib.contextmanager
def open_deciding_workers(tasks: int, *, forked: bool = False) -> Iterator[Workers | None]:
    """Workers, where there are cores and enough to do.

    `forked`: copies of this process, which need no start. For who has no store open yet; None
    where a process cannot be copied safely: a run then starts its own.
    """
    count = min(MOST, available_cores() - 1)
    if tasks <= FEW or count < 1 or (forked and not can_fork()):
        yield None
        return
    with process_pool(count, forked=forked) as pool:
        yield Workers(pool, count)


class Decider:
    """Decides replies; belongs to one event loop."""

    def __init__(self, protocol: AnyProtocol, ref: ProtocolRef, workers: Workers | None) -> None:
        self._protocol, self._ref = protocol, ref
        self._pool = workers.pool if workers else None
        self._limit = AHEAD * workers.count if workers else 0
        self._waiting: deque[Waiting] = deque()
        self._ours: deque[Waiting] = deque()  # what no worker is given
        self._awake = False  # somebody will look at what waits
        self._sent = 0  # batches that workers have now
        self.asks_soon: Callable[[], bool] = lambda: False  # then nothing is decided here
        self.by_workers = 0  # replies decided by workers

    async def decide(self, work: Undecided) -> Decided:
        """Decide this, here or in a worker, when its turn comes."""
        answer: asyncio.Future[Decided] = asyncio.get_running_loop().create_future()
        simple = work.answers.replies and work.answers.failure is None
        (self._waiting if simple else self._ours).append((work, answer))
        self._wake()
        return await answer

    def _wake(self) -> None:
        if not self._awake:
            self._awake = True
            asyncio.get_running_loop().call_soon(self._work)  # what comes in this turn goes along

    def _work(self) -> None:
        """Batches to workers that are free; a few of what is left are decided here."""
        while len(self._waiting) >= MANY and self._pool is not None and self._sent < self._limit:
            count = min(BATCH, len(self._waiting))
            self._submit(self._pool, [self._waiting.popleft() for _ in range(count)])
        if self.asks_soon():
            asyncio.get_running_loop().call_later(PAUSE, self._work)
            return
        for _ in range(HERE):
            if self._ours or self._waiting:
                self._decide_here((self._ours or self._waiting).popleft())
        self._awake = False
        if self._ours or self._waiting:
            self._wake()

    def _decide_here(self, waiting: Waiting) -> None:
        work, answer = waiting
        if answer.done():  # whoever waited for it was cancelled
            return
        try:
            answer.set_result(decide_one(work, self._protocol))
        except Exception as wrong:  # whoever waits for it has to say so
            answer.set_exception(wrong)

    def _submit(self, pool: ProcessPoolExecutor, batch: list[Waiting]) -> None:
        loop = asyncio.get_running_loop()
        try:
            job = pool.submit(decide_batch, [work for work, _ in batch], self._ref)
        except RuntimeError:  # a worker died before: the pool takes nothing more
            self._pool = None
            self._ours.extend(batch)
            return
        self._sent += 1

        def receive_batch(job: Future[list[Decided]]) -> None:  # in a thread of the pool
            with contextlib.suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(self._receive, batch, job)

        job.add_done_callback(receive_batch)

    def _receive(self, batch: list[Waiting], job: Future[list[Decided]]) -> None:
        """What a worker decided. If it died of what it read, whoever decides it here says so."""
        self._sent -= 1
        if job.cancelled() or job.exception() is not None:
            self._ours.extend(batch)
        else:
            self.by_workers += len(batch)
            for (_, answer), decided in zip(batch, job.result(), strict=True):
                if not answer.done():
                    answer.set_result(decided)
        self._wake()

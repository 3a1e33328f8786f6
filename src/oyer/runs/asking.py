"""How a run asks: stored replies first, then the budget, then the judge.

What a judge answers is on the disk before anyone reads it. A question once answered is never put
again: not after a crash, not by another run that asks the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from oyer.engine import mark_reply
from oyer.errors import BudgetError, ProviderError
from oyer.judges.names import counts_as_call
from oyer.judges.wrapper import JudgeWrapper
from oyer.runs.budget import BudgetMeter
from oyer.store import Task, crash_point
from oyer.store.batch_writer import BatchWriter
from oyer.store.codec import loss_row, reply_row
from oyer.store.store import Store
from oyer.types import Judge, Prompt, Reply, Usage

CLAIM_AGAIN = 0.1  # seconds until a question that another process asks is looked at again


class Asker:
    """At most `concurrency` questions in flight, each within the budget, each answer kept."""

    def __init__(self, store: Store, budget: BudgetMeter, concurrency: int) -> None:
        self.store, self.budget = store, budget
        self._places = asyncio.Semaphore(concurrency)
        self._asked: dict[str, asyncio.Event] = {}
        self.writer = BatchWriter(store)

    @property
    def asks_soon(self) -> bool:
        """Whether a question waits for the place of an answer that is being written."""
        return self.writer.replies > 0 and self._places.locked()

    async def ask(self, judge: Judge, prompt: Prompt, task: Task, attempt: int) -> Reply:
        """Ask, and keep the answer before handing it on."""
        judge = judge.for_question(f"{task.ask}/{attempt}")  # a batch, for the next session
        async with self._places:
            reply = mark_reply(await self._ask_within_budget(judge, prompt, task), prompt)
            crash_point("reply.answered")
            row = reply_row(task, attempt, reply)
            await self.writer.reply(row)
            crash_point("reply.kept")
        if self.store.came_late(row):  # another process was first: its answer counts for all
            return self.store.replies([task.ask])[task.ask][attempt].reply
        return reply

    async def _ask_within_budget(self, judge: Judge, prompt: Prompt, task: Task) -> Reply:
        """What failed calls cost is kept, too."""
        self.store.ensure()  # an answer that could not be kept is not bought
        reserved = await self.budget.reserve(free=not counts_as_call(judge.name))
        try:
            reply = await judge.ask(replace(prompt, before_retry=reserved.before_another))
            reserved.pay(reply.usage)
        except ProviderError as failure:
            reserved.pay(failure.usage or reserved.paid)
            if reserved.paid.calls:
                await self.writer.reply(loss_row(task, reserved.paid))
            raise
        except asyncio.CancelledError:
            if judge.needs_prompt:  # it was sent: whoever ends a run has still paid for it
                reserved.pay(reserved.paid + Usage(calls=1))
                self.store.keep_rows([loss_row(task, reserved.paid)], ())
            raise
        finally:
            reserved.close()
        return reply

    def lock(self, asks: Iterable[str]) -> KeyLock:
        """Serialise identical questions. True inside: another task asked one of them already."""
        return KeyLock(self._asked, self.store, frozenset(asks))


@dataclass(slots=True)
class KeyLock:
    """Some questions, held by one task of one process at a time. Use it in an `async with`."""

    held: dict[str, asyncio.Event]  # by all tasks of this process
    store: Store  # where other processes claim theirs
    keys: frozenset[str]
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> bool:
        waited = False
        while taken := [self.held[key] for key in self.keys if key in self.held]:
            waited = True
            await taken[0].wait()
        self.held.update(dict.fromkeys(self.keys, self.over))
        try:
            while not self.store.claim(self.keys):
                waited = True
                await asyncio.sleep(CLAIM_AGAIN)
        except BaseException:
            self._let_go()
            raise
        return waited

    async def __aexit__(self, *_: object) -> None:
        self.store.release(self.keys)
        self._let_go()

    def _let_go(self) -> None:
        for key in self.keys:
            del self.held[key]
        self.over.set()


@dataclass(slots=True, eq=False)
class CachedJudge(JudgeWrapper):
    """A judge for one task: gives the stored replies first, then asks for more."""

    asker: Asker
    task: Task
    stored: list[Reply] = field(default_factory=list)
    given: list[Reply] = field(default_factory=list)  # by now, stored or asked
    out_of_budget: bool = False  # the verdict is not to be kept

    async def ask(self, prompt: Prompt) -> Reply:
        attempt = len(self.given)
        if attempt < len(self.stored):
            reply = self.stored[attempt]
        else:
            try:
                reply = await self.asker.ask(self.judge, prompt, self.task, attempt)
            except BudgetError:
                self.out_of_budget = True
                raise
        self.given.append(reply)
        return reply


@dataclass(frozen=True, slots=True)
class RecordedJudge(Judge):
    """Gives the one reply that somebody recorded."""

    judge: str
    text: str
    needs_prompt: bool = False

    @property
    def name(self) -> str:
        return self.judge

    async def ask(self, prompt: Prompt) -> Reply:
        return Reply(self.text, judge=self.judge)

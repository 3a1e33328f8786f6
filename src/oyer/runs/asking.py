"""How a run asks: stored replies first, then the budget, then the judge.

What a judge answers is on the disk before anyone reads it. A question once answered is never put
again: not after a crash, not by another run that asks the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from oyer.engine import mark_reply
from oyer.errors import BudgetError, ProviderError
from oyer.judges.guard import guard
from oyer.runs.budget import BudgetMeter
from oyer.store import Task, crash_point
from oyer.store.batch_writer import Tray
from oyer.store.codec import loss_row, reply_row
from oyer.store.store import Store
from oyer.types import Judge, Prompt, Reply


class Asker:
    """At most `concurrency` questions in flight, each within the budget, each answer kept."""

    def __init__(self, store: Store, budget: BudgetMeter, concurrency: int) -> None:
        self.store, self.budget = store, budget
        self._places = asyncio.Semaphore(concurrency)
        self._asked: dict[str, asyncio.Event] = {}
        self.writer = Tray(store)

    async def ask(self, judge: Judge, prompt: Prompt, task: Task, attempt: int) -> Reply:
        """Ask, and keep the answer before handing it on."""
        judge = judge.for_question(f"{task.ask}/{attempt}")  # a batch, for the next session
        async with self._places:
            reply = mark_reply(await self._ask_within_budget(judge, prompt, task), prompt)
            crash_point("reply.answered")
            await self.writer.reply(reply_row(task, attempt, reply))
            crash_point("reply.kept")
        return reply

    async def _ask_within_budget(self, judge: Judge, prompt: Prompt, task: Task) -> Reply:
        """What failed calls cost is kept, too."""
        self.store.ensure()  # an answer that could not be kept is not bought
        reserved = self.budget.reserve()
        watched = guard.set(reserved.before_another)
        try:
            reply = await judge.ask(prompt)
            reserved.pay(reply.usage)
        except ProviderError as failure:
            reserved.pay(failure.usage or reserved.paid)
            if reserved.paid.calls:
                await self.writer.reply(loss_row(task, reserved.paid))
            raise
        finally:
            guard.reset(watched)
            reserved.close()
        return reply

    def lock(self, asks: Iterable[str]) -> KeyLock:
        """Serialise identical questions. True inside: another task asked one of them already."""
        return KeyLock(self._asked, frozenset(asks))


@dataclass(slots=True)
class KeyLock:
    """Some keys, held by one task at a time. Use it in an `async with`."""

    held: dict[str, asyncio.Event]  # by all tasks
    keys: frozenset[str]
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> bool:
        waited = False
        while taken := [self.held[key] for key in self.keys if key in self.held]:
            waited = True
            await taken[0].wait()
        self.held.update(dict.fromkeys(self.keys, self.over))
        return waited

    async def __aexit__(self, *_: object) -> None:
        for key in self.keys:
            del self.held[key]
        self.over.set()


@dataclass(slots=True)
class CachedJudge(Judge):
    """A judge for one task: gives the stored replies first, then asks for more."""

    judge: Judge
    asker: Asker
    task: Task
    stored: list[Reply] = field(default_factory=list)
    asked: int = 0
    out_of_budget: bool = False  # the verdict is not to be kept

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def needs_prompt(self) -> bool:
        return self.judge.needs_prompt

    async def ask(self, prompt: Prompt) -> Reply:
        attempt, self.asked = self.asked, self.asked + 1
        if attempt < len(self.stored):
            return self.stored[attempt]
        try:
            return await self.asker.ask(self.judge, prompt, self.task, attempt)
        except BudgetError:
            self.out_of_budget = True
            raise


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

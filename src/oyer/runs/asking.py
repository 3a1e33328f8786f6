"""The desk at which judges are asked: stored replies first, then the purse, then the judge.

What a judge answers is on the disk before anyone reads it. A question once answered is never put
again: not after a crash, not by another run that asks the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from oyer.engine import marked
from oyer.errors import BudgetError, ProviderError
from oyer.judges.guard import guard
from oyer.runs.budget import Purse
from oyer.store import Task, crash_point
from oyer.store.batch_writer import Tray
from oyer.store.codec import loss_row, reply_row
from oyer.store.store import Store
from oyer.types import Judge, Prompt, Reply


class Desk:
    """At most `concurrency` questions in flight, each paid from one purse, each answer kept."""

    def __init__(self, store: Store, purse: Purse, concurrency: int) -> None:
        self.store, self.purse = store, purse
        self._places = asyncio.Semaphore(concurrency)
        self._asked: dict[str, asyncio.Event] = {}
        self.tray = Tray(store)

    async def ask(self, judge: Judge, prompt: Prompt, task: Task, attempt: int) -> Reply:
        """Ask, and keep the answer before handing it on."""
        judge = judge.for_question(f"{task.ask}/{attempt}")  # batches are found by the next sitting
        async with self._places:
            reply = marked(await self._paid(judge, prompt, task), prompt)
            crash_point("reply.answered")
            await self.tray.reply(reply_row(task, attempt, reply))
            crash_point("reply.kept")
        return reply

    async def _paid(self, judge: Judge, prompt: Prompt, task: Task) -> Reply:
        """Ask within the budget; what failed calls cost is kept too."""
        self.store.ensure()  # an answer that could not be kept is not bought
        slip = self.purse.open()
        watched = guard.set(slip.before_another)
        try:
            reply = await judge.ask(prompt)
            slip.pay(reply.usage)
        except ProviderError as failure:
            slip.pay(failure.usage or slip.paid)
            if slip.paid.calls:
                await self.tray.reply(loss_row(task, slip.paid))
            raise
        finally:
            guard.reset(watched)
            slip.close()
        return reply

    def alone_with(self, asks: Iterable[str]) -> Alone:
        """Let those who ask the same wait for each other's reply; True: somebody was first."""
        return Alone(self._asked, frozenset(asks))


@dataclass(slots=True)
class Alone:
    """Some asks, held by one at a time. Use it in an `async with`."""

    held: dict[str, asyncio.Event]  # of everybody
    asks: frozenset[str]
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> bool:
        waited = False
        while taken := [self.held[ask] for ask in self.asks if ask in self.held]:
            waited = True
            await taken[0].wait()
        self.held.update(dict.fromkeys(self.asks, self.over))
        return waited

    async def __aexit__(self, *_: object) -> None:
        for ask in self.asks:
            del self.held[ask]
        self.over.set()


@dataclass(slots=True)
class Recorded(Judge):
    """A judge for one task: answers from the record as far as it goes, then asks at the desk."""

    judge: Judge
    desk: Desk
    task: Task
    kept: list[Reply] = field(default_factory=list)
    asked: int = 0
    broke: bool = False  # the purse said no: the verdict is not to be kept

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def needs_prompt(self) -> bool:
        return self.judge.needs_prompt

    async def ask(self, prompt: Prompt) -> Reply:
        attempt, self.asked = self.asked, self.asked + 1
        if attempt < len(self.kept):
            return self.kept[attempt]
        try:
            return await self.desk.ask(self.judge, prompt, self.task, attempt)
        except BudgetError:
            self.broke = True
            raise

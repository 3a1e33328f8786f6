"""A judge whose questions are gathered into batches: half the price, an answer within a day.

Questions that come within a moment of each other go out together. What was handed in is put on a
shelf before anyone waits for it, under the name of each question, so that the next session waits
for the same batch instead of paying for another.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol as Interface

from oyer.errors import ProviderError
from oyer.judges.batch_api import MOST_REQUESTS, Result, Ticket, batchable, submit, wait
from oyer.judges.named import NamedJudge
from oyer.judges.panel import Panel, Seat
from oyer.types import Judge, Prompt, Reply

GATHER = 2.0  # seconds without a new question before a batch goes out


class BatchState(Interface):
    """Where tickets lie between sessions: a run's store."""

    async def get(self, key: str) -> str | None: ...

    async def put(self, key: str, reply: str) -> None: ...


@dataclass(frozen=True, slots=True)
class BatchQuestion(Judge):
    """A judge for one question, known by a name that outlives the program."""

    judge: BatchJudge
    question: str

    @property
    def name(self) -> str:
        return self.judge.name

    async def ask(self, prompt: Prompt) -> Reply:
        return await self.judge.answer(self.question, prompt)


class BatchJudge(Judge):
    """The same judge through its batch API. Named questions survive a restart."""

    def __init__(self, judge: Judge, shelf: BatchState | None = None) -> None:
        self._server, self._shelf = batchable(judge)[0], shelf
        self._every = self._server.options.poll
        self._tickets: dict[str, Ticket] | None = None  # by question
        self._failed: set[str] = set()  # batch and question: to be put again by the next session
        self._results: dict[str, asyncio.Task[dict[str, Result]]] = {}  # by batch
        self._waiting: dict[str, tuple[Prompt, asyncio.Future[None]]] = {}
        self._came = asyncio.Event()
        self._gathering: asyncio.Task[None] | None = None
        self._handing = asyncio.Lock()
        self._unnamed = 0

    @property
    def name(self) -> str:
        return self._server.name

    def for_question(self, question: str) -> BatchQuestion:
        return BatchQuestion(self, question)

    async def ask(self, prompt: Prompt) -> Reply:
        self._unnamed += 1
        return await self.answer(f"unnamed {self._unnamed}", prompt)

    async def answer(self, question: str, prompt: Prompt) -> Reply:
        """Wait for this question's batch: an earlier session's, or the next one to go out."""
        tickets = await self._read_tickets()
        if question not in tickets:
            handed = asyncio.get_running_loop().create_future()
            self._waiting[question] = (prompt, handed)
            self._came.set()
            if self._gathering is None or self._gathering.done():
                self._gathering = asyncio.create_task(self._gather())
            await handed
        ticket = tickets[question]
        if ticket.batch not in self._results:
            looking = wait(self._server, ticket, every=self._every)
            self._results[ticket.batch] = asyncio.create_task(looking)
        try:
            result = (await asyncio.shield(self._results[ticket.batch]))[question]
        except ProviderError as failure:
            result = failure
        if isinstance(result, ProviderError):
            await self._give_up(f"{ticket.batch} {question}")
            raise _again(result)
        return result

    async def _give_up(self, failed: str) -> None:
        """Note that a batch did not answer a question."""
        async with self._handing:
            self._failed.add(failed)
            await self._keep()

    async def _read_tickets(self) -> dict[str, Ticket]:
        """What earlier sessions handed in, read once."""
        async with self._handing:
            if self._tickets is None:
                text = await self._shelf.get(self.name) if self._shelf else None
                state = json.loads(text) if text else {"tickets": [], "failed": []}
                self._failed = set(state["failed"])
                self._tickets = {}
                for ticket in map(Ticket.from_json, state["tickets"]):
                    for name in ticket.ids:
                        if f"{ticket.batch} {name}" not in self._failed:
                            self._tickets[name] = ticket
        return self._tickets

    async def _gather(self) -> None:
        """Let questions come as long as they come, then hand them in."""
        while self._waiting:
            self._came.clear()
            try:
                await asyncio.wait_for(self._came.wait(), min(GATHER, self._every))
                if len(self._waiting) < MOST_REQUESTS:
                    continue
            except TimeoutError:
                pass
            waiting, self._waiting = self._waiting, {}
            await self._hand_in(waiting)

    async def _hand_in(self, waiting: Mapping[str, tuple[Prompt, asyncio.Future[None]]]) -> None:
        failure: ProviderError | None = None
        try:
            prompts = {question: prompt for question, (prompt, _) in waiting.items()}
            async with self._handing:
                assert self._tickets is not None
                for ticket in await submit(self._server, prompts, self._label(prompts)):
                    self._tickets |= dict.fromkeys(ticket.ids, ticket)
                await self._keep()
        except ProviderError as error:
            failure = error
        for _, handed in waiting.values():
            if handed.done():
                continue
            if failure is not None:
                handed.set_exception(_again(failure))
            else:
                handed.set_result(None)

    def _label(self, questions: Iterable[str]) -> str:
        """The same for the same questions, until one of their batches has failed them."""
        asked = sorted(questions)
        failed = sorted(f for f in self._failed if f.partition(" ")[2] in set(asked))
        return hashlib.sha256(json.dumps([asked, failed]).encode()).hexdigest()[:32]

    async def _keep(self) -> None:
        """On the shelf before anyone waits."""
        if self._shelf is not None and self._tickets is not None:
            tickets = {ticket.batch: ticket.as_json() for ticket in self._tickets.values()}
            state = {"tickets": list(tickets.values()), "failed": sorted(self._failed)}
            await self._shelf.put(self.name, json.dumps(state))

    async def close(self) -> None:
        """Stop looking; what was handed in goes on at the provider's."""
        tasks = [*self._results.values(), *([self._gathering] if self._gathering else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _again(error: ProviderError) -> ProviderError:
    """The same error for each who waited: one object must not be raised in several places."""
    return ProviderError(str(error), kind=error.kind, usage=error.usage)


def open_batched(judge: Judge, shelf: BatchState | None = None) -> Judge:
    """The judge, or each member of a panel, through its batch API."""
    if isinstance(judge, Panel):
        members = tuple(open_batched(member, shelf) for member in judge.members)
        return replace(judge, members=members)
    if isinstance(judge, Seat | NamedJudge):
        return replace(judge, judge=open_batched(judge.judge, shelf))
    return BatchJudge(judge, shelf)

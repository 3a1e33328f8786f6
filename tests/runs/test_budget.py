"""Caps hold, whoever asks in whatever order: one process, several, and some that die."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.errors import BudgetError
from oyer.runs import budget
from oyer.runs.budget import Budget, BudgetMeter
from oyer.store.spending import NOTHING
from oyer.store.workers import BudgetShare, Want, Worker, share_out
from oyer.types import Usage


@pytest.fixture(autouse=True, scope="module")
def _no_waiting() -> Iterator[None]:
    """A look at what others gave back every millisecond, not twice a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "LOOK_AGAIN", 0.001)
        yield


class Killed(Exception):
    """A process of these tests dies."""


@dataclass
class Rows:
    """The table of workers, in memory: what `take_share` does in a transaction."""

    workers: dict[str, Worker] = field(default_factory=dict)

    def begin(self, name: str) -> Allowance:
        self.workers[name] = Worker(name, 1, "here", 1, 0.0, None, 0, Usage(), NOTHING)
        return Allowance(self, name)

    def spend(self, name: str, usage: Usage) -> None:
        worker = self.workers[name]
        self.workers[name] = replace(worker, spent=worker.spent + usage)

    def end(self, name: str) -> None:
        self.workers[name] = replace(self.workers[name], ended="ended")

    @property
    def spent(self) -> Usage:
        return sum((worker.spent for worker in self.workers.values()), Usage())


@dataclass
class Allowance:
    rows: Rows
    name: str

    def take(self, want: Want) -> BudgetShare:
        others = [worker for name, worker in self.rows.workers.items() if name != self.name]
        share = share_out(want, others)
        mine = self.rows.workers[self.name]
        self.rows.workers[self.name] = replace(mine, may=share.until)
        return share


async def spend_all(
    rows: Rows, name: str, budget: Budget, costs: list[Usage], *, at_once: int, dies_after: int
) -> str | None:
    """A process: asks until its questions, its budget or its life are over."""
    meter = BudgetMeter(budget, rows.spent, rows.begin(name))
    places, made = asyncio.Semaphore(at_once), 0

    async def ask(usage: Usage) -> None:
        nonlocal made
        async with places:
            reserved = await meter.reserve()
            for _ in range(random.randrange(5)):
                await asyncio.sleep(0)
            reserved.pay(usage)
            rows.spend(name, usage)
            reserved.close()
            made += 1
            if made == dies_after:
                raise Killed

    tasks = [asyncio.create_task(ask(usage)) for usage in costs]
    try:
        await asyncio.gather(*tasks)
    except (BudgetError, Killed):
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    rows.end(name)  # whoever finds it dead does this
    return meter.stopped


@settings(deadline=None, max_examples=60)
@given(
    cap=st.integers(1, 80),
    processes=st.integers(1, 4),
    at_once=st.integers(1, 6),
    deaths=st.lists(st.integers(0, 30), min_size=4, max_size=4),
)
def test_a_cap_on_calls_is_reached_and_never_passed(
    cap: int, processes: int, at_once: int, deaths: list[int]
) -> None:
    """Also where some die: what they did not spend is spent by those that come after."""
    rows = Rows()
    costs = [Usage(calls=1)] * 30

    async def work() -> None:
        running = [
            spend_all(
                rows, f"w{i}", Budget(calls=cap), costs, at_once=at_once, dies_after=deaths[i]
            )
            for i in range(processes)
        ]
        await asyncio.gather(*running)
        await spend_all(rows, "last", Budget(calls=cap), costs * 4, at_once=at_once, dies_after=0)

    asyncio.run(work())
    assert rows.spent.calls == cap


@settings(deadline=None, max_examples=60)
@given(
    cents=st.lists(st.integers(1, 9), min_size=1, max_size=60),
    processes=st.integers(1, 4),
    at_once=st.integers(1, 6),
)
def test_a_cap_in_dollars_is_passed_by_less_than_a_call_of_each_process(
    cents: list[int], processes: int, at_once: int
) -> None:
    """The dearest question comes first, so that a call's cost is known."""
    dearest = max(cents) / 100
    costs = [Usage(10, 10, dearest, 1), *(Usage(10, 10, cent / 100, 1) for cent in cents)]
    allowed = Budget(dollars=max(sum(cents) / 200, 0.1))
    rows = Rows()

    async def work() -> list[str | None]:
        running = [
            spend_all(rows, f"w{i}", allowed, costs, at_once=at_once, dies_after=0)
            for i in range(processes)
        ]
        return await asyncio.gather(*running)

    asyncio.run(work())
    assert allowed.dollars is not None
    assert (rows.spent.cost_usd or 0.0) < allowed.dollars + processes * dearest


def test_a_process_that_waits_for_another_s_share_gets_it() -> None:
    """One has reserved all that is left; when it gives that back, the other goes on."""
    rows = Rows()
    first = BudgetMeter(Budget(calls=4), Usage(), rows.begin("a"))
    second = BudgetMeter(Budget(calls=4), Usage(), rows.begin("b"))

    async def work() -> None:
        held = [await first.reserve() for _ in range(4)]
        waiting = asyncio.create_task(second.reserve())
        await asyncio.sleep(0)
        assert not waiting.done()
        held[0].close()  # it cost nothing: no call was made
        first.give_back()
        (await asyncio.wait_for(waiting, 10)).close()

    asyncio.run(work())


def test_free_verdicts_use_up_no_cap() -> None:
    meter = BudgetMeter(Budget(calls=1), Usage())

    async def work() -> None:
        for _ in range(3):
            free = await meter.reserve(free=True)
            free.pay(Usage(calls=1))
            free.close()
        (await meter.reserve()).close()

    asyncio.run(work())
    assert meter.spent.calls == 0


def test_a_budget_in_dollars_stops_at_a_price_that_became_unknown() -> None:
    meter = BudgetMeter(Budget(dollars=5.0), Usage())

    async def work() -> None:
        reserved = await meter.reserve()
        reserved.pay(Usage(calls=1, cost_usd=None))
        reserved.close()
        with pytest.raises(BudgetError, match="unknown"):
            await meter.reserve()

    asyncio.run(work())


def test_another_call_for_a_question_is_refused_where_the_budget_ends() -> None:
    meter = BudgetMeter(Budget(calls=2), Usage())

    async def work() -> None:
        reserved = await meter.reserve()
        reserved.before_another(Usage(calls=1))
        with pytest.raises(BudgetError, match="2 calls"):
            reserved.before_another(Usage(calls=2))

    asyncio.run(work())


def test_who_waits_for_room_is_woken_by_a_stop() -> None:
    meter = BudgetMeter(Budget(calls=1), Usage())

    async def work() -> None:
        await meter.reserve()
        waiting = asyncio.create_task(meter.reserve())
        await asyncio.sleep(0)
        meter.close()
        with pytest.raises(BudgetError, match="stopped"):
            await waiting

    asyncio.run(work())

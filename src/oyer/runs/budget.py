"""Caps in calls, tokens and dollars, of a whole run: across its sessions, processes and machines.

A process spends from its share of what is left (`oyer.store.workers`): it takes one before it
asks, another when that is used up, and gives back what it does not need.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Protocol

from oyer.errors import BudgetError
from oyer.store.spending import INFINITE, NOTHING, Amount, amount_of
from oyer.store.workers import BudgetShare, Want
from oyer.types import Usage

LOOK_AGAIN = 0.5  # seconds until we look whether another process gave something back
ONE_CALL = Amount(calls=1)  # a call of unknown cost


@dataclass(frozen=True, slots=True)
class Budget:
    """What the user allows; None is no cap."""

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None

    def after(self, spent: Usage) -> Budget:
        """What is left when so much is spent."""
        tokens = spent.input_tokens + spent.output_tokens
        dollars = spent.cost_usd or 0.0
        return Budget(
            None if self.calls is None else max(self.calls - spent.calls, 0),
            None if self.tokens is None else max(self.tokens - tokens, 0),
            None if self.dollars is None else max(self.dollars - dollars, 0.0),
        )

    @property
    def caps(self) -> Amount:
        caps = (self.calls, self.tokens, self.dollars)
        return Amount(*(INFINITE if cap is None else cap for cap in caps))

    @property
    def caps_cost(self) -> bool:
        """Whether it caps what is known only after a call."""
        return self.tokens is not None or self.dollars is not None


class Allowance(Protocol):
    """Where shares of a budget come from."""

    def take(self, want: Want) -> BudgetShare:
        """Our new share."""
        ...


@dataclass(frozen=True, slots=True)
class WholeBudget:
    """All that is left is ours: nobody else spends from this budget."""

    before: Usage

    def take(self, want: Want) -> BudgetShare:
        return BudgetShare(want.caps.minus(amount_of(self.before)), self.before, others_hold=False)


class BudgetMeter:
    """Counts what is spent, and what calls in flight may cost; says no in time.

    A call in flight is reckoned as the dearest so far; until the cost of one is known, only one is
    made. So a cap on tokens or dollars is passed by less than a call of each process, unless
    several that are in flight all cost more than any before them.
    """

    def __init__(self, budget: Budget, before: Usage, allowance: Allowance | None = None) -> None:
        self.budget = budget
        self.before = before  # what was spent by all others, as far as we know
        self.own = Usage()
        self.in_flight = 0
        self.stopped: str | None = None  # which cap was met
        self._allowance = allowance or WholeBudget(before)
        self._until = NOTHING  # what we may have spent in all
        self._call = _mean_call(before)
        self._knows_cost = before.calls > 0
        self._closed = False
        self._turn = asyncio.Lock()
        self._landed = asyncio.Event()

    @property
    def spent(self) -> Usage:
        """What the whole run has spent, as far as we know."""
        return self.before + self.own

    async def reserve(self, *, free: bool = False) -> Reservation:
        """Reckon with one more question, or raise BudgetError. Waits while calls in flight, or
        shares of other processes, may leave something over."""
        self._ensure_open()
        if free:
            return Reservation(self, free=True)
        if not self._fits(self.in_flight + 1):
            async with self._turn:  # one asks for all
                await self._wait_for_room()
        self.in_flight += 1
        return Reservation(self)

    async def _wait_for_room(self) -> None:
        while not self._fits(self.in_flight + 1):
            self._landed.clear()
            share = self._take(more=1)
            if self._fits(self.in_flight + 1):
                return
            if not self.in_flight and not share.others_hold:
                raise self._stop_spending()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN if share.others_hold else None):
                    await self._landed.wait()
            self._ensure_open()

    def check_another(self) -> None:
        """Raise BudgetError unless a question in flight may be put once more."""
        self._ensure_open()
        if not self._fits(self.in_flight):
            self.in_flight -= 1  # its own place, once more
            self._take(more=1)
            self.in_flight += 1
        if not self._fits(self.in_flight):
            raise self._stop_spending()

    def give_back(self) -> None:
        """We have nothing to ask just now: what we do not need may be others'."""
        if self.budget != Budget():
            self._take(more=0)

    def give_back_idle(self) -> None:
        """All our questions may wait for one that another process asks, and that one for us."""
        if not self.in_flight:
            self.give_back()

    def pay(self, usage: Usage) -> None:
        """So much more was spent here."""
        self.own = self.own + usage
        if not usage.calls:
            return
        self._knows_cost = True
        if usage.cost_usd is not None:
            cost = amount_of(usage).times(1 / usage.calls)
            self._call = self._call.highest(cost)

    def land(self) -> None:
        """A question is over."""
        self.in_flight -= 1
        self._landed.set()

    def close(self) -> None:
        """The user stops the run: nothing more is spent, also by those who wait for their turn."""
        self._closed = True
        self._landed.set()

    def _ensure_open(self) -> None:
        if self._closed:
            raise BudgetError("the run was stopped")

    def _fits(self, calls: int) -> bool:
        if self.budget == Budget():
            return True
        if calls > 1 and self.budget.caps_cost and not self._knows_cost:
            return False
        return amount_of(self.own).plus(self._call.times(calls)).within(self._until)

    def _take(self, *, more: int) -> BudgetShare:
        """A share for the calls in flight and for `more` of them."""
        own = amount_of(self.own)
        want = Want(self.budget.caps, own, self._call, self.in_flight, more)
        share = self._allowance.take(want)
        self._until, self.before = share.until, share.others
        return share

    def _stop_spending(self) -> BudgetError:
        self.stopped = self._used_up_message()
        return BudgetError(self.stopped)

    def _used_up_message(self) -> str:
        budget, spent = self.budget, amount_of(self.spent)
        ahead = spent.plus(self._call.times(max(self.in_flight, 1)))
        if budget.calls is not None and ahead.calls > budget.calls:
            return f"the budget of {budget.calls:,} calls is used up"
        if budget.tokens is not None and ahead.tokens > budget.tokens:
            return f"the budget of {budget.tokens:,} tokens is used up ({spent.tokens:,.0f} spent)"
        if self.spent.cost_usd is None:
            return "the price of a call is unknown, so the budget in dollars cannot be kept"
        return f"the budget of ${budget.dollars or 0:,.2f} is used up (${spent.dollars:,.4f} spent)"


class Reservation:
    """What one question costs: paid call by call, so that the meter is never behind.

    `free`: a judge that runs here and costs nothing; it uses up no cap.
    """

    def __init__(self, meter: BudgetMeter, *, free: bool = False) -> None:
        self.meter, self.free, self.paid = meter, free, Usage()

    def pay(self, usage: Usage) -> None:
        """The question has cost `usage` so far."""
        if not self.free:
            self.meter.pay(_less(usage, self.paid))
        self.paid = usage

    def before_another(self, usage: Usage) -> None:
        """`Prompt.before_retry`: may the judge make another call for this question?"""
        self.pay(usage)
        try:
            self.meter.check_another()
        except BudgetError as full:
            full.usage = usage
            raise

    def close(self) -> None:
        """The question is over, answered or not."""
        if not self.free:
            self.meter.land()


def _mean_call(before: Usage) -> Amount:
    """What a call may cost, by those before; only a call where nothing is known."""
    if not before.calls or before.cost_usd is None:
        return ONE_CALL
    return amount_of(before).times(1 / before.calls).highest(ONE_CALL)


def _less(whole: Usage, part: Usage) -> Usage:
    known = whole.cost_usd is not None
    return Usage(
        whole.input_tokens - part.input_tokens,
        whole.output_tokens - part.output_tokens,
        (whole.cost_usd or 0.0) - (part.cost_usd or 0.0) if known else None,
        whole.calls - part.calls,
        whole.seconds - part.seconds,
    )

"""Caps in calls, tokens and dollars, of a whole run: across all its sessions."""

from __future__ import annotations

from dataclasses import dataclass

from oyer.errors import BudgetError
from oyer.types import Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """What the user allows; None is no cap."""

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None


class BudgetMeter:
    """Counts what is spent, and what calls in flight will probably cost; says no in time.

    A call in flight is reckoned at the mean of those before it, so a cap is passed at most by
    what the calls in flight cost more than the mean: never by more than one call a worker.
    """

    def __init__(self, budget: Budget, spent: Usage) -> None:
        self.budget, self.spent = budget, spent
        self.in_flight = 0
        self.stopped: str | None = None  # which cap was met
        self._closed = False

    def reserve(self) -> Reservation:
        """Reckon with one more question, or raise BudgetError."""
        self.check(1)
        self.in_flight += 1
        return Reservation(self)

    def close(self) -> None:
        """The user stops the run: nothing more is spent, also by those who wait for their turn."""
        self._closed = True

    def check(self, more: int = 0) -> None:
        """Raise BudgetError unless `more` calls beyond those in flight may be made."""
        if self._closed:
            raise BudgetError("the run was stopped")
        met = self._met(self.in_flight + more)
        if met is not None:
            self.stopped = met
            raise BudgetError(met)

    @property
    def tokens(self) -> int:
        return self.spent.input_tokens + self.spent.output_tokens

    def _met(self, ahead: int) -> str | None:
        calls, cap = self.spent.calls, self.budget
        if cap.calls is not None and calls + ahead > cap.calls:
            return f"the budget of {cap.calls:,} calls is used up"
        mean = 1 / calls if calls else 0.0
        if cap.tokens is not None and self.tokens * (1 + ahead * mean) > cap.tokens:
            return f"the budget of {cap.tokens:,} tokens is used up ({self.tokens:,} spent)"
        if cap.dollars is None:
            return None
        if self.spent.cost_usd is None:
            return "the price of a call is unknown, so the budget in dollars cannot be kept"
        if self.spent.cost_usd * (1 + ahead * mean) > cap.dollars:
            return (
                f"the budget of ${cap.dollars:,.2f} is used up (${self.spent.cost_usd:,.4f} spent)"
            )
        return None


class Reservation:
    """What one question costs: paid call by call, so that the meter is never behind."""

    def __init__(self, meter: BudgetMeter) -> None:
        self.meter, self.paid = meter, Usage()

    def pay(self, usage: Usage) -> None:
        """The question has cost `usage` so far."""
        self.meter.spent = self.meter.spent + _less(usage, self.paid)
        self.paid = usage

    def before_another(self, usage: Usage) -> None:
        """The guard of `oyer.judges.guard`: may the judge make another call for this question?"""
        self.pay(usage)
        self.meter.check()

    def close(self) -> None:
        """The question is over, answered or not."""
        self.meter.in_flight -= 1


def _less(whole: Usage, part: Usage) -> Usage:
    known = whole.cost_usd is not None
    return Usage(
        whole.input_tokens - part.input_tokens,
        whole.output_tokens - part.output_tokens,
        (whole.cost_usd or 0.0) - (part.cost_usd or 0.0) if known else None,
        whole.calls - part.calls,
        whole.seconds - part.seconds,
    )

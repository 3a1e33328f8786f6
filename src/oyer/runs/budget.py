"""Caps in calls, tokens and dollars, of a whole run over all its sittings."""

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


class Purse:
    """Counts what is spent, and what calls in flight will probably cost; says no in time.

    A call in flight is reckoned at the mean of those before it, so a cap is passed at most by
    what the calls in flight cost more than the mean: never by more than one call a worker.
    """

    def __init__(self, budget: Budget, spent: Usage) -> None:
        self.budget, self.before, self.spent = budget, spent, spent
        self.flying = 0
        self.stopped: str | None = None  # which cap was met

    def take(self) -> None:
        """Reckon with one more call, or raise BudgetError."""
        met = self._met()
        if met is not None:
            self.stopped = met
            raise BudgetError(met)
        self.flying += 1

    def give_back(self) -> None:
        """A call has ended, with or without an answer."""
        self.flying -= 1

    def pay(self, usage: Usage) -> None:
        """An answer came and cost this."""
        self.spent = self.spent + usage

    @property
    def tokens(self) -> int:
        return self.spent.input_tokens + self.spent.output_tokens

    def _met(self) -> str | None:
        calls, cap = self.spent.calls, self.budget
        ahead = self.flying + 1
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

"""What a run has spent, and amounts that caps count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from oyer.judges.names import counts_as_call
from oyer.store import schema
from oyer.types import JsonObject, Usage

INFINITE = float("inf")
USAGE = ("input_tokens", "output_tokens", "cost_usd", "calls", "seconds")


class Amount(NamedTuple):
    """What caps count."""

    calls: float = 0.0
    tokens: float = 0.0
    dollars: float = 0.0

    def plus(self, other: Amount) -> Amount:
        return Amount(*(mine + more for mine, more in zip(self, other, strict=True)))

    def minus(self, other: Amount) -> Amount:
        """What is left; of no cap, no cap."""
        pairs = zip(self, other, strict=True)
        return Amount(*(mine if mine == INFINITE else mine - less for mine, less in pairs))

    def times(self, count: float) -> Amount:
        return Amount(*(each * count for each in self))

    def highest(self, other: Amount) -> Amount:
        return Amount(*map(max, self, other))

    def lowest(self, other: Amount) -> Amount:
        return Amount(*map(min, self, other))

    def within(self, limit: Amount) -> bool:
        """No more than the limit; a billionth beyond it is how floats add up."""
        return all(mine <= most + 1e-9 for mine, most in zip(self, limit, strict=True))


NOTHING = Amount()


def amount_of(usage: Usage) -> Amount:
    """What counts for caps; an unknown price is more than any cap."""
    dollars = INFINITE if usage.cost_usd is None else usage.cost_usd
    return Amount(usage.calls, usage.input_tokens + usage.output_tokens, dollars)


def select_spent(run: int) -> sa.Select[object]:
    """For `sum_spent`: what the replies of a run cost, judge by judge."""
    table = schema.replies.c
    sums = [sa.func.sum(table[name]) for name in USAGE]
    unknown = sa.func.count() - sa.func.count(table.cost_usd)
    return sa.select(table.judge, *sums, unknown).where(table.run == run).group_by(table.judge)


def sum_spent(rows: Iterable[Sequence[Any]]) -> Usage:
    """A price unknown once is unknown in sum; free verdicts made here are no calls."""
    spent = Usage()
    for judge, read, written, cost, calls, seconds, unknown in rows:
        price = None if unknown else float(cost)
        counted = int(calls) if counts_as_call(judge) else 0
        spent += Usage(int(read), int(written), price, counted, float(seconds))
    return spent


def spent_in_rows(rows: Iterable[JsonObject]) -> Usage:
    """The same of rows that are about to be written (`codec.reply_row`)."""
    spent = Usage()
    for row in rows:
        calls = row["calls"] if counts_as_call(row["judge"]) else 0
        cost = row["cost_usd"]
        spent += Usage(row["input_tokens"], row["output_tokens"], cost, calls, row["seconds"])
    return spent

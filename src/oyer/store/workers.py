"""Who works on a run, and who may still spend how much of its budget: rows of `oyer_workers`.

A budget is shared out: a worker may spend up to a limit that stands in its row, and takes a larger
one from what nobody has. What a dead worker did not spend is free again, because its row says
exactly what it did spend.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from oyer.store import schema
from oyer.store.spending import (
    INFINITE,
    NOTHING,
    USAGE,
    Amount,
    amount_of,
    select_spent,
    sum_spent,
)
from oyer.types import Usage


@dataclass(frozen=True, slots=True)
class Worker:
    """One process on one run. `ended` is None while it works."""

    name: str
    run: int
    host: str
    pid: int
    started: float  # seconds since 1970, by the database's clock
    ended: str | None
    verdicts: int
    spent: Usage
    may: Amount  # what it may have spent in all

    @property
    def taken(self) -> Amount:
        """What nobody else may spend: what it spent, and what it may still spend if it works."""
        spent = amount_of(self.spent)
        return spent if self.ended else spent.highest(self.may)

    def holds_some(self, caps: Amount) -> bool:
        """Whether it may still give something back."""
        if self.ended:
            return False
        unspent = zip(caps, self.may, amount_of(self.spent), strict=True)
        return any(cap < INFINITE and may > spent + 1e-9 for cap, may, spent in unspent)


class Want(NamedTuple):
    """What a worker says of itself when it wants a larger share."""

    caps: Amount
    spent: Amount  # by itself, also what is not committed yet
    call: Amount  # what a call may cost
    in_flight: int  # calls whose cost is not known yet
    more: int  # calls that it wants to make beyond those

    @property
    def need(self) -> Amount:
        return self.call.times(self.in_flight + self.more)


class BudgetShare(NamedTuple):
    """A worker's part of the budget."""

    until: Amount  # what it may have spent in all
    others: Usage  # what all others have spent
    others_hold: bool  # whether another worker may still give something back


def share_out(want: Want, others: Iterable[Worker]) -> BudgetShare:
    """A larger share, if nobody else has it; else only what its calls in flight may need."""
    taken, spent, alive, hold = NOTHING, Usage(), 1, False
    for worker in others:
        taken = taken.plus(worker.taken)
        spent += worker.spent
        alive += worker.ended is None
        hold = hold or worker.holds_some(want.caps)
    free = want.caps.minus(taken).minus(want.spent)
    share = want.call.times(want.in_flight)
    if want.more and want.need.within(free):
        # Half of what is free, among all: who comes later finds something, too.
        share = free.times(0.5 / alive).highest(want.need)
    return BudgetShare(want.spent.plus(share), spent, hold)


def begin_worker(connection: sa.Connection, row: dict[str, Any], *, alone: bool) -> None:
    """Write a worker's row. Who is alone counts anew what the run has cost: the replies say it."""
    if alone:
        _sum_up(connection, row["run"])
    connection.execute(schema.workers.insert().values(**row, started=clock(connection)))


_NOTE = sa.text(
    "UPDATE oyer_workers SET verdicts = verdicts + :verdicts, "
    "input_tokens = input_tokens + :input_tokens, output_tokens = output_tokens + :output_tokens, "
    "cost_usd = cost_usd + :cost_usd, calls = calls + :calls, seconds = seconds + :seconds "
    "WHERE name = :name AND ended IS NULL"
)


def note_commit(connection: sa.Connection, name: str, spent: Usage, verdicts: int) -> bool:
    """Part of every commit of a worker: what it adds; an unknown price makes the sum unknown.
    False: the worker was given up."""
    usage = {column: getattr(spent, column) for column in USAGE}
    values = {"name": name, "verdicts": verdicts, **usage}
    return connection.execute(_NOTE, values).rowcount > 0


def take_share(connection: sa.Connection, run: int, name: str, want: Want) -> BudgetShare:
    """Share out, and write down what came of it."""
    # Who shares out the budget of a run does so alone. No commit waits for this row.
    alone = sa.select(schema.runs.c.id).where(schema.runs.c.id == run).with_for_update()
    connection.execute(alone)
    others = [worker for worker in read_workers(connection, run) if worker.name != name]
    share = share_out(want, others)
    may = {f"may_{column}": _or_none(value) for column, value in share.until._asdict().items()}
    mine = schema.workers.update().where(schema.workers.c.name == name)
    connection.execute(mine.values(may))
    return share


def end_workers(connection: sa.Connection, names: Sequence[str], how: str) -> None:
    """These do not work any more. Waits for a commit of theirs that is under way."""
    table = schema.workers.c
    gone = schema.workers.update().where(table.name.in_(names), table.ended.is_(None))
    connection.execute(gone.values(ended=how))


def select_workers(run: int) -> sa.Select[Any]:
    """All workers of a run, in the order in which they came."""
    table = schema.workers
    return sa.select(*table.columns).where(table.c.run == run).order_by(table.c.started)


def read_workers(connection: sa.Connection, run: int) -> list[Worker]:
    """Those that ended before the run was last begun are one row, `earlier`."""
    return [worker_of(row) for row in connection.execute(select_workers(run))]


def worker_of(row: Any) -> Worker:
    """A row of `select_workers`."""
    values = row._mapping
    may = Amount(*(_or_infinite(values[f"may_{name}"]) for name in Amount._fields))
    spent = Usage(*(values[name] for name in USAGE))
    head = ("name", "run", "host", "pid", "started", "ended", "verdicts")
    return Worker(**{name: values[name] for name in head}, spent=spent, may=may)


def book_calls(connection: sa.Connection, name: str, seconds: float) -> float:
    """Book a provider's next `seconds` for us; how long until they begin."""
    now = clock(connection)
    later = sa.func.max if connection.dialect.name == "sqlite" else sa.func.greatest
    known = sa.select(schema.limits.c.until).where(schema.limits.c.name == name)
    if connection.execute(known).first() is None:
        new = _insert(connection).values(name=name, until=0.0)
        connection.execute(new.on_conflict_do_nothing())
    until = later(schema.limits.c.until, now) + seconds
    change = schema.limits.update().where(schema.limits.c.name == name).values(until=until)
    wait = connection.execute(change.returning(schema.limits.c.until - now - seconds)).scalar_one()
    return max(0.0, float(wait))


def clock(connection: sa.Connection) -> Any:
    """Seconds since 1970, by the database's clock: machines need not agree on theirs."""
    if connection.dialect.name == "sqlite":
        return sa.literal_column("(julianday('now') - 2440587.5) * 86400.0", sa.Double)
    return sa.literal_column("extract(epoch FROM clock_timestamp())::double precision", sa.Double)


def _insert(connection: sa.Connection) -> Any:
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        return insert(schema.limits)
    from sqlalchemy.dialects.postgresql import insert as insert_on_server

    return insert_on_server(schema.limits)


def _sum_up(connection: sa.Connection, run: int) -> None:
    """One row in place of all that have ended: what was spent before, exactly."""
    table = schema.workers
    alive = [worker for worker in read_workers(connection, run) if worker.ended is None]
    connection.execute(table.delete().where(table.c.run == run, table.c.ended.is_not(None)))
    spent = sum_spent(connection.execute(select_spent(run)))
    part = sum((worker.spent for worker in alive), Usage())
    rest = {name: (getattr(spent, name) or 0) - (getattr(part, name) or 0) for name in USAGE}
    if spent.cost_usd is None:
        rest["cost_usd"] = None
    count = sa.select(sa.func.count()).where(schema.verdicts.c.run == run)
    done = connection.execute(count).scalar_one() - sum(worker.verdicts for worker in alive)
    row = {"name": uuid.uuid4().hex, "run": run, "host": "", "pid": 0, "started": 0.0}
    connection.execute(table.insert().values(**row, ended="earlier", verdicts=done, **rest))


def _or_none(value: float) -> float | None:
    return None if value == INFINITE else value


def _or_infinite(value: float | None) -> float:
    return INFINITE if value is None else value

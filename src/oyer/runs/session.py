"""One sitting of a run: do what is left, note how it ended. Ctrl-C once: clean; twice: now."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oyer.engine import opened
from oyer.errors import OyerError, UsageError
from oyer.judges.names import members, provider_of
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.runs.asking import Desk
from oyer.runs.budget import Purse
from oyer.runs.clerk import Clerk
from oyer.runs.clerks import Readers
from oyer.runs.estimate import price_of
from oyer.runs.garbage import collected_seldom
from oyer.runs.plan import Plan
from oyer.runs.progress import Progress
from oyer.runs.runner import Runner
from oyer.runs.variant import settle
from oyer.store import Run, RunState
from oyer.store.store import Store
from oyer.types import Usage


@dataclass(frozen=True, slots=True)
class Sitting:
    """How a sitting ended."""

    run: Run
    state: RunState
    made: int  # verdicts of this sitting
    errors: Mapping[tuple[str, str], int]  # (judge, error) -> verdicts without a score, in all
    left: int  # tasks without a verdict
    spent: Usage  # the whole run's
    paid: int  # calls of this sitting
    why: str | None = None

    @property
    def unscored(self) -> int:
        return sum(self.errors.values())


def sit(plan: Plan, store: Store, clerks: Sequence[Clerk] = ()) -> Sitting:
    """Run the plan as far as it goes; the same plan again goes on where this one ended.

    `clerks` (see `oyer.runs.clerks.hired`) read replies that come faster than this process can.
    """
    _priced(plan)
    pool = _bench(plan)
    if (told := settle(plan, store, pool)) is not None:
        print(f"oyer: {told}", file=sys.stderr)
    cut_off = _cut_off(plan, store)
    run = store.begin_run(plan.manifest)
    if cut_off:  # and no other process holds the run, or it had not begun
        told = "the sitting before was cut off: calls in flight then are not counted as spent"
        print(f"oyer: {told}", file=sys.stderr)
    state: RunState = "failed"
    try:
        sitting = _unwrapped(_sit(plan, store, run, pool, clerks))
        state = sitting.state
    except (KeyboardInterrupt, asyncio.CancelledError):
        state = "stopped"
        raise KeyboardInterrupt from None
    finally:
        with contextlib.suppress(OyerError):  # the store itself may be what failed
            store.end_run(run, state)
    return sitting


def _cut_off(plan: Plan, store: Store) -> bool:
    """Whether the last sitting could not note how it ended: killed, or a power cut."""
    running = (run.identity for run in store.runs() if run.state == "running")
    return plan.manifest.identity in running


def _unwrapped(sitting: Coroutine[Any, Any, Sitting]) -> Sitting:
    """A TaskGroup wraps the error that stopped it; users get the error."""
    try:
        with collected_seldom():
            return asyncio.run(sitting)
    except BaseExceptionGroup as several:
        error: BaseException = several
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from several


def _priced(plan: Plan) -> None:
    """A budget in dollars needs prices: say so before anything is spent."""
    if plan.suite.budget.dollars is None:
        return
    for name in (*plan.suite.judges, *plan.suite.candidates):
        for one in members(name):
            if not provider_of(one).states_price and price_of(plan, one) is None:
                raise UsageError(
                    f"the price of {one} is unknown, so a budget in dollars cannot be kept: name "
                    'a price table in [options] (prices = "prices.json"), or cap calls or tokens.'
                )


def _bench(plan: Plan) -> JudgePool:
    """The judges and candidates. A bad name or a missing key is said before there is a run: none
    is left behind, failed."""
    suite = plan.suite
    pool = JudgePool(Options(in_flight=suite.concurrency, **suite.options))
    for name in (*suite.judges, *suite.candidates):
        opened(pool, name)
    if suite.batch:
        from oyer.judges.batch_judge import batched

        for name in suite.judges:
            batched(opened(pool, name))
    return pool


async def _sit(
    plan: Plan, store: Store, run: Run, pool: JudgePool, clerks: Sequence[Clerk]
) -> Sitting:
    suite = plan.suite
    purse = Purse(suite.budget, store.spent(run.id))
    before = purse.spent.calls
    progress = Progress(suite.judges, plan.manifest.tasks, purse)
    async with pool, Readers(plan.protocol, clerks) as readers:
        desk = Desk(store, purse, suite.concurrency)
        runner = Runner(plan, run, desk, pool, readers, progress)
        try:
            with progress, _interrupts(runner):
                await runner.sit()
        finally:
            await runner.close()
    lines = progress.lines.values()
    counts = store.counts(run.id)
    left = plan.manifest.tasks - sum(counts.values())
    state: RunState = "done"
    if purse.stopped is not None and left:
        state = "budget"
    elif runner.stopping:
        state = "stopped"
    return Sitting(
        run=run,
        state=state,
        made=sum(line.made for line in lines),
        errors={(judge, error): n for (judge, error), n in counts.items() if error is not None},
        left=left,
        spent=purse.spent,
        paid=purse.spent.calls - before,
        why=purse.stopped,
    )


@contextlib.contextmanager
def _interrupts(runner: Runner) -> Iterator[None]:
    """The first Ctrl-C lets what is in flight arrive; the second ends at once."""
    loop = asyncio.get_running_loop()
    sitting = asyncio.current_task()
    assert sitting is not None

    def interrupted() -> None:
        if runner.stopping:
            sitting.cancel()
        else:
            runner.stop()
            note = "stopping: what is in flight will be kept (Ctrl-C again: at once)"
            runner.progress.note(note)

    try:
        loop.add_signal_handler(signal.SIGINT, interrupted)
        loop.add_signal_handler(signal.SIGTERM, interrupted)
    except (NotImplementedError, ValueError, RuntimeError):
        yield  # Windows, or not the main thread: Python's own handling applies
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGTERM)

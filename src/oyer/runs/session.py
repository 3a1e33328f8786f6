"""One session of a run: do what is left, note how it ended. Ctrl-C once: clean; twice: now."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import sys
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from oyer.engine import open_judge
from oyer.errors import OyerError, UsageError
from oyer.judges.names import members, provider_of, without_exam
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.runs.asking import Asker
from oyer.runs.budget import Budget, BudgetMeter
from oyer.runs.deciding import open_decider
from oyer.runs.estimate import price_of
from oyer.runs.parallel import gc_relaxed
from oyer.runs.plan import Plan
from oyer.runs.progress import Progress
from oyer.runs.remote import heeding, keep_origin
from oyer.runs.runner import Runner
from oyer.store import Run, RunState
from oyer.store.store import Store
from oyer.types import Usage


@dataclass(frozen=True, slots=True)
class Session:
    """How a session ended."""

    run: Run
    state: RunState
    made: int  # verdicts of this session
    errors: Mapping[tuple[str, str], int]  # (judge, error) -> verdicts without a score, in all
    left: int  # tasks without a verdict
    spent: Usage  # the whole run's
    paid: int  # calls of this session
    why: str | None = None

    @property
    def unscored(self) -> int:
        return sum(self.errors.values())


def run_session(plan: Plan, store: Store) -> Session:
    """Run the plan as far as it goes; the same plan again goes on where this one ended."""
    _require_prices(plan)
    pool = _open_pool(plan)
    if (note := _keep_variants(plan, store, pool)) is not None:
        print(f"oyer: {note}", file=sys.stderr)
    cut_off = _was_cut_off(plan, store)
    run = store.begin_run(plan.manifest, join=_may_join(plan))
    if store.has_company(run):
        print("oyer: other processes work on this run: joining them", file=sys.stderr)
    elif cut_off:
        note = "the session before was cut off: calls in flight then are not counted as spent"
        print(f"oyer: {note}", file=sys.stderr)
    keep_origin(store, run, plan)
    state: RunState = "failed"
    try:
        session = _run_to_end(_work(plan, store, run, pool))
        state = session.state
    except (KeyboardInterrupt, asyncio.CancelledError):
        state = "stopped"
        raise KeyboardInterrupt from None
    finally:
        with contextlib.suppress(OyerError):  # the store itself may be what failed
            store.end_run(run, state)
    return session


def _may_join(plan: Plan) -> bool:
    """Whether several processes may work on the run. A budget is counted by one process, and a
    provider's batch is looked for by one."""
    return plan.suite.budget == Budget() and not plan.suite.batch


def _was_cut_off(plan: Plan, store: Store) -> bool:
    """Whether the last session could not note how it ended: killed, or a power cut."""
    running = (run.identity for run in store.runs() if run.state == "running")
    return plan.manifest.identity in running


def _run_to_end(session: Coroutine[Any, Any, Session]) -> Session:
    """A TaskGroup wraps the error that stopped it; users get the error."""
    try:
        with gc_relaxed():
            return asyncio.run(session)
    except BaseExceptionGroup as several:
        error: BaseException = several
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from several


def _require_prices(plan: Plan) -> None:
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


def _open_pool(plan: Plan) -> JudgePool:
    """The judges and candidates. A bad name or a missing key is said before there is a run: none
    is left behind, failed."""
    suite = plan.suite
    pool = JudgePool(Options(in_flight=suite.concurrency, **suite.options))
    if plan.is_audit:  # its judges have spoken already
        return pool
    for name in (*suite.judges, *suite.candidates):
        open_judge(pool, name)
    if suite.batch:
        from oyer.judges.batch_judge import batched

        for name in suite.judges:
            batched(open_judge(pool, name))
    return pool


def _keep_variants(plan: Plan, store: Store, pool: JudgePool) -> str | None:
    """Bind the bare names of this run; what to tell the user, if the suite uses one.

    `embedded` means the full model where its packages are installed, else the light one. A run that
    is resumed after an installation would mix the two, so it keeps the one that it began with.
    """
    if plan.is_audit:
        return None
    names = {without_exam(one) for name in plan.suite.judges for one in members(name)}
    bare = sorted(name for name in names if name == provider_of(name).name)
    notes = [_keep_variant(n, plan, store, pool) for n in bare if provider_of(n).variants]
    return "; ".join(notes) or None


def _keep_variant(name: str, plan: Plan, store: Store, pool: JudgePool) -> str:
    here = pool.open(name).name
    now = here.rpartition("-")[2]
    run = next((r for r in store.runs() if r.identity == plan.manifest.identity), None)
    counts = {} if run is None else store.counts(run.id)
    began = _variant_of(name, [judge for judge, _ in counts])
    if run is None or began is None or began == now:
        return f"{name} is {name}:{now} here ({here})"
    another = f"{name} is {name}:{now} here by now; name that in the suite for a new run"
    if sum(counts.values()) < plan.manifest.tasks:
        try:
            pool.bind(name, f"{name}:{began}")
        except UsageError as missing:
            raise UsageError(
                f"run {run.id} was begun with {name}:{began}, and keeps it: {missing} ({another})"
            ) from None
    return f"run {run.id} was begun with {name}:{began}, and keeps it ({another})"


def _variant_of(name: str, judges: Iterable[str]) -> str | None:
    """The variant of the run's verdicts; panels sign with their members' names."""
    variants = "|".join(provider_of(name).variants)
    pattern = re.compile(rf"{re.escape(name)}@[^-+]*-({variants})")
    for judge in judges:
        if signed := pattern.search(judge):
            return signed[1]
    return None


async def _work(plan: Plan, store: Store, run: Run, pool: JudgePool) -> Session:
    suite, tasks = plan.suite, plan.manifest.tasks
    budget = BudgetMeter(suite.budget, store.spent(run.id))
    before = budget.spent.calls
    progress = Progress(suite.judges, tasks, budget)
    async with pool, open_decider(plan.protocol, plan.protocol_ref, tasks) as decider:
        asker = Asker(store, budget, suite.concurrency)
        runner = Runner(plan, run, asker, pool, decider, progress)
        try:
            with progress, _interrupts(runner), heeding(store, run, runner.stop):
                async with _staying(store):
                    await runner.work()
        finally:
            await runner.close()
    counts = store.counts(run.id)
    left = tasks - sum(counts.values())
    state: RunState = "done"
    if budget.stopped is not None and left:
        state = "budget"
    elif runner.stopping:
        state = "stopped"
    return Session(
        run=run,
        state=state,
        made=sum(line.made for line in progress.lines.values()),
        errors={(judge, error): n for (judge, error), n in counts.items() if error is not None},
        left=left,
        spent=budget.spent,
        paid=budget.spent.calls - before,
        why=budget.stopped,
    )


@contextlib.asynccontextmanager
async def _staying(store: Store) -> AsyncIterator[None]:
    """Say now and then that we are alive, so that nobody takes our questions over."""

    async def stay() -> None:
        while True:
            await asyncio.sleep(store.stay_seconds)
            store.stay()

    staying = asyncio.create_task(stay())
    try:
        yield
    finally:
        staying.cancel()


@contextlib.contextmanager
def _interrupts(runner: Runner) -> Iterator[None]:
    """The first Ctrl-C lets what is in flight arrive; the second ends at once."""
    loop = asyncio.get_running_loop()
    session = asyncio.current_task()
    assert session is not None

    def interrupted() -> None:
        if runner.stopping:
            session.cancel()
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

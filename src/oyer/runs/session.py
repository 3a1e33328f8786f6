"""One session of a run: do what is left, note how it ended. Ctrl-C once: clean; twice: now."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from oyer.engine import open_judge
from oyer.errors import OyerError, StoreError, UsageError
from oyer.judges.limits import booking
from oyer.judges.names import provider_of, without_exam
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.runs.asking import Asker
from oyer.runs.budget import Budget, BudgetMeter
from oyer.runs.deciding import Decider, Workers, open_deciding_workers
from oyer.runs.elsewhere import JudgeElsewhere
from oyer.runs.estimate import price_of
from oyer.runs.interrupts import LastResort, handle_interrupts
from oyer.runs.opening import open_named
from oyer.runs.parallel import gc_relaxed
from oyer.runs.plan import Plan
from oyer.runs.progress import Progress
from oyer.runs.remote import heeding, keep_origin
from oyer.runs.runner import Runner
from oyer.runs.waiting import speak_while_waiting, waiting_message
from oyer.runs.workers import HERE, open_workers
from oyer.store import Run, RunState
from oyer.store.run_protocol import keep_protocol_paths
from oyer.store.run_worker import RunWorker
from oyer.store.schema import CHUNK, FEWEST
from oyer.store.store import Store
from oyer.types import Judge, Usage

LOOK_AROUND = 5.0  # seconds between two looks at how far other processes are


@dataclass(frozen=True, slots=True)
class Session:
    """How a session ended."""

    run: Run
    state: RunState
    new: int  # verdicts of this session
    errors: Mapping[tuple[str, str], int]  # (judge, error) -> verdicts without a score, in all
    left: int  # tasks without a verdict
    spent: Usage  # the whole run's
    paid: int  # calls of this session
    why: str | None = None
    notes: tuple[str, ...] = ()  # what the user should know beside the verdicts
    broken: int = 0  # verdicts that the protocol's own code failed on

    @property
    def unscored(self) -> int:
        return sum(self.errors.values())


def run_session(plan: Plan, store: Store, workers: Workers | None = None) -> Session:
    """Run the plan as far as it goes; the same plan again goes on where this one ended.

    `workers` decide its replies; else it starts its own.
    """
    _require_prices(plan)
    if plan.suite.on == HERE:
        return _run_session(plan, store, _open_pool(plan), workers)
    with open_workers(plan.suite.on) as (cluster, cores):
        elsewhere = partial(JudgeElsewhere, workers=cluster, protocol=plan.protocol_ref)
        pool = _open_pool(plan, elsewhere)  # what servers are asked at once is the user's word
        at_once = max(plan.suite.concurrency, 2 * cores)  # each core has the next question waiting
        plan = replace(plan, suite=replace(plan.suite, concurrency=at_once))
        return _run_session(plan, store, pool, workers)


def _run_session(plan: Plan, store: Store, pool: JudgePool, workers: Workers | None) -> Session:
    if (note := _keep_variants(plan, store, pool)) is not None:
        print(f"oyer: {note}", file=sys.stderr)
    cut_off = _was_cut_off(plan, store)
    run = store.begin_run(plan.manifest, join=not plan.suite.batch)  # a batch is looked for by one
    if store.has_company(run.id):
        print("oyer: other processes work on this run: joining them", file=sys.stderr)
    elif cut_off:
        note = "the session before was cut off: calls in flight then are not counted as spent"
        print(f"oyer: {note}", file=sys.stderr)
    state: RunState = "failed"
    last_resort = LastResort()
    try:
        keep_origin(store, run, plan)
        keep_protocol_paths(store, run, plan.suite.protocol_path)
        with _deciding(plan, workers) as decider:
            session = _run_to_end(_work(plan, store, run, pool, decider, last_resort))
        state = session.state
    except (KeyboardInterrupt, asyncio.CancelledError):
        state = "stopped"
        raise KeyboardInterrupt from None
    finally:
        with contextlib.suppress(OyerError):  # the store itself may be what failed
            store.end_run(run, state)
        last_resort.disarm()
    if session.new >= FEWEST:
        _keep_columns(store, run, FEWEST)
    return session


def _keep_columns(store: Store, run: Run, fewest: int) -> None:
    """So that the first report on many verdicts need not read each of them."""
    from oyer.store.kept_columns import keep_new_columns  # here: small runs need no numpy

    keep_new_columns(store, run.id, fewest)


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
    for entry in plan.suite.models:
        model = entry.model
        if not provider_of(model).states_price and price_of(plan, model) is None:
            raise UsageError(
                f"the price of {model} is unknown, so a budget in dollars cannot be kept: name "
                'a price table in [options] (prices = "prices.json"), or cap calls or tokens.'
            )


def _open_pool(plan: Plan, elsewhere: Callable[[Judge], Judge] | None = None) -> JudgePool:
    """The judges and candidates. A bad name or a missing key is said before there is a run: none
    is left behind, failed."""
    suite = plan.suite
    options = Options(in_flight=suite.concurrency, **suite.options)
    pool = JudgePool(options, elsewhere=elsewhere)
    if plan.is_audit:  # its judges have spoken already
        return pool
    for entry in suite.models:
        open_judge(pool, entry.model, own=entry.options)
    for name in suite.judges:
        judge = open_named(pool, suite, name)
        if suite.batch:
            from oyer.judges.batch_judge import open_batched

            open_batched(judge)
    return pool


def _keep_variants(plan: Plan, store: Store, pool: JudgePool) -> str | None:
    """Bind the bare names of this run; what to tell the user, if the suite uses one.

    `embedded` means the full model where its packages are installed, else the light one. A run that
    is resumed after an installation would mix the two, so it keeps the one that it began with.
    """
    if plan.is_audit:
        return None
    seats = [seat for name in plan.suite.judges for seat in plan.suite.judge_models.seats(name)]
    names = {without_exam(seat.model) for seat in seats}
    bare = sorted(name for name in names if name == provider_of(name).name)
    notes = [_keep_variant(n, plan, store, pool) for n in bare if provider_of(n).variants]
    return "; ".join(notes) or None


def _keep_variant(name: str, plan: Plan, store: Store, pool: JudgePool) -> str:
    here = pool.open(name).name
    now = here.rpartition("-")[2]
    run = next((r for r in store.runs() if r.identity == plan.manifest.identity), None)
    counts = {} if run is None else store.counts(run.id)
    signed = [judge for judge, _ in counts]
    if run is not None and plan.manifest.named:  # its verdicts carry names; replies do not
        signed += store.who_answered(run.id)
    began = _variant_of(name, signed)
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


@contextlib.contextmanager
def _deciding(plan: Plan, workers: Workers | None) -> Iterator[Decider]:
    """Who decides the replies, with the workers that are there or others."""
    opened = (
        contextlib.nullcontext(workers) if workers else open_deciding_workers(plan.manifest.tasks)
    )
    with opened as those:
        yield Decider(plan.protocol, plan.protocol_ref, those)


async def _work(
    plan: Plan, store: Store, run: Run, pool: JudgePool, decider: Decider, last_resort: LastResort
) -> Session:
    suite, tasks = plan.suite, plan.manifest.tasks
    with _working(store, run) as worker:
        budget = BudgetMeter(_budget_left(plan, store, run), store.spent(run.id), worker)
        progress = Progress(suite.judges, tasks, budget)
        async with pool:
            asker = Asker(store, budget, suite.concurrency)
            runner = Runner(plan, worker, asker, pool, decider, progress)
            try:
                interrupts = handle_interrupts(runner, last_resort)
                with progress, interrupts, heeding(store, run, runner.stop):
                    async with (
                        _staying(store, worker, progress),
                        _keeping_columns(store, run, tasks),
                        _speaking(plan, progress),
                    ):
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
        new=sum(line.new for line in progress.lines.values()),
        errors={(judge, error): n for (judge, error), n in counts.items() if error is not None},
        left=left,
        spent=store.spent(run.id),
        paid=budget.own.calls,
        why=budget.stopped,
        notes=tuple(runner.repeats.notes(Options(**suite.options).temperature)),
        broken=len(store.failed_by_protocol(run.id)),
    )


def _budget_left(plan: Plan, store: Store, run: Run) -> Budget:
    """The budget of this run: what the runs beside it, of other protocols, have left of it."""
    beside = [store.spent(other.id) for other in store.runs_beside(run) if other.id != run.id]
    return plan.suite.budget.after(sum(beside, Usage()))


@contextlib.contextmanager
def _working(store: Store, run: Run) -> Iterator[RunWorker]:
    """This process on the run, seen by others."""
    worker = RunWorker(store, run)
    worker.begin()
    booked = booking.set(worker.book)  # what providers allow holds over all processes
    try:
        yield worker
    finally:
        booking.reset(booked)
        with contextlib.suppress(StoreError):  # the store itself may be what failed
            worker.end("ended")


@contextlib.asynccontextmanager
async def _staying(store: Store, worker: RunWorker, progress: Progress) -> AsyncIterator[None]:
    """Say now and then that we are alive, so that nobody takes our questions over; and look how
    far all others are."""

    async def stay() -> None:
        while True:
            await asyncio.sleep(min(store.stay_seconds, LOOK_AROUND))
            store.stay()
            workers = worker.workers()
            progress.look_at(workers)
            progress.budget.before = worker.spent_by_others(workers)
            progress.budget.give_back_idle()

    staying = asyncio.create_task(stay())
    try:
        yield
    finally:
        staying.cancel()


@contextlib.asynccontextmanager
async def _keeping_columns(store: Store, run: Run, tasks: int) -> AsyncIterator[None]:
    """Keep columns of full chunks in a thread, while their rows are still in memory."""

    async def keep() -> None:
        while tasks >= CHUNK:
            await asyncio.sleep(LOOK_AROUND)
            await asyncio.to_thread(_keep_columns, store, run, CHUNK)

    keeping = asyncio.create_task(keep())
    try:
        yield
    finally:
        keeping.cancel()


def _speaking(plan: Plan, progress: Progress) -> contextlib.AbstractAsyncContextManager[None]:
    """Say whom we wait for when no verdict comes; recorded replies keep nobody waiting."""
    suite = plan.suite
    if plan.is_audit or suite.batch:
        return contextlib.nullcontext()
    options = Options(**suite.options)

    def message(waited: float) -> str:
        return waiting_message(suite.models, options, waited, "`deadline` or --timeout S")

    return speak_while_waiting(progress.verdicts, message, progress.note)

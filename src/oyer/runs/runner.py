"""A run: units of work in, verdicts kept. Bounded in memory and in flight; stops and resumes.

A unit is taken, its candidate writes (if it has one), its judges are asked, their replies decided,
the verdicts written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from oyer.engine import Answers, Asking, ask_and_decide, hear, open_judge, without_reply
from oyer.errors import InputError, ProviderError
from oyer.judges.names import members
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import Panel
from oyer.runs.asking import Asker, CachedJudge, RecordedJudge
from oyer.runs.candidates import prompt_for, written
from oyer.runs.deciding import Decided, Decider, Undecided, as_decided
from oyer.runs.plan import Plan
from oyer.runs.progress import Progress
from oyer.runs.sources import WorkUnit
from oyer.store import Run, Task, crash_point
from oyer.store.state import StateStore
from oyer.store.store import Store
from oyer.types import Case, Judge, Reply, Violation
from oyer.verdicts.core import verdict_id

LOOK_AGAIN = 0.5  # seconds until chunks of other processes are looked at again
AHEAD = 128  # units at most whose replies wait to be read while others are asked
AGAIN = ("provider", "budget")  # verdicts that a resumed run tries to replace by better ones


@dataclass(frozen=True, slots=True)
class PendingTask:
    """One verdict to be made: a judge's name, and the asks of the judge or of its members."""

    task: Task
    judge: str
    repeat: int
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PendingUnit:
    """What is left to do of a unit; `answered` are the asks that have stored replies."""

    unit: WorkUnit
    tasks: list[PendingTask]
    answered: set[str]


@dataclass(slots=True)
class Share:
    """A chunk of a run that one process works on; several processes may share a run."""

    store: Store
    name: str
    left: int = 0

    def take(self) -> bool:
        """Whether it is ours."""
        return self.store.claim([self.name])

    def begin(self, units: int) -> None:
        self.left = units
        if not units:
            self.store.release([self.name])

    def end_one(self, _: object) -> None:
        """One of its units is over."""
        self.left -= 1
        if not self.left:
            self.store.release([self.name])


class Runner:
    """Everything one session of a run needs."""

    def __init__(
        self, plan: Plan, run: Run, asker: Asker, pool: JudgePool, decider: Decider,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.plan, self.run, self.store, self.pool = plan, run, asker.store, pool
        self.asker, self.decider, self.progress = asker, decider, progress
        self.asking = Asking(**plan.suite.asking)
        self.stopping = False
        self._judges: dict[str, Judge] = {}
        self._incomplete = self._panels_to_complete()

    def stop(self) -> None:
        """Begin nothing new; what is in flight is paid for and will be kept."""
        self.stopping = True
        self.asker.budget.close()

    async def work(self) -> None:
        """Do what is left to do. Raises the first error that is not a verdict's own."""
        at_once = self.plan.suite.concurrency
        window = asyncio.Semaphore(at_once + min(at_once, AHEAD))
        left: set[int] | None = None  # chunks that other processes work on; None: not known yet
        while left is None or (left and not self.stopping):
            if left:
                await asyncio.sleep(LOOK_AGAIN)
            left = await self._work_through(window, left)
        await self.asker.writer.emptied()

    async def _work_through(self, window: asyncio.Semaphore, wanted: set[int] | None) -> set[int]:
        """Take the chunks that no other process has; return the numbers of the others."""
        taken: set[int] = set()
        changed: InputError | None = None
        async with asyncio.TaskGroup() as group:
            try:
                for number, chunk in enumerate(self.plan.chunks()):
                    if self.stopping:
                        break
                    if wanted is not None and number not in wanted:
                        continue
                    await asyncio.sleep(0)  # who can ask goes first: cases are read meanwhile
                    share = Share(self.store, f"run {self.run.id} chunk {number}")
                    if not share.take():
                        taken.add(number)
                        continue
                    pending = self._pending(chunk)
                    share.begin(len(pending))
                    for unit in pending:
                        await window.acquire()
                        if self.stopping:
                            break
                        task = group.create_task(self._work_on(unit))
                        task.add_done_callback(lambda _: window.release())
                        task.add_done_callback(share.end_one)
            except InputError as error:
                changed = error  # what was asked already is still decided and kept
        if changed is not None:
            await self.asker.writer.emptied()
            raise changed
        return taken

    # ── what is left ──────────────────────────────────────────────────────────────────────────

    def _pending(self, chunk: list[WorkUnit]) -> list[PendingUnit]:
        """The tasks of these units that have no verdict, or one that is worth another try."""
        planned = [(unit, self._tasks(unit)) for unit in chunk]
        keys = [one.task.key for _, tasks in planned for one in tasks]
        done = self.store.done(self.run.id, keys)
        left: list[tuple[WorkUnit, list[PendingTask]]] = []
        for unit, tasks in planned:
            pending = []
            for one in tasks:
                error = done.get(one.task.key, "budget")
                if error in AGAIN or one.task.key in self._incomplete:
                    pending.append(one)
                else:
                    self.progress.found(one.judge)
            if pending:
                left.append((unit, pending))
        asks = [ask for unit, tasks in left for ask in self._asks(unit, tasks)]
        answered = self.store.asked(asks)
        # Cases that are there already, in one piece; those still to be written follow one by one.
        sources = [unit.source for unit, _ in left if unit.candidate is None]
        self.store.keep_bodies([(source.sha, source.body) for source in sources])
        return [PendingUnit(unit, tasks, answered) for unit, tasks in left]

    def _panels_to_complete(self) -> set[str]:
        """Verdicts of panels that a member could not be asked for: it is asked again."""
        if self.plan.is_audit or not any(len(members(name)) > 1 for name in self.plan.suite.judges):
            return set()
        incomplete = set()
        for stored in self.store.verdicts(self.run.id):
            panel = stored.record.get("panel")
            if panel and any(member["error"] in AGAIN for member in panel["members"]):
                incomplete.add(stored.task.key)
        return incomplete

    def _tasks(self, unit: WorkUnit) -> list[PendingTask]:
        tasks = []
        for judge, repeat in self.plan.questions(unit):
            task = self.plan.task(self.run.id, unit, judge, repeat)
            tasks.append(PendingTask(task, judge, repeat, tuple(task.ask.split("+"))))
        return tasks

    def _asks(self, unit: WorkUnit, tasks: list[PendingTask]) -> Iterable[str]:
        if unit.candidate is not None:
            yield self.plan.ask_writing(unit.source.sha, unit.candidate)
        for one in tasks:
            yield from one.asks

    # ── one unit ──────────────────────────────────────────────────────────────────────────────

    async def _work_on(self, pending: PendingUnit) -> None:
        """Let the candidate write, if there is one; then let every judge judge."""
        unit = pending.unit
        case = unit.source.case
        if unit.candidate is not None and unit.source.problem is None:
            try:
                case = await self._write(pending, unit.candidate)
            except ProviderError as failure:
                await self._not_written(pending, failure)
                return
        if unit.candidate is not None:
            self.store.keep_cases([case])
        sha = self.plan.sha_of(unit, case)
        if len(pending.tasks) == 1:
            await self._judge(pending, case, sha, pending.tasks[0])
            return
        async with asyncio.TaskGroup() as group:
            for task in pending.tasks:
                group.create_task(self._judge(pending, case, sha, task))

    async def _write(self, pending: PendingUnit, candidate: str) -> Case:
        """The case with the candidate's text; asked once, however many judges will read it."""
        writing, source = self.plan.writing, pending.unit.source
        assert writing is not None
        ask = self.plan.ask_writing(source.sha, candidate)
        task = Task(self.run.id, "", ask, source.seq)
        async with self.asker.lock([ask]) as waited:
            stored = self._stored(ask, pending, waited)
            writer = CachedJudge(self.pool.open(candidate), self.asker, task, stored)
            reply = await writer.ask(prompt_for(source.case, writing))
        return written(source.case, writing, candidate, reply)

    async def _not_written(self, pending: PendingUnit, why: ProviderError) -> None:
        """A candidate who did not write: unscored, never a zero; tried again by a resumed run."""
        if why.kind == "budget":
            self.stop()
            return
        unit = pending.unit
        case = replace(unit.source.case, candidate=unit.candidate)
        self.store.keep_cases([case])
        sha = self.plan.sha_of(unit, case)
        blame = Violation(f"candidate.{why.kind}", "candidate", str(why))
        for one in pending.tasks:
            verdict = without_reply(case, self.plan.protocol, self._open(one.judge).name, why)
            name = verdict_id(verdict.sha, verdict.judge, one.repeat)
            verdict = replace(verdict, id=name, repeat=one.repeat, violations=(blame,))
            await self._keep(one, as_decided(one.task, sha, verdict, 0))

    async def _judge(self, pending: PendingUnit, case: Case, sha: str, one: PendingTask) -> None:
        source = pending.unit.source
        if source.problem is not None:
            await self._reject(pending.unit, sha, one)
            return
        if source.recorded is not None:
            judge: Judge = RecordedJudge(source.recorded.judge, source.recorded.text)
        else:
            judge = self._open(one.judge)
        async with self.asker.lock(one.asks) as waited:
            voices = []
            for member, ask in zip(_members(judge), one.asks, strict=True):
                stored = self._stored(ask, pending, waited)
                task = replace(one.task, ask=ask)
                voices.append(CachedJudge(member, self.asker, task, stored))
            if isinstance(judge, Panel):
                panel = replace(judge, members=tuple(voices))
                decided = await self._hear_panel(one, sha, case, panel)
            else:
                decided = await self._hear(one, sha, case, voices[0])
        if any(voice.out_of_budget for voice in voices):
            self.stop()
            return
        await self._keep(one, decided)

    async def _hear(self, one: PendingTask, sha: str, case: Case, judge: Judge) -> Decided:
        """Ask one judge until its reply can be used; whoever is free decides."""

        async def decide(answers: Answers) -> tuple[Decided, str | None]:
            decided = await self.decider.decide(Undecided(one.task, sha, answers))
            return decided, decided.complaint

        return await ask_and_decide(
            case, self.plan.protocol, judge, decide, asking=self.asking, repeat=one.repeat
        )

    async def _hear_panel(self, one: PendingTask, sha: str, case: Case, panel: Panel) -> Decided:
        protocol = self.plan.protocol
        hearing = await hear(case, protocol, panel, asking=self.asking, repeat=one.repeat)
        return as_decided(one.task, sha, hearing.verdict, len(hearing.replies))

    async def _reject(self, unit: WorkUnit, sha: str, one: PendingTask) -> None:
        """A bad row: a verdict that says what is wrong with it, for each judge."""
        source = unit.source
        subject = source.subject or source.case
        if unit.candidate is not None:
            subject = replace(subject, candidate=unit.candidate)
        judge = one.judge if source.recorded is not None else self._open(one.judge).name
        answers = Answers(subject, judge, problem=source.problem, repeat=one.repeat)
        await self._keep(one, await self.decider.decide(Undecided(one.task, sha, answers)))

    # ── judges, replies, verdicts ─────────────────────────────────────────────────────────────

    def _open(self, name: str) -> Judge:
        """The judge of that name, the same object for every task."""
        if name not in self._judges:
            judge = open_judge(self.pool, name, StateStore(self.store), self.asking.attempts)
            if self.plan.suite.batch:
                from oyer.judges.batch_judge import batched

                judge = batched(judge, StateStore(self.store, "batch"))
            self._judges[name] = judge
        return self._judges[name]

    async def close(self) -> None:
        """Let go of batches that are still looked at."""
        for judge in self._judges.values():
            for member in _members(judge):
                await member.close()

    def _stored(self, ask: str, pending: PendingUnit, waited: bool) -> list[Reply]:
        """The stored replies; fetched only where there are some. Another process may have
        answered since we looked, so this is looked at again now that the question is ours."""
        if not waited and ask not in pending.answered and not self.store.has_reply(ask):
            return []
        return [stored.reply for stored in self.store.replies([ask]).get(ask, [])]

    async def _keep(self, one: PendingTask, decided: Decided) -> None:
        """Hand the verdict on. Nobody waits for it alone: the session does for all."""
        crash_point("verdict.made")
        await self.asker.writer.verdict(decided.row)
        self.progress.made(one.judge, decided.status)


def _members(judge: Judge) -> tuple[Judge, ...]:
    return judge.members if isinstance(judge, Panel) else (judge,)

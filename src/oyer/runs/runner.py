"""A run: units of work in, verdicts kept. Bounded in memory and in flight; stops and resumes.

A unit is taken, its candidate writes (if it has one), its judges are asked, their replies decided,
the verdicts written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain

from oyer.engine import Answers, Asking, ask_and_decide, hear, without_reply
from oyer.errors import InputError, ProviderError
from oyer.judges.named import NamedJudge
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import Panel
from oyer.runs.asking import Asker, CachedJudge, RecordedJudge
from oyer.runs.candidates import prompt_for, with_candidate, with_text
from oyer.runs.deciding import Decided, Decider, Undecided, as_decided
from oyer.runs.opening import open_named
from oyer.runs.plan import Plan
from oyer.runs.progress import Progress
from oyer.runs.repeats import RepeatCounter
from oyer.runs.sources import WorkUnit
from oyer.store import Task, crash_point
from oyer.store.run_worker import RunWorker
from oyer.store.state import StateStore
from oyer.types import Case, Judge, Reply, Violation
from oyer.verdicts.core import verdict_id

LOOK_AGAIN = 0.5  # seconds until chunks of other processes are looked at again
AHEAD = 1_024  # units at most that wait to be asked, or to be read while others are asked
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
    #: What each judge (of a task, or a member of its panel) answered, by the question.
    answers: dict[tuple[str, str], dict[str, list[Reply]]] = field(default_factory=dict)


@dataclass(slots=True)
class Share:
    """A chunk of a run that one process works on; several processes may share a run."""

    worker: RunWorker
    name: str
    left: int = 0

    def take(self) -> bool:
        """Whether it is ours. Who had it before us and died may not write to it any more."""
        if not self.worker.store.claim([self.name]):
            return False
        self.worker.give_up_dead()
        return True

    def begin(self, units: int) -> None:
        self.left = units
        if not units:
            self.worker.store.release([self.name])

    def end_one(self, _: object) -> None:
        """One of its units is over."""
        self.left -= 1
        if not self.left:
            self.worker.store.release([self.name])


class Runner:
    """Everything one session of a run needs."""

    def __init__(
        self, plan: Plan, worker: RunWorker, asker: Asker, pool: JudgePool, decider: Decider,
        progress: Progress,
    ) -> None:  # fmt: skip
        self.plan, self.worker, self.store, self.pool = plan, worker, asker.store, pool
        self.asker, self.decider, self.progress = asker, decider, progress
        decider.asks_soon = lambda: asker.asks_soon
        self.asking = Asking(**plan.suite.asking)
        self.repeats = RepeatCounter()
        self.stopping = False
        self._judges: dict[str, Judge] = {}
        #: Verdicts to be made again: a panel's that lacks a member, and those that the protocol's
        #: own code failed on. Stored replies are read again, so nobody pays twice.
        self._again = self._panels_to_complete() | self.store.failed_by_protocol(worker.run)

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
                self.asker.budget.give_back()
                await asyncio.sleep(LOOK_AGAIN)
            left = await self._work_through(window, left)
        await self.asker.writer.flush()

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
                    share = Share(self.worker, f"run {self.worker.run} chunk {number}")
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
            await self.asker.writer.flush()
            raise changed
        return taken

    # ── what is left ──────────────────────────────────────────────────────────────────────────

    def _pending(self, chunk: list[WorkUnit]) -> list[PendingUnit]:
        """The tasks of these units that have no verdict, or one that is worth another try."""
        planned = [(unit, self._tasks(unit)) for unit in chunk]
        jobs = chain.from_iterable(tasks for _, tasks in planned)
        done = self.store.done(self.worker.run, [job.task.key for job in jobs])
        left: list[tuple[WorkUnit, list[PendingTask]]] = []
        for unit, tasks in planned:
            pending = []
            for job in tasks:
                error = done.get(job.task.key, "budget")
                if error in AGAIN or job.task.key in self._again:
                    pending.append(job)
                else:
                    self.progress.count_found(job.judge)
            if pending:
                left.append((unit, pending))
        asks = chain.from_iterable(self._asks(unit, tasks) for unit, tasks in left)
        answered = self.store.find_answered(asks)
        # Cases that are there already, in one piece; those still to be written follow one by one.
        sources = [unit.source for unit, _ in left if unit.candidate is None]
        self.store.keep_bodies([(source.sha, source.body) for source in sources])
        return [PendingUnit(unit, tasks, answered) for unit, tasks in left]

    def _panels_to_complete(self) -> set[str]:
        """Verdicts of panels that a member could not be asked for: it is asked again."""
        if self.plan.is_audit or not self.plan.suite.has_panel:
            return set()
        incomplete = set()
        for stored in self.store.verdicts(self.worker.run):
            panel = stored.record.get("panel")
            if panel and any(member["error"] in AGAIN for member in panel["members"]):
                incomplete.add(stored.task.key)
        return incomplete

    def _tasks(self, unit: WorkUnit) -> list[PendingTask]:
        tasks = []
        for judge, repeat in self.plan.questions(unit):
            task = self.plan.task(self.worker.run, unit, judge, repeat)
            tasks.append(PendingTask(task, judge, repeat, task.asks))
        return tasks

    def _asks(self, unit: WorkUnit, tasks: list[PendingTask]) -> Iterable[str]:
        if unit.candidate is not None:
            yield self.plan.ask_writing(unit.source.sha, unit.candidate, unit.answer)
        for job in tasks:
            yield from job.asks

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
        else:
            async with asyncio.TaskGroup() as group:
                for task in pending.tasks:
                    group.create_task(self._judge(pending, case, sha, task))
        for (_, judge), answers in pending.answers.items():
            self.repeats.take(judge, list(answers.values()))

    async def _write(self, pending: PendingUnit, candidate: str) -> Case:
        """The case with the candidate's text; asked once, however many judges will read it."""
        entry = self.plan.suite.candidate_models.find(candidate)
        source, answer = pending.unit.source, pending.unit.answer
        writing = self.plan.writing_of(entry)
        ask = self.plan.ask_writing(source.sha, candidate, answer)
        task = Task(self.worker.run, "", ask, source.seq)
        async with self.asker.lock([ask]) as waited:
            stored = self._read_stored(ask, pending, waited)
            judge = self.pool.open(entry.model, entry.options)
            writer = CachedJudge(judge, self.asker, task, stored)
            reply = await writer.ask(prompt_for(source.case, writing, answer))
        return with_text(self._unwritten(pending.unit), writing, reply)

    def _unwritten(self, unit: WorkUnit) -> Case:
        """The case as its candidate's, still without the text."""
        if unit.candidate is None:
            return unit.source.case
        entry = self.plan.suite.candidate_models.find(unit.candidate)
        several = self.plan.suite.answers > 1
        return with_candidate(unit.source.case, entry, unit.answer if several else None)

    async def _not_written(self, pending: PendingUnit, why: ProviderError) -> None:
        """A candidate who did not write: unscored, never a zero; tried again by a resumed run."""
        if why.kind == "budget":
            self.stop()
            return
        unit = pending.unit
        case = self._unwritten(unit)
        self.store.keep_cases([case])
        sha = self.plan.sha_of(unit, case)
        blame = Violation(f"candidate.{why.kind}", "candidate", str(why))
        for job in pending.tasks:
            judge = self._open(job.judge).name
            verdict = without_reply(case, self.plan.protocol, judge, why)
            name = verdict_id(verdict.sha, verdict.judge, job.repeat)
            verdict = replace(verdict, id=name, repeat=job.repeat, violations=(blame,))
            await self._keep(job, as_decided(job.task, sha, verdict, 0))

    async def _judge(self, pending: PendingUnit, case: Case, sha: str, job: PendingTask) -> None:
        source = pending.unit.source
        if source.problem is not None:
            await self._reject(pending.unit, sha, job)
            return
        if source.recorded is not None:
            judge: Judge = RecordedJudge(source.recorded.judge, source.recorded.text)
        else:
            judge = self._open(job.judge)
        async with self.asker.lock(job.asks) as waited:
            cached: list[CachedJudge] = []
            voices: list[Judge] = []
            for member, ask in zip(_members(judge), job.asks, strict=True):
                named = member if isinstance(member, NamedJudge) else None
                model = member if named is None else named.judge
                stored = self._read_stored(ask, pending, waited)
                voice = CachedJudge(model, self.asker, replace(job.task, ask=ask), stored)
                cached.append(voice)
                # A reply is stored under the model's own name, and handed on under its user's.
                voices.append(voice if named is None else replace(named, judge=voice))
            if isinstance(judge, Panel):
                panel = replace(judge, members=tuple(voices))
                decided = await self._hear_panel(job, sha, case, panel)
            else:
                decided = await self._hear(job, sha, case, voices[0])
        if any(voice.out_of_budget for voice in cached):
            self.stop()
            return
        for voice in cached:
            if voice.needs_prompt:
                answers = pending.answers.setdefault((job.judge, voice.name), {})
                answers[voice.task.ask] = voice.given
        await self._keep(job, decided)

    async def _hear(self, job: PendingTask, sha: str, case: Case, judge: Judge) -> Decided:
        """Ask one judge until its reply can be used; whoever is free decides."""

        async def decide(answers: Answers) -> tuple[Decided, str | None]:
            decided = await self.decider.decide(Undecided(job.task, sha, answers))
            return decided, decided.complaint

        return await ask_and_decide(
            case, self.plan.protocol, judge, decide, asking=self.asking, repeat=job.repeat
        )

    async def _hear_panel(self, job: PendingTask, sha: str, case: Case, panel: Panel) -> Decided:
        protocol = self.plan.protocol
        hearing = await hear(case, protocol, panel, asking=self.asking, repeat=job.repeat)
        return as_decided(job.task, sha, hearing.verdict, len(hearing.replies))

    async def _reject(self, unit: WorkUnit, sha: str, job: PendingTask) -> None:
        """A bad row: a verdict that says what is wrong with it, for each judge."""
        source = unit.source
        subject = source.subject or source.case
        if unit.candidate is not None:
            subject = replace(subject, candidate=unit.candidate)
        judge = job.judge if source.recorded is not None else self._open(job.judge).name
        answers = Answers(subject, judge, problem=source.problem, repeat=job.repeat)
        await self._keep(job, await self.decider.decide(Undecided(job.task, sha, answers)))

    # ── judges, replies, verdicts ─────────────────────────────────────────────────────────────

    def _open(self, name: str) -> Judge:
        """The judge of that name, the same object for every task."""
        if name not in self._judges:
            shelf = StateStore(self.store)
            judge = open_named(self.pool, self.plan.suite, name, shelf, self.asking.attempts)
            if self.plan.suite.batch:
                from oyer.judges.batch_judge import open_batched

                judge = open_batched(judge, StateStore(self.store, "batch"))
            self._judges[name] = judge
        return self._judges[name]

    async def close(self) -> None:
        """Let go of batches that are still looked at."""
        for judge in self._judges.values():
            for member in _members(judge):
                await member.close()

    def _read_stored(self, ask: str, pending: PendingUnit, waited: bool) -> list[Reply]:
        """The stored replies; fetched only where there are some. Another process may have
        answered since we looked, so this is looked at again now that the question is ours."""
        if not waited and ask not in pending.answered and not self.store.has_reply(ask):
            return []
        return [stored.reply for stored in self.store.replies([ask]).get(ask, [])]

    async def _keep(self, job: PendingTask, decided: Decided) -> None:
        """Hand the verdict on. Nobody waits for it alone: the session does for all."""
        crash_point("verdict.made")
        await self.asker.writer.verdict(decided.row)
        self.progress.count_made(job.judge, decided.status)


def _members(judge: Judge) -> tuple[Judge, ...]:
    return judge.members if isinstance(judge, Panel) else (judge,)

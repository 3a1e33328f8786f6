"""A run: units in, verdicts kept. Bounded in memory and in flight; stops cleanly; resumes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from oyer.engine import Asking, failed, hear, opened, questioned, unanswered, unasked
from oyer.errors import InputError, ProviderError
from oyer.judges.names import members
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import Panel
from oyer.runs.asking import Desk, Recorded
from oyer.runs.candidates import prompt_for, written
from oyer.runs.clerk import Matter, Minute, minute_of
from oyer.runs.clerks import Readers
from oyer.runs.plan import Plan, Unit
from oyer.runs.progress import Progress
from oyer.store import Run, Task, crash_point
from oyer.store.state import StoreShelf
from oyer.types import Case, Judge, Reply, Violation
from oyer.verdicts import rejected

AHEAD = 128  # units at most whose replies wait to be read while others are asked
AGAIN = ("provider", "budget")  # verdicts that a resumed run tries to replace by better ones


@dataclass(frozen=True, slots=True)
class Docket:
    """One task without a verdict: a judge's name, and the asks of the judge or of its members."""

    task: Task
    judge: str
    repeat: int
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to do of a unit; `answered` are the asks that have stored replies."""

    unit: Unit
    dockets: list[Docket]
    answered: set[str]


class Runner:
    """Everything one sitting of a run needs."""

    def __init__(
        self, plan: Plan, run: Run, desk: Desk, pool: JudgePool, readers: Readers, told: Progress
    ) -> None:
        self.plan, self.run, self.store, self.pool = plan, run, desk.store, pool
        self.desk, self.readers, self.progress = desk, readers, told
        self.asking = Asking(**plan.suite.asking)
        self.stopping = False
        self._bench: dict[str, Judge] = {}
        self._incomplete = self._panels_to_complete()

    def stop(self) -> None:
        """Begin nothing new; what is in flight is paid for and will be kept."""
        self.stopping = True
        self.desk.purse.close()

    async def sit(self) -> None:
        """Do what is left to do. Raises the first error that is not a verdict's own."""
        at_once = self.plan.suite.concurrency
        window = asyncio.Semaphore(at_once + min(at_once, AHEAD))
        async with asyncio.TaskGroup() as group:
            for chunk in self.plan.chunks():
                await asyncio.sleep(0)  # those who can ask go first: cases are read meanwhile
                if self.stopping:
                    break
                for left in self._left(chunk):
                    await window.acquire()
                    if self.stopping:
                        window.release()
                        break
                    made = group.create_task(self._unit(left))
                    made.add_done_callback(lambda _: window.release())
        await self.desk.tray.emptied()

    # ── what is left ──────────────────────────────────────────────────────────────────────────

    def _left(self, chunk: list[Unit]) -> Iterable[Left]:
        """The tasks of these units that have no verdict, or one that is worth another try."""
        made = [(unit, self._dockets(unit)) for unit in chunk]
        keys = [docket.task.key for _, dockets in made for docket in dockets]
        done = self.store.done(self.run.id, keys)
        left = []
        for unit, dockets in made:
            some = [
                d
                for d in dockets
                if done.get(d.task.key, "budget") in AGAIN or d.task.key in self._incomplete
            ]
            for docket in dockets:
                if docket not in some:
                    self.progress.found(docket.judge)
            if some:
                left.append((unit, some))
        answered = self.store.asked(ask for unit, some in left for ask in self._asks(unit, some))
        # Cases that are there already, in one piece; those still to be written follow one by one.
        written = [u.source for u, _ in left if u.candidate is None]
        self.store.keep_bodies([(source.sha, source.body) for source in written])
        return [Left(unit, some, answered) for unit, some in left]

    def _panels_to_complete(self) -> set[str]:
        """Verdicts of panels that a member could not be asked for: it is asked again."""
        if not any(len(members(name)) > 1 for name in self.plan.suite.judges):
            return set()
        return {
            kept.task.key
            for kept in self.store.verdicts(self.run.id)
            for panel in [kept.record.get("panel")]
            if panel and any(member["error"] in AGAIN for member in panel["members"])
        }

    def _dockets(self, unit: Unit) -> list[Docket]:
        suite, made = self.plan.suite, []
        for judge in suite.judges:
            for repeat in range(suite.repeats):
                task = self.plan.task(self.run.id, unit, judge, repeat)
                made.append(Docket(task, judge, repeat, tuple(task.ask.split("+"))))
        return made

    def _asks(self, unit: Unit, dockets: list[Docket]) -> Iterable[str]:
        if unit.candidate is not None:
            yield self.plan.ask_writing(unit.source.sha, unit.candidate)
        for docket in dockets:
            yield from docket.asks

    # ── one unit ──────────────────────────────────────────────────────────────────────────────

    async def _unit(self, left: Left) -> None:
        unit, case = left.unit, left.unit.source.case
        if unit.candidate is not None and unit.source.problem is None:
            try:
                case = await self._write(left, unit.candidate)
            except ProviderError as failure:
                await self._unwritten(unit, left.dockets, failure)
                return
        if unit.candidate is not None:
            self.store.keep_cases([case])
        sha = self.plan.sha_of(unit, case)
        if len(left.dockets) == 1:
            await self._judge(left, case, sha, left.dockets[0])
            return
        async with asyncio.TaskGroup() as group:
            for docket in left.dockets:
                group.create_task(self._judge(left, case, sha, docket))

    async def _write(self, left: Left, candidate: str) -> Case:
        """The case with the candidate's text; asked once, however many judges will read it."""
        writing, source = self.plan.writing, left.unit.source
        assert writing is not None
        ask = self.plan.ask_writing(source.sha, candidate)
        task = Task(self.run.id, "", ask, source.seq)
        async with self.desk.alone_with([ask]) as waited:
            kept = self._kept(ask, left, waited)
            judge = Recorded(self.pool.open(candidate), self.desk, task, kept)
            reply = await judge.ask(prompt_for(source.case, writing))
        return written(source.case, writing, candidate, reply)

    async def _unwritten(self, unit: Unit, dockets: list[Docket], why: ProviderError) -> None:
        """A candidate who did not write: unscored, never a zero; tried again by a resumed run."""
        if why.kind == "budget":
            self.stop()
            return
        case = replace(unit.source.case, candidate=unit.candidate)
        self.store.keep_cases([case])
        sha = self.plan.sha_of(unit, case)
        for docket in dockets:
            verdict = failed(case, self.plan.protocol, docket.judge, why)
            blame = Violation(f"candidate.{why.kind}", "candidate", str(why))
            told = replace(verdict, repeat=docket.repeat, violations=(blame,))
            await self._keep(docket, minute_of(docket.task, sha, told, 0))

    async def _judge(self, left: Left, case: Case, sha: str, docket: Docket) -> None:
        problem = left.unit.source.problem
        if problem is not None:
            await self._reject(left.unit, case, sha, docket, problem)
            return
        judge = self._open(docket.judge)
        async with self.desk.alone_with(docket.asks) as waited:
            bench = [
                Recorded(one, self.desk, replace(docket.task, ask=ask), kept)
                for one, ask in zip(_members(judge), docket.asks, strict=True)
                for kept in [self._kept(ask, left, waited)]
            ]
            if isinstance(judge, Panel):
                panel = replace(judge, members=tuple(bench))
                minute = await self._convene(docket, sha, case, panel)
            else:
                minute = await self._hear(docket, sha, case, bench[0])
        if any(member.broke for member in bench):
            self.stop()
            return
        await self._keep(docket, minute)

    async def _hear(self, docket: Docket, sha: str, case: Case, judge: Judge) -> Minute:
        """Ask one judge until its reply can be used; whoever is free reads the replies."""
        protocol, repeat = self.plan.protocol, docket.repeat
        verdict = unasked(case, protocol, judge.name, repeat)
        if verdict is not None:
            return minute_of(docket.task, sha, verdict, 0)
        replies: list[Reply] = []

        async def read(attempts: Sequence[Reply]) -> tuple[Minute, str | None]:
            replies[:] = attempts
            minute = await self.readers.read(Matter(docket.task, sha, case, attempts, repeat))
            return minute, minute.wrong

        try:
            return await questioned(case, protocol, judge, self.asking, read)
        except ProviderError as failure:
            verdict = unanswered(case, protocol, judge.name, failure, replies, repeat)
            return minute_of(docket.task, sha, verdict, len(replies))

    async def _convene(self, docket: Docket, sha: str, case: Case, panel: Panel) -> Minute:
        hearing = await hear(
            case, self.plan.protocol, panel, asking=self.asking, repeat=docket.repeat
        )
        return minute_of(docket.task, sha, hearing.verdict, len(hearing.replies))

    def _open(self, name: str) -> Judge:
        """The judge of that name, the same object for every task."""
        if name not in self._bench:
            judge = opened(self.pool, name, StoreShelf(self.store), self.asking.attempts)
            if self.plan.suite.batch:
                from oyer.judges.batch_judge import batched

                judge = batched(judge, StoreShelf(self.store, "batch"))
            self._bench[name] = judge
        return self._bench[name]

    async def close(self) -> None:
        """Let go of batches that are still looked at."""
        for judge in self._bench.values():
            for member in _members(judge):
                await member.close()

    def _kept(self, ask: str, left: Left, waited: bool) -> list[Reply]:
        """The stored replies; looked for only where there are some, or may be by now."""
        if not waited and ask not in left.answered:
            return []
        return [kept.reply for kept in self.store.replies([ask]).get(ask, [])]

    async def _reject(
        self, unit: Unit, case: Case, sha: str, docket: Docket, problem: InputError
    ) -> None:
        told = replace(case, candidate=unit.candidate)
        verdict = rejected(told, self.plan.protocol, docket.judge, problem)
        verdict = replace(verdict, repeat=docket.repeat)
        await self._keep(docket, minute_of(docket.task, sha, verdict, 0))

    async def _keep(self, docket: Docket, minute: Minute) -> None:
        """Hand the verdict on. Nobody waits for it alone: `sit` does for all."""
        crash_point("verdict.made")
        await self.desk.tray.verdict(minute.row)
        self.progress.made(docket.judge, minute.status)


def _members(judge: Judge) -> tuple[Judge, ...]:
    return judge.members if isinstance(judge, Panel) else (judge,)

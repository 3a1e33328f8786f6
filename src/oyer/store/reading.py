"""What comes out of a store: always in pages, so that a million verdicts need no more memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa

from oyer.errors import PROTOCOL_ERROR, StoreError
from oyer.store import codec, schema
from oyer.store.engine import Database, say_failures
from oyer.store.records import (
    CaseRow,
    JudgingCost,
    Manifest,
    Outcome,
    RawVerdict,
    ReplyLength,
    Run,
    StoredReply,
    StoredVerdict,
)
from oyer.store.spending import select_spent, sum_spent
from oyer.store.workers import Worker, select_workers, worker_of
from oyer.types import JsonObject, Usage

_PAGE = 2000
_IN = 500  # values in one IN (…)
T = TypeVar("T")


def _columns(table: sa.Table, names: Sequence[str]) -> list[sa.Column[object]]:
    return [table.c[name] for name in names]


_RUN = sa.select(*_columns(schema.runs, codec.RUN))
_THERE = schema.runs.c.state != "deleted"
_REPLY = sa.select(*_columns(schema.replies, codec.REPLY))
OUTCOME_AND_CHECK = sa.select(*_columns(schema.verdicts, (*codec.OUTCOME, "check")))
_VERDICT = sa.select(*_columns(schema.verdicts, (*codec.OUTCOME, "check", "record")))

#: Asked for every few cases of a run: put together once.
_SOME: sa.BindParameter[object] = sa.bindparam("some", expanding=True)
_DONE = sa.select(schema.verdicts.c.task, schema.verdicts.c.error).where(
    schema.verdicts.c.run == sa.bindparam("run"), schema.verdicts.c.task.in_(_SOME)
)
_ASKED = sa.select(schema.replies.c.ask).where(
    schema.replies.c.ask.in_(_SOME), schema.replies.c.attempt >= 0
)
_HAS_REPLY = (
    sa.select(schema.replies.c.id)
    .where(schema.replies.c.ask == sa.bindparam("ask"), schema.replies.c.attempt >= 0)
    .limit(1)
)
_HAS_REPLY_SQLITE = "SELECT 1 FROM oyer_replies WHERE ask = ? AND attempt >= 0 LIMIT 1"


class Reader:
    """The reading half of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lookup: sa.PoolProxiedConnection | None = None  # of `has_reply`

    @property
    def where(self) -> str:
        """The store's address, without its password."""
        return self._database.shown

    # ── runs ──────────────────────────────────────────────────────────────────────────────────

    def runs(self) -> list[Run]:
        """All runs, oldest first."""
        query = _RUN.where(_THERE).order_by(schema.runs.c.id)
        return [codec.read_run(row) for row in self._fetch(query)]

    def run_of(self, manifest: Manifest) -> Run:
        """The run with this manifest's identity."""
        found = self._fetch(_RUN.where(schema.runs.c.identity == manifest.identity))
        if not found:
            raise StoreError(f"{self.where} has no run of suite '{manifest.suite}' like this one.")
        return codec.read_run(found[0])

    def find_run(self, reference: str) -> Run:
        """The run a user names: its number, its suite's name (the newest), or `latest`.

        The runs of a suite with several protocols are called `suite:protocol`.
        """
        table = schema.runs.c
        wanted = _RUN.where(_THERE).order_by(table.id.desc()).limit(1)
        if reference.isdigit():
            wanted = wanted.where(table.id == int(reference))
        elif reference != "latest":
            begins = table.name.startswith(f"{reference}:", autoescape=True)
            wanted = wanted.where(sa.or_(table.name == reference, begins))
        found = self._fetch(wanted)
        if not found:
            raise StoreError(f"{self.where} has no run '{reference}'; `oyer runs` lists them.")
        return codec.read_run(found[0])

    def runs_beside(self, run: Run) -> list[Run]:
        """The runs of one suite with several protocols, the newest of each, in its order; a run
        of a suite with one protocol is alone."""
        if not run.manifest.protocols:
            return [run]
        found = {}
        for other in self.runs():
            if other.manifest.is_beside(run.manifest):
                found[other.manifest.protocol_id] = other
        found[run.manifest.protocol_id] = run
        return [found[name] for name in run.manifest.protocols if name in found]

    def counts(self, run: int) -> dict[tuple[str, str | None], int]:
        """How many verdicts there are by (judge, error); error None is scored."""
        table = schema.verdicts.c
        grouped = sa.select(table.judge, table.error, sa.func.count()).where(table.run == run)
        return {(j, e): n for j, e, n in self._fetch(grouped.group_by(table.judge, table.error))}

    def count(self, run: int, after: int = 0, last: int | None = None) -> int:
        """How many verdicts a run has; `after` and `last` bound their row numbers."""
        table = schema.verdicts.c
        wanted = sa.select(sa.func.count()).where(table.run == run)
        if after:
            wanted = wanted.where(table.id > after)
        if last is not None:
            wanted = wanted.where(table.id <= last)
        return int(self._fetch(wanted)[0][0])

    @property
    def has_many_writers(self) -> bool:
        """Whether several processes may write at once: then rows may appear out of order."""
        return self._database.file is None

    def judging_costs(self, run: int) -> list[JudgingCost]:
        """What verdicts cost, by candidate and judge."""
        table = schema.verdicts.c
        sums = (sa.func.count(), sa.func.count(table.cost_usd), sa.func.sum(table.cost_usd))
        asked = sa.select(table.candidate, table.judge, *sums).where(table.run == run)
        costs = []
        for who, judge, verdicts, known, cost in self._fetch(
            asked.group_by(table.candidate, table.judge)
        ):
            spent = float(cost or 0.0) if known == verdicts else None
            costs.append(JudgingCost(who, judge, verdicts, spent))
        return costs

    def paid_to(self, run: int) -> dict[str, float | None]:
        """What the run paid to each model, for all its replies; None: unknown."""
        table = schema.replies.c
        sums = (sa.func.count(), sa.func.count(table.cost_usd), sa.func.sum(table.cost_usd))
        asked = sa.select(table.judge, *sums).where(table.run == run).group_by(table.judge)
        paid: dict[str, float | None] = {}
        for model, replies, known, cost in self._fetch(asked):
            paid[model] = float(cost or 0.0) if known == replies else None
        return paid

    def who_answered(self, run: int) -> list[str]:
        """The judges whose replies the run paid for, as they sign."""
        table = schema.replies.c
        query = sa.select(table.judge.distinct()).where(table.run == run)
        return [name for (name,) in self._fetch(query)]

    def best_candidate(self, run: int) -> tuple[str | None, float] | None:
        """Who has the highest mean total over all verdicts, and that mean; None: no score yet."""
        table = schema.verdicts.c
        mean = sa.func.avg(table.total)
        query = sa.select(table.candidate, mean).where(table.run == run, table.total.is_not(None))
        query = query.group_by(table.candidate).order_by(mean.desc(), table.candidate).limit(1)
        return next(((who, float(total)) for who, total in self._fetch(query)), None)

    def first_unscored(self, run: int, by_candidate: bool = False) -> list[StoredVerdict]:
        """The first verdict without a score of each judge and error, of each candidate too if
        wanted: it says why."""
        table = schema.verdicts.c
        groups = [table.judge, table.error, *([table.candidate] if by_candidate else [])]
        firsts = sa.select(sa.func.min(table.id)).where(table.run == run, table.error.is_not(None))
        query = _VERDICT.where(table.id.in_(firsts.group_by(*groups))).order_by(table.id)
        return [codec.read_verdict(row) for row in self._fetch(query)]

    def spent(self, run: int) -> Usage:
        """What the run has paid for, in replies; a price unknown once is unknown in sum.

        This is the one figure of spending: budgets, progress and reports all show it.
        """
        return sum_spent(self._fetch(select_spent(run)))

    def workers(self, run: int) -> list[Worker]:
        """Who works on the run, and who did since it was last begun."""
        return [worker_of(row) for row in self._fetch(select_workers(run))]

    def done(self, run: int, tasks: Iterable[str]) -> dict[str, str | None]:
        """Which of these tasks have a verdict, with its error."""
        found = dict[str, str | None]()
        for some in _chunks(list(tasks)):
            found.update(self._fetch(_DONE, {"run": run, "some": some}))
        return found

    def failed_by_protocol(self, run: int) -> set[str]:
        """Tasks that have no score because the protocol's own code failed on them."""
        table = schema.verdicts.c
        asked = sa.select(table.task).where(
            table.run == run,
            table.error == "input",
            table.brief.contains(f'"{PROTOCOL_ERROR}"', autoescape=True),
        )
        return {task for (task,) in self._fetch(asked)}

    # ── verdicts ──────────────────────────────────────────────────────────────────────────────

    def outcomes(self, run: int) -> Iterator[Outcome]:
        """All verdicts of a run without their derivations, in the order kept; constant memory."""
        return self._pages(OUTCOME_AND_CHECK, run, codec.read_outcome)

    def verdicts(
        self, run: int, after: int = 0, until: int | None = None
    ) -> Iterator[StoredVerdict]:
        """All verdicts of a run, whole; `after` and `until` bound `row`, to share the work."""
        return self._pages(_VERDICT, run, codec.read_verdict, after, until)

    def verdicts_in_order(self, run: int) -> Iterator[StoredVerdict]:
        """All verdicts of a run, whole, in the order of its cases; constant memory."""
        table = schema.verdicts.c
        rows = sa.select(table.id).where(table.run == run)
        ids = [row for (row,) in self._fetch(rows.order_by(table.seq, table.repeat, table.id))]
        for some in _chunks(ids):
            found = {row[0]: row for row in self._fetch(_VERDICT.where(table.id.in_(some)))}
            yield from (codec.read_verdict(found[row]) for row in some if row in found)

    def raw_verdicts(
        self, run: int, after: int = 0, until: int | None = None
    ) -> Iterator[RawVerdict]:
        """The same, their records not parsed."""
        return self._pages(_VERDICT, run, codec.read_raw, after, until)

    def verdict(self, reference: str, run: int | None = None) -> StoredVerdict:
        """One verdict by its id or the beginning of it; the newest when several runs have it."""
        table = schema.verdicts.c
        query = _VERDICT.where(table.verdict >= reference, table.verdict < reference + "~")
        if run is not None:
            query = query.where(table.run == run)
        found = self._fetch(query.order_by(table.id.desc()).limit(2))
        if not found:
            raise StoreError(f"{self.where} has no verdict '{reference}'{self._hint(reference)}")
        first, *others = [codec.read_verdict(row) for row in found]
        if others and others[0].record["id"] != first.record["id"]:
            message = f"several verdicts begin with '{reference}'; give more of the id"
            raise StoreError(f"{message}{self._hint(reference)}")
        return first

    def _hint(self, reference: str) -> str:
        """What to type for a verdict's id; somebody who names a run may have meant that."""
        known = reference == "latest" or any(
            reference in (str(run.id), run.name) for run in self.runs()
        )
        listed = f"`oyer export {reference if known else 'RUN'} -o FILE.csv` lists the ids"
        if not known:
            return f"; {listed} of a run's verdicts (`oyer runs`: the runs)."
        run = "the latest run" if reference == "latest" else f"run '{reference}'"
        return (
            f". For {run}: `oyer runs {reference}` (what it is), `oyer leaderboard {reference}` "
            f"(its scores); {listed} of its verdicts."
        )

    def span(self, run: int) -> tuple[int, int]:
        """The first and last row of a run's verdicts, for readers that share the work."""
        table = schema.verdicts.c
        # One by one: SQLite finds one end of an index at once, but for both it reads all rows.
        ends = [
            sa.select(end(table.id)).where(table.run == run).scalar_subquery()
            for end in (sa.func.min, sa.func.max)
        ]
        low, high = self._fetch(sa.select(*ends))[0]
        return (low or 0, high or -1)

    # ── cases, replies, states ────────────────────────────────────────────────────────────────

    def cases(self, shas: Iterable[str]) -> dict[str, CaseRow]:
        """Stored cases by their sha; one that is not there is not in the answer."""
        table, found = schema.cases.c, {}
        for some in _chunks(list(shas)):
            query = sa.select(table.sha, table.body).where(table.sha.in_(some))
            found.update({sha: codec.read_case(sha, body) for sha, body in self._fetch(query)})
        return found

    def replies(self, asks: Iterable[str]) -> dict[str, list[StoredReply]]:
        """The raw replies to these asks, each in the order of its attempts."""
        table = schema.replies.c
        found = dict[str, list[StoredReply]]()
        for some in _chunks(list(asks)):
            query = _REPLY.where(table.ask.in_(some), table.attempt >= 0)
            query = query.order_by(table.ask, table.attempt)
            for row in self._fetch(query):
                reply = codec.read_reply(row)
                found.setdefault(reply.ask, []).append(reply)
        return found

    def find_answered(self, asks: Iterable[str]) -> set[str]:
        """Which of these asks have a reply."""
        found = set[str]()
        for some in _chunks(list(asks)):
            found.update(ask for (ask,) in self._fetch(_ASKED, {"some": some}))
        return found

    def has_reply(self, ask: str) -> bool:
        """Whether this question was answered. Asked before every call: SQLite is asked by its own
        driver, which needs no transaction for it."""
        with say_failures(self.where):
            if self._database.file is None:
                return bool(self._fetch(_HAS_REPLY, {"ask": ask}))
            if self._lookup is None:
                self._lookup = self._database.engine.raw_connection()
            cursor = self._lookup.cursor()
            cursor.execute(_HAS_REPLY_SQLITE, (ask,))
            return cursor.fetchone() is not None

    def reply_lengths(self) -> list[ReplyLength]:
        """How long each model's replies were, run by run."""
        table = schema.replies.c
        counts = (sa.func.count(), sa.func.avg(table.output_tokens))
        query = sa.select(table.run, table.judge, *counts).where(table.attempt >= 0)
        manifests = {run.id: run.manifest for run in self.runs()}
        lengths = []
        for run, judge, replies, mean in self._fetch(query.group_by(table.run, table.judge)):
            if run in manifests:
                asked_for = manifests[run].uses_of(judge)
                lengths.append(ReplyLength(judge, asked_for, replies, float(mean)))
        return lengths

    def state(self, kind: str, name: str) -> bytes | None:
        """What was kept with `keep_state`."""
        table = schema.states.c
        query = sa.select(table.body, table.check).where(table.kind == kind, table.name == name)
        for body, check in self._fetch(query):
            if codec.check([kind, name], bytes(body)) != check:
                raise codec.damage_error(f"state {kind}/{name}")
            return bytes(body)
        return None

    # ── how ───────────────────────────────────────────────────────────────────────────────────

    def _fetch(self, statement: Any, values: JsonObject | None = None) -> list[Any]:
        with say_failures(self.where), self._database.engine.connect() as connection:
            return list(connection.execute(statement, values).all())

    def _pages(
        self,
        select: Any,
        run: int,
        read: Callable[[Sequence[object]], T],
        after: int = 0,
        until: int | None = None,
    ) -> Iterator[T]:
        """Page by page along the key: no long transaction, no growing memory."""
        key = schema.verdicts.c.id
        query = select.where(schema.verdicts.c.run == run).order_by(key).limit(_PAGE)
        if until is not None:
            query = query.where(key <= until)
        while page := self._fetch(query.where(key > after)):
            after = page[-1][0]
            yield from map(read, page)


def _chunks(values: list[T]) -> Iterator[list[T]]:
    for start in range(0, len(values), _IN):
        yield values[start : start + _IN]

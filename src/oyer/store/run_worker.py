"""This process as a worker on a run: seen by others, fenced off when it was given up.

A worker is a row and a claim (`claims.py`) that it holds as long as its session lives. Its name is
new each time, so a name is an epoch. Each of its commits updates its own row and no other, so
workers never wait for each other; and a commit that finds the row ended is not made. The row is
ended by whoever finds the claim free: at once when the process died, after OYER_LEASE by the
server's clock when it only stands still.
"""

from __future__ import annotations

import os
import platform
import uuid
from collections.abc import Iterable
from concurrent.futures import Future

import sqlalchemy as sa

from oyer.errors import StoreError
from oyer.store import schema
from oyer.store.records import Run
from oyer.store.spending import spent_in_rows
from oyer.store.store import Store
from oyer.store.workers import (
    BudgetShare,
    Want,
    Worker,
    begin_worker,
    book_calls,
    end_workers,
    note_commit,
    take_share,
)
from oyer.store.writer import Work
from oyer.types import Usage


class RunWorker:
    """Begin it after the run was begun, end it before the run is ended."""

    def __init__(self, store: Store, run: Run) -> None:
        self.store, self.run = store, run.id
        self.name = uuid.uuid4().hex

    def begin(self) -> None:
        """From now on others see us, and our commits are counted."""
        if not self.store.claim([_claim(self.name)]):
            raise StoreError(f"{self.store.where}: the claim of a new worker is taken")
        self.give_up_dead()
        alone = not self.store.has_company(self.run)
        host = platform.node()[:200]
        row = {"name": self.name, "run": self.run, "host": host, "pid": os.getpid()}
        self.store.write(lambda c: begin_worker(c, row, alone=alone)).result()
        self.store.note_commits(self._note)

    def end(self, how: str) -> None:
        """What we did not spend is free again."""
        self.store.write(lambda c: None).result()  # what was given before is counted as ours
        self.store.note_commits(None)
        self.store.write(lambda c: end_workers(c, [self.name], how)).result()
        self.store.release([_claim(self.name)])

    def workers(self) -> list[Worker]:
        """All, we too."""
        return self.store.workers(self.run)

    def spent_by_others(self, workers: Iterable[Worker]) -> Usage:
        """What all but us have spent."""
        return sum((w.spent for w in workers if w.name != self.name), Usage())

    def give_up_dead(self) -> None:
        """End the rows of workers whose session is over: nothing that they send is written."""
        dead = [
            worker.name
            for worker in self.workers()
            if worker.ended is None and worker.name != self.name and not self._lives(worker)
        ]
        if dead:
            self.store.write(lambda c: end_workers(c, dead, "given up")).result()

    def take(self, want: Want) -> BudgetShare:
        """A larger share of the budget; what dead workers did not spend is shared out, too."""
        share = self._take(want)
        if want.more and not want.spent.plus(want.need).within(share.until):
            self.give_up_dead()
            share = self._take(want)
        return share

    def _take(self, want: Want) -> BudgetShare:
        taken: Future[BudgetShare] = self.store.write(
            lambda c: take_share(c, self.run, self.name, want)
        )
        return taken.result()

    def book(self, name: str, seconds: float) -> float:
        """Book a provider's next `seconds` for us; how long until they begin."""
        booked: Future[float] = self.store.write(lambda c: book_calls(c, name, seconds))
        return booked.result()

    def _lives(self, worker: Worker) -> bool:
        return is_alive(self.store, worker)

    def _note(self, connection: sa.Connection, works: list[Work]) -> None:
        """In the writer's thread, at the end of every commit."""
        spent, verdicts = Usage(), 0
        for work, _ in works:
            for put in work if isinstance(work, tuple) else ():
                if put.insert.table is schema.replies:
                    spent += spent_in_rows(put.rows)
                elif put.insert.table is schema.verdicts:
                    verdicts += len(put.rows)
        if not note_commit(connection, self.name, spent, verdicts):
            raise StoreError(
                f"{self.store.where}: this worker was silent for longer than its lease "
                "(OYER_LEASE), and others took over its work: nothing more is written. The same "
                "command joins them again."
            )


def working_now(store: Store, run: int) -> list[Worker]:
    """Who works on a run at this moment; for a store that does not work on it itself."""
    begun = [worker for worker in store.workers(run) if worker.ended is None]
    try:
        return [worker for worker in begun if is_alive(store, worker)]
    except StoreError:  # a folder in which we may not write: then nobody does
        return []


def is_alive(store: Store, worker: Worker) -> bool:
    """Whether the session of a worker that has not ended is still there."""
    claim = [_claim(worker.name)]
    if not store.claim(claim):
        return True
    store.release(claim)
    return False


def _claim(worker: str) -> str:
    return f"worker {worker}"

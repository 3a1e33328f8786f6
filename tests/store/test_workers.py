"""Workers of a run: each sees the others, spends its share, and writes only while it is one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oyer.errors import StoreError
from oyer.store import Run, open_store
from oyer.store.codec import loss_row
from oyer.store.records import Task
from oyer.store.run_worker import RunWorker, working_now
from oyer.store.spending import Amount
from oyer.store.store import Store
from oyer.store.workers import Want, end_workers
from oyer.types import Usage
from tests.store.made import manifest

CALL = Usage(input_tokens=100, output_tokens=20, cost_usd=0.25, calls=1, seconds=1.5)


@pytest.fixture
def two(where: str) -> Iterator[tuple[RunWorker, RunWorker]]:
    """Two processes on one run, as far as the store can tell."""
    with open_store(where) as first, open_store(where) as second:
        workers = [RunWorker(store, begin(store)) for store in (first, second)]
        for worker in workers:
            worker.begin()
        yield workers[0], workers[1]


def begin(store: Store) -> Run:
    return store.begin_run(manifest(), join=True)


def spend(worker: RunWorker, usage: Usage, ask: str = "a") -> None:
    row = loss_row(Task(worker.run, "", ask, 0), usage)
    worker.store.keep_rows([row], ()).result()


def want(calls: float, *, spent: float = 0, in_flight: int = 0) -> Want:
    return Want(Amount(calls, 1e9, 1e9), Amount(spent), Amount(1), in_flight, 1)


def test_others_see_both_and_what_each_has_spent(
    where: str, two: tuple[RunWorker, RunWorker]
) -> None:
    first, second = two
    spend(first, CALL)
    spend(first, CALL)
    spend(second, CALL)
    with open_store(where, write=False) as store:
        seen = {worker.name: worker.spent for worker in working_now(store, first.run)}
    assert seen == {first.name: Usage(200, 40, 0.5, 2, 3.0), second.name: CALL}
    assert second.spent_by_others(second.workers()) == CALL + CALL


def test_a_worker_that_was_given_up_writes_nothing(two: tuple[RunWorker, RunWorker]) -> None:
    """The epoch: also where its connection is still alive."""
    first, second = two
    second.store.write(lambda c: end_workers(c, [first.name], "given up")).result()
    with pytest.raises(StoreError, match="lease"):
        spend(first, CALL)
    assert second.store.spent(second.run).calls == 0
    with pytest.raises(StoreError):
        spend(first, CALL)
    spend(second, CALL)
    assert second.store.spent(second.run).calls == 1


def test_a_living_worker_is_not_given_up_and_a_dead_one_is(where: str) -> None:
    with open_store(where) as first:
        living = RunWorker(first, begin(first))
        living.begin()
        with open_store(where) as second:
            dying = RunWorker(second, begin(second))
            dying.begin()
            spend(dying, CALL)
            living.give_up_dead()
            assert [worker.ended for worker in living.workers() if worker.host] == [None, None]
        living.give_up_dead()  # its claims went with its store
        ended = {worker.name: worker.ended for worker in living.workers()}
        assert (ended[living.name], ended[dying.name]) == (None, "given up")


def test_what_a_dead_worker_did_not_spend_is_shared_out_again(where: str) -> None:
    with open_store(where) as first:
        living = RunWorker(first, begin(first))
        living.begin()
        with open_store(where) as second:
            dying = RunWorker(second, begin(second))
            dying.begin()
            while dying.take(want(8, in_flight=7)).until.calls < 8:
                pass  # it has all
            spend(dying, CALL)
            assert living.take(want(8)).until.calls == 0
        assert living.take(want(8)).until.calls >= 1, "seven of its eight calls are free"


def test_who_is_alone_counts_anew_from_the_replies(where: str) -> None:
    """Also what was spent by an Oyer that knew no workers."""
    with open_store(where) as store:
        run = begin(store)
        store.keep_rows([loss_row(Task(run.id, "", "a", 0), CALL)], ()).result()
        store.end_run(run, "stopped")
        worker = RunWorker(store, begin(store))
        worker.begin()
        spend(worker, CALL, "b")
        worker.end("ended")
        store.end_run(run, "stopped")
        again = RunWorker(store, begin(store))
        again.begin()
        assert again.spent_by_others(again.workers()) == CALL + CALL
        assert [one.ended for one in again.workers()] == ["earlier", None]


def test_an_unknown_price_makes_the_sum_unknown(two: tuple[RunWorker, RunWorker]) -> None:
    first, second = two
    spend(first, Usage(calls=1, cost_usd=None))
    spend(first, CALL)
    assert second.spent_by_others(second.workers()).cost_usd is None


def test_seconds_of_a_provider_are_booked_one_after_the_other(
    two: tuple[RunWorker, RunWorker],
) -> None:
    first, second = two
    waits = [worker.book("openai:m requests", 60.0) for worker in (first, second, first)]
    assert waits[0] == 0.0
    assert 59.0 < waits[1] <= 60.0 + 1e-6
    assert 119.0 < waits[2] <= 120.0 + 1e-6
    assert second.book("another", 1.0) == 0.0

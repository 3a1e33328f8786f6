"""Where heavy work is done: in processes of this machine, or on a Ray cluster; chosen by name.

Whoever has much to do sends pieces to an executor and takes the results in order. A piece is a
function of this package with arguments that can be sent: names and ranges, never keys.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

from oyer.errors import UsageError
from oyer.runs.parallel import available_cores, process_pool

HERE, RAY = "here", "ray"
PLACES = (HERE, RAY)

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextlib.contextmanager
def open_workers(on: str = HERE, count: int = 0) -> Iterator[tuple[Executor, int]]:
    """Workers, and how many there are; `count` limits those of this machine (0: all cores)."""
    if on == RAY:
        from oyer.runs.ray_workers import open_cluster

        with open_cluster() as (cluster, cores):
            yield cluster, cores
    elif on == HERE:
        count = count or available_cores()
        with process_pool(count) as pool:
            yield pool, count
    else:
        raise UsageError(f"there are no workers '{on}': there are {', '.join(PLACES)}")


def map_in_order(
    workers: Executor, work: Callable[[Item], Result], items: Iterable[Item], ahead: int
) -> Iterator[Result]:
    """The results in the order of the items. No more than `ahead` are under way: memory is
    bounded, however many there are."""
    waiting: deque[Future[Result]] = deque()
    for item in items:
        waiting.append(workers.submit(work, item))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()

"""A Ray cluster as an executor: pieces of work go to its nodes, results come back in order.

Ray Core only, and nothing is kept there: a piece says what to do, the store is the only truth. A
piece whose node died is done again on another node. When the head dies, the command fails, and
the same command goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

from oyer import __version__
from oyer.errors import UsageError, WorkerError

#: How often a piece is begun again on another node before it is given up.
TRIES = 10
ANSWER = 10.0  # seconds in which the head must take a connection


@contextlib.contextmanager
def open_cluster() -> Iterator[tuple[Executor, int]]:
    """The cluster at RAY_ADDRESS, or the one of this machine, and how many cores it has."""
    try:
        import ray
    except ImportError:
        raise UsageError("--on ray needs Ray: pip install 'oyer[ray]'") from None
    if ray.is_initialized():
        yield RayExecutor(ray), _cores(ray)
        return
    _require_answer(os.environ.get("RAY_ADDRESS", ""))
    try:
        # "auto" never starts a cluster of its own: that would listen on all interfaces.
        ray.init(address="auto", log_to_driver=False, logging_level=logging.ERROR, namespace="oyer")
    except (ConnectionError, RuntimeError) as cannot:
        raise _no_cluster(os.environ.get("RAY_ADDRESS") or "this machine", cannot) from cannot
    try:
        yield RayExecutor(ray), _cores(ray)
    finally:
        ray.shutdown()


def _require_answer(address: str) -> None:
    """Ray itself would try for minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdigit():
        return

    async def connect() -> None:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, int(port)), ANSWER)
        writer.close()

    try:
        asyncio.run(connect())
    except OSError as cannot:  # TimeoutError, too
        raise _no_cluster(address, cannot) from cannot


def _no_cluster(where: str, why: Exception) -> UsageError:
    return UsageError(
        f"no Ray cluster answers at {where}: set RAY_ADDRESS, or start one (docs/scale.md): {why}"
    )


def _cores(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class RayExecutor(Executor):
    """Python's own interface of a pool of workers, on a cluster."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        remote = ray.remote(num_cpus=1, max_retries=TRIES)
        self._do = remote(do_piece)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a piece. What fails in it is raised here, as it would be without a cluster."""
        sent: Future[Any] = self._do.remote(__version__, fn, args, kwargs).future()
        answer: Future[Any] = Future()

        def pass_on(done: Future[Any]) -> None:
            error = done.exception()
            if error is None:
                answer.set_result(done.result())
            else:
                answer.set_exception(_plain_error(error))

        sent.add_done_callback(pass_on)
        return answer


def do_piece(
    version: str, work: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
) -> Any:
    """On a node: refuses to mix versions, for the same input must give the same bytes."""
    if version != __version__:
        raise UsageError(
            f"a node has Oyer {__version__}, this machine {version}: install the same on all"
        )
    return work(*args, **options)


def _plain_error(error: BaseException) -> BaseException:
    """An error of ours as itself; one of Ray's in a sentence."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException):
        return cause
    return WorkerError(
        f"the Ray cluster failed ({type(error).__name__}); nothing that is stored is lost, and "
        "the same command goes on when it is back"
    )

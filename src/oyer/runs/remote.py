"""A run led from elsewhere: the page (or another machine) asks it to stop, or to go on.

The word travels through the store, so it reaches a run of any process. A run that goes on is the
same command in a new process, and only if the suite on this machine is exactly that run.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from oyer.errors import OyerError, UsageError
from oyer.store import Run
from oyer.store.store import Store

if TYPE_CHECKING:
    from oyer.runs.plan import Plan

STOP, ORIGIN = "stop", "origin"  # kinds of the store's states
EVERY = 0.5  # seconds between two looks


def ask_to_stop(store: Store, run: Run) -> None:
    """What is in flight will be kept; nothing new is begun."""
    if run.state != "running":
        raise UsageError(f"run {run.id} is not running: {run.state}.")
    store.keep_state(STOP, str(run.id), uuid.uuid4().hex.encode()).result()


@contextlib.contextmanager
def heeding(store: Store, run: Run, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when somebody asks this run to, from now on."""
    task = asyncio.create_task(_watch(store, run, stop))
    try:
        yield
    finally:
        task.cancel()


async def _watch(store: Store, run: Run, stop: Callable[[], None]) -> None:
    before = await asyncio.to_thread(store.state, STOP, str(run.id))
    while True:
        await asyncio.sleep(EVERY)
        if await asyncio.to_thread(store.state, STOP, str(run.id)) != before:
            stop()
            return


def keep_origin(store: Store, run: Run, plan: Plan) -> None:
    """Remember which suite a run is of, so that it can go on from elsewhere."""
    file = plan.suite.file.absolute()
    if plan.manifest.kind == "run" and file.is_file():
        known = {"file": str(file), "batch": plan.suite.batch}
        store.keep_state(ORIGIN, str(run.id), json.dumps(known).encode()).result()


def suite_of(store: Store, run: Run) -> Path | None:
    """The suite's file, if it is still there."""
    body = store.state(ORIGIN, str(run.id))
    file = Path(str(json.loads(body).get("file", ""))) if body is not None else None
    return file if file is not None and file.is_file() else None


def go_on(store: Store, run: Run, where: str) -> subprocess.Popen[bytes]:
    """Start the run's command again. Raises UsageError where the suite is not this run any more.

    The store may come from somebody else: what it names is only run if its plan is this run.
    """
    from oyer.runs.plan import make_plans  # not with the page: they take a fifth of its start
    from oyer.runs.suite import in_batches, read_suite

    file = suite_of(store, run)
    if file is None:
        raise UsageError(f"the suite of run {run.id} is not on this machine.")
    try:
        suite = read_suite(file)
        plans = make_plans(in_batches(suite) if suite.batch else suite)
    except OyerError as wrong:
        raise UsageError(f"{file} cannot be run: {wrong}") from None
    if run.identity not in {plan.manifest.identity for plan in plans}:
        raise UsageError(f"{file} has changed: it is another run now. Use: oyer run {file}")
    command = [sys.executable, "-m", "oyer", "run", str(file), "--store", where]
    return subprocess.Popen(  # noqa: S603 - our own command
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

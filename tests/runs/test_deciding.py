"""Worker processes decide what a run would decide, as it would; and a run does without them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from oyer.engine import Answers
from oyer.processes import process_pool
from oyer.runs.deciding import BATCH, Decided, Decider, Undecided, Workers, decide_one
from oyer.runs.parallel import ProtocolRef, load_protocol
from oyer.store import Task, case_sha
from oyer.types import Case, Reply, Usage

HERE = Path(__file__).parent
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: forked on Linux only")
TOY = ProtocolRef("toy", (str(HERE / "toy"),))


def undecided(number: int) -> Undecided:
    case = Case(f"c{number}", {"text": f"text {number} \N{SNOWMAN}"})
    # every ninth reply is no good, and is to be asked for again
    text = "no marks" if number % 9 == 0 else json.dumps({"marks": number % 11})
    reply = Reply(text, "openai:m", Usage(1, 2, None, 1, 0.5), {"stop": "stop", "n": number})
    answers = Answers(case, "openai:m", (reply,), repeat=number % 2)
    return Undecided(Task(1, f"t{number}", f"a{number}", number), case_sha(case), answers)


@pytest.mark.parametrize("forked", [False, pytest.param(True, marks=ON_LINUX)])
def test_a_worker_decides_as_the_run_does(forked: bool) -> None:
    """Rows, complaints and all."""

    async def decide_many() -> list[Decided]:
        with process_pool(1, forked=forked) as pool:
            decider = Decider(load_protocol(TOY), TOY, Workers(pool, 1))
            decided: list[Decided] = []
            while decider.by_workers < 4 * BATCH:
                some = [undecided(i) for i in range(len(decided), len(decided) + 12 * BATCH)]
                decided += await asyncio.gather(*map(decider.decide, some))
            return decided

    decided = asyncio.run(decide_many())
    assert decided == [decide_one(undecided(i), load_protocol(TOY)) for i in range(len(decided))]
    assert {one.complaint is None for one in decided} == {True, False}


def test_what_a_dead_worker_had_is_decided_by_the_run() -> None:
    """A worker that was killed takes nothing with it, and no other is waited for."""

    async def decide_many() -> list[Decided]:
        with process_pool(1) as pool:
            worker = pool.submit(os.getpid).result()
            os.kill(worker, signal.SIGKILL)
            decider = Decider(load_protocol(TOY), TOY, Workers(pool, 1))
            return await asyncio.gather(*(decider.decide(undecided(i)) for i in range(5 * BATCH)))

    decided = asyncio.run(decide_many())
    assert decided == [decide_one(undecided(i), load_protocol(TOY)) for i in range(5 * BATCH)]


@pytest.mark.parametrize("forked", [False, pytest.param(True, marks=ON_LINUX)])
def test_workers_end_when_their_run_is_killed(forked: bool) -> None:
    """Nobody is left behind: the worker's end of the pipe closes when it has gone."""
    script = (
        "import os, sys\n"
        "from oyer.processes import process_pool\n"
        "if __name__ == '__main__':\n"
        f"    with process_pool(3, forked={forked}) as pool:\n"
        "        print(pool.submit(os.getpid).result(), flush=True)\n"
        "        os.kill(os.getpid(), 9)\n"
    )
    file = HERE / "toy"  # any folder: the script comes from the command line
    run = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=file
    )
    assert run.stdout is not None
    number = run.stdout.read().strip()  # ends when the worker, which inherited it, has gone
    assert number.isdigit()
    assert run.wait() == -9

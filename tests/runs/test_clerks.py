"""Clerks read what a run would read, as it would read it; and a run does without them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from oyer.runs.clerk import Matter, Minute, hire, read
from oyer.runs.clerks import BATCH, Readers
from oyer.store import Task, case_sha
from oyer.types import Case, Checked, Protocol, Reply, Usage
from tests.runs.toy import PROTOCOL as TOY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="LOUD: clerks are for Linux")
RUN = os.getpid()


def _mortal(case: Case, findings: Any) -> Checked[Any]:
    if os.getpid() != RUN:  # in a clerk
        os._exit(9)
    return TOY.check(case, findings)


def matter(number: int) -> Matter:
    case = Case(f"c{number}", {"text": f"text {number} \N{SNOWMAN}"})
    # every ninth reply is no good, and is to be asked for again
    said = "no marks" if number % 9 == 0 else json.dumps({"marks": number % 11})
    reply = Reply(said, "openai:m", Usage(1, 2, None, 1, 0.5), {"stop": "stop", "n": number})
    return Matter(Task(1, f"t{number}", f"a{number}", number), case_sha(case), case, (reply,))


def heard(protocol: Protocol[Any], enough: Callable[[Readers], bool]) -> list[Minute]:
    """Matters read by a run with two clerks, more and more of them until it is enough."""

    async def hear() -> list[Minute]:
        made = list[Minute]()
        async with Readers(protocol, clerks) as readers:
            while not enough(readers):
                some = [matter(i) for i in range(len(made), len(made) + 12 * BATCH)]
                made += await asyncio.gather(*map(readers.read, some))
        return made

    clerks = [hire(protocol)]
    clerks.append(hire(protocol, clerks))
    try:
        return asyncio.run(hear())
    finally:
        for clerk in clerks:
            clerk.dismiss()


def test_a_clerk_reads_as_the_run_does() -> None:
    minutes = heard(TOY, lambda readers: readers.elsewhere >= 4 * BATCH)
    assert minutes == [read(TOY, matter(i)) for i in range(len(minutes))]
    assert {minute.wrong is None for minute in minutes} == {True, False}


def test_what_a_dead_clerk_had_is_read_by_the_run() -> None:
    mortal = replace(TOY, check=_mortal)
    minutes = heard(mortal, lambda readers: readers.returned > 0)
    assert minutes == [read(mortal, matter(i)) for i in range(len(minutes))]


def test_a_clerk_goes_when_its_run_is_gone() -> None:
    """Nobody is left behind by a run that was killed: the pipe ends, and so does the clerk."""
    first = hire(TOY)
    second = hire(TOY, [first])  # holds no end of the first one's pipes
    for clerk in (first, second):
        os.close(clerk.give)
        os.close(clerk.take)
        assert os.waitpid(clerk.process, 0) == (clerk.process, 0)

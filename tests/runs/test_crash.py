"""kill -9 at any moment loses nothing that was kept, doubles nothing, and pays for little twice."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from oyer.store.crash import POINTS
from tests.runs.rig import ProcessStarter, Rig


@pytest.mark.parametrize("point", POINTS)
def test_dying_at_each_point_of_the_write_path(
    tmp_path: Path, starter: ProcessStarter, point: str
) -> None:
    with Rig(tmp_path, starter, cases=60, concurrency=4) as rig:
        lost = 0
        for time in (1, 7):
            assert rig.sit(crash_at=f"{point}:{time}") == -9, f"{point} is not on the path"
            now = rig.billed().total() - rig.kept()
            assert now - lost <= rig.concurrency, "more was lost than was in flight"
            lost = now
        assert rig.sit() == 0, rig.said()
        rig.check_done()
        assert rig.billed().total() == 60 + lost, "nothing else was asked twice"


def test_fifty_kills_at_random_moments(tmp_path: Path, starter: ProcessStarter) -> None:
    """Fifteen at any time at all, also before the first question; the rest amid the answers.

    The server withholds what would let a sitting end by itself, however fast the machine is, and
    bills an answer that never comes in every other of them, however slow it is.
    """
    chance = random.Random(20261116)
    with Rig(tmp_path, starter, cases=1200, concurrency=8) as rig:
        kept = lost = 0
        for turn in range(50):
            if turn % 10 < 3:
                status = rig.sit(kill_after=chance.uniform(0.01, 0.4), answers=20)
            else:
                answers, unsent = chance.randint(1, 40), turn % 2
                status = rig.sit(
                    kill_after_answers=answers + unsent, answers=answers, bill_unsent=unsent
                )
            assert status == -9, rig.said()
            before, kept = kept, rig.kept()
            assert kept >= before, "a kept reply is gone"
            now = rig.billed().total() - kept
            assert now - lost <= rig.concurrency, "more was lost than was in flight"
            lost = now
        assert rig.sit() == 0, rig.said()
        rig.check_done()
        assert rig.billed().total() == 1200 + lost, "nothing else was asked twice"
        assert lost > 0, "a billed answer that never came is asked for again"
        assert rig.sit() == 0
        assert rig.billed().total() == 1200 + lost, "a finished run asks nothing"


def test_a_disk_that_fills_up_during_a_run(tmp_path: Path, starter: ProcessStarter) -> None:
    with Rig(tmp_path, starter, cases=200, concurrency=4) as rig:
        assert rig.sit(file_limit=320_000) == 2
        assert "oyer: " in rig.said()
        assert "disk" in rig.said()
        assert "Traceback" not in rig.said()
        kept = rig.kept()
        assert 0 < kept < 200
        assert rig.billed().total() - kept <= rig.concurrency
        assert rig.sit() == 0, "there is space again: the same command goes on"
        rig.check_done()
        assert rig.billed().total() <= 200 + rig.concurrency


def test_what_a_kill_leaves_uncounted_is_said_and_bounded(
    tmp_path: Path, starter: ProcessStarter
) -> None:
    """docs/runs.md, Budgets: at most the questions in flight; a session that ended says nothing."""
    told = "the session before was cut off"
    with Rig(tmp_path, starter, cases=20, concurrency=4) as rig:
        assert rig.sit(kill_after_answers=8, answers=5, bill_unsent=3) == -9
        assert told not in rig.said()
        assert rig.sit() == 0, rig.said()
        assert rig.said().count(told) == 1
        assert 3 <= rig.billed().total() - rig.kept() <= rig.concurrency
        assert rig.sit() == 0, rig.said()
        assert rig.said().count(told) == 1, "the second one ended as it should"

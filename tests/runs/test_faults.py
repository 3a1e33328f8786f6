"""A faulty server, real HTTP: each fault is tried again or has the right status; no hang."""

from __future__ import annotations

from pathlib import Path

import pytest

from oyer.store import open_store
from tests.runs.suites import Bed, marks
from tests.servers.provider import ProviderServer

#: fault -> the verdict's error when it happens once, and why.
ONCE = {
    "429:0.05": None,  # told to wait: waits
    "500": None,  # may pass: asked again
    "503": None,
    "hang": None,  # the attempt times out, the next one answers
    "reset": None,
    "drip": None,  # too slow to end within the timeout
    "truncated": None,
    "not-json": None,
    "html": None,  # a wrong content type with 200
    "empty": None,  # no choices
    "error-200": None,  # an error object under 200
    "refusal": "refused",  # an answer, not a failure: it is not asked for again
    "filter": "refused",
    "policy": "refused",
    "quota": "provider",  # no credit: asking again costs time only
    "404": "provider",  # no such model
}


@pytest.mark.parametrize("fault", ONCE)
def test_a_fault_happens_once(tmp_path: Path, fault: str) -> None:
    with ProviderServer(reply=marks, key=None, faults=[fault]) as server:
        bed = Bed(tmp_path, server)
        bed.cases(3)
        # A busy machine may be as late as a server that hangs: it is then asked again, and again.
        bed.write("[options]\ntimeout = 0.7\nretries = 60", concurrency=1)
        sitting = bed.run()
        errors = sorted(str(o.error) for o in bed.outcomes(sitting.run))
    assert errors == sorted([str(ONCE[fault]), "None", "None"])
    assert sitting.left == 0


@pytest.mark.parametrize("fault", ["500", "hang", "reset", "truncated", "empty", "429:0.01"])
def test_a_fault_that_never_ends_ends_the_case_not_the_run(tmp_path: Path, fault: str) -> None:
    with ProviderServer(reply=marks, key=None, faults=[fault] * 400) as server:
        bed = Bed(tmp_path, server)
        bed.cases(2)
        bed.write("[options]\ntimeout = 0.3\nretries = 1\npatience = 0.1", concurrency=2)
        sitting = bed.run()
        assert [o.error for o in bed.outcomes(sitting.run)] == ["provider", "provider"]
        with open_store(bed.store, write=False) as store:
            for kept in store.verdicts(sitting.run.id):
                assert kept.record["scores"] is None, "never a made-up zero"
                assert kept.record["violations"][0]["code"] == "judge.provider"


def test_faults_all_over_lose_nothing(tmp_path: Path) -> None:
    """A bad day: a fault at every other call, eight workers; one verdict each, all scored.

    As many retries as faults: one question may draw them all.
    """
    day = ["", "500", "", "reset", "", "not-json", "", "429:0.02", "", "empty", "", "truncated"] * 3
    with ProviderServer(reply=marks, key=None, faults=day) as server:
        bed = Bed(tmp_path, server)
        bed.cases(60)
        bed.write("[options]\ntimeout = 120.0\nretries = 18", concurrency=8)
        sitting = bed.run()
        outcomes = bed.outcomes(sitting.run)
    assert sorted(o.seq for o in outcomes) == list(range(60))
    assert {o.error for o in outcomes} == {None}
    assert server.most <= 8, "never more in flight than the suite allows"

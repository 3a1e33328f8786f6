"""Giants are refused within 600 MB and a few seconds of CPU each."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT
from tests.fuzz.giants import giants, hostile
from tests.injection.attacked_cases import ATTACKED


def test_giants_are_refused_within_hard_limits() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.giants"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [line.split("\t") for line in done.stdout.strip().split("\n")]
    refused = {(name, told): code for name, told, code in rows}
    for name in ATTACKED:
        for told in giants():
            expected = "reply.too_long" if told.startswith("10 MB") else "reply.too_deep"
            assert refused[name, told] == expected
    assert len(rows) == len(ATTACKED) * len(giants()) + len(hostile())

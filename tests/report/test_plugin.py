"""The pytest plugin in somebody else's test suite: a real pytest process, plain and under xdist."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.report.court import FOLDER, ROOT

SUITE = f"""
import json
from oyer.protocols.catalogue import load_folder

MINUTES = load_folder({str(FOLDER)!r})
CASE = {{"transcript": "Ana: We close at eight.", "minutes": "Closing at eight."}}

def reply(label):
    return json.dumps({{"decisions": [{{"quote": "We close at eight", "recorded": label}}]}})

def test_good(oyer):
    oyer.assert_verdict(oyer.audit(MINUTES, CASE, reply("yes")), score=">=90", total=90)

def test_low(oyer, assert_verdict):
    assert_verdict(oyer.audit(MINUTES, CASE, reply("partly")), score=">=90")

def test_unscored(oyer):
    oyer.assert_verdict(oyer.audit(MINUTES, CASE, "no idea"), score=">=0")

def test_no_such_metric(oyer):
    oyer.assert_verdict(oyer.audit(MINUTES, CASE, reply("yes")), coverage=7)
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "xdist"])
def test_a_failure_shows_the_derivation(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    installed = any(point.name == "oyer" for point in entry_points(group="pytest11"))
    plugin = () if installed else ("-p", "oyer.pytest_plugin")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, *workers, "test_suite.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert "score is 50, not >= 90" in ran.stdout
    assert "MN-RECORDED" in ran.stdout  # the derivation
    assert "no score: " in ran.stdout
    assert "has no metric 'coverage'; it has score, total" in ran.stdout

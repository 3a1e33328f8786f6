"""The pytest plugin in somebody else's test suite: a real pytest process, plain and under xdist."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.report.stored_runs import FOLDER, ROOT

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


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    installed = any(point.name == "oyer" for point in entry_points(group="pytest11"))
    plugin = () if installed else ("-p", "oyer.pytest_plugin")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "xdist"])
def test_a_failure_shows_the_derivation(tmp_path: Path, workers: tuple[str, ...]) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    ran = run_pytest(tmp_path, *workers, "test_suite.py")
    assert "3 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert "score is 50, not >= 90" in ran.stdout
    assert "MN-RECORDED" in ran.stdout  # the derivation
    assert "no score: " in ran.stdout
    assert "has no metric 'coverage'; it has score, total" in ran.stdout


STARTER = ROOT / "src/oyer/runs/starters/rubric"
BARS = f"""
import json
from pathlib import Path

STARTER = Path({str(STARTER)!r})
ROW = json.loads((STARTER / "cases.jsonl").read_text().splitlines()[0])
GRADED = json.loads((STARTER / "replies.jsonl").read_text().splitlines()[0])["reply"]
CASE = {{**ROW, "rubric": STARTER / "rubrics/notice.en.md"}}
LAW = STARTER.parent / "belgian-law/cases.jsonl"
DECISION = json.loads(LAW.read_text().splitlines()[0])

def test_a_rubric_given_as_a_path(oyer):
    oyer.assert_verdict(oyer.audit("rubric", CASE, GRADED), critical_fail=False, total=">=90")

def test_a_rubric_that_is_not_there(oyer):
    oyer.audit("rubric", {{**CASE, "rubric": STARTER / "no.md"}}, GRADED)

def test_critical(oyer):
    oyer.assert_verdict(oyer.audit("rubric", CASE, GRADED), critical_fail=True)

def test_rules(oyer):
    oyer.assert_verdict(oyer.audit("rubric", CASE, GRADED), violations=0)

def test_rules_by_code(oyer):
    oyer.assert_verdict(oyer.audit("rubric", CASE, GRADED), violations=1, without="evidence")
    oyer.assert_verdict(oyer.audit("rubric", CASE, GRADED), without=("evidence", "arithmetic"))

def test_words(oyer):
    oyer.assert_verdict(oyer.judge("belgian-law", DECISION), says=("FAIL", "REVIEW_REQUIRED"))

def test_another_word(oyer):
    oyer.assert_verdict(oyer.judge("belgian-law", DECISION), says="PASS")

def test_no_such_word(oyer):
    oyer.assert_verdict(oyer.judge("belgian-law", DECISION), says="GOOD")
"""


def test_violations_critical_fails_and_words_are_asserted(tmp_path: Path) -> None:
    (tmp_path / "test_bars.py").write_text(BARS)
    ran = run_pytest(tmp_path, "test_bars.py")
    assert "6 failed, 2 passed" in ran.stdout, ran.stdout + ran.stderr
    for told in (
        "no.md cannot be read: No such file",
        "critical_fail is False, not True",
        "violations is 1, not <= 0",
        "arithmetic at total_score: the axes sum to 96, the reply says 97",
        "the verdict says FAIL, not PASS",
        "has no word 'GOOD'; it has PASS, REVIEW_REQUIRED, FAIL.",
    ):
        assert told in ran.stdout

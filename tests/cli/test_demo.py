"""`make demo`: what a newcomer sees first tells what the embedded judge is, and what it is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import ROOT


def test_the_demo_says_what_its_judge_is_and_is_not(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "examples/demo.py"],
        capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    for sentence in (
        "a small model that compares words and clauses",
        "it is no language model",
        "the German cases get no score",
        "is a weak judge: it tells faithful from unfaithful summaries in",
    ):
        assert sentence in told
    assert (tmp_path / "report.html").exists()

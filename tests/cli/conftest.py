"""The command line as a user calls it: a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Ran = subprocess.CompletedProcess[str]
Oyer = Callable[..., Ran]


@pytest.fixture
def oyer_cli(tmp_path: Path) -> Oyer:
    """`oyer_cli("audit", …, stdin="…")` in a fresh folder."""

    def run(*args: str, stdin: str = "", **env: str) -> Ran:
        return subprocess.run(
            [sys.executable, "-m", "oyer", *args],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "140", **env},
            check=False,
            timeout=300,
        )

    return run

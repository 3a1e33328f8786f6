"""What the scripts of bench/ and train/ import of Oyer is there: no other test runs them."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted([*(ROOT / "bench").glob("*.py"), *(ROOT / "train").glob("*.py")])


def imported_names(script: Path) -> Iterator[tuple[str, str]]:
    """Each module of Oyer that a script imports from, and the name that it takes."""
    for node in ast.walk(ast.parse(script.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "oyer":
            for name in node.names:
                yield str(node.module), name.name


def is_there(module: str, name: str) -> bool:
    if hasattr(importlib.import_module(module), name):
        return True
    try:
        importlib.import_module(f"{module}.{name}")
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_script_imports_only_what_there_is(script: Path) -> None:
    missing = [f"{m}.{n}" for m, n in imported_names(script) if not is_there(m, n)]
    assert not missing

"""Five scripted judges over HTTP (bench/court.py): nobody gains unseen, nobody honest loses."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "court.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("court", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


court = load()


@pytest.mark.parametrize("protocol", court.PROTOCOLS)
def test_the_court_of_five(protocol: str) -> None:
    rows: dict[str, Any] = {one["judge"]: one for one in court.verdicts(court.SRC, (protocol,))}
    honest = rows["honest"]
    assert honest["violations"] == []
    for judge in ("lazy", "flattering"):
        assert rows[judge]["total"] <= honest["total"] or rows[judge]["violations"], judge
    assert rows["careless"]["total"] == honest["total"]
    assert rows["careless"]["violations"] == []
    assert rows["forgetful"]["total"] == honest["total"]
    assert rows["forgetful"]["violations"] == []


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
def test_what_was_forgotten_is_paid_for_once(protocol: str) -> None:
    rows: dict[str, Any] = {one["judge"]: one for one in court.verdicts(court.SRC, (protocol,))}
    assert rows["forgetful"]["calls"] == 2
    assert rows["forgetful"]["output_tokens"] <= 1.05 * rows["honest"]["output_tokens"]

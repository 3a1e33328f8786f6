"""Windows of real decisions, annotated by reading: the engine and its judge must not get worse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import extractions
import windows as annotated


@pytest.fixture(scope="module", params=["test", "second"])
def windows(request: pytest.FixtureRequest, shared: Path) -> list[Any]:
    return list(annotated.read_windows(request.param, shared))


def test_keys_acts_and_certainty(windows: list[Any]) -> None:
    tally = annotated.measure(windows)
    assert tally.key_f1 >= 0.98, tally.faults
    assert tally.act_share >= 0.93, tally.faults
    assert tally.certain_share >= 0.98, tally.faults


def test_the_right_extraction_passes(windows: list[Any]) -> None:
    verdicts = []
    for window in windows:
        verdict, _, _ = extractions.judge(window, extractions.right_extraction(window))
        verdicts.append(verdict)
    assert verdicts.count("FAIL") == 0
    assert verdicts.count("PASS") >= 0.9 * len(verdicts)


@pytest.mark.parametrize("name", extractions.MUTATIONS)
def test_a_broken_extraction_gets_what_the_rules_give_by_hand(
    windows: list[Any], name: str
) -> None:
    same = []
    for window in windows:
        broken = extractions.mutate(name, extractions.right_extraction(window), window)
        if broken is not None:
            verdict, score, _ = extractions.judge(window, broken[0])
            same.append((verdict, score) == (broken[1].verdict, broken[1].score))
    assert sum(same) >= 0.85 * len(same)

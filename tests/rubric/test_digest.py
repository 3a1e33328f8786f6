"""The rubric's report on many verdicts, from real replies of five judge models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import oyer
from oyer.protocols.rubric import PROTOCOL
from oyer.protocols.rubric.digest import HeardRubric, digest
from oyer.protocols.rubric.figures import figures
from oyer.protocols.rubric.panel import AxisMark
from oyer.types import Case


def test_judges_agreement_and_flags_of_the_real_replies(shared: Path) -> None:
    rubrics = {p.name[:2]: p.read_text() for p in (shared / "data/rubric/rubrics-early").iterdir()}
    rows = []
    for line in (shared / "data/rubric/replies.jsonl").read_text().splitlines():
        row = json.loads(line)
        fields = {"prompt": row["prompt"], "response": row["response"],
                  "rubric": rubrics[row["task"]]}  # fmt: skip
        case = Case(row["task"], fields, row["subject"], judge=row["judge"])
        assert PROTOCOL.tally is not None
        rows.append(PROTOCOL.tally(oyer.audit("rubric", case, row["reply"])))
    assert PROTOCOL.digest is not None
    told = PROTOCOL.digest(rows)
    judges = {row.mark.judge for row in rows if row.mark}
    assert all(f"| {judge} |" in told for judge in judges)
    assert "Krippendorff's alpha (interval) of their totals 0." in told
    assert "responses are flagged:" in told


def test_no_score_no_report() -> None:
    verdict = oyer.audit("rubric", {"prompt": "p", "response": "r", "rubric": "## Task: t"}, "no")
    assert PROTOCOL.tally is not None
    assert PROTOCOL.digest is not None
    assert PROTOCOL.digest([PROTOCOL.tally(verdict)]) == "no response has a score"


def judged(judge: str, *totals: int, case: str = "1", critical: bool = False) -> list[HeardRubric]:
    none = {"constraint_adherence": 0, "helpfulness_and_creativity": 0}
    scores = [{"logic_and_fact": total, **none, "total": total} for total in totals]
    return [HeardRubric(case, "llama", AxisMark(judge, one, critical, "high")) for one in scores]


def test_each_judge_the_judges_together_and_each_response_by_hand() -> None:
    """gpt: mean 50, SD of (40, 60) 14.1; claude: 70, SD 0. Median and mean 60, range 20."""
    told = digest([*judged("gpt", 40, 60), *judged("claude", 70, 70)])
    nothing = "0.0 ± 0.0 | 0.0 ± 0.0"
    assert f"| gpt | 2 | 50.0 ± 14.1 | {nothing} | 50.0 ± 14.1 | 0 of 2 | high 2 |" in told
    assert "| median of the judges | 60.0 | 0.0 | 0.0 | 60.0 |" in told
    assert "| range of the judges | 20.0 | 0.0 | 0.0 | 20.0 |" in told
    means = "50.0 ± 14.1 | 70.0 ± 0.0"
    assert f"| 1 | llama | {means} | 60.0 | 60.0 | 20.0 | 0 of 2 | sd (gpt), range |" in told


def test_programs_get_numbers_not_words() -> None:
    told = figures([*judged("gpt", 40, 60), *judged("claude", 70, 70)])
    (one,) = told["responses"]
    assert one["judges"]["gpt"]["mean"]["total"] == 50.0
    assert one["judges"]["gpt"]["sd"]["total"] == pytest.approx(14.142, abs=0.001)
    assert (one["median"]["total"], one["range"]["total"]) == (60.0, 20.0)
    assert one["flags"] == ["sd: gpt", "range"]


def test_the_majority_of_a_judges_runs_decides_on_a_critical_fail() -> None:
    rows = [*judged("a|b\n", 0, 0, critical=True), *judged("a|b\n", 50), *judged("c", 50, 50, 50)]
    told = digest(rows)
    assert "| a¦b | 3 |" in told
    assert "2 of 3, 1 responses fail" in told
    assert "| a¦b | 3 | 0.0 ± 0.0 |" in told, "the majority is decided before the mean"
    assert "| 1 of 2 | range, critical-disagreement |" in told


def test_an_overruled_critical_fail_is_no_zero_in_the_mean() -> None:
    """84.5 of the runs without it, not 56.3 of all three; `--combine` gives the same."""
    rows = [*judged("a", 0, critical=True), *judged("a", 85, 84)]
    assert "| a | 3 | 84.5 ± 0.7 |" in digest(rows)

"""The gate: what fails, what passes, what nobody can decide; as a CI job calls it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from oyer.cli import main
from oyer.report.drop_test import FEWEST, drop_p_values, smallest_drop
from tests.report.stored_runs import FOLDER, Hearing, keep


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "oyer.db"


def gate(capsys: pytest.CaptureFixture[str], store: Path, *args: str) -> tuple[int, str, str]:
    code = main(["gate", *args, "--store", str(store), "--protocol-path", str(FOLDER)])
    out = capsys.readouterr()
    return code, out.out, out.err


def run_of(recorded: list[float], candidate: str = "a", **more: str) -> list[Hearing]:
    return [
        Hearing(f"case-{at}", candidate, value, **more)  # type: ignore[arg-type]
        for at, value in enumerate(recorded)
    ]


# ── drops ─────────────────────────────────────────────────────────────────────────────────────


def test_eight_cases_that_all_fall_fail_though_there_are_three_candidates(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """Holm over every metric of every candidate used to let this pass."""
    high, low = [3, 3, 2.5, 3, 2.5, 3, 3, 2], [0.5, 1, 0, 0.5, 1, 0.5, 0, 0.5]
    before = keep(store, "one", [h for who in "abc" for h in run_of(high, who)])
    after = keep(store, "two", [h for who in "abc" for h in run_of(low, who)])
    code, out, _ = gate(capsys, store, str(after), "--baseline", str(before), "--json")
    answer = json.loads(out)
    assert code == 1
    assert answer["decision"] == "fail"
    first = answer["tests"][0]
    assert first["name"] == "drop.total"
    assert first["n"] == 8
    assert first["p"] < 0.01
    assert first["low"] < first["difference"] < first["high"] < 0
    assert first["smallest_drop"] > 0
    assert answer["conclusion"].startswith("FAILED: total fell by ")


def test_five_cases_that_all_fall_fail_and_four_are_undecided(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    before = keep(store, "one", run_of([3, 3, 3, 3, 3]))
    after = keep(store, "two", run_of([2, 1, 2, 1, 2]))
    assert gate(capsys, store, str(after), "--baseline", str(before))[0] == 1
    few_before = keep(store, "three", run_of([3, 3, 3, 3]))
    few = keep(store, "four", run_of([0, 0, 0, 0]))
    code, out, _ = gate(capsys, store, str(few), "--baseline", str(few_before))
    assert code == 1
    assert out.startswith("UNDECIDED: ")
    assert "no result of fewer than 5 cases could fail" in out
    allowed = ("--baseline", str(few_before), "--allow-undecided")
    assert gate(capsys, store, str(few), *allowed)[0] == 0


def test_a_metric_that_never_moved_is_no_test(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    run = str(keep(store, "one", run_of([3, 2, 1, 3, 2, 1])))
    same = str(keep(store, "two", run_of([3, 2, 1, 3, 2, 1])))
    code, out, _ = gate(capsys, store, same, "--baseline", run, "--json")
    (check,) = json.loads(out)["tests"]
    assert code == 0
    assert check["p"] is None
    assert "the same in every case" in check["message"]


def test_only_named_metrics_are_asked_about(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    before = str(keep(store, "one", run_of([3] * 6)))
    after = str(keep(store, "two", run_of([2] * 6)))
    _, out, _ = gate(capsys, store, after, "--baseline", before, "--metric", "score", "--json")
    assert [check["metric"] for check in json.loads(out)["tests"]] == ["score"]
    code, _, err = gate(capsys, store, after, "--baseline", before, "--metric", "nothing")
    assert code == 2
    assert "has no 'nothing'; it has" in err


def test_a_baseline_may_be_an_export_or_stand_in_another_store(
    capsys: pytest.CaptureFixture[str], store: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    keep(other, "base", run_of([3] * 6))
    after = str(keep(store, "now", run_of([1] * 6, judge="judge-b")))
    elsewhere = ("--baseline", "latest", "--baseline-store", str(other))
    code, _, err = gate(capsys, store, after, *elsewhere)
    assert code == 1
    assert "the baseline was judged by other judges" in err
    file = tmp_path / "base.jsonl"
    assert main(["export", "latest", "-o", str(file), "--store", str(other)]) == 0
    code, out, err = gate(capsys, store, after, "--baseline", str(file))
    assert code == 1
    assert "FAIL  drop.total" in out
    assert "the baseline was judged by other judges" in err


def test_a_baseline_file_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], store: Path, tmp_path: Path
) -> None:
    run = str(keep(store, "s", run_of([3] * 6)))
    file = tmp_path / "base.jsonl"
    for content, told in (("", "no verdict"), ("{}\n", "not a verdict"), ("nonsense\n", "JSON")):
        file.write_text(content)
        code, _, err = gate(capsys, store, run, "--baseline", str(file))
        assert code == 2
        assert told in err
    code, _, err = gate(capsys, store, run, "--baseline", "missing.jsonl")
    assert code == 2
    assert "no such file" in err


# ── bars ──────────────────────────────────────────────────────────────────────────────────────


def test_one_bad_case_fails_though_the_mean_is_fine(
    capsys: pytest.CaptureFixture[str], store: Path, tmp_path: Path
) -> None:
    run = str(keep(store, "s", run_of([3, 3, 3, 0, 3])))
    xml = tmp_path / "gate.xml"
    assert gate(capsys, store, run, "--fail-under", "total=70")[0] == 0
    code, out, _ = gate(capsys, store, run, "--fail-case-under", "total=50", "--junit", str(xml))
    assert code == 1
    assert "1 of 5 cases under 50: case-3 by a" in out
    checks, cases = ET.parse(xml).getroot()
    assert checks.get("failures") == "1"
    assert cases.get("tests") == "5"
    failed = [case for case in cases if case.find("failure") is not None]
    assert [(case.get("classname"), case.get("name")) for case in failed] == [("a", "case-3")]
    assert all(float(case.get("time", "")) >= 0 for case in cases)
    message = failed[0].find("failure")
    assert message is not None
    assert "total 0.00 is under 50" in message.get("message", "")


def test_words_of_verdicts_violations_and_silence_have_bars(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    hearings = [Hearing(f"case-{at}", "a", 3, readable=at != 2) for at in range(4)]
    run = str(keep(store, "s", hearings))
    assert gate(capsys, store, run, "--fail-on", "unscored")[0] == 1
    assert gate(capsys, store, run, "--fail-on", "unscored=0.25")[0] == 0
    assert gate(capsys, store, run, "--fail-on", "arithmetic")[0] == 1
    code, _, err = gate(capsys, store, run, "--fail-on", "arithmetik")
    assert code == 0
    assert "no verdict of the run says 'arithmetik': is it spelt right?" in err
    assert gate(capsys, store, run, "--fail-on", "FAIL=2")[0] == 2


# ── the test itself ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("cases", [5, 8, 12])
def test_one_question_is_scipys_permutation_test(cases: int) -> None:
    values = np.random.default_rng(cases).normal(-0.4, 1, cases)
    theirs = stats.permutation_test(
        (values,), np.mean, permutation_type="samples", alternative="less", n_resamples=np.inf
    )
    assert drop_p_values(values[:, None])[0] == pytest.approx(theirs.pvalue)


@given(arrays(np.float64, st.tuples(st.integers(1, 9), st.integers(1, 4)),
              elements=st.floats(-5, 5).map(lambda x: round(x, 2))))  # fmt: skip
def test_corrected_p_values_are_probabilities_never_below_the_uncorrected(
    differences: np.ndarray,  # type: ignore[type-arg]
) -> None:
    corrected = drop_p_values(differences)
    for at in range(differences.shape[1]):
        alone = drop_p_values(differences[:, [at]])[0]
        assert 0 < alone <= 1
        assert alone - 1e-9 <= corrected[at] <= 1


def test_questions_that_always_fall_together_cost_no_power() -> None:
    one = -np.arange(1.0, 6.0)
    together = np.stack([one, 2 * one, 3 * one, 4 * one], axis=1)
    assert drop_p_values(together).tolist() == [2**-5] * 4


def test_the_smallest_drop_is_unknown_where_nothing_could_fail() -> None:
    assert FEWEST == 5
    assert smallest_drop(np.array([1.0, 2.0, 3.0, 4.0]), 1) is None
    assert smallest_drop(np.zeros(9), 1) is None
    few, many = (np.resize([1.0, -1.0], n) for n in (10, 100))
    assert (smallest_drop(few, 1) or 0) > (smallest_drop(many, 1) or 0) > 0

"""The leaderboard says who invents, with an example, and fits a terminal of 80 columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer.abilities import Remark, Section
from oyer.cli import main
from oyer.cli.tables import blocks
from oyer.report.explain import Explanation, ScoreLine
from oyer.report.found import conclude_findings, find_findings, findings_sheets
from oyer.report.open_run import open_run
from oyer.report.standings import Standing, standings
from oyer.report.tables import leaderboard
from tests.report.test_embedded_words import FRENCH

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cases of the example suite by all candidates, judged by the embedded judge."""
    folder = tmp_path_factory.mktemp("found")
    lines = (ROOT / "examples/suite/cases.jsonl").read_text("utf-8").splitlines()
    chosen = [line for line in lines if json.loads(line)["id"] in ("otters", "ferries")]
    (folder / "cases.jsonl").write_text("\n".join(chosen), "utf-8")
    suite = folder / "suite.toml"
    suite.write_text('protocol = "judge-lock"\ncases = "cases.jsonl"\njudges = ["embedded"]\n')
    assert main(["run", str(suite), "--store", str(folder / "my.db")]) == 0
    return folder / "my.db"


def shown(store: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["leaderboard", "--store", str(store)]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_first_lines_say_who_invents_and_how_weak_the_judge_is(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, invents, weak, *_ = shown(store, capsys)
    assert invents.startswith("careless invents in 2 of 2 texts")
    assert "for example: “Lindmere has bought five electric ferries" in invents
    assert weak.startswith("embedded@")
    assert weak.endswith("of cases; a coin does in 50%.")


def test_a_french_text_does_not_hide_how_weak_the_judge_is(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    english = (store.parent / "cases.jsonl").read_text("utf-8").splitlines()[0]
    cases = [json.dumps({"id": "fr", **FRENCH}), english]
    (tmp_path / "cases.jsonl").write_text("\n".join(cases), "utf-8")
    where = tmp_path / "my.db"
    args = ["judge", "judge-lock", str(tmp_path / "cases.jsonl"), "--judge", "embedded:light"]
    assert main([*args, "--store", str(where)]) == 0
    assert any(" is a weak judge: " in line for line in shown(where, capsys))


def test_columns_that_say_nothing_are_left_out_and_scores_stay_together(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = shown(store, capsys)
    assert not any("$0.0000" in line for line in lines)
    with open_run(str(store), "latest") as opened:
        rows = standings(opened.gathered, opened.protocol.scale)
        sheet = leaderboard(opened.gathered, rows)
    assert not {"cost", "violations", "unscored", "bounds"} & {*sheet.header}
    totals, scores = ([sheet.header[at] for at in block] for block in blocks(sheet, 80))
    assert totals == ["rank", "candidate", "total [95 %]", "wins"]
    assert scores[2:] == [
        "coverage", "alignment", "hallucination", "relevance", "bias_toxicity"
    ]  # fmt: skip
    assert any("10 is nothing invented" in line for line in lines)


def verdict(title: str, text: str, doubt: float = 0.0) -> Explanation:
    section = Section("invented", title, (Remark(text, doubt=doubt),), "bad")
    line = ScoreLine("coverage", "coverage", 5.0, 10.0)
    return Explanation("5 of 10", "", (section,), (line,), "", "", "", "")


def standing(store: Path) -> Standing:
    with open_run(str(store), "latest") as opened:
        return standings(opened.gathered, opened.protocol.scale)[0]


def test_a_finding_has_a_row_and_the_example_is_the_one_that_is_surest(store: Path) -> None:
    row = standing(store)
    title = "Critical: one act under several internalParentActId, or one id for several (dedup)"
    found = find_findings(
        [
            (row.candidate, verdict(title, "first", 0.2)),
            (row.candidate, verdict(title, "worst", 0.9)),
        ]
    )
    counts, examples = findings_sheets(found, [row])
    assert counts.header == ("finding", row.candidate)
    assert counts.rows == ((title, "2 of 2"),)
    assert examples.rows == ((row.candidate, f"{title}: worst"),)
    assert conclude_findings(found, [row]) == (
        f"{row.candidate} invents in 2 of 2 texts; for example: “worst”"
    )

"""A panel's verdict as people read it: who was not heard, how members voted, where ties went."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from oyer.cli import main
from oyer.errors import ProviderError
from oyer.protocols.catalogue import find_protocol
from oyer.records import VerdictRecord
from oyer.report.derivation import derive
from oyer.report.speak import speak
from oyer.verdicts import record
from tests.engine.test_panel_findings import alone, changed, claim, panel_of
from tests.runs.suites import TOY, Bed, marks
from tests.servers.provider import ProviderServer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server() -> Iterator[ProviderServer]:
    with ProviderServer(reply=marks, key=None) as running:
        yield running


def explained(told: VerdictRecord) -> str:
    """As `oyer explain --full` prints it."""
    out = StringIO()
    console = Console(file=out, width=200)
    speak(told, find_protocol("judge-lock"), console)
    derive(told, find_protocol("judge-lock"), console)
    return out.getvalue()


def doubting(place: int) -> str:
    """A reply that finds one claim of two Partial, the other Supported."""
    return changed(
        "judge-lock", claim(place, status="Partial"), claim(1 - place, status="Supported")
    )


def test_a_panel_below_each_of_its_members_says_why_as_the_docs_do() -> None:
    """The example of docs/judges.md, number by number."""
    one, two = alone("judge-lock", doubting(1)), alone("judge-lock", doubting(0))
    both = panel_of("judge-lock", doubting(1), doubting(0))
    page = (ROOT / "docs/judges.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (judge a|judge b|`a\+b`) .*\| ([\d.]+) \| ([\d.]+) \|$", page, re.M)
    made = [(v.scores["hallucination"], v.total) for v in (one, two, both) if v.scores]
    assert [(float(hal), float(total)) for _, hal, total in rows] == made
    told = explained(record(both))
    assert "The panel's total (3.18) is below each of its members' (3.78, 3.78)" in told
    assert re.search(
        r"claims_checked\[0\] +j0 Supported, j1 Partial +Partial \(a tie: the str", told
    )


def test_a_panel_with_a_clear_majority_speaks_of_no_tie() -> None:
    told = explained(record(panel_of("judge-lock", doubting(1), doubting(1), doubting(0))))
    assert "2 of them split, 0 ties" in told
    assert "below each" not in told
    assert "a tie:" not in told


def test_a_member_that_was_not_heard_stands_in_the_headline() -> None:
    dead = ProviderError("j1: nobody answers")
    told = explained(record(panel_of("judge-lock", doubting(1), dead, doubting(1))))
    assert "1 of 3 members not heard (j1: provider)" in told.splitlines()[0]
    assert "nobody answers" in told


def test_a_run_and_its_reports_say_which_member_was_not_heard(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.cases(2)
    # Nobody listens at the discard port: that is known at once, and not tried again.
    dead = "openai:gone@http://127.0.0.1:9/v1"
    bed.write(judges=[f"{bed.judge('a')}+{dead}"], concurrency=1)
    assert main(["run", str(bed.suite), "--store", bed.store]) == 0, "the other one decides"
    said = capsys.readouterr().err
    assert f"{dead} was not heard in 2 of 2 verdicts: provider, the first: cannot connect" in said
    own = ["--store", bed.store, "--protocol-path", str(TOY)]
    assert main(["leaderboard", "--markdown", *own]) == 0
    assert "was not heard in 2 of 2 verdicts: provider" in capsys.readouterr().out
    for name in ("r.html", "r.md"):
        assert main(["report", "-o", str(tmp_path / name), *own]) == 0
        assert "was not heard in 2 of 2 verdicts: provider" in (tmp_path / name).read_text("utf-8")
    assert "1 of 2 members not heard" in (tmp_path / "r.html").read_text("utf-8")


def test_rows_of_many_say_it_too(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    bed = Bed(tmp_path, server)
    bed.cases(2)
    panel = f"{bed.judge('a')}+openai:gone@http://127.0.0.1:9/v1"
    cases = str(tmp_path / "cases.jsonl")
    args = ["judge", "toy", cases, "--judge", panel, "--protocol-path", str(TOY)]
    assert main(args) == 0
    rows = capsys.readouterr().out
    assert rows.count("1 of 2 members not heard (openai:gone@http://127.0.0.1:9/v1: provider)") == 2


@pytest.mark.parametrize(("alive", "code"), [(True, 0), (False, 3)])
def test_every_dead_member_is_named_with_its_reason(
    tmp_path: Path, server: ProviderServer, capsys: pytest.CaptureFixture[str],
    alive: bool, code: int,
) -> None:  # fmt: skip
    bed = Bed(tmp_path, server)
    bed.cases(2)
    dead = [f"openai:{name}@http://127.0.0.1:9/v1" for name in ("gone", "lost")]
    panel = "+".join([*dead, *([bed.judge("a")] if alive else [])])
    cases = str(tmp_path / "cases.jsonl")
    args = ["judge", "toy", cases, "--judge", panel, "--protocol-path", str(TOY), "--json"]
    assert main(args) == code
    said = capsys.readouterr().err
    assert [said.count(f"{name}: cannot connect") for name in dead] == [1, 1], said


@pytest.mark.parametrize(
    "panel", ["embedded:light+embedded:light", "embedded:light+openai:m+embedded:light"]
)
def test_the_embedded_judge_sits_once(
    panel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-4f9d1c7e2b8a")
    case = tmp_path / "c.json"
    case.write_text(json.dumps({"article": "a b c", "summary": "a b"}), encoding="utf-8")
    assert main(["judge", "judge-lock", str(case), "--judge", panel]) == 2
    said = capsys.readouterr().err
    assert "sits in the panel 2 times" in said
    assert "--repeat" in said


def test_a_quote_that_is_found_is_not_taken_for_support(tmp_path: Path) -> None:
    """The honest reply calls a claim Unsupported and quotes it: found, and unsupported, apart."""
    told = explained(record(alone("judge-lock", changed("judge-lock"))))
    (row,) = [
        line
        for line in told.splitlines()
        if "hallucination, claim 2" in line and "summary[" in line
    ]
    assert re.search(r"Unsupported +quote found: summary\[\d+:\d+\]", row)
    assert "✓" not in told

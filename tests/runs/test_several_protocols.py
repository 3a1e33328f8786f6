"""Several protocols in one suite: candidates write once, each protocol is a run of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.store import open_store
from tests.runs.suites import Bed
from tests.servers.provider import ProviderServer

ARTICLE = (
    "Mina repaired the old radio on Monday. Her brother had found it in the cellar. It played "
    "again in the evening, and the neighbours came to listen."
)


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    with ProviderServer(reply="Mina repaired the radio on Monday.", key=None) as server:
        made = Bed(tmp_path, server)
        made.rows([{"id": f"c{i}", "article": ARTICLE} for i in range(2)])
        yield made


def write(bed: Bed, tables: str = "") -> None:
    both = ["judge-lock", "twin-lock"]
    bed.write(tables, protocol=None, protocols=both, judges=["embedded:light"],
              candidates=[bed.judge("w")])  # fmt: skip


def test_candidates_write_once_and_each_protocol_has_its_standings(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    write(bed)
    assert main(["run", str(bed.suite), "--store", bed.store]) == 0
    assert bed.asked == 2, "each text is written once"
    with open_store(bed.store, write=False) as store:
        names = [(run.name, run.manifest.protocol_id, run.state) for run in store.runs()]
    expected = [(f"bed:{name}", name, "done") for name in ("judge-lock", "twin-lock")]
    assert names == expected
    capsys.readouterr()
    assert main(["leaderboard", "bed", "--store", bed.store]) == 0
    told = capsys.readouterr().out
    assert "side by side" in told
    assert "judge-lock" in told
    assert "twin-lock" in told
    assert main(["leaderboard", "bed", "--store", bed.store, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    (row,) = answer["protocols"]
    assert set(row["totals"]) == {"judge-lock", "twin-lock"}
    assert main(["run", str(bed.suite), "--store", bed.store]) == 0
    assert bed.asked == 2, "all is there"


def test_a_dry_run_counts_what_is_written_once(
    bed: Bed, capsys: pytest.CaptureFixture[str]
) -> None:
    write(bed)
    assert main(["run", str(bed.suite), "--store", bed.store, "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    calls = {(model["model"], model["writes"]): model["calls"] for model in told["models"]}
    assert calls == {(bed.judge("w"), True): 2, ("embedded:light", False): 0}
    assert told["verdicts"] == 4


def test_the_budget_is_that_of_all_protocols(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    """Two calls to write, none left to judge: the second protocol finds the cap used up."""
    both = ["judge-lock", "twin-lock"]
    bed.write("[budget]\ncalls = 4\n[asking]\nattempts = 1", protocol=None, protocols=both,
              candidates=[bed.judge("w")])  # fmt: skip
    assert main(["run", str(bed.suite), "--store", bed.store]) == 3
    assert main(["run", str(bed.suite), "--store", bed.store]) == 3
    assert bed.asked == 4, "two texts, two judged once: and no call more"
    capsys.readouterr()


def test_weights_for_all_or_for_one_protocol(bed: Bed) -> None:
    write(bed, "[weights]\ncoverage = 1\n[weights.twin-lock]\nhallucination = 1")
    main(["run", str(bed.suite), "--store", bed.store])
    with open_store(bed.store, write=False) as store:
        first, second = store.runs()
        for run, metric in ((first, "coverage"), (second, "hallucination")):
            for outcome in store.outcomes(run.id):
                assert outcome.scores is not None
                assert outcome.total == outcome.scores[metric]


def test_a_gate_looks_at_every_protocol(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    """A bar that only one protocol misses fails the gate, whichever run is named."""
    write(bed)
    main(["run", str(bed.suite), "--store", bed.store])
    capsys.readouterr()
    words = ["gate", "bed:judge-lock", "--store", bed.store, "--json"]
    assert main([*words, "--fail-under", "total=0"]) == 0
    tests = json.loads(capsys.readouterr().out)["tests"]
    assert [test["name"].partition(":")[0] for test in tests] == ["judge-lock", "twin-lock"]


def test_protocols_that_do_not_fit(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    bed.write(protocol=None, protocols=["judge-lock", "rubric"])
    assert main(["run", str(bed.suite), "--store", bed.store]) == 2
    assert "protocols of one suite judge the same fields" in capsys.readouterr().err


def test_judge_takes_several_protocols(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    row = {"article": ARTICLE, "summary": "Mina repaired the radio on Monday."}
    cases.write_text("".join(json.dumps({"id": name, **row}) + "\n" for name in "ab"))
    words = ["judge", "judge-lock,twin-lock", str(cases), "--judge", "embedded:light", "--json"]
    assert main(words) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [(record["protocol"].partition("@")[0], record["case"]) for record in found]
    assert told == [(p, case) for p in ("judge-lock", "twin-lock") for case in "ab"]
    assert main([*words[:-1], "--store", str(tmp_path / "s.db")]) == 0
    with open_store(str(tmp_path / "s.db"), write=False) as store:
        assert [run.name for run in store.runs()] == ["judge judge-lock", "judge twin-lock"]

"""Which `embedded` a run means: told at its start, and kept to its end."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.engine import hear
from oyer.judges.embedded import VERSION, open_embedded
from oyer.runs.plan import make_plan
from oyer.runs.suite import read_suite
from oyer.store import open_store

HERE = open_embedded().variant
OTHER = "light" if HERE == "full" else "full"
TEXT = "The council closes the old bridge in March. Engineers found cracks in two of its pillars. "


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    rows = [{"id": str(n), "article": TEXT * 3, "summary": TEXT} for n in range(3)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), "utf-8")
    made = tmp_path / "suite.toml"
    made.write_text('protocol = "twin-lock"\ncases = "cases.jsonl"\njudges = ["embedded"]\n')
    return made


def begun_with(suite: Path, variant: str, verdicts: int) -> str:
    """A store in which the run has its first verdicts, by that variant; where it is."""
    plan = make_plan(read_suite(suite))
    where = str(suite.parent / "oyer.db")
    judge = open_embedded("light")  # always there; a verdict of `full` is only signed as one
    with open_store(where) as store:
        run = store.begin_run(plan.manifest)
        for unit in list(plan.units())[:verdicts]:
            made = asyncio.run(hear(unit.source.case, plan.protocol, judge)).verdict
            store.keep_cases([unit.source.case])
            signed = replace(made, judge=f"embedded@{VERSION}-{variant}")
            task = plan.task(run.id, unit, "embedded", 0)
            store.keep_verdict(task, unit.source.sha, signed, 1)
        store.end_run(run, "stopped")
    return where


def judges_of(where: str) -> list[str]:
    with open_store(where, write=False) as store:
        return sorted({outcome.judge for outcome in store.outcomes(1)})


def test_a_run_says_which_one_it_uses(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(suite.parent / "oyer.db")
    assert main(["run", str(suite), "--store", where]) == 0
    assert f"embedded is embedded:{HERE} here" in capsys.readouterr().err
    assert judges_of(where) == [f"embedded@{VERSION}-{HERE}"]


@pytest.mark.skipif(HERE != "full", reason="LOUD: only embedded:light is installed here")
def test_a_run_begun_with_light_ends_with_light(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = begun_with(suite, "light", 1)
    assert main(["run", str(suite), "--store", where]) == 0
    said = capsys.readouterr().err
    assert "run 1 was begun with embedded:light, and keeps it" in said
    assert "embedded:full here by now" in said
    assert judges_of(where) == [f"embedded@{VERSION}-light"], "one run, one judge"


def test_the_bare_name_beside_what_it_means_is_one_judge_twice(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.write_text(suite.read_text().replace('"embedded"', f'"embedded+embedded:{HERE}"'))
    assert main(["run", str(suite), "--store", str(suite.parent / "oyer.db")]) == 2
    assert "sits in the panel 2 times" in capsys.readouterr().err


def test_a_finished_run_is_left_as_it_is(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where what it was made with is not installed any more."""
    where = begun_with(suite, OTHER, 3)
    assert main(["run", str(suite), "--store", where]) == 0
    assert f"run 1 was begun with embedded:{OTHER}, and keeps it" in capsys.readouterr().err
    assert judges_of(where) == [f"embedded@{VERSION}-{OTHER}"]


def test_the_list_of_judges_says_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judges", "--json"]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert f"means embedded:{HERE} here" in first["why"]

"""`oyer check` tells an author what is wrong, where, and what was understood."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.runs.suite import suite_schema
from tests.checking.broken import BROKEN, CASES, Broken
from tests.servers.provider import ProviderServer


def lay_out(folder: Path, broken: Broken) -> str:
    """The file to check, in a folder where the good neighbours are."""
    (folder / "cases.jsonl").write_text(CASES, encoding="utf-8")
    path = folder / broken.name
    path.parent.mkdir(exist_ok=True)
    path.write_text(broken.text, encoding="utf-8")
    return str(path.parent if path.name == "__init__.py" else path)


@pytest.mark.parametrize("broken", BROKEN, ids=lambda b: f"{b.name}: {b.says}")
def test_a_slip_is_told(broken: Broken, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = lay_out(tmp_path, broken)
    assert main(["check", path]) == 2
    told = capsys.readouterr().out
    assert broken.says in told
    if broken.line is not None:
        assert any(f":{broken.line}:" in line and broken.says in line for line in told.splitlines())


def test_there_are_slips_enough() -> None:
    assert len(BROKEN) >= 60


def test_everything_wrong_comes_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text('repeats = 0\njudge = "embedded"\n[budget]\ndollars = "five"\n')
    assert main(["check", str(suite), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert [problem["line"] for problem in told["problems"]] == [None, None, 1, 2, 4]


def test_a_real_rubric_is_understood_as_read_by_hand(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Task type, conditions and facts of all twenty, from a table made by reading them."""
    types = {"01": "speculative", "02": "fact", "03": "fact", "04": "speculative",
             "05": "creative", "06": "creative", "08": "fact", "09": "speculative",
             "10": "speculative", "11": "speculative"}  # fmt: skip
    with_conditions = {"01", "02", "03", "08"}
    without_facts = {"early": set(types) - {"08"}, "late": {"06"}}
    for age in ("early", "late"):
        for name, kind in types.items():
            file = shared / f"data/rubric/rubrics-{age}/{name}.md"
            assert main(["check", str(file), "--json"]) == 0, file
            told = json.loads(capsys.readouterr().out)
            rows = dict(told["understood"])
            assert rows["task type"] == kind, file
            assert (rows["critical fail"] != "none") is (name in with_conditions), file
            assert (rows["facts"] == "none") is (name in without_facts[age]), file


@pytest.mark.parametrize("what", ["summaries", "rubric", "belgian-law", "protocol"])
def test_what_init_writes_is_good_and_runs(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", what]) == 0
    assert main(["check", "oyer.toml"]) == 0
    assert main(["run"]) == 0
    assert "0 without a score" in capsys.readouterr().out
    assert main(["init", what]) == 2, "nothing is written over"


def test_the_schema_of_suites_fits_what_init_writes(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="LOUD: no jsonschema")
    import tomllib

    for what in ("summaries", "rubric", "belgian-law", "protocol"):
        assert main(["init", what, str(tmp_path / what)]) == 0
        suite = tomllib.loads((tmp_path / what / "oyer.toml").read_text())
        jsonschema.validate(suite, suite_schema())


def test_a_faulty_rubric_is_refused_before_a_candidate_is_paid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("prompts", "rubrics"):
        (tmp_path / "tasks" / folder).mkdir(parents=True)
        (tmp_path / "tasks" / folder / "01.md").write_text("## Task: x\n## task-type: fact\n")
    with ProviderServer(key=None) as server:
        suite = tmp_path / "suite.toml"
        suite.write_text(
            'protocol = "rubric"\ntasks = "tasks"\nstore = "oyer.db"\n'
            f"candidates = ['openai:m@http://127.0.0.1:{server.port}/v1']\njudges = ['openai:m@http://127.0.0.1:{server.port}/v1']\n"
        )
        assert main(["run", str(suite)]) != 0
        assert server.seen == []
    told = capsys.readouterr().err
    assert "rubrics/01.md" in told
    assert "did you mean '## task_type'" in told


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    from oyer.cli import COMMANDS

    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in COMMANDS)
    assert "fail-under" in script

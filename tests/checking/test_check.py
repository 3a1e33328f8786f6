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


#: Made by reading the files: number, task type, weights (the maxima of its headings are the same),
#: critical-fail ids of the early and of the late one, whether they have facts for the judge.
REAL_RUBRICS = (
    ("01", "speculative", (40, 20, 40), "CF-1 CF-2", "CF-1", False, True),
    ("02", "fact", (60, 30, 10), "CF-1 CF-2", "CF-1 CF-2", False, True),
    ("03", "fact", (60, 30, 10), "CF-1 CF-2", "CF-1 CF-2", False, True),
    ("04", "speculative", (40, 20, 40), "", "", False, True),
    ("05", "creative", (30, 30, 40), "", "", False, True),
    ("06", "creative", (30, 30, 40), "", "", False, False),
    ("08", "fact", (60, 30, 10), "CF-1 CF-2", "CF-1 CF-2", True, True),
    ("09", "speculative", (40, 20, 40), "", "", False, True),
    ("10", "speculative", (40, 20, 40), "", "", False, True),
    ("11", "speculative", (40, 20, 40), "", "", False, True),
)
Row = tuple[str, str, tuple[int, int, int], str, str, bool, bool]


@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
@pytest.mark.parametrize("row", REAL_RUBRICS, ids=[row[0] for row in REAL_RUBRICS])
def test_a_real_rubric_is_understood_as_read_by_hand(
    row: Row, late: bool, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number, kind, (logic, constraint, helpful), early_ids, late_ids, *with_facts = row
    ids, facts = (late_ids if late else early_ids), with_facts[late]
    file = shared / f"data/rubric/rubrics-{'late' if late else 'early'}/{number}.md"
    assert main(["check", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    rows = dict(told["understood"])
    assert rows["task type"] == kind
    assert rows["weights"] == (
        f"logic_and_fact {logic}, constraint_adherence {constraint}, "
        f"helpfulness_and_creativity {helpful} (the rubric's own)"
    )
    assert rows["axes"] == (
        f"1. Logic & Fact（0〜{logic}点）; 2. Constraint Adherence（0〜{constraint}点）; "
        f"3. Helpfulness & Creativity（0〜{helpful}点）"
    )
    found = [
        value.partition(":")[0] for what, value in told["understood"] if what == "critical fail"
    ]
    assert found == (ids.split() or ["none"])
    assert (rows["facts"] != "none") is facts


WARNED = [
    ("<!-- ## task_type: fact -->", "stands in a comment and is not read"),
    ("## checks\n```toml\n[[check]]\njson = true\n```\nand be polite", "text beside the block"),
    ("## checks\n```toml\n[[check]]\nmin_chars = 9\n[[check]]\nmax_chars = 3\n```",
     "no response passes both 'check-1' and 'check-2'"),
    ("## task_type: fact\n## checks\n```toml\n" + 2 * (
        "[[check]]\njson = true\naxis = 'helpfulness_and_creativity'\npoints = 6\n") + "```",
     "together they cost 12 points, but helpfulness_and_creativity has 10"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), WARNED, ids=[row[1] for row in WARNED])
def test_what_is_probably_not_meant_is_a_warning(
    text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.md").write_text(f"## Task: x\n{text}\n", encoding="utf-8")
    assert main(["check", str(tmp_path / "r.md")]) == 0
    told = capsys.readouterr().out
    assert any("warning:" in line and says in line for line in told.splitlines()), told


def test_a_folder_of_text_pairs_is_recognised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.article.txt").write_text("The bridge closed on Monday.")
    (tmp_path / "a.summary.txt").write_text("It closed.")
    assert main(["check", str(tmp_path)]) == 0
    assert "1 good, 0 bad" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "says"),
    [("article", "--map takes FIELD=COLUMN"), ("sumary=out", "did you mean 'summary'?"),
     ("article=doc.txt,summary=out", "is mapped to 'doc.txt', which the row does not have")],
)  # fmt: skip
def test_a_wrong_map_is_told(
    given: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cases.jsonl").write_text('{"doc": {"text": "a"}, "out": "b"}\n')
    assert main(["check", str(tmp_path / "cases.jsonl"), "--map", given]) == 2
    assert says in capsys.readouterr().out


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


def test_the_file_of_a_protocol_stands_for_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "protocol", "own"]) == 0
    init = next(Path("own").rglob("__init__.py"))
    capsys.readouterr()
    assert main(["check", str(init)]) == 0
    of_file = capsys.readouterr().out
    assert main(["check", str(init.parent)]) == 0
    assert of_file.splitlines()[1:] == capsys.readouterr().out.splitlines()[1:]


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("Judge {article} and then\n{sumary}.", "line 2: {sumary} names no text; did you mean {su"),
        ("# System\nx\n# User\n{{ARTICLE}} {{SUMARY}}", "{{SUMARY}}; did you mean {{SUMMARY}}?"),
    ],
)
def test_a_misspelt_place_of_a_prompt_is_told(
    prompt: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "prompt.md"
    path.write_text(prompt, encoding="utf-8")
    assert main(["check", str(path), "--protocol", "judge-lock"]) == 2
    assert says in capsys.readouterr().out

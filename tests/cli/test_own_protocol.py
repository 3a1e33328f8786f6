"""A protocol of your own: by folder (test_audit), and installed, by its entry point."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

import oyer
from tests.cli.conftest import ROOT, Oyer

SOURCE = ROOT / "examples/minutes/oyer_minutes/__init__.py"
FAITHFULNESS = ROOT / "examples/faithfulness"
TONE = ROOT / "src/oyer/runs/starters/protocol"


@pytest.mark.parametrize(
    "source",
    [SOURCE, FAITHFULNESS / "oyer_faithfulness/__init__.py", TONE / "oyer_tone/__init__.py"],
)
def test_it_uses_public_names_only(source: Path) -> None:
    imported = [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("oyer")
        for alias in node.names
    ]
    assert imported
    assert {module for module, _ in imported} == {"oyer"}
    assert {name for _, name in imported} <= set(oyer.__all__)


def test_an_installed_package_is_found_by_its_entry_point(oyer_cli: Oyer, tmp_path: Path) -> None:
    """What pip leaves behind: the package and its metadata."""
    site = tmp_path / "site"
    shutil.copytree(SOURCE.parent, site / "oyer_minutes")
    info = site / "oyer_minutes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: oyer-minutes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[oyer.protocols]\nminutes = oyer_minutes:PROTOCOL\n")
    path = f"{ROOT / 'src'}:{site}"
    cases = str(ROOT / "examples/minutes/cases.jsonl")
    ran = oyer_cli("audit", "minutes", cases, "--json", PYTHONPATH=path)
    assert ran.returncode == 0, ran.stderr
    assert [json.loads(line)["total"] for line in ran.stdout.splitlines()] == [40.0, 50.0]


UNFINISHED = [
    ("def (", "SyntaxError: invalid syntax (__init__.py, line 1)", "half a line"),
    ("x = 1\nimport no_such_module", "__init__.py, line 2)", "a module that is not installed"),
    ("import oyer\nPROTOCOL = oyer.Protocol(id=3)", "line 2)", "fields are missing"),
    ("PROTOCOL = 3", "PROTOCOL is int, not an oyer.Protocol", "no protocol at all"),
]


@pytest.mark.parametrize(("code", "told", "why"), UNFINISHED, ids=[r[2] for r in UNFINISHED])
def test_a_protocol_that_does_not_load_is_told_with_its_line(
    oyer_cli: Oyer, tmp_path: Path, code: str, told: str, why: str
) -> None:
    """Exit code 2, not a traceback's 1: that one means that a gate failed."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "__init__.py").write_text(code)
    ran = oyer_cli("audit", "mine", "cases.jsonl", "--protocol-path", str(folder))
    assert ran.returncode == 2, why
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr


# ── what is seen before anything is judged ────────────────────────────────────────────────────

UNSOUND = [
    ('id="tone"', 'id="judge-lock"', "'judge-lock' is a protocol of Oyer's own: choose another id"),
    ('id="tone"', 'id="Tone of us"', "id 'Tone of us' must be of small letters, digits and -"),
    ('version="1"', "version=1", "version 1 must be a text without @"),
    ('Field("message"', 'Field("candidate"', "a field cannot be called 'candidate'"),
    ("(0, 10)", "(10, 0)", "scale of 'tone' must be (lowest, highest), not (10, 0)"),
    ("{COST.id: COST}", '{"TN": COST}', "rules has 'TN-COST' under the key 'TN'"),
    ("score=score,", 'score="score",', "score must be a function, not str"),
    ("score=score,", "score=score, digest=str,", "digest and figures need tally"),
    ("score=score,", 'score=score, weights={"x": 1},', "weights names 'x', which is not in scale"),
]


@pytest.mark.parametrize(("old", "new", "message"), UNSOUND, ids=[row[2][:30] for row in UNSOUND])
def test_an_unsound_protocol_is_refused(
    oyer_cli: Oyer, tmp_path: Path, old: str, new: str, message: str
) -> None:
    write_tone(tmp_path, old, new)
    ran = oyer_cli("check", "oyer_tone")
    assert ran.returncode == 2
    assert message in ran.stdout
    assert "Traceback" not in ran.stderr


def test_everything_wrong_with_a_protocol_is_told_at_once(oyer_cli: Oyer, tmp_path: Path) -> None:
    write_tone(tmp_path, 'version="1"', 'version=""')
    file = tmp_path / "oyer_tone/__init__.py"
    file.write_text(file.read_text().replace("(0, 10)", "(0, 0)"))
    ran = oyer_cli("check", "oyer_tone")
    assert "version ''" in ran.stdout
    assert "scale of 'tone'" in ran.stdout


def test_two_folders_with_the_same_protocol_are_refused(oyer_cli: Oyer, tmp_path: Path) -> None:
    write_tone(tmp_path)
    shutil.copytree(tmp_path / "oyer_tone", tmp_path / "other")
    paths = ("--protocol-path", "oyer_tone", "--protocol-path", "other")
    ran = oyer_cli("judge", "tone", "cases.jsonl", *paths)
    assert ran.returncode == 2
    assert "another folder has a protocol 'tone' already" in ran.stderr


# ── a bug on one case ─────────────────────────────────────────────────────────────────────────

COUNTED = "    rude = len(checked.findings)\n"
BUGS = [
    (COUNTED, COUNTED + "    1 / rude\n", "ZeroDivisionError", "in score"),
    ("        span = find", "        [][at]\n        span = find", "IndexError", "in check"),
    ("    for found in reading.objects", "    case.fields['no']\n    for found in reading.objects",
     "KeyError: 'no'", "in read"),
    ("Ruling({\"tone\": points}", "Ruling({\"tone\": points * 2}", "it gave tone 20", "0 to 10"),
    ("Ruling({\"tone\": points}", "Ruling({\"mood\": points}", "a score 'mood'", "has tone"),
    ("points, (step,)", "points + 1, (step,)", "it gave a total of 11", "0 to 10"),
    ("Evidence(where, span)", "Evidence(where, span._replace(source='x'))",
     "evidence at rude[0] names 'x', which is no text", ""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "what", "where"), BUGS, ids=[row[2] for row in BUGS])
def test_a_bug_is_one_case_s_error(
    oyer_cli: Oyer, tmp_path: Path, old: str, new: str, what: str, where: str
) -> None:
    """The run goes on to its end, says what is wrong, and has an exit code of its own."""
    write_tone(tmp_path, old, new)
    ran = oyer_cli("run", "--json")
    assert ran.returncode == 70, ran.stderr
    assert what in ran.stderr
    assert where in ran.stderr
    assert "Traceback" not in ran.stderr
    told = json.loads(ran.stdout)
    assert told["state"] == "done"
    assert told["verdicts"] == 2
    assert {error["error"] for error in told["errors"]} == {"input"}


def test_what_a_bug_left_unscored_is_decided_again_after_the_fix(
    oyer_cli: Oyer, tmp_path: Path
) -> None:
    write_tone(tmp_path, COUNTED, COUNTED + "    1 / rude\n")
    assert oyer_cli("run").returncode == 70
    told = oyer_cli("explain", "latest", "--case", "lost")
    assert "No score: the protocol's own code failed on the case" in told.stdout
    write_tone(tmp_path)
    rescored = oyer_cli("rescore", "latest", "--json")
    assert json.loads(rescored.stdout)["counts"] == {"gained a score": 1}
    again = oyer_cli("run", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["unscored"] == 0


@pytest.mark.parametrize("command", ["judge", "audit"])
def test_judge_and_audit_say_the_same_of_a_bug(
    oyer_cli: Oyer, tmp_path: Path, command: str
) -> None:
    write_tone(tmp_path, COUNTED, COUNTED + "    1 / rude\n")
    who = (
        ("--judge", "replay:replies.jsonl") if command == "judge" else ("--reply", "replies.jsonl")
    )
    ran = oyer_cli(command, "tone", "cases.jsonl", *who, "--protocol-path", "oyer_tone", "--json")
    assert ran.returncode == 70
    late, lost = map(json.loads, ran.stdout.splitlines())
    assert late["total"] == 5.0
    assert lost["error"] == "input"
    assert [violation["code"] for violation in lost["violations"]] == ["protocol.error"]
    assert "oyer_tone/__init__.py, line" in lost["violations"][0]["detail"]


def test_a_prompt_that_fails_is_told_before_anyone_is_asked(oyer_cli: Oyer, tmp_path: Path) -> None:
    write_tone(tmp_path, '    system = "You find', '    None.x\n    system = "You find')
    ran = oyer_cli("run")
    assert ran.returncode == 2
    assert "AttributeError" in ran.stderr
    assert "in prompt" in ran.stderr


# ── where a stored run finds its protocol again ───────────────────────────────────────────────


def test_a_run_remembers_the_folder_of_its_protocol(oyer_cli: Oyer, tmp_path: Path) -> None:
    """All that reads a run works from another folder; a folder that is not the same is not run."""
    home = tmp_path / "home"
    home.mkdir()
    write_tone(home)
    store = ("--store", "home/oyer.db")
    judged = ("judge", "tone", "home/cases.jsonl", "--judge", "replay:home/replies.jsonl")
    assert oyer_cli(*judged, "--protocol-path", "home/oyer_tone", *store).returncode == 0
    commands = [
        ("leaderboard", "latest"), ("cases", "latest"), ("explain", "latest"), ("gate", "latest",
        "--fail-under", "1"), ("rescore", "latest", "--save"), ("compare", "1", "2"),
        ("report", "latest", "-o", "report.html"), ("label", "1", "--n", "1"), ("trust", "1"),
    ]  # fmt: skip
    for command in commands:
        ran = oyer_cli(*command, *store)
        assert ran.returncode == 0, (command, ran.stderr)
    (home / "oyer_tone").rename(home / "kept")
    write_tone(home)  # another folder of that name: perhaps not the user's
    ran = oyer_cli("leaderboard", "1", *store)
    assert ran.returncode == 2
    assert "say --protocol-path DIR" in ran.stderr
    assert oyer_cli("leaderboard", "1", *store, "--protocol-path", "home/kept").returncode == 0


# ── the second example: lists, optional fields, panels ────────────────────────────────────────


@pytest.fixture
def faithfulness(tmp_path: Path) -> Path:
    folder = tmp_path / "faithfulness"
    shutil.copytree(FAITHFULNESS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def judge_faithfulness(oyer_cli: Oyer, *options: str) -> list[str]:
    named = ("judge", "faithfulness", "faithfulness/cases.jsonl")
    path = ("--protocol-path", "faithfulness/oyer_faithfulness")
    ran = oyer_cli(*named, *path, *options)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_faithfulness_of_an_answer_to_its_contexts(oyer_cli: Oyer, faithfulness: Path) -> None:
    """Quotes are found in a list, by its index; a quote that is nowhere supports nothing."""
    judge = ("--judge", "replay:faithfulness/replies.jsonl")
    lines = judge_faithfulness(oyer_cli, *judge, "--json")
    records = {record["case"]: record for record in map(json.loads, lines)}
    totals = {case: record["total"] for case, record in records.items()}
    assert totals == {"ferry": 10.0, "library": 6.0, "museum": 5.2, "kiln": 6.0, "orchard": 8.0}
    sources = [found["source"] for found in records["ferry"]["evidence"]]
    assert sources == ["answer", "contexts[0]", "answer", "contexts[1]"]
    quotes = {found["where"]: found["quote"] for found in records["ferry"]["evidence"]}
    assert quotes["claims[1].quote"] == "Bicycles travel free of charge on all our ferries"
    broken = {violation["code"] for violation in records["kiln"]["violations"]}
    assert broken == {"evidence.elsewhere", "evidence.absent"}
    assert "background" in [found["source"] for found in records["orchard"]["evidence"]]


def test_a_panel_without_pool_prints_its_own_numbers(oyer_cli: Oyer, faithfulness: Path) -> None:
    panel = "replay:faithfulness/replies.jsonl+replay:faithfulness/replies-second.jsonl"
    printed = judge_faithfulness(oyer_cli, "--judge", panel, "--format", "protocol")
    records = [
        json.loads(line) for line in judge_faithfulness(oyer_cli, "--judge", panel, "--json")
    ]
    library = json.loads(printed[1])["panel"]
    assert library == {"scores": records[1]["scores"], "total": records[1]["total"]}
    assert json.loads(printed[0])["counts"]["supported"] == 2  # the members agree: their output


def test_the_report_shows_each_context_with_its_marks(oyer_cli: Oyer, faithfulness: Path) -> None:
    judge_faithfulness(oyer_cli, "--judge", "replay:faithfulness/replies.jsonl", "--store", "f.db")
    ran = oyer_cli("report", "latest", "--store", "f.db", "-o", "f.html")
    assert ran.returncode == 0, ran.stderr
    page = (faithfulness.parent / "f.html").read_text()
    assert '["contexts[0]","Ferries to Aldhaven' in page
    assert '["contexts[1]",0,' in page


def write_tone(folder: Path, old: str = "", new: str = "") -> None:
    """The protocol of `oyer init protocol`, with one change."""
    shutil.copytree(TONE, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    file = folder / "oyer_tone/__init__.py"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1) if old else text)

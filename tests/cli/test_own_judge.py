"""A judge that somebody else wrote: installed as a package, found by its entry point."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest

import oyer
from tests.cli.conftest import ROOT, Oyer

EXAMPLE = ROOT / "examples/program"
SOURCE = EXAMPLE / "oyer_program/__init__.py"
CASES = str(ROOT / "examples/first/replies.jsonl")


def install(site: Path, code: str, point: str = "program = oyer_program:PROVIDER") -> str:
    """What pip leaves behind: the package and its metadata. The path to find both."""
    package = site / "oyer_program"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(code)
    info = site / "oyer_program-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: oyer-program\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[oyer.judges]\n{point}\n")
    return f"{ROOT / 'src'}:{site}"


def test_the_example_uses_public_names_only() -> None:
    imports = [
        node for node in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(node, ast.ImportFrom)
    ]
    ours = [node for node in imports if (node.module or "").startswith("oyer")]
    assert {node.module for node in ours} == {"oyer"}
    assert {alias.name for node in ours for alias in node.names} <= set(oyer.__all__)


def test_an_installed_judge_is_listed_asked_and_sits_in_panels(
    oyer_cli: Oyer, tmp_path: Path
) -> None:
    path = install(tmp_path / "site", SOURCE.read_text())
    listed = oyer_cli("judges", "--json", PYTHONPATH=path)
    kinds = {row["judge"]: row for row in map(json.loads, listed.stdout.splitlines())}
    assert kinds["program:NAME"]["usable"]

    judge = f"program:{EXAMPLE / 'echo_judge.py'}"
    ran = oyer_cli("judge", "judge-lock", CASES, "--judge", judge, "--json", PYTHONPATH=path)
    verdicts = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.returncode == 3, ran.stderr
    assert {verdict["error"] for verdict in verdicts} == {"refused"}
    assert {verdict["judge"] for verdict in verdicts} == {judge}

    panel = f"{judge}+embedded:light"
    ran = oyer_cli("judge", "judge-lock", CASES, "--judge", panel, "--json", PYTHONPATH=path)
    verdict = json.loads(ran.stdout.splitlines()[0])
    assert verdict["status"] == "scored", "the other member is heard"
    assert len(verdict["panel"]["members"]) == 2


def test_a_program_that_is_not_there_is_told_before_anything_is_asked(
    oyer_cli: Oyer, tmp_path: Path
) -> None:
    path = install(tmp_path / "site", SOURCE.read_text())
    ran = oyer_cli("judge", "judge-lock", CASES, "--judge", "program:nowhere", PYTHONPATH=path)
    assert ran.returncode == 2
    assert "there is no program 'nowhere' to start" in ran.stderr


BROKEN = [
    ("import no_such_module", "does not load: ModuleNotFoundError", "a module that is missing"),
    ("PROVIDER = 3", "is int, not an oyer.Provider", "no provider at all"),
    (
        "import oyer\nPROVIDER = oyer.Provider('other', lambda name, opening: None)",
        "calls itself 'other'",
        "two names",
    ),
]


@pytest.mark.parametrize(("code", "message", "why"), BROKEN, ids=[row[2] for row in BROKEN])
def test_a_package_that_does_not_load_is_named(
    oyer_cli: Oyer, tmp_path: Path, code: str, message: str, why: str
) -> None:
    path = install(tmp_path / "site", code)
    ran = oyer_cli("judge", "judge-lock", CASES, "--judge", "program:x", PYTHONPATH=path)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "judge 'program'" in ran.stderr
    listed = oyer_cli("judges", PYTHONPATH=path)
    assert listed.returncode == 0, "the other judges are listed all the same"


def test_a_package_cannot_take_the_place_of_one_of_ours(oyer_cli: Oyer, tmp_path: Path) -> None:
    path = install(tmp_path / "site", "PROVIDER = 3", "embedded = oyer_program:PROVIDER")
    ran = oyer_cli("judge", "judge-lock", CASES, "--judge", "embedded:light", PYTHONPATH=path)
    assert ran.returncode == 0, ran.stderr


def test_pip_finds_the_example_s_entry_point() -> None:
    """The package's own metadata says what the tests above wrote by hand."""
    import tomllib

    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["oyer.judges"] == {"program": "oyer_program:PROVIDER"}
    assert shutil.which(str(EXAMPLE / "echo_judge.py")), "it can be started"

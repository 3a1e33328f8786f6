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


def test_it_uses_public_names_only() -> None:
    imported = [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(SOURCE.read_text()))
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

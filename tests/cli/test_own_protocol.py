"""A protocol of your own: by folder (test_audit), and installed, by its entry point."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

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

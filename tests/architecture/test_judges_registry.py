"""A kind of judge is one file: nobody else knows its name or guesses what it can do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from oyer.judges.registry import find_provider, provider_names

SRC = Path(__file__).parents[2] / "src/oyer"
#: Where a kind may be named: its own file, its own room, and the default judge of a command.
#: Companies are called as their services are, so vendors may share a name.
HOMES = ("judges/providers/", "judges/embedded/", "text/vendors.py")
DEFAULTS = {
    "api.py",
    "pytest_plugin.py",
    "cli/judge.py",
    "web/pages/judge_here.py",
    "runs/suite.py",
}


def sources() -> list[Path]:
    return [p for p in SRC.rglob("*.py") if not p.relative_to(SRC).as_posix().startswith(HOMES)]


@pytest.mark.parametrize("name", provider_names())
def test_a_kind_is_one_file_that_says_what_it_can_do(name: str) -> None:
    provider = find_provider(name)
    assert provider.name == name
    assert provider.follows in ("model", "file", "anything")
    if provider.wire is not None:
        assert provider.key_variables == provider.wire.key_variables


def test_no_kind_is_named_outside_its_own_file() -> None:
    kinds = set(provider_names())
    found = []
    for path in sources():
        where = path.relative_to(SRC).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            named = node.value.removeprefix("exam:").partition(":")[0].partition("@")[0]
            whole = node.value in {named, f"{named}:", f"{named}@"}
            if whole and named in kinds and not (where in DEFAULTS and named == "embedded"):
                found.append(f"{where}:{node.lineno} {node.value!r}")
    assert found == []


def test_nobody_asks_a_judge_for_what_its_type_does_not_say() -> None:
    """No `getattr` or `hasattr` on something called a judge, a member or a bench."""
    found = []
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id not in ("getattr", "hasattr") or not node.args:
                    continue
                subject = ast.unparse(node.args[0]).lower()
                if any(word in subject for word in ("judge", "member", "bench", "panel")):
                    found.append(f"{path.relative_to(SRC)}:{node.lineno}")
    assert found == []

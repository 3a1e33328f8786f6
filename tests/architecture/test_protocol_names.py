"""Protocols say what they can do: nobody outside their folders knows one by its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import oyer
from oyer.protocols.catalogue import OURS, find_protocol

HOUSE = Path(oyer.__file__).parent
ROOM = HOUSE / "protocols"
NAMES = re.compile("|".join(rf"\b{re.sub('-', '[-_ ]?', name)}\b" for name in OURS), re.IGNORECASE)
#: A command that people may copy: there a name is an example.
EXAMPLE = re.compile(r"oyer (judge|audit) [a-z-]+ --")


def outside() -> Iterator[Path]:
    for file in sorted(HOUSE.rglob("*.py")):
        if ROOM not in file.parents:
            yield file


def named(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every identifier and every text but docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docs:
                yield node.lineno, EXAMPLE.sub("", text)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.ImportFrom(module=str(name)):
                yield node.lineno, name


def test_no_protocol_is_named_outside_its_folder_and_the_catalogue() -> None:
    found = [
        f"{file.relative_to(HOUSE)}:{line}: {text[:60]!r}"
        for file in outside()
        for line, text in named(ast.parse(file.read_text("utf-8")))
        if NAMES.search(text)
    ]
    places = "\n".join(found)
    assert not found, f"let the protocol say what it can do (oyer.types.Protocol):\n{places}"


def test_the_search_finds_a_name() -> None:
    """It can fail: a name as a text, as a function, in an import."""
    tree = ast.parse('"""judge-lock"""\nx = "judge-lock"\ndef twin_lock(): ...\nimport json')
    assert sorted(line for line, text in named(tree) if NAMES.search(text)) == [2, 3]


@pytest.mark.parametrize("name", OURS)
def test_what_a_protocol_says_of_itself_holds(name: str) -> None:
    """Its flags, folders, weights and caps name things that are there."""
    protocol = find_protocol(name)
    fields = {field.name for field in protocol.fields}
    assert all(field.flags for field in protocol.fields)
    if protocol.writing is not None:
        assert protocol.writing.field in fields
        assert set(re.findall(r"\{\{(\w+)\}\}", protocol.writing.template)) <= fields
    if protocol.weigh is not None:
        first = next(iter(protocol.weights))
        assert list(protocol.with_weights({first: 1}).weights) == [first]
    assert {rule.kind for rule in protocol.rules.values()} <= {"rule", "cap"}
    for rule in protocol.rules.values():
        if "-CAP-" in rule.id:
            assert protocol.is_cap(rule.id)

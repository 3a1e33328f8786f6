"""What the docs tell a newcomer to type is what there is, and it works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oyer.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(r"\boyer ([a-z]+)((?: [^#|]*)?)")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def told(page: Path) -> list[tuple[str, str, str]]:
    """Each `oyer COMMAND …` of a page, in a block of code or between backticks."""
    code: list[str] = []
    inside = False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside and line.removeprefix("$ ").startswith("oyer "):
            code.append(line)
        elif not inside:
            code += re.findall(r"`(oyer [^`]+)`", line)
    matches = [COMMAND.search(part) for part in code]
    return [(page.name, match[1], match[2]) for match in matches if match]


TOLD = [one for page in PAGES for one in told(page)]


def test_the_docs_name_commands() -> None:
    assert len(TOLD) > 40


@pytest.fixture(scope="module")
def helps() -> dict[str, str]:
    """What each command says of itself."""
    return {
        name: subprocess.run(
            [sys.executable, "-m", "oyer", name, "--help"],
            capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200"},
        ).stdout
        for name in {command for _, command, _ in TOLD if command in COMMANDS}
    }  # fmt: skip


@pytest.mark.parametrize(("page", "command", "rest"), TOLD, ids=[" ".join(t)[:70] for t in TOLD])
def test_a_command_of_the_docs_exists_with_its_options(
    page: str, command: str, rest: str, helps: dict[str, str]
) -> None:
    assert command in COMMANDS, page
    options = set(FLAG.findall(helps[command]))
    assert set(FLAG.findall(rest)) <= options, page


def lines() -> list[str]:
    """The README's own lines that need no key."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [
        line.removeprefix("$ ")
        for line in text.splitlines()
        if line.startswith("$ oyer ") and "needs a key" not in line
    ]


def test_the_first_minute_of_the_readme(tmp_path: Path) -> None:
    """Line by line, in one folder, as a newcomer types them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    typed = lines()
    assert len(typed) >= 4
    for line in typed:
        done = subprocess.run(
            line.replace("oyer", f"'{sys.executable}' -m oyer", 1),
            shell=True, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, check=False,
        )  # fmt: skip
        promised = re.search(r"exit code (\d)", line)
        expected = int(promised[1]) if promised else 0
        assert done.returncode == expected, (line, done.stderr)
        assert done.stdout or ">" in line or " -o " in line, line


def test_the_python_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    first = ROOT / "examples/first"
    names = {
        "article": (first / "article.txt").read_text(encoding="utf-8"),
        "summary": (first / "summary.txt").read_text(encoding="utf-8"),
        "reply": '{"error": "a refusal is a verdict without scores"}',
    }
    # the line that shows a scored verdict needs scores: this reply has none
    exec(code.replace('verdict.scores["coverage"]', "verdict.scores"), names)
    assert names["verdict"].error == "refused"  # type: ignore[attr-defined]

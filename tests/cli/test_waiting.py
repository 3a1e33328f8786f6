"""`oyer judge` on a server that hangs speaks, and ends; a bug has its own exit code."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from oyer.cli.waiting import waiting_aloud
from oyer.judges.options import Options
from tests.cli.conftest import ROOT, Oyer

CASES = str(ROOT / "examples/first/replies.jsonl")


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = []

        def accept() -> None:
            while True:
                try:
                    held.append(server.accept())
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def test_a_hanging_server_ends_by_timeout(oyer_cli: Oyer, silent: str) -> None:
    judge = f"openai:m@{silent}"
    ran = oyer_cli("judge", "judge-lock", CASES, "--judge", judge, "--timeout", "0.5")
    assert ran.returncode == 3
    assert "no answer within 0.5 s" in ran.stderr


@pytest.mark.parametrize(
    ("flag", "value", "message"),
    [
        ("--timeout", "0", "--timeout must be"),
        ("--timeout", "nan", "--timeout must be"),
        ("--max-tokens", "0", "--max-tokens must be"),
        ("--temperature", "-1", "--temperature must be"),
        ("--temperature", "inf", "--temperature must be"),
    ],
)
def test_a_number_that_cannot_be_used_is_told(
    oyer_cli: Oyer, flag: str, value: str, message: str
) -> None:
    ran = oyer_cli("judge", "judge-lock", CASES, f"{flag}={value}")
    assert ran.returncode == 2
    assert message in ran.stderr


def test_it_says_whom_it_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        printer: Any = SimpleNamespace(count=0)
        async with waiting_aloud(["openai:m"], printer, Options(), quiet=0.001):
            while "no answer" not in capsys.readouterr().err:  # waits for the word itself
                await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(main(), 30))


def test_the_word_names_the_judge_and_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    from oyer.cli.waiting import _message

    told = _message(["openai:m"], Options(deadline=30.0), 10.0)
    assert told == "no answer for 10 s, waiting for openai:m; a question ends after 30 s"
    assert "--timeout S" in _message(["openai:m"], Options(), 10.0)


def test_a_bug_has_an_exit_code_of_its_own(oyer_cli: Oyer, tmp_path: Any) -> None:
    """1 is a gate's: a traceback must never be taken for it."""
    broken = tmp_path / "broken"
    broken.mkdir()
    source = (ROOT / "examples/minutes/oyer_minutes/__init__.py").read_text()
    (broken / "__init__.py").write_text(source + "\n\nimport dataclasses\n\n"
        "def fail(case, checked):\n    raise ZeroDivisionError('a bug')\n\n"
        "PROTOCOL = dataclasses.replace(PROTOCOL, score=fail)\n")  # fmt: skip
    cases = str(ROOT / "examples/minutes/cases.jsonl")
    ran = oyer_cli("audit", "minutes", cases, "--protocol-path", str(broken))
    assert ran.returncode == 70, ran.stderr
    assert "ZeroDivisionError" in ran.stderr
    assert "please report it" in ran.stderr

"""`oyer judge` on a server that hangs speaks, and ends; a bug has its own exit code."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.judges.options import Options
from oyer.runs import waiting
from oyer.runs.models import NamedModel
from tests.cli.conftest import ROOT, Oyer

CASES = str(ROOT / "examples/first/replies.jsonl")
#: The command with a short pause before the first word.
IMPATIENT = (
    "import sys\nfrom oyer.runs import waiting\nwaiting.QUIET = 0.01\n"
    "from oyer.cli import main\nsys.exit(main(sys.argv[1:]))"
)


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


def test_it_says_whom_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "QUIET", 0.001)
    lines: list[str] = []

    async def main() -> None:
        async with waiting.speak_while_waiting(lambda: 0, lambda s: "no answer", lines.append):
            while not lines:  # waits for the word itself
                await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(main(), 30))
    assert lines[0] == "oyer: no answer"


def test_the_word_names_the_judge_and_the_end() -> None:
    asked = [NamedModel.plain("openai:m")]
    message = waiting.waiting_message(asked, Options(deadline=30.0), 10.0, "--timeout S")
    assert message == "no answer for 10 s, waiting for openai:m; a question ends after 30 s"
    assert "--timeout S" in waiting.waiting_message(asked, Options(), 10.0, "--timeout S")


def test_nobody_waits_for_a_judge_that_is_at_work_itself() -> None:
    """It has no server that could hang, and no attempt of it ends: it is told as what it is."""
    own, server = NamedModel("house", "embedded:light"), NamedModel.plain("openai:m")
    alone = waiting.waiting_message([own, own], Options(), 10.0, "--timeout S")
    assert alone == "no new verdict for 10 s; house is judging"
    both = waiting.waiting_message([own, server], Options(deadline=30.0), 10.0, "--timeout S")
    assert both == (
        "no new verdict for 10 s; house is judging, and we wait for openai:m; "
        "a question ends after 30 s"
    )


@pytest.mark.parametrize("stored", [False, True])
def test_it_speaks_with_and_without_a_store(silent: str, tmp_path: Path, stored: bool) -> None:
    """The pause before the first word is made short; the rest is the command itself."""
    arguments = ["judge", "judge-lock", CASES, "--judge", f"openai:m@{silent}", "--timeout", "30"]
    if stored:
        arguments += ["--store", str(tmp_path / "oyer.db")]
    process = subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, *arguments],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    assert process.stderr is not None
    try:
        assert any(f"waiting for openai:m@{silent}" in line for line in process.stderr)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("stored", [False, True])
def test_the_embedded_judge_is_said_to_judge(tmp_path: Path, stored: bool) -> None:
    arguments = ["judge", "judge-lock", str(ROOT / "examples/suite/cases.jsonl"), "--judge"]
    arguments += ["embedded:light"]
    if stored:
        arguments += ["--store", str(tmp_path / "oyer.db")]
    ran = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *arguments], capture_output=True, text=True, check=False
    )
    assert "s; embedded:light is judging\n" in ran.stderr
    assert "waiting for" not in ran.stderr
    assert "an attempt ends" not in ran.stderr


def test_a_bug_has_an_exit_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """1 is a gate's: a traceback must never be taken for it."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("oyer.cli.audit_work.audit_rows", fail)
    assert main(["audit", "judge-lock", CASES]) == 70
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told
    assert "please report it" in told

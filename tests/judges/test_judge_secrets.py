"""A canary for a key: through every provider, every way to fail and every log level, seen nowhere.

What the server sees is the control: the canary did go out in the request's header.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import os
import pickle
import sqlite3
import subprocess
import sys
import traceback
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from oyer.errors import ProviderError
from oyer.judges import JudgePool, Options, parse_name
from oyer.judges.batch_api import submit
from oyer.judges.registry import find_provider
from oyer.judges.secrets import Secret
from oyer.judges.server import endpoint
from oyer.types import Judge, Reply
from tests.judges.test_judge_providers import NAMES, PROMPT
from tests.servers.provider import ProviderServer

CANARY = "sk-canary/+=7f3a9c51e2b84d06"
FORMS = (
    CANARY,
    CANARY.replace("/", "\\/"),
    quote(CANARY, safe=""),
    base64.b64encode(CANARY.encode()).decode(),
    "7f3a9c51e2b84d06",  # any recognisable part
)
FAULTS = [
    "", "400", "401", "403", "404", "429:0", "quota", "500", "502", "529", "hang", "reset",
    "truncated", "not-json", "html", "array", "empty", "error-200", "refusal", "filter", "policy",
    "length", "echo", "echo-500", "echo-reply", "redirect", "drip",
]  # fmt: skip
#: Impatient: silence and drips are among the faults, and what comes of a call does not matter.
ONCE = Options(timeout=0.15, pause=0.001, retries=1)
PATIENT = Options(timeout=120, pause=0.001, retries=1)


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything any logger says, at the lowest level, asyncio's debug mode included."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    root = logging.getLogger()
    before = root.level
    root.setLevel(1)
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)


def everything_shown(error: BaseException) -> str:
    """An exception as every reporter prints it: with its chain, its locals, its attributes."""
    plain = "".join(traceback.format_exception(error))
    frames = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "\n".join((str(error), repr(error), repr(vars(error)), plain, "".join(frames.format())))


async def outcome(judge: Judge) -> str:
    """The reply or the error as it prints; no local of this frame holds the key."""
    try:
        return repr(await judge.ask(PROMPT))
    except ProviderError as error:
        return everything_shown(error)


def assert_silent(text: str) -> None:
    for form in FORMS:
        assert form not in text


@pytest.mark.parametrize("provider", NAMES)
def test_the_canary_is_sent_and_seen_nowhere_else(
    provider: str, log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    async def main(environ: dict[str, str]) -> str:
        shown = []
        async with JudgePool(ONCE, environ=environ) as pool:
            judge = pool.open(NAMES[provider])
            shown.append(repr(judge) + repr(vars(judge)) + repr(pool.options))
            for fault in FAULTS:
                server.will(*[fault] * 2)
                shown.append(await outcome(judge))
                server._faults.clear()
        return "\n".join(shown)

    with ProviderServer(key=CANARY) as server:
        shown = asyncio.run(main(server.environ), debug=True)
        sent = [value for seen in server.seen for value in seen.headers.values()]
    assert any(CANARY in value for value in sent), "the control: the key went out"
    assert_silent(shown)
    assert_silent(log.getvalue())
    captured = capfd.readouterr()
    assert_silent(captured.out + captured.err)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_batch_tells_nothing_either(provider: str, log: io.StringIO) -> None:
    async def main(environ: dict[str, str]) -> str:
        async with JudgePool(PATIENT, environ=environ) as pool:
            tickets = await submit(pool.open(NAMES[provider]), {"a": PROMPT})
            return repr([ticket.as_json() for ticket in tickets])

    with ProviderServer(key=CANARY) as server:
        assert_silent(asyncio.run(main(server.environ)))
    assert_silent(log.getvalue())


def test_a_server_that_echoes_the_key_in_its_reply_does_not_get_it_into_ours() -> None:
    async def main(environ: dict[str, str]) -> Reply:
        async with JudgePool(PATIENT, environ=environ) as pool:
            return await pool.open(NAMES["openai"]).ask(PROMPT)

    with ProviderServer(key=CANARY, faults=["echo-reply"]) as server:
        reply = asyncio.run(main(server.environ))
    assert reply.text == "your key is Bearer [key]"


@pytest.mark.parametrize("form", FORMS[:4])
def test_a_secret_hides_itself_in_every_form(form: str) -> None:
    secret = Secret(CANARY, "X_API_KEY")
    assert_silent(secret.hide(f"a {form} b"))
    assert_silent(secret.hide_bytes(f"a {form} b".encode()).decode())
    assert_silent(repr(secret) + str(secret) + f"{secret}")
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_the_command_line_lists_judges_without_their_keys() -> None:
    names = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY")
    environ = {**os.environ, **dict.fromkeys(names, CANARY), "PYTHONDEVMODE": "1"}
    root = Path(__file__).resolve().parents[2]
    environ["PYTHONPATH"] = str(root / "src")
    for arguments in (["judges"], ["judges", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "oyer", *arguments],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "openai" in done.stdout
        assert_silent(done.stdout + done.stderr)


@pytest.mark.parametrize("key", ["the", "x", "1", "key", "EMPTY", "none"])
def test_a_placeholder_for_a_key_takes_nothing_out_of_a_reply(key: str) -> None:
    """Such words stand in replies, and a reply without them gets another score."""
    said = '{"the": "x-ray of the key 1 none EMPTY", "key": 10}'

    async def main(environ: dict[str, str]) -> Reply:
        async with JudgePool(PATIENT, environ=environ) as pool:
            return await pool.open(NAMES["openai"]).ask(PROMPT)

    with ProviderServer(key=key, reply=said) as server:
        reply = asyncio.run(main(server.environ))
        assert server.seen[0].headers["Authorization"] == f"Bearer {key}", "the control"
    assert reply.text == said


def test_the_shortest_key_that_is_hidden() -> None:
    assert Secret("s3cr3t-8", "X").hide("a s3cr3t-8 b") == "a [key] b"
    assert Secret("s3cr3t7", "X").hide("a s3cr3t7 b") == "a s3cr3t7 b"


#: variable, its value, what must be said; no value may be repeated
UNUSABLE = [
    ("OPENAI_API_KEY", "sk-hunter2\nhunter2", "line break"),
    ("OPENAI_API_KEY", "sk-hunter2\x01hunter2", "control character"),
    ("OPENAI_API_KEY", "“sk-hunter2”", "outside ASCII"),
    ("OPENAI_API_KEY", "sk-hunter2\udcff", "outside ASCII"),  # a byte that is no UTF-8
    ("OPENAI_BASE_URL", "http://u:hunter2@127.0.0.1:9/v1", "user or password"),
    ("OPENAI_BASE_URL", "http://hunter2@127.0.0.1:9/v1", "user or password"),
    ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1?api-key=hunter2", "query"),
    ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1#hunter2", "fragment"),
    ("OPENAI_BASE_URL", "http://127.0.0.1:hunter2/v1", "port"),
    ("OPENAI_BASE_URL", "hunter2:9/v1", "http://host:port"),
    ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1\nhunter2", "line break"),
]


@pytest.mark.parametrize(("variable", "value", "told"), UNUSABLE)
def test_a_variable_that_cannot_be_used_is_a_matter_of_usage(
    variable: str, value: str, told: str, tmp_path: Path
) -> None:
    row = {"id": "c", "article": ARTICLE, "summary": "The vote was nine to four."}
    (tmp_path / "cases.jsonl").write_text(json.dumps(row))
    environ = {**os.environ, "OPENAI_API_KEY": "sk-0123456789", variable: value}
    environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-m", "oyer", "judge", "judge-lock", "cases.jsonl", "--judge", "openai:m"],
        env=environ,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert variable in done.stderr
    assert told in " ".join(done.stderr.split())
    assert "hunter2" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


ARTICLE = "The town will replace its two ferries by June. The vote was nine to four."


def unpacked(database: Path) -> str:
    """Every byte of a store, and every packed body in it unpacked."""
    with sqlite3.connect(database) as connection:
        found = connection.execute("select name from sqlite_master where type = 'table'")
        tables = [row[0] for row in found]
        cells = [
            cell
            for table in tables
            for row in connection.execute(f"select * from {table}")
            for cell in row
        ]
    shown = []
    for cell in cells:
        if isinstance(cell, bytes):
            try:
                shown.append(zlib.decompress(cell).decode(errors="replace"))
            except zlib.error:
                shown.append(cell.decode(errors="replace"))
        else:
            shown.append(str(cell))
    raw = b"".join(file.read_bytes() for file in database.parent.glob(f"{database.name}*"))
    return "\n".join(shown) + raw.decode("latin-1")


@pytest.mark.parametrize("fault", ["echo-reply", "echo-500", "401"])
def test_no_command_puts_the_canary_into_a_store_or_on_a_screen(fault: str, tmp_path: Path) -> None:
    row = {"id": "c", "article": ARTICLE, "summary": "The vote was nine to four."}
    (tmp_path / "cases.jsonl").write_text(json.dumps(row))
    (tmp_path / "suite.toml").write_text(
        'protocol = "judge-lock"\ncases = "cases.jsonl"\njudges = ["openai:m"]\n'
        "[options]\nretries = 0\n[asking]\nattempts = 1\n"
    )
    commands = [
        ["judge", "judge-lock", "cases.jsonl", "--judge", "openai:m", "--store", "j.db", "--json"],
        ["run", "suite.toml", "--store", "r.db"],
        ["export", "1", "--to", "out.jsonl", "--store", "r.db"],
    ]
    root = Path(__file__).resolve().parents[2]
    told = []
    with ProviderServer(key=CANARY) as server:
        server.will(*[fault] * 9)
        environ = {**os.environ, **server.environ, "PYTHONPATH": str(root / "src")}
        for arguments in commands:
            done = subprocess.run(
                [sys.executable, "-m", "oyer", *arguments],
                env=environ,
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
            )
            told.append(done.stdout + done.stderr)
        assert server.seen, "the control: the server was asked"
    assert_silent("\n".join(told))
    for name in ("j.db", "r.db"):
        assert_silent(unpacked(tmp_path / name))
    assert_silent((tmp_path / "out.jsonl").read_text())


#: judge, the variable whose key its server gets
KEYS = [
    ("openai:m@https://api.openai.com", "OPENAI_API_KEY"),
    ("openai:m@https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    ("openai:m@https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    ("openai:m@https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    ("openai:m@https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    ("openai:m@http://127.0.0.1:11434/v1", "OPENAI_API_KEY"),  # a server of one's own
    ("anthropic:m@http://127.0.0.1:11434", "ANTHROPIC_API_KEY"),
]


@pytest.mark.parametrize(("name", "variable"), KEYS)
def test_a_well_known_server_gets_its_own_key(name: str, variable: str) -> None:
    environ = {known: f"key of {known}" for _, known in KEYS}
    parsed = parse_name(name)
    wire = find_provider(parsed.kind).wire
    assert wire is not None
    key = endpoint(parsed, wire, Options(), environ).key
    assert key is not None
    assert key.variable == variable

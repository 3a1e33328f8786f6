"""`oyer run --batch`: one batch for all questions, found again after a kill, at half the price."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from oyer.errors import ProviderError
from oyer.judges import JudgePool, Options
from oyer.judges.batch_judge import open_batched
from oyer.types import Prompt, Reply
from tests.servers.provider import ProviderServer

ROOT = Path(__file__).resolve().parents[2]
CASES = 6
ARTICLE = "The town will replace its two ferries by June. The vote was nine to four."


class Shelf:
    """A shelf in memory, and what lay on it before the last change."""

    def __init__(self, kept: str | None = None) -> None:
        self.kept = kept
        self.before: str | None = None

    async def get(self, key: str) -> str | None:
        return self.kept

    async def put(self, key: str, reply: str) -> None:
        self.before, self.kept = self.kept, reply


def suite(folder: Path, judge: str) -> Path:
    rows = [
        {"id": f"c{n}", "article": f"{ARTICLE} Note {n}.", "summary": "The vote was nine to four."}
        for n in range(CASES)
    ]
    (folder / "cases.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    file = folder / "suite.toml"
    file.write_text(
        f'protocol = "judge-lock"\ncases = "cases.jsonl"\njudges = ["{judge}"]\n'
        "[options]\npoll = 0.05\n[asking]\nattempts = 1\n"
    )
    return file


def start(server: ProviderServer, file: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "oyer", "run", str(file), "--batch"]
    environ = {**os.environ, **server.environ, "PYTHONPATH": str(ROOT / "src")}
    pipe = subprocess.PIPE
    store = ["--store", str(file.parent / "run.db")]
    return subprocess.Popen([*command, *store], env=environ, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("judge", ["openai:gpt-4o", "anthropic:claude-sonnet-4-5"])
def test_a_run_that_is_killed_while_it_waits_pays_once(tmp_path: Path, judge: str) -> None:
    with ProviderServer(reply='{"error": "cannot"}', tokens=(1000, 100)) as server:
        server.batches.polls = 10**9  # under way, for as long as the first sitting lives
        file = suite(tmp_path, judge)
        first = start(server, file)
        deadline = time.monotonic() + 300
        while not any(job["looks"] for job in server.batches.jobs.values()):
            assert time.monotonic() < deadline, "the batch was never looked at"
            assert first.poll() is None, first.communicate()
            time.sleep(0.02)
        first.kill()
        first.communicate()
        server.batches.polls = 0
        second = start(server, file)
        out, err = second.communicate(timeout=300)
        assert server.batches.submitted == 1, err
        assert not server.seen, "nothing was asked outside the batch"
        [job] = server.batches.jobs.values()
    assert len(job["rows"]) == CASES
    assert f"{CASES} of {CASES} verdicts" in out + err
    # by hand: gpt-4o (.0025 + .001) / 2 · 6; sonnet (.003 + .0015) / 2 · 6
    assert ("$0.0105" if "gpt" in judge else "$0.0135") in out + err


def test_a_judge_without_batches_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with ProviderServer() as server:
        _, err = start(server, suite(tmp_path, "gemini:g")).communicate(timeout=300)
    assert "has no batch API" in err
    assert not server.seen


def test_a_question_that_failed_is_put_again_by_the_next_sitting() -> None:
    shelf = Shelf()

    async def sitting(server: ProviderServer) -> list[Reply | BaseException]:
        options = Options(poll=0.01, timeout=120, pause=0.001)
        async with JudgePool(options, environ=server.environ) as pool:
            judge = open_batched(pool.open("openai:m"), shelf)
            asks = [judge.for_question(name).ask(Prompt("", name)) for name in ("a", "b")]
            answers = await asyncio.gather(*asks, return_exceptions=True)
            await judge.close()
            return answers

    with ProviderServer() as server:
        server.batches.polls, server.batches.outcomes = 1, {0: "expired"}
        bad, good = asyncio.run(sitting(server))
        server.batches.outcomes = {}
        again, same = asyncio.run(sitting(server))
        rows = [len(job["rows"]) for job in server.batches.jobs.values()]
    assert isinstance(bad, ProviderError)
    assert isinstance(good, Reply)
    assert isinstance(again, Reply)
    assert isinstance(same, Reply)
    assert rows == [2, 1], "only the failed question went out again"


def test_questions_that_failed_together_go_out_in_a_new_batch() -> None:
    """Not in the old one again, though it bears the same questions."""

    async def sitting(server: ProviderServer, shelf: Shelf) -> list[Reply | BaseException]:
        options = Options(poll=0.01, timeout=120, pause=0.001)
        async with JudgePool(options, environ=server.environ) as pool:
            judge = open_batched(pool.open("openai:m"), shelf)
            asks = [judge.for_question(name).ask(Prompt("", name)) for name in ("a", "b")]
            return await asyncio.gather(*asks, return_exceptions=True)

    with ProviderServer() as server:
        server.batches.polls, server.batches.outcomes = 1, {0: "expired", 1: "expired"}
        shelf = Shelf()
        first = asyncio.run(sitting(server, shelf))
        server.batches.outcomes = {}
        second = asyncio.run(sitting(server, shelf))
        lost = asyncio.run(sitting(server, Shelf(shelf.before)))  # killed before it was kept
        assert server.batches.submitted == 2
    assert all(isinstance(answer, ProviderError) for answer in first)
    assert all(isinstance(answer, Reply) for answer in second + lost)


def test_a_batch_that_cannot_be_handed_in_fails_every_question() -> None:
    async def main(server: ProviderServer) -> list[Reply | BaseException]:
        environ = {**server.environ, "OPENAI_API_KEY": "wrong"}
        async with JudgePool(Options(poll=0.01, timeout=120), environ=environ) as pool:
            judge = open_batched(pool.open("openai:m"))
            asks = [judge.ask(Prompt("", name)) for name in ("a", "b")]
            return await asyncio.gather(*asks, return_exceptions=True)

    with ProviderServer() as server:
        answers = asyncio.run(main(server))
    assert all(isinstance(answer, ProviderError) and "401" in str(answer) for answer in answers)

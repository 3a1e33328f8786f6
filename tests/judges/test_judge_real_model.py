"""The OpenAI-compatible path against a real model and a real server: llama.cpp with SmolLM2."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from oyer.errors import ProviderError
from oyer.judges import JudgePool, Options, open_judge
from oyer.judges.server import ServerJudge
from oyer.types import Prompt, Reply

SCHEMA = {
    "type": "object",
    "properties": {"wet": {"enum": ["yes", "no"]}},
    "required": ["wet"],
    "additionalProperties": False,
}
PROMPT = Prompt("Be brief.", "Is water wet?", schema=SCHEMA, max_tokens=24)
PATIENT = Options(timeout=1200, retries=0)


def ask(address: str, prompt: Prompt = PROMPT) -> Reply:
    judge = open_judge(f"openai:smollm2@{address}", options=PATIENT)
    return asyncio.run(judge.ask(prompt))


def test_a_real_model_under_a_schema_gives_that_json(model_server: str) -> None:
    reply = ask(model_server)
    assert json.loads(reply.text)["wet"] in ("yes", "no")
    assert reply.about["structured"] is True
    assert reply.about["stop"] == "stop"
    assert reply.usage.input_tokens > 10
    assert reply.usage.output_tokens > 3
    assert reply.usage.cost_usd is None, "a server of one's own: price unknown, not zero"


def test_temperature_0_gives_the_same_words_twice(model_server: str) -> None:
    plain = replace(PROMPT, schema=None, max_tokens=8)
    assert ask(model_server, plain).text == ask(model_server, plain).text


def test_a_real_reply_cut_at_its_bound_says_so(model_server: str) -> None:
    reply = ask(model_server, replace(PROMPT, schema=None, max_tokens=2))
    assert reply.about["stop"] == "length"
    assert reply.usage.output_tokens == 2


def test_a_schema_the_server_rejects_is_left_out(model_server: str) -> None:
    async def main() -> tuple[Reply, bool]:
        async with JudgePool(PATIENT) as pool:
            judge = pool.open(f"openai:smollm2@{model_server}")
            reply = await judge.ask(replace(PROMPT, schema={"type": "nonsense"}, max_tokens=4))
            assert isinstance(judge, ServerJudge)
            return reply, "schema" in judge.features

    reply, still = asyncio.run(main())
    assert reply.text
    assert not still, "remembered for this server"


def test_a_prompt_longer_than_the_context_is_a_clear_error(model_server: str) -> None:
    with pytest.raises(ProviderError, match="exceeds the available context size"):
        ask(model_server, replace(PROMPT, user="water " * 9000))


def test_a_model_file_is_a_judge_of_its_own(model_file: Path) -> None:
    async def main() -> Reply:
        async with JudgePool(PATIENT) as pool:
            return await pool.open(f"llamacpp:{model_file}").ask(PROMPT)

    reply = asyncio.run(main())
    assert json.loads(reply.text)["wet"] in ("yes", "no")
    assert reply.usage.cost_usd == 0.0


def test_a_file_that_is_no_model_is_told(tmp_path: Path, model_file: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ProviderError, match="could not load this file"):
        asyncio.run(open_judge(f"llamacpp:{broken}", options=PATIENT).ask(PROMPT))

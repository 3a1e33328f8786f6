"""Our schemas before every provider's own rules: each is taken at the first request."""

from __future__ import annotations

import asyncio

import pytest

from oyer.engine import PLAINLY, prompt_of
from oyer.judges import JudgePool, Options
from oyer.judges.exam.judge import STEPS, step_prompt
from oyer.protocols.catalogue import find_protocol
from oyer.types import Ask, Prompt, Reply
from tests.engine.toy_protocol import Parrot
from tests.injection.attacked_cases import ATTACKED
from tests.servers.provider import ProviderServer
from tests.servers.subsets import SUBSETS, nodes

NAMES = {
    "openai": "openai:gpt-test",
    "openai-responses": "openai-responses:gpt-test",
    "anthropic": "anthropic:claude-test",
    "gemini": "gemini:gemini-test",
    "ollama": "ollama:llama-test",
    "openrouter": "openrouter:maker/model",
}
PROMPTS: dict[str, Prompt] = {
    **{name: prompt_of(c.case, find_protocol(name), Parrot([]), PLAINLY)
       for name, c in ATTACKED.items()},
    **{f"exam {step}": step_prompt(step, dict.fromkeys(slots, "x"), Ask("ab" * 8))
       for step, slots in STEPS.items()},
}  # fmt: skip


def ask_all(server: ProviderServer, name: str, prompts: list[Prompt]) -> list[Reply]:
    async def main() -> list[Reply]:
        async with JudgePool(Options(pause=0.001), environ=server.environ) as pool:
            judge = pool.open(name)
            return [await judge.ask(prompt) for prompt in prompts]

    return asyncio.run(main())


@pytest.mark.parametrize("provider", NAMES)
def test_every_provider_takes_every_schema_of_ours_at_once(provider: str) -> None:
    with ProviderServer() as server:
        replies = ask_all(server, NAMES[provider], list(PROMPTS.values()))
        assert len(server.seen) == len(PROMPTS), "nothing was rejected and asked again"
    assert all(reply.about["structured"] for reply in replies)


@pytest.mark.parametrize(
    ("provider", "schema", "reason"),
    [
        ("openai", {"type": "array", "items": {"type": "string"}}, "the root must be an object"),
        ("openai", {"type": "object", "properties": {"a": {"type": "string"}},
                    "additionalProperties": False}, "a property that is not required"),
        ("openai", {"type": "object", "properties": {}, "required": []}, "an open object"),
        ("anthropic", {"type": "array", "items": {"type": "string"}, "maxItems": 3}, "a bound"),
        ("anthropic", {"type": "array", "items": {"type": "string"}, "minItems": 2}, "a bound"),
        ("anthropic", {"type": "object", "properties": {}, "required": []}, "an open object"),
        ("gemini", {"type": "string", "patternProperties": {}}, "an unknown keyword"),
        ("ollama", {"type": "string", "not": {}}, "an unknown keyword"),
    ],
)  # fmt: skip
def test_the_rules_can_be_broken(provider: str, schema: dict[str, object], reason: str) -> None:
    assert SUBSETS[provider](schema) is not None, reason


def test_bounds_are_kept_where_they_are_taken() -> None:
    """Six pairs are six pairs under a grammar; Anthropic's knows no bounds, and gets none."""
    with ProviderServer() as server:
        for provider in ("openai", "anthropic"):
            ask_all(server, NAMES[provider], [PROMPTS["judge-lock"]])
        bounded, free = (
            any("maxItems" in node for node, _ in nodes(seen.body)) for seen in server.seen
        )
    assert (bounded, free) == (True, False)


@pytest.mark.parametrize("provider", ["openai", "gemini", "ollama"])
def test_a_server_that_takes_no_bounds_is_asked_without_them(provider: str) -> None:
    with ProviderServer(rejects=("maxItems",)) as server:
        [reply] = ask_all(server, NAMES[provider], [PROMPTS["judge-lock"]])
        assert len(server.seen) == 2
    assert reply.about["structured"] is True


def test_a_bare_rejection_costs_the_bounds_before_the_schema() -> None:
    """Gemini says "invalid argument" and no more to a schema with too many bounds in all."""
    with ProviderServer(faults=["400"]) as server:
        [reply] = ask_all(server, NAMES["gemini"], [PROMPTS["judge-lock"]])
        bounded = [any("maxItems" in node for node, _ in nodes(seen.body)) for seen in server.seen]
    assert bounded == [True, False]
    assert reply.about["structured"] is True


def test_what_is_wrong_in_itself_is_tried_without_bounds_and_without_structure() -> None:
    with ProviderServer(faults=["400", "400"]) as server:
        [reply] = ask_all(server, NAMES["gemini"], [PROMPTS["judge-lock"]])
        assert len(server.seen) == 3
    assert reply.about["structured"] is False

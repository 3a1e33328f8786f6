"""Batch APIs: hand in, look, collect; in this process or after a restart."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from oyer.errors import ProviderError, UsageError
from oyer.judges import JudgePool, Options
from oyer.judges.batch_api import Ticket, collect, poll, submit, wait
from oyer.judges.wire import BatchProgress
from oyer.types import Judge, Prompt, Reply
from tests.servers.provider import ProviderServer

T = TypeVar("T")
NAMES = ["openai:gpt-4o", "anthropic:claude-sonnet-4-5"]
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
PROMPTS = {f"case {n}/é": Prompt("Judge.", f"Case {n}", schema=SCHEMA) for n in range(5)}
QUICK = Options(timeout=120, pause=0.001)

both = pytest.mark.parametrize("name", NAMES)


def with_judge(server: ProviderServer, name: str, do: Callable[[Judge], Awaitable[T]]) -> T:
    """A fresh pool each time: what a restart leaves."""

    async def main() -> T:
        async with JudgePool(QUICK, environ=server.environ) as pool:
            return await do(pool.open(name))

    return asyncio.run(main())


def echo(prompt: str) -> str:
    return json.dumps({"a": prompt.splitlines()[-1]})


@both
def test_every_question_gets_its_own_answer_at_half_the_price(name: str) -> None:
    async def whole(judge: Judge) -> dict[str, Any]:
        [ticket] = await submit(judge, PROMPTS)
        return await wait(judge, ticket, every=0.001)

    with ProviderServer(reply=echo, tokens=(1200, 340)) as server:
        results = with_judge(server, name, whole)
    assert list(results) == list(PROMPTS), "in the order they were handed in"
    for number, result in enumerate(results.values()):
        assert isinstance(result, Reply)
        assert json.loads(result.text) == {"a": f"Case {number}"}
        assert result.judge == name
        # by hand: gpt-4o .0064 / 2; sonnet (.0036 + .0051) / 2
        assert result.usage.cost_usd == pytest.approx(0.0032 if "gpt" in name else 0.00435)
        assert result.usage.calls == 1


@both
def test_a_ticket_is_plain_json_and_survives_a_restart(name: str) -> None:
    with ProviderServer(reply=echo) as server:
        [ticket] = with_judge(server, name, lambda judge: submit(judge, PROMPTS))
        stored = json.dumps(ticket.as_json())
        again = Ticket.from_json(json.loads(stored))
        assert again == ticket
        first = with_judge(server, name, lambda judge: poll(judge, again))
        second = with_judge(server, name, lambda judge: poll(judge, again))
        results = with_judge(server, name, lambda judge: collect(judge, again))
        assert server.batches.submitted == 1
    assert (first.state, second.state) == ("running", "ended")
    assert all(isinstance(result, Reply) for result in results.values())


@both
def test_single_failures_are_told_with_their_question(name: str) -> None:
    with ProviderServer(reply=echo) as server:
        server.batches.outcomes = {0: "errored", 1: "expired", 2: "refusal"}
        server.batches.polls = 0
        [ticket] = with_judge(server, name, lambda judge: submit(judge, PROMPTS))
        results = list(with_judge(server, name, lambda j: collect(j, ticket)).values())
    assert [getattr(result, "kind", "reply") for result in results] == [
        "provider",
        "provider",
        "refused",
        "reply",
        "reply",
    ]
    assert "expired" in str(results[1])


def test_a_batch_that_was_handed_in_before_a_crash_is_found_by_its_label() -> None:
    with ProviderServer(reply=echo) as server:
        name = NAMES[0]
        [lost] = with_judge(server, name, lambda judge: submit(judge, PROMPTS, "run-7"))
        [found] = with_judge(server, name, lambda judge: submit(judge, PROMPTS, "run-7"))
        [other] = with_judge(server, name, lambda judge: submit(judge, PROMPTS, "run-8"))
    assert found == lost
    assert other.batch != lost.batch


def test_a_batch_that_fails_as_a_whole_says_why() -> None:
    with ProviderServer() as server:
        server.batches.status, server.batches.polls = "failed", 0
        [ticket] = with_judge(server, NAMES[0], lambda judge: submit(judge, PROMPTS))
        progress = with_judge(server, NAMES[0], lambda judge: poll(judge, ticket))
        assert progress == BatchProgress("failed", 0, 5, "not JSON")
        with pytest.raises(ProviderError, match="not JSON"):
            with_judge(server, NAMES[0], lambda judge: wait(judge, ticket))


@both
def test_a_question_the_provider_forgot_is_reported(name: str) -> None:
    with ProviderServer(reply=echo) as server:
        server.batches.polls = 0
        [ticket] = with_judge(server, name, lambda judge: submit(judge, PROMPTS))
        server.batches.jobs[ticket.batch]["rows"].pop()
        results = list(with_judge(server, name, lambda j: collect(j, ticket)).values())
    assert isinstance(results[-1], ProviderError)
    assert "without a result" in str(results[-1])
    assert isinstance(results[0], Reply)


@both
def test_an_unknown_batch_and_a_wrong_key_are_provider_errors(name: str) -> None:
    with ProviderServer() as server:
        with pytest.raises(ProviderError, match="404"):
            with_judge(server, name, lambda j: poll(j, Ticket(name, "batch-x", ("a",))))
        server.key = "another-key-altogether"
        stale = {k: v.replace("another-key-altogether", "old") for k, v in server.environ.items()}

        async def main() -> None:
            async with JudgePool(QUICK, environ=stale) as pool:
                await submit(pool.open(name), PROMPTS)

        with pytest.raises(ProviderError, match="401"):
            asyncio.run(main())


def test_other_judges_have_no_batches() -> None:
    with ProviderServer() as server, pytest.raises(UsageError, match="no batch API"):
        with_judge(server, "gemini:g", lambda judge: submit(judge, PROMPTS))

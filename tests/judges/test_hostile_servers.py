"""Servers that answer oddly, for ever, or not at all: every question ends, and no run does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from oyer.errors import ProviderError
from oyer.judges.limits import backoff, read_seconds, retry_after
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options
from oyer.judges.wire import as_dollars, as_int
from oyer.types import Prompt, Reply

QUICK = Options(pause=0.001, patience=0.05, retries=2, timeout=5.0)
Answer = Callable[[web.Request], Any]


def ask(answer: Answer, options: Options = QUICK, kind: str = "openai") -> Reply | ProviderError:
    """One question to a server of one handler, over a real socket."""

    async def main() -> Reply | ProviderError:
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/{path:.*}", answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        try:
            async with JudgePool(options, environ={}) as pool:
                judge = pool.open(f"{kind}:m@http://127.0.0.1:{port}/v1")
                try:
                    return await judge.ask(Prompt("", "question"))
                except ProviderError as error:
                    return error
        finally:
            await runner.cleanup()

    return asyncio.run(main())


def counting(make: Callable[[], web.StreamResponse]) -> tuple[list[int], Answer]:
    asked: list[int] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        asked.append(1)
        return make()

    return asked, answer


WAITS = [
    "0",
    "0.0",
    "-5",
    "-1e9",
    "\u00b2".encode("latin-1").decode("latin-1"),
    "1e999",
    "NaN",
    "inf",
    "",
    "soon",
    "Wed, 21 Oct 2015 07:28:00 GMT",
    "Wed, 21 Oct 99999999999999 07:28:00 GMT",
    "Wed, 99 Foo 2015 99:99:99 GMT",
    "9" * 400,
]


@pytest.mark.parametrize("wait", WAITS)
def test_a_server_that_says_429_for_ever_is_asked_a_few_times(wait: str) -> None:
    """`Retry-After: 0` brought 29,583 requests in two minutes. Our own backoff is the floor."""
    asked, answer = counting(lambda: web.Response(status=429, headers={"Retry-After": wait}))
    got = ask(answer)
    assert isinstance(got, ProviderError)
    assert got.kind == "provider"
    assert "429" in str(got)
    # 0.0005 + 0.001 + 0.002 … are more than 0.05 seconds after seven waits at the latest
    assert len(asked) <= 9


@pytest.mark.parametrize("delay", ["0s", "²s", "-3s", "1e999s", "s", "", "0.0s"])
def test_a_429_with_an_odd_retry_delay_ends(delay: str) -> None:
    body = {"error": {"code": 429, "details": [{"retryDelay": delay}], "message": "slow down"}}
    asked, answer = counting(lambda: web.json_response(body, status=429))
    assert isinstance(ask(answer, kind="gemini"), ProviderError)
    assert len(asked) <= 9


@given(st.text() | st.sampled_from(WAITS))
def test_any_header_is_seconds_or_nothing(value: str) -> None:
    for headers in ({"retry-after": value}, {"retry-after-ms": value}):
        wait = retry_after(headers)
        assert wait is None or wait >= 0
    assert read_seconds("12.5") == 12.5


@given(st.integers(1, 10**6))
def test_backoff_has_a_bound(attempt: int) -> None:
    assert 0 < backoff(attempt) <= 30


def completion(**usage: Any) -> dict[str, Any]:
    choice = {"message": {"content": "an answer"}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": usage}


ODD = ["1e999", "-1e999", "NaN", "-3", str(2**63), str(10**300), "true", '"12"', "[]", "{}", "null"]


@pytest.mark.parametrize("number", ODD)
@pytest.mark.parametrize("kind", ["openai", "openrouter"])
def test_an_odd_count_is_unknown_and_the_reply_stands(number: str, kind: str) -> None:
    text = json.dumps(completion(prompt_tokens=1, completion_tokens=2, cost=3))
    for value in ("1", "2", "3"):
        text = text.replace(f": {value}", f": {number}")
    _, answer = counting(lambda: web.Response(text=text, content_type="application/json"))
    got = ask(answer, kind=kind)
    assert isinstance(got, Reply)
    assert got.text == "an answer"
    assert (got.usage.input_tokens, got.usage.output_tokens) == (0, 0)
    assert got.usage.cost_usd is None


@given(st.integers() | st.floats() | st.booleans() | st.text() | st.none())
def test_a_count_fits_the_store_whatever_it_was(value: Any) -> None:
    assert 0 <= as_int(value) < 2**63
    dollars = as_dollars(value)
    assert dollars is None or 0 <= dollars <= 1e6


def test_an_answer_of_many_megabytes_is_not_read_to_its_end() -> None:
    """64 MB of `{}` took 1.6 GB."""
    _, answer = counting(lambda: web.Response(body=b"[" + b"{}," * 3_000_000 + b"{}]"))
    got = ask(answer)
    assert isinstance(got, ProviderError)
    assert "larger than 4194304 bytes" in str(got)


def test_a_hanging_server_is_left_at_the_deadline() -> None:
    """Whatever the retries: `oyer judge --timeout` bounds a question, not an attempt."""
    asked = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(1)
        await asyncio.Event().wait()
        raise AssertionError

    options = Options(timeout=0.15, deadline=0.4, retries=1000, pause=0.001)
    got = ask(answer, options)
    assert isinstance(got, ProviderError)
    assert "no answer within 0.4 s" in str(got)
    assert 1 <= len(asked) <= 4
    assert got.usage.calls == len(asked), "each may have been billed"


def test_a_deadline_between_two_attempts_is_no_attempt() -> None:
    """The message said "after 7 attempts" when 6 requests had been sent."""
    asked, answer = counting(lambda: web.Response(status=500))
    got = ask(answer, Options(deadline=0.5, retries=1000, pause=60.0))
    assert isinstance(got, ProviderError)
    assert "no answer within 0.5 s" in str(got)
    assert len(asked) == 1
    assert "attempts" not in str(got)

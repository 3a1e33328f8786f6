"""Limits: how many at a time, how many a minute, how long to wait."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.errors import ProviderError
from oyer.judges import JudgePool, Options
from oyer.judges.limits import Bucket, Gate, backoff, retry_after
from oyer.judges.server import ServerJudge
from oyer.types import Prompt, Reply
from tests.servers.provider import ProviderServer

PROMPT = Prompt("Judge.", "Is it true?")
QUICK = Options(timeout=120, pause=0.001)


def ask_many(server: ProviderServer, count: int, options: Options) -> tuple[list[Reply], float]:
    """All replies, and the gate's limit at the end."""

    async def main() -> tuple[list[Reply], float]:
        async with JudgePool(options, environ=server.environ) as pool:
            judge = pool.open("openai:m")
            assert isinstance(judge, ServerJudge)
            replies = await asyncio.gather(*(judge.ask(PROMPT) for _ in range(count)))
            return list(replies), judge.gate.limit

    return asyncio.run(main())


def test_no_more_calls_at_a_time_than_allowed() -> None:
    with ProviderServer(latency=0.02, together=7) as server:
        replies, _ = ask_many(server, 30, replace(QUICK, in_flight=7))
        assert server.most == 7
    assert len(replies) == 30


def test_a_429_halves_the_calls_at_a_time_and_all_questions_are_answered() -> None:
    with ProviderServer(together=16, faults=["429:0"] * 3) as server:
        replies, limit = ask_many(server, 20, replace(QUICK, in_flight=16))
        assert len(server.seen) == 23
    assert len(replies) == 20
    assert 8 <= limit < 12, "halved once for the burst, then grown by successes"
    assert all(reply.usage.calls == 1 for reply in replies), "a 429 is not billed"


def test_retry_after_holds_everybody_back() -> None:
    async def main(server: ProviderServer) -> tuple[float, list[Reply]]:
        async with JudgePool(QUICK, environ=server.environ) as pool:
            judge = pool.open("openai:m")
            loop = asyncio.get_running_loop()
            started = loop.time()
            replies = await asyncio.gather(*(judge.ask(PROMPT) for _ in range(4)))
            return loop.time() - started, list(replies)

    with ProviderServer(faults=["429:0.3"]) as server:
        waited, replies = asyncio.run(main(server))
    assert waited >= 0.3
    assert len(replies) == 4


def test_a_server_that_always_says_429_exhausts_patience_not_retries() -> None:
    with ProviderServer(faults=["429:0.05"] * 50) as server:
        with pytest.raises(ProviderError, match=r"429.*a wait of 0\.05 s, beyond the patience of"):
            ask_many(server, 1, replace(QUICK, retries=0, patience=0.2))
        assert 4 <= len(server.seen) <= 6


def test_a_server_that_asks_for_an_hour_is_not_waited_for() -> None:
    with ProviderServer(faults=["429:3600"]) as server:
        with pytest.raises(ProviderError, match=r"429.*a wait of 3,600 s, and 120 s is our"):
            ask_many(server, 1, QUICK)
        assert len(server.seen) == 1


def test_requests_per_minute_are_kept() -> None:
    """600 a minute: a tenth of a minute's worth at once, then one every 0.1 s."""

    async def main(server: ProviderServer) -> float:
        options = replace(QUICK, requests_per_minute=600)
        async with JudgePool(options, environ=server.environ) as pool:
            judge = pool.open("openai:m")
            loop = asyncio.get_running_loop()
            started = loop.time()
            await asyncio.gather(*(judge.ask(PROMPT) for _ in range(64)))
            return loop.time() - started

    with ProviderServer() as server:
        assert asyncio.run(main(server)) >= 0.4 - 0.01


def test_a_cancelled_call_gives_its_place_back() -> None:
    async def main() -> int:
        gate = Gate(1)
        await gate.enter()
        waiting = asyncio.create_task(gate.enter())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        gate.leave()
        await asyncio.wait_for(gate.enter(), 60)
        return gate.active

    assert asyncio.run(main()) == 1


def test_a_call_admitted_and_cancelled_in_one_turn_gives_its_place_back() -> None:
    async def main() -> int:
        gate = Gate(1)
        await gate.enter()
        waiting = asyncio.create_task(gate.enter())
        await asyncio.sleep(0)
        gate.leave()  # admits the waiting one …
        waiting.cancel()  # … which is cancelled before it runs
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.wait_for(gate.enter(), 60)
        return gate.active

    assert asyncio.run(main()) == 1


@given(
    st.floats(1, 10_000),
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 5)), min_size=1, max_size=40),
)
def test_a_bucket_never_lets_more_through_than_its_rate(
    rate: float, calls: list[tuple[float, float]]
) -> None:
    """Whatever was booked by the time t fits into one bucket and t minutes' filling."""
    bucket, now, booked = Bucket(rate), 0.0, 0.0
    for amount, step in calls:
        now += step
        wait = bucket.take(amount, now)
        booked += amount
        assert booked <= bucket.size + (now + wait) * rate / 60 + 1e-6 * (1 + booked)


def test_a_bucket_gives_back_what_was_not_used() -> None:
    bucket = Bucket(600.0)  # holds 60, ten a second
    assert bucket.take(60, 0.0) == 0
    bucket.give(50, 0.0)
    assert bucket.take(50, 0.0) == 0
    assert bucket.take(10, 0.0) == pytest.approx(1.0)


@given(st.integers(1, 60))
def test_backoff_grows_with_jitter_up_to_its_cap(attempt: int) -> None:
    whole = min(30.0, 0.5 * 2 ** (attempt - 1))
    assert whole / 2 <= backoff(attempt) <= whole


#: headers, seconds
WAITS = [
    ({"retry-after": "7"}, 7.0),
    ({"retry-after": "0.5"}, 0.5),
    ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),  # OpenAI sends both; the finer counts
    ({"retry-after": "Sun, 15 Nov 2026 12:00:30 GMT"}, 30.0),
    ({"retry-after": "Sun, 15 Nov 2026 11:00:00 GMT"}, 0.0),  # already past
    ({"retry-after": "soon"}, None),
    ({"retry-after": ""}, None),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "seconds"), WAITS)
def test_retry_after_is_read_in_all_its_forms(headers: dict, seconds: float | None) -> None:
    assert retry_after(headers, datetime(2026, 11, 15, 12, 0, 0, tzinfo=UTC)) == seconds


def test_gemini_says_how_long_to_wait_in_its_body() -> None:
    from oyer.judges.http_errors import complaint

    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "33s"}]
    error = {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": details}
    assert complaint({"error": error}).wait == 33.0

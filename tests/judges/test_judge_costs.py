"""Money: every figure here was computed by hand; an unknown price stays unknown."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from oyer.errors import InputError, ProviderError
from oyer.judges import JudgePool, Options, parse_name
from oyer.judges.prices import OWN_TABLE, Price, Rates, find_price, load
from oyer.judges.registry import find_provider
from oyer.judges.wire import TokenCount
from oyer.types import Prompt, Usage
from tests.servers.provider import ProviderServer

PROMPT = Prompt("Judge.", "Is it true?")
ARTICLE = "The town will replace its two ferries by June. The vote was nine to four."


def price(name: str, table: Path | None = None) -> Price | None:
    parsed = parse_name(name)
    return find_price(parsed, find_provider(parsed.kind).wire, table)


#: name, tokens, US dollars by hand
HAND = [
    ("openai:gpt-4o", TokenCount(1_000_000, 0), 2.5),
    ("openai:gpt-4o", TokenCount(0, 1_000_000), 10.0),
    ("openai:gpt-4o", TokenCount(1200, 340), 0.0064),  # .003 + .0034
    ("openai:gpt-4o", TokenCount(1200, 340, cached=1000), 0.00515),  # .0005 + .00125 + .0034
    ("openai:gpt-4o-2024-08-06", TokenCount(1200, 340), 0.0064),  # a snapshot costs as its family
    ("openai-responses:gpt-4o-mini", TokenCount(10_000, 1000), 0.0021),  # .0015 + .0006
    ("anthropic:claude-sonnet-4-5-20250929", TokenCount(2000, 500), 0.0135),  # .006 + .0075
    # 1000 fresh (.003) + 3000 read (.0009) + 2000 written (.0075) + 500 out (.0075)
    ("anthropic:claude-sonnet-4-5", TokenCount(6000, 500, cached=3000, written=2000), 0.0189),
    ("gemini:gemini-2.5-pro", TokenCount(200_000, 1000), 0.26),  # .25 + .01: not above the bound
    (
        "gemini:gemini-2.5-pro",
        TokenCount(200_001, 1000),
        0.5150025,
    ),  # 2.5 and 15 for the whole call
    ("ollama:qwen3:8b", TokenCount(5000, 5000), 0.0),  # your own machine
]


@pytest.mark.parametrize(("name", "tokens", "dollars"), HAND)
def test_a_call_costs_what_a_hand_computes(name: str, tokens: TokenCount, dollars: float) -> None:
    found = price(name)
    assert found is not None
    assert found.cost(tokens) == pytest.approx(dollars, rel=1e-12)


def test_a_batch_costs_half() -> None:
    found = price("openai:gpt-4o")
    assert found is not None
    assert found.cost(TokenCount(1200, 340), batch=True) == pytest.approx(0.0032)


UNKNOWN = [
    "openai:gpt-99",  # not in the table
    "openai:gpt-4o@http://127.0.0.1:1/v1",  # who knows what that server charges
    "ollama:m@http://far.example",  # not this machine
    "openrouter:openai/gpt-4o",  # it tells the price itself
    "openai:gpt-4o-mini-audio",  # a longer name is another model
]


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_price_is_none_never_zero(name: str) -> None:
    assert price(name) is None


def ask(server: ProviderServer, name: str, options: Options | None = None) -> Usage:
    async def main() -> Usage:
        quick = options or Options(timeout=120, pause=0.001)
        async with JudgePool(quick, environ=server.environ) as pool:
            return (await pool.open(name).ask(PROMPT)).usage

    return asyncio.run(main())


def test_the_cost_of_a_reply_is_in_its_usage() -> None:
    with ProviderServer(tokens=(1200, 340)) as server:
        usage = ask(server, "openai:gpt-4o")
    assert usage.cost_usd == pytest.approx(0.0064)


def test_failed_attempts_that_were_billed_are_in_the_cost() -> None:
    """81 tokens in for the empty answer (.0002025), then the reply (.0064)."""
    with ProviderServer(tokens=(1200, 340), faults=["empty", "500", "429:0"]) as server:
        usage = ask(server, "openai:gpt-4o")
    assert usage.calls == 2
    assert usage.input_tokens == 1281
    assert usage.cost_usd == pytest.approx(0.0066025)


def test_openrouter_tells_the_cost_itself() -> None:
    with ProviderServer() as server:
        assert ask(server, "openrouter:openai/gpt-4o").cost_usd == 0.00125


def test_a_reply_without_a_count_has_no_known_cost() -> None:
    with ProviderServer(tokens=(0, 0)) as server:
        assert ask(server, "openai:gpt-4o").cost_usd is None


@pytest.mark.parametrize("fault", ["html", "hang", "reset", "truncated", "502"])
def test_a_lost_call_to_a_server_of_ones_own_has_no_known_cost(fault: str) -> None:
    async def main() -> Usage:
        hasty = Options(timeout=0.15, pause=0.001, retries=0)
        async with JudgePool(hasty, environ={}) as pool:
            with pytest.raises(ProviderError) as caught:
                await pool.open(f"openai:m@{server.url}/v1").ask(PROMPT)
        usage: Usage = caught.value.usage
        return usage

    with ProviderServer(key=None, faults=[fault]) as server:
        usage = asyncio.run(main())
    assert usage.calls == 1
    assert usage.cost_usd is None


def test_no_command_shows_the_unknown_cost_of_lost_calls_as_0(tmp_path: Path) -> None:
    """The embedded judge gives the leaderboard its rows; the other's answers are HTML."""
    row = {"id": "c", "candidate": "a", "article": ARTICLE, "summary": "The vote was nine to four."}
    (tmp_path / "cases.jsonl").write_text(json.dumps(row))

    def oyer(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "oyer", *arguments, "--store", "r.db"],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2] / "src")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    with ProviderServer(key=None, faults=["html"] * 9) as server:
        (tmp_path / "suite.toml").write_text(
            'protocol = "judge-lock"\ncases = "cases.jsonl"\n'
            f'judges = ["embedded", "openai:m@{server.url}/v1"]\n[options]\nretries = 0\n'
        )
        shown = {"run": oyer("run", "suite.toml")}
    for command in (["runs"], ["leaderboard", "1"]):
        shown[command[0]] = oyer(*command)
    for name, text in shown.items():
        assert "unknown" in text, f"{name}: {text}"
        for line in text.splitlines():  # the embedded judge is free, and may say so
            assert "$0.0" not in line or "embedded" in line, f"{name}: {line}"
    (standing,) = json.loads(oyer("leaderboard", "1", "--json"))["standings"]
    assert standing["cost"] is None


def test_the_users_own_table_comes_first(tmp_path: Path) -> None:
    table = tmp_path / "prices.json"
    with ProviderServer(tokens=(1200, 340), key=None) as server:
        mine = f"openai:local@{server.url}/v1"
        rows = {mine: {"input": 1, "output": 2}, "openai:gpt-4o": {"input": 0, "output": 1}}
        table.write_text(json.dumps({"as_of": "2026-11-01", "prices": rows}))
        options = Options(prices=table)
        assert ask(server, mine, options).cost_usd == pytest.approx(0.00188)  # .0012 + .00068
        assert ask(server, "openai:gpt-4o", options).cost_usd == pytest.approx(0.00034)


BROKEN = [
    ("not json", "not JSON"),
    ("[]", "needs an object 'prices'"),
    ('{"prices": {"openai:x": {"input": 1}}}', "openai:x"),
    ('{"prices": {"openai:x": 3}}', "openai:x"),
]


@pytest.mark.parametrize(("text", "told"), BROKEN)
def test_a_broken_table_is_told_with_its_entry(tmp_path: Path, text: str, told: str) -> None:
    table = tmp_path / "p.json"
    table.write_text(text)
    with pytest.raises(InputError, match=told):
        load(table)


def test_our_table_is_dated_and_sane() -> None:
    """Every price has a date; output never costs less than input, nor cache more."""
    for name, entry in load(OWN_TABLE).items():
        assert entry.as_of, name
        for rates in filter(None, (entry.rates, entry.long)):
            assert isinstance(rates, Rates)
            assert 0 < rates.input <= rates.output, name
            assert rates.cached is not None, name
            assert rates.cached < rates.input, name

"""OpenRouter: OpenAI's format, with the price of each call in its answer."""

from __future__ import annotations

from dataclasses import replace

from oyer.judges.providers import openai
from oyer.judges.registry import http_provider
from oyer.judges.wire import Call, Outcome, Refusal, WireAnswer, as_dollars, as_map
from oyer.records import JsonObject


def body(call: Call) -> dict[str, object]:
    """Asks for the account of the call along with it."""
    return {**openai.body(call), "usage": {"include": True}}


def read(payload: JsonObject) -> Outcome:
    outcome = openai.read(payload)
    cost = as_dollars(as_map(payload.get("usage")).get("cost"))
    if cost is None:
        return outcome
    tokens = replace(outcome.tokens, cost=cost)
    if isinstance(outcome, WireAnswer):
        return replace(outcome, tokens=tokens)
    if isinstance(outcome, Refusal):
        return replace(outcome, tokens=tokens)
    return replace(outcome, tokens=tokens)


OPENROUTER = replace(
    openai.COMPATIBLE,
    provider="openrouter",
    base="https://openrouter.ai/api/v1",
    base_variable="OPENROUTER_BASE_URL",
    key_variables=("OPENROUTER_API_KEY",),
    body=body,
    read=read,
    roomy=True,
    batch=None,
)

PROVIDER = http_provider("openrouter", OPENROUTER, states_price=True)

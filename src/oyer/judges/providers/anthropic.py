"""Anthropic's Messages API."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from oyer.judges.http_errors import clip, complaint
from oyer.judges.registry import http_provider
from oyer.judges.schemas import close_objects, convert_once, schema_of
from oyer.judges.wire import (
    BATCH_PREFIX,
    BatchApi,
    BatchProgress,
    Call,
    Fault,
    Outcome,
    Refusal,
    TokenCount,
    Wire,
    WireAnswer,
    as_int,
    as_map,
    as_maps,
    as_text,
    unusable,
)
from oyer.records import JsonObject

if TYPE_CHECKING:
    from oyer.judges.batch_api import BatchClient

VERSION = "2023-06-01"
TOOL = "reply"
STOPS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}


def body(call: Call) -> dict[str, object]:
    """A message request: structured output, else a forced tool, else plain text."""
    prompt, features = call.prompt, call.features
    request: dict[str, object] = {
        "model": call.model,
        "max_tokens": call.max_tokens,
        "messages": [{"role": "user", "content": prompt.user}],
    }
    if prompt.system:
        request["system"] = prompt.system
    if "temperature" in features:
        request["temperature"] = call.options.temperature
    if prompt.schema is not None and "schema" in features:
        form = {"type": "json_schema", "schema": convert_once(close_objects, schema_of(call))}
        request["output_config"] = {"format": form}
    elif prompt.schema is not None and "tool" in features:
        about = "Give your reply through this tool."
        request["tools"] = [{"name": TOOL, "description": about, "input_schema": prompt.schema}]
        request["tool_choice"] = {"type": "tool", "name": TOOL}
    return request


def read(payload: JsonObject) -> Outcome:
    """The text blocks of a message; a forced tool's input counts as its text."""
    tokens = read_tokens(as_map(payload.get("usage")))
    blocks = as_maps(payload.get("content"))
    reason = as_text(payload.get("stop_reason"))
    if reason == "refusal":
        refusal = "".join(as_text(block.get("text")) for block in blocks)
        return Refusal(refusal or "the model refused", tokens)
    inputs = [
        b.get("input") for b in blocks if b.get("type") == "tool_use" and b.get("name") == TOOL
    ]
    text = (
        json.dumps(inputs[0], ensure_ascii=False)
        if inputs
        else "".join(as_text(b.get("text")) for b in blocks if b.get("type") == "text")
    )
    stop = STOPS.get(reason, reason or "stop")
    if not text and stop != "length":
        return unusable("the answer has no text", tokens)
    return WireAnswer(text, tokens, stop, as_text(payload.get("model")))


def read_tokens(usage: JsonObject) -> TokenCount:
    """`input_tokens` leaves out what the cache read and wrote; we count all that went in."""
    cached = as_int(usage.get("cache_read_input_tokens"))
    written = as_int(usage.get("cache_creation_input_tokens"))
    return TokenCount(
        input=as_int(usage.get("input_tokens")) + cached + written,
        output=as_int(usage.get("output_tokens")),
        cached=cached,
        written=written,
    )


async def submit_batch(client: BatchClient, bodies: list[bytes], mark: str) -> str:
    """All requests in one body; this API offers no place for a mark."""
    rows = [
        b'{"custom_id":"%s%d","params":%s}' % (BATCH_PREFIX.encode(), number, body)
        for number, body in enumerate(bodies)
    ]
    wanted = b'{"requests":[%s]}' % b",".join(rows)
    return client.batch_id(await client.object("messages/batches", wanted))


def batch_progress(shown: JsonObject, total: int) -> BatchProgress:
    ended = shown.get("processing_status") == "ended"
    done = total - as_int(as_map(shown.get("request_counts")).get("processing"))
    return BatchProgress("ended" if ended else "running", done, total)


async def batch_outcomes(client: BatchClient, batch: str) -> AsyncIterator[tuple[str, Outcome]]:
    """Not from its `results_url`: the key goes only where the user sent it."""
    for row in await client.rows(f"messages/batches/{batch}/results"):
        yield as_text(row.get("custom_id")), _batch_outcome(client, as_map(row.get("result")))


def _batch_outcome(client: BatchClient, result: JsonObject) -> Outcome:
    kind = as_text(result.get("type"))
    if kind == "succeeded":
        return client.understand(200, result.get("message"))
    message = clip(complaint(as_map(result.get("error"))).message)
    return Fault(f"the batch's request was {kind or 'lost'}{f': {message}' if message else ''}")


ANTHROPIC = Wire(
    provider="anthropic",
    base="https://api.anthropic.com",
    version="/v1",
    base_variable="ANTHROPIC_BASE_URL",
    key_variables=("ANTHROPIC_API_KEY",),
    features=frozenset({"schema", "tool", "temperature"}),  # no seed; no bounds in its schemas
    path=lambda model: "messages",
    headers=lambda key: {"x-api-key": key},
    body=body,
    read=read,
    fixed_headers=(("anthropic-version", VERSION),),
    roomy=True,
    batch=BatchApi(
        path=lambda batch: f"messages/batches/{batch}",
        submit=submit_batch,
        progress=batch_progress,
        outcomes=batch_outcomes,
    ),
)

PROVIDER = http_provider("anthropic", ANTHROPIC, vendor="anthropic")

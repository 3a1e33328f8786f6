"""OpenAI's Responses API (`openai-responses:MODEL`)."""

from __future__ import annotations

from dataclasses import replace

from oyer.judges.http_errors import POLICY, clip
from oyer.judges.providers.openai import OPENAI, name_schema
from oyer.judges.registry import http_provider
from oyer.judges.schemas import schema_of
from oyer.judges.wire import (
    Call,
    Fault,
    Outcome,
    Refusal,
    TokenCount,
    WireAnswer,
    as_int,
    as_map,
    as_maps,
    as_text,
    unusable,
)
from oyer.records import JsonObject


def body(call: Call) -> dict[str, object]:
    """A request that the provider does not keep (`store: false`)."""
    prompt, features = call.prompt, call.features
    request: dict[str, object] = {
        "model": call.model,
        "input": [{"role": "user", "content": prompt.user}],
        "max_output_tokens": call.max_tokens,
        "store": False,
    }
    if prompt.system:
        request["instructions"] = prompt.system
    if "temperature" in features:
        request["temperature"] = call.options.temperature
    if prompt.schema is not None and "schema" in features:
        request["text"] = {"format": {"type": "json_schema", **name_schema(schema_of(call))}}
    elif prompt.schema is not None and "json" in features:
        request["text"] = {"format": {"type": "json_object"}}
    return request


def read(payload: JsonObject) -> Outcome:
    """The text parts of the output messages; reasoning items are not the reply."""
    tokens = read_tokens(as_map(payload.get("usage")))
    status = as_text(payload.get("status"))
    reason = as_text(as_map(payload.get("incomplete_details")).get("reason"))
    if status == "failed":
        return _read_failure(as_map(payload.get("error")), tokens)
    if reason == "content_filter":
        return Refusal("the provider's content filter stopped the reply", tokens)
    parts: list[JsonObject] = []
    for item in as_maps(payload.get("output")):
        if item.get("type") == "message":
            parts += as_maps(item.get("content"))
    for part in parts:
        if part.get("type") == "refusal":
            return Refusal(as_text(part.get("refusal")), tokens)
    text = "".join(as_text(p.get("text")) for p in parts if p.get("type") == "output_text")
    stop = "length" if reason == "max_output_tokens" else "stop"
    if not text and stop != "length":
        return unusable("the answer has no output text", tokens)
    return WireAnswer(text, tokens, stop, as_text(payload.get("model")))


def _read_failure(error: JsonObject, tokens: TokenCount) -> Outcome:
    code = as_text(error.get("code"))
    message = clip(as_text(error.get("message")))
    if code in POLICY:
        return Refusal(f"{code}: {message}", tokens)
    return Fault(
        f"the response failed with {code or 'an error'}: {message}",
        again=code in ("server_error", "rate_limit_exceeded", ""),
        throttled=code == "rate_limit_exceeded",
        billed=True,
        tokens=tokens,
        status=200,
    )


def read_tokens(usage: JsonObject) -> TokenCount:
    details = as_map(usage.get("input_tokens_details"))
    spoken = as_map(usage.get("output_tokens_details"))
    return TokenCount(
        input=as_int(usage.get("input_tokens")),
        output=as_int(usage.get("output_tokens")),
        cached=as_int(details.get("cached_tokens")),
        reasoning=as_int(spoken.get("reasoning_tokens")),
    )


OPENAI_RESPONSES = replace(
    OPENAI,
    features=frozenset({"schema", "bounds", "json", "temperature"}),  # this API knows no seed
    path=lambda model: "responses",
    body=body,
    read=read,
)

PROVIDER = http_provider("openai-responses", OPENAI_RESPONSES)

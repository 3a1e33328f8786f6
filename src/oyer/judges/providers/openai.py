"""OpenAI's chat completions, and every server that speaks them: vLLM, llama.cpp, LM Studio …"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from oyer.judges.http_errors import clip
from oyer.judges.registry import http_provider
from oyer.judges.schemas import convert_once, is_strict, schema_of
from oyer.judges.wire import (
    BATCH_PREFIX,
    BatchApi,
    BatchProgress,
    Call,
    Constant,
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

SCHEMA_NAME = "reply"


def body(call: Call) -> dict[str, object]:
    """A chat completion request; each optional part only while the server takes it."""
    prompt, features = call.prompt, call.features
    messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
    bound = "max_tokens" if "max_tokens" in features else "max_completion_tokens"
    request: dict[str, object] = {
        "model": call.model,
        "messages": [*messages, {"role": "user", "content": prompt.user}],
        bound: call.max_tokens,
    }
    if "temperature" in features:
        request["temperature"] = call.options.temperature
    if "seed" in features:
        request["seed"] = call.seed
    if prompt.schema is not None and "schema" in features:
        request["response_format"] = convert_once(_form, schema_of(call))
    elif prompt.schema is not None and "json" in features:
        request["response_format"] = {"type": "json_object"}
    return request


def name_schema(schema: JsonObject) -> dict[str, object]:
    """A schema under a name, strict when it keeps OpenAI's rules for strictness."""
    return {"name": SCHEMA_NAME, "schema": schema, "strict": convert_once(is_strict, schema)}


def _form(schema: JsonObject) -> Constant:
    return Constant({"type": "json_schema", "json_schema": name_schema(schema)})


def read(payload: JsonObject) -> Outcome:
    """A chat completion -> text, stop reason and tokens; or the refusal it holds."""
    tokens = read_tokens(as_map(payload.get("usage")))
    choices = as_maps(payload.get("choices"))
    if not choices:
        return unusable("the answer has no choices", tokens)
    choice = choices[0]
    message = as_map(choice.get("message"))
    finish = as_text(choice.get("finish_reason")) or "stop"
    if refusal := as_text(message.get("refusal")):
        return Refusal(refusal, tokens)
    if finish == "content_filter":
        return Refusal("the provider's content filter stopped the reply", tokens)
    if choice.get("error") or finish == "error":
        reason = as_text(as_map(choice.get("error")).get("message"))
        return unusable(f"the answer broke off with an error: {reason[:200]}", tokens)
    text = content(message.get("content"))
    if not text and finish != "length":
        return unusable("the answer is empty", tokens)
    return WireAnswer(text, tokens, finish, as_text(payload.get("model")))


def content(value: object) -> str:
    """Message content: a string, or a list of parts of which the text counts."""
    if isinstance(value, str):
        return value
    return "".join(as_text(part.get("text")) for part in as_maps(value))


def read_tokens(usage: JsonObject) -> TokenCount:
    """`completion_tokens` includes reasoning; cached tokens are part of `prompt_tokens`."""
    details = as_map(usage.get("prompt_tokens_details"))
    spoken = as_map(usage.get("completion_tokens_details"))
    return TokenCount(
        input=as_int(usage.get("prompt_tokens")),
        output=as_int(usage.get("completion_tokens")),
        cached=as_int(details.get("cached_tokens")),
        reasoning=as_int(spoken.get("reasoning_tokens")),
    )


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


# ── batches ───────────────────────────────────────────────────────────────────────────────────

NEVER = ("failed", "expired", "cancelled", "cancelling")


async def submit_batch(client: BatchClient, bodies: list[bytes], mark: str) -> str:
    """Upload the requests as a file, then make a batch of it."""
    from aiohttp import FormData

    if mark and (found := await _find_marked(client, mark)):
        return found
    path = f"/v1/{client.question_path}"
    lines = [
        b'{"custom_id":"%s%d","method":"POST","url":"%s","body":%s}'
        % (BATCH_PREFIX.encode(), number, path.encode(), body)
        for number, body in enumerate(bodies)
    ]
    form = FormData()
    form.add_field("purpose", "batch")
    name, kind = "oyer.jsonl", "application/jsonl"
    form.add_field("file", b"\n".join(lines), filename=name, content_type=kind)
    file = await client.object("files", form)
    wanted: dict[str, object] = {
        "input_file_id": file.get("id"),
        "endpoint": path,
        "completion_window": "24h",
    }
    if mark:
        wanted["metadata"] = {"oyer": mark}
    return client.batch_id(await client.object("batches", json.dumps(wanted).encode()))


async def _find_marked(client: BatchClient, mark: str) -> str | None:
    """A batch with our mark that is under way or done."""
    listed = await client.object("batches?limit=100")
    for batch in as_maps(listed.get("data")):
        ours = as_map(batch.get("metadata")).get("oyer") == mark
        if ours and batch.get("status") not in NEVER:
            return client.batch_id(batch)
    return None


def batch_progress(shown: JsonObject, total: int) -> BatchProgress:
    status = as_text(shown.get("status"))
    counts = as_map(shown.get("request_counts"))
    done = as_int(counts.get("completed")) + as_int(counts.get("failed"))
    if status == "failed":
        faults = as_maps(as_map(shown.get("errors")).get("data"))
        message = clip("; ".join(as_text(fault.get("message")) for fault in faults))
        return BatchProgress("failed", done, total, message or "no reason given")
    over = status in ("completed", "expired", "cancelled")
    return BatchProgress("ended" if over else "running", done, total)


async def batch_outcomes(client: BatchClient, batch: str) -> AsyncIterator[tuple[str, Outcome]]:
    shown = await client.object(f"batches/{batch}")
    for key in ("output_file_id", "error_file_id"):
        if file := as_text(shown.get(key)):
            for row in await client.rows(f"files/{file}/content"):
                yield as_text(row.get("custom_id")), _batch_outcome(client, row)


def _batch_outcome(client: BatchClient, row: JsonObject) -> Outcome:
    response = as_map(row.get("response"))
    if not response:
        error = as_map(row.get("error"))
        return Fault(f"{as_text(error.get('code'))}: {clip(as_text(error.get('message')))}")
    return client.understand(as_int(response.get("status_code")), response.get("body"))


BATCHES = BatchApi(
    path=lambda batch: f"batches/{batch}",
    submit=submit_batch,
    progress=batch_progress,
    outcomes=batch_outcomes,
)

# ── where it is ───────────────────────────────────────────────────────────────────────────────

#: Well-known compatible services have keys of their own, which OpenAI's must not stand in for.
#: Those with a file in this folder say theirs there.
KEYS_BY_HOST: Mapping[str, tuple[str, ...]] = {
    "api.groq.com": ("GROQ_API_KEY",),
    "api.deepseek.com": ("DEEPSEEK_API_KEY",),
    "api.mistral.ai": ("MISTRAL_API_KEY",),
    "api.together.xyz": ("TOGETHER_API_KEY",),
    "api.fireworks.ai": ("FIREWORKS_API_KEY",),
    "api.x.ai": ("XAI_API_KEY",),
    "api.cerebras.ai": ("CEREBRAS_API_KEY",),
}

#: The service itself: only `max_completion_tokens`, which its reasoning models insist on.
OPENAI = Wire(
    provider="openai",
    base="https://api.openai.com/v1",
    version="",
    base_variable="OPENAI_BASE_URL",
    key_variables=("OPENAI_API_KEY",),
    features=frozenset({"schema", "bounds", "json", "temperature", "seed"}),
    path=lambda model: "chat/completions",
    headers=bearer,
    body=body,
    read=read,
    roomy=True,
    batch=BATCHES,
    keys_by_host=KEYS_BY_HOST,
)
#: Servers of the user's own know the older name of the bound.
COMPATIBLE = replace(OPENAI, features=OPENAI.features | {"max_tokens"}, roomy=False)

PROVIDER = http_provider("openai", replace(OPENAI, elsewhere=COMPATIBLE), vendor="openai")

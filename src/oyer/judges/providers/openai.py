"""OpenAI's chat completions, and every server that speaks them: vLLM, llama.cpp, LM Studio …"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from oyer.judges.schemas import is_strict, made_once, schema_of
from oyer.judges.wire import (
    Answer,
    Call,
    Constant,
    Outcome,
    Refusal,
    Tokens,
    Wire,
    as_int,
    as_map,
    as_maps,
    as_text,
    unusable,
)

SCHEMA_NAME = "reply"


def body(call: Call) -> dict[str, Any]:
    """A chat completion request; each optional part only while the server takes it."""
    prompt, features = call.prompt, call.features
    messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
    bound = "max_tokens" if "max_tokens" in features else "max_completion_tokens"
    request: dict[str, Any] = {
        "model": call.model,
        "messages": [*messages, {"role": "user", "content": prompt.user}],
        bound: call.max_tokens,
    }
    if "temperature" in features:
        request["temperature"] = call.options.temperature
    if "seed" in features:
        request["seed"] = call.options.seed
    if prompt.schema is not None and "schema" in features:
        request["response_format"] = made_once(_form, schema_of(call))
    elif prompt.schema is not None and "json" in features:
        request["response_format"] = {"type": "json_object"}
    return request


def named(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema under a name, strict when it keeps OpenAI's rules for strictness."""
    return {"name": SCHEMA_NAME, "schema": schema, "strict": made_once(is_strict, schema)}


def _form(schema: Mapping[str, Any]) -> Constant:
    return Constant({"type": "json_schema", "json_schema": named(schema)})


def read(payload: Mapping[str, Any]) -> Outcome:
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
        said = as_text(as_map(choice.get("error")).get("message"))
        return unusable(f"the answer broke off with an error: {said[:200]}", tokens)
    text = content(message.get("content"))
    if not text and finish != "length":
        return unusable("the answer is empty", tokens)
    return Answer(text, tokens, finish, as_text(payload.get("model")))


def content(value: object) -> str:
    """Message content: a string, or a list of parts of which the text counts."""
    if isinstance(value, str):
        return value
    return "".join(as_text(part.get("text")) for part in as_maps(value))


def read_tokens(usage: Mapping[str, Any]) -> Tokens:
    """`completion_tokens` includes reasoning; cached tokens are part of `prompt_tokens`."""
    details = as_map(usage.get("prompt_tokens_details"))
    spoken = as_map(usage.get("completion_tokens_details"))
    return Tokens(
        input=as_int(usage.get("prompt_tokens")),
        output=as_int(usage.get("completion_tokens")),
        cached=as_int(details.get("cached_tokens")),
        reasoning=as_int(spoken.get("reasoning_tokens")),
    )


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


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
)
#: Servers of the user's own know the older name of the bound.
COMPATIBLE = replace(OPENAI, features=OPENAI.features | {"max_tokens"}, roomy=False)

#: Well-known compatible services have keys of their own, which OpenAI's must not stand in for.
KEYS_BY_HOST: Mapping[str, tuple[str, ...]] = {
    "api.openai.com": ("OPENAI_API_KEY",),
    "api.groq.com": ("GROQ_API_KEY",),
    "api.deepseek.com": ("DEEPSEEK_API_KEY",),
    "api.mistral.ai": ("MISTRAL_API_KEY",),
    "api.together.xyz": ("TOGETHER_API_KEY",),
    "api.fireworks.ai": ("FIREWORKS_API_KEY",),
    "api.x.ai": ("XAI_API_KEY",),
    "api.cerebras.ai": ("CEREBRAS_API_KEY",),
    "openrouter.ai": ("OPENROUTER_API_KEY",),
    "generativelanguage.googleapis.com": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}

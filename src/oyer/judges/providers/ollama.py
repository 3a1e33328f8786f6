"""Ollama's own chat API, on this machine or another."""

from __future__ import annotations

from oyer.judges.registry import http_provider
from oyer.judges.schemas import schema_of
from oyer.judges.wire import (
    Call,
    Outcome,
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

#: Context sizes to ask for. Few, because Ollama loads the model anew when the size changes.
WINDOWS = (8_192, 16_384, 32_768, 65_536, 131_072)


def body(call: Call) -> dict[str, object]:
    prompt, features = call.prompt, call.features
    messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
    options: dict[str, object] = {"num_predict": call.max_tokens, "num_ctx": window(call)}
    if "temperature" in features:
        options["temperature"] = call.options.temperature
    if "seed" in features:
        options["seed"] = call.seed
    request: dict[str, object] = {
        "model": call.model,
        "messages": [*messages, {"role": "user", "content": prompt.user}],
        "stream": False,
        "options": options,
    }
    if prompt.schema is not None and "schema" in features:
        request["format"] = schema_of(call)
    elif prompt.schema is not None and "json" in features:
        request["format"] = "json"
    return request


def window(call: Call) -> int:
    """A context that holds prompt and reply: Ollama cuts longer prompts without a word."""
    size = len((call.prompt.system + call.prompt.user).encode("utf-8", "replace"))
    need = size // 3 + call.max_tokens + 256  # at least 3 bytes a token, in any script we met
    return next((fits for fits in WINDOWS if fits >= need), need)


def read(payload: JsonObject) -> Outcome:
    message = as_map(payload.get("message"))
    tokens = TokenCount(as_int(payload.get("prompt_eval_count")), as_int(payload.get("eval_count")))
    stop = as_text(payload.get("done_reason")) or "stop"
    text = as_text(message.get("content"))
    if payload.get("done") is False:
        return unusable("the answer is not complete", tokens)
    if not text and stop != "length":
        return unusable("the answer is empty", tokens)
    return WireAnswer(text, tokens, stop, as_text(payload.get("model")))


def address(value: str) -> str:
    """OLLAMA_HOST as people set it: a host, a host and port, or an address."""
    value = value.strip().rstrip("/")
    if "://" not in value:
        value = f"http://{value}"
    host = value.split("://", 1)[1]
    if host.startswith("0.0.0.0"):  # noqa: S104 — where it listens is not where it is reached
        value = value.replace("0.0.0.0", "127.0.0.1", 1)  # noqa: S104
    named_port = ":" in host.rsplit("]", 1)[-1] or "/" in host or value.startswith("https://")
    return value if named_port else f"{value}:11434"


def list_models(payload: JsonObject) -> list[str]:
    return [as_text(model.get("name")) for model in as_maps(payload.get("models"))]


OLLAMA = Wire(
    provider="ollama",
    base="http://127.0.0.1:11434",
    version="",
    base_variable="OLLAMA_HOST",
    key_variables=("OLLAMA_API_KEY",),  # only where a proxy or ollama.com asks for one
    features=frozenset({"schema", "bounds", "json", "temperature", "seed"}),
    path=lambda model: "api/chat",
    headers=lambda key: {"Authorization": f"Bearer {key}"},
    body=body,
    read=read,
    free=True,
    full_address=address,
    models=("api/tags", list_models),
)

PROVIDER = http_provider("ollama", OLLAMA)

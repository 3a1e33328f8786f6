"""Google's Gemini API: generateContent."""

from __future__ import annotations

from urllib.parse import quote

from oyer.judges.registry import http_provider
from oyer.judges.schemas import schema_of
from oyer.judges.wire import (
    Call,
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

#: Finish reasons that mean "not this text".
BLOCKED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE"})
STOPS = {"STOP": "stop", "MAX_TOKENS": "length"}


def body(call: Call) -> dict[str, object]:
    prompt, features = call.prompt, call.features
    config: dict[str, object] = {"maxOutputTokens": call.max_tokens, "candidateCount": 1}
    if "temperature" in features:
        config["temperature"] = call.options.temperature
    if "seed" in features:
        config["seed"] = call.seed
    if prompt.schema is not None and {"schema", "json"} & features:
        config["responseMimeType"] = "application/json"
        if "schema" in features:
            config["responseJsonSchema"] = schema_of(call)
    request: dict[str, object] = {
        "contents": [{"role": "user", "parts": [{"text": prompt.user}]}],
        "generationConfig": config,
    }
    if prompt.system:
        request["systemInstruction"] = {"parts": [{"text": prompt.system}]}
    return request


def read(payload: JsonObject) -> Outcome:
    """The first candidate's text parts, without its thoughts."""
    tokens = read_tokens(as_map(payload.get("usageMetadata")))
    if blocked := as_text(as_map(payload.get("promptFeedback")).get("blockReason")):
        return Refusal(f"the prompt was blocked ({blocked})", tokens)
    candidates = as_maps(payload.get("candidates"))
    if not candidates:
        return unusable("the answer has no candidates", tokens)
    finish = as_text(candidates[0].get("finishReason")) or "STOP"
    if finish in BLOCKED:
        return Refusal(f"the reply was blocked ({finish})", tokens)
    parts = as_maps(as_map(candidates[0].get("content")).get("parts"))
    text = "".join(as_text(part.get("text")) for part in parts if not part.get("thought"))
    stop = STOPS.get(finish, finish.lower())
    if not text and stop != "length":
        return unusable(f"the answer is empty ({finish})", tokens)
    return WireAnswer(text, tokens, stop, as_text(payload.get("modelVersion")))


def read_tokens(usage: JsonObject) -> TokenCount:
    """Thoughts are billed as output and counted apart from the candidate's tokens."""
    return TokenCount(
        input=as_int(usage.get("promptTokenCount")),
        output=as_int(usage.get("candidatesTokenCount")) + as_int(usage.get("thoughtsTokenCount")),
        cached=as_int(usage.get("cachedContentTokenCount")),
        reasoning=as_int(usage.get("thoughtsTokenCount")),
    )


GEMINI = Wire(
    provider="gemini",
    base="https://generativelanguage.googleapis.com",
    version="/v1beta",
    base_variable="GEMINI_BASE_URL",
    key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    features=frozenset({"schema", "bounds", "json", "temperature", "seed"}),
    path=lambda model: f"models/{quote(model, safe='')}:generateContent",
    headers=lambda key: {"x-goog-api-key": key},  # never in the address: addresses are logged
    body=body,
    read=read,
    roomy=True,
)

PROVIDER = http_provider("gemini", GEMINI, vendor="google")

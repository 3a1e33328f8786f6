"""Each provider's answers, as its public API reference describes them: pure data, no server.

A shape is what a program sees on the wire: success with usage, a refusal, a reply cut at its
bound, an error with its status. Tests compare against these, so nothing here imports `oyer`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """One provider's format."""

    name: str
    key_header: str
    success: Callable[[Json, str, int, int], Json]  # request, text, tokens in, tokens out
    length: Callable[[Json, str, int, int], Json]
    refusal: Callable[[Json], Json]
    filtered: Callable[[Json], Json]
    nothing: Callable[[Json], Json]  # the envelope without an answer
    error: Callable[[int, str, str, str], Any]  # status, code, message, parameter
    prompt: Callable[[Json], str]  # all the words of a request
    schema: Callable[[Json], Any]  # the schema it carries, or None


# ── OpenAI: chat completions ──────────────────────────────────────────────────────────────────


def _chat(body: Json, message: Json, finish: str, tokens: tuple[int, int]) -> Json:
    return {
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1741569952,
        "model": f"{body['model']}-2026-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "refusal": None, "annotations": [], **message},
                "logprobs": None,
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 5, "audio_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": "fp_44709d6fcb",
    }


def _openai_error(status: int, code: str, message: str, param: str) -> Json:
    kind = "invalid_request_error" if status < 429 else "server_error"
    return {
        "error": {
            "message": message,
            "type": code if status == 429 else kind,
            "param": param or None,
            "code": code or None,
        }
    }


def _chat_prompt(body: Json) -> str:
    return "\n".join(str(m["content"]) for m in body["messages"])


def _chat_schema(body: Json) -> Any:
    return body.get("response_format", {}).get("json_schema", {}).get("schema")


OPENAI = Shape(
    "openai",
    "Authorization",
    success=lambda b, text, i, o: _chat(b, {"content": text}, "stop", (i, o)),
    length=lambda b, text, i, o: _chat(b, {"content": text}, "length", (i, o)),
    refusal=lambda b: _chat(
        b, {"content": None, "refusal": "I'm sorry, I cannot assist."}, "stop", (81, 11)
    ),
    filtered=lambda b: _chat(b, {"content": ""}, "content_filter", (81, 0)),
    nothing=lambda b: {**_chat(b, {"content": ""}, "stop", (81, 0)), "choices": []},
    error=_openai_error,
    prompt=_chat_prompt,
    schema=_chat_schema,
)


# ── OpenAI: responses ─────────────────────────────────────────────────────────────────────────


def _response(body: Json, content: list[Json], tokens: tuple[int, int], reason: str = "") -> Json:
    return {
        "id": "resp_67ccd2bed1ec8190b14f964abc054267",
        "object": "response",
        "created_at": 1741476542,
        "status": "incomplete" if reason else "completed",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "instructions": body.get("instructions"),
        "model": f"{body['model']}-2026-01-01",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "message",
                "id": "msg_67ccd2bf17f0819081ff3bb2cf6508e6",
                "status": "incomplete" if reason else "completed",
                "role": "assistant",
                "content": content,
            },
        ],
        "store": body.get("store", True),
        "usage": {
            "input_tokens": tokens[0],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": tokens[1],
            "output_tokens_details": {"reasoning_tokens": 5},
            "total_tokens": sum(tokens),
        },
    }


def _output(text: str) -> list[Json]:
    return [{"type": "output_text", "text": text, "annotations": []}]


OPENAI_RESPONSES = Shape(
    "openai-responses",
    "Authorization",
    success=lambda b, text, i, o: _response(b, _output(text), (i, o)),
    length=lambda b, text, i, o: _response(b, _output(text), (i, o), "max_output_tokens"),
    refusal=lambda b: _response(
        b, [{"type": "refusal", "refusal": "I'm sorry, I cannot assist."}], (81, 11)
    ),
    filtered=lambda b: _response(b, [], (81, 0), "content_filter"),
    nothing=lambda b: {**_response(b, [], (81, 0)), "output": []},
    error=_openai_error,
    prompt=lambda b: f"{b.get('instructions', '')}\n{b['input'][0]['content']}",
    schema=lambda b: b.get("text", {}).get("format", {}).get("schema"),
)


# ── Anthropic ─────────────────────────────────────────────────────────────────────────────────


def _message(body: Json, text: str, stop: str, tokens: tuple[int, int]) -> Json:
    block: Json = {"type": "text", "text": text}
    if body.get("tool_choice", {}).get("type") == "tool":
        tool = body["tool_choice"]["name"]
        block = {"type": "tool_use", "id": "toolu_01", "name": tool, "input": _parsed(text)}
        stop = "tool_use" if stop == "end_turn" else stop
    return {
        "id": "msg_013Zva2CMHLNnXjNJJKqJ2EF",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [block] if text else [],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens[0],
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": tokens[1],
            "service_tier": "standard",
        },
    }


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"text": text}


ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}


def _anthropic_error(status: int, code: str, message: str, param: str) -> Json:
    kind = ANTHROPIC_TYPES.get(status, "api_error")
    error = {"type": kind, "message": f"{param}: {message}" if param else message}
    return {"type": "error", "error": error, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy"}


def _anthropic_schema(body: Json) -> Any:
    tools = body.get("tools")
    inner = body.get("output_config", {}).get("format", {}).get("schema")
    return tools[0]["input_schema"] if tools else inner


ANTHROPIC = Shape(
    "anthropic",
    "x-api-key",
    success=lambda b, text, i, o: _message(b, text, "end_turn", (i, o)),
    length=lambda b, text, i, o: _message(b, text, "max_tokens", (i, o)),
    refusal=lambda b: {**_message(b, "", "refusal", (81, 3))},
    filtered=lambda b: {**_message(b, "", "refusal", (81, 3))},
    nothing=lambda b: _message(b, "", "end_turn", (81, 2)),
    error=_anthropic_error,
    prompt=lambda b: f"{b.get('system', '')}\n{b['messages'][0]['content']}",
    schema=_anthropic_schema,
)


# ── Gemini ────────────────────────────────────────────────────────────────────────────────────


def _candidate(text: str, finish: str, tokens: tuple[int, int]) -> Json:
    parts = [{"text": "**Thinking**", "thought": True}, {"text": text}] if text else []
    return {
        "candidates": [
            {
                "content": {"parts": parts, "role": "model"} if parts else {},
                "finishReason": finish,
                "index": 0,
                "safetyRatings": [],
            }
        ],
        "usageMetadata": {
            "promptTokenCount": tokens[0],
            "candidatesTokenCount": tokens[1],
            "totalTokenCount": sum(tokens),
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tokens[0]}],
        },
        "modelVersion": "gemini-test-001",
        "responseId": "Z4cPaM_tBoTfz7IPq9OAuA0",
    }


def _blocked() -> Json:
    usage = {"promptTokenCount": 81, "totalTokenCount": 81}
    feedback = {"blockReason": "PROHIBITED_CONTENT"}
    return {"promptFeedback": feedback, "usageMetadata": usage, "modelVersion": "gemini-test-001"}


GEMINI_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


def _gemini_error(status: int, code: str, message: str, param: str) -> Json:
    word = GEMINI_STATUS.get(status, "INTERNAL")
    said = f'Invalid JSON payload received. Unknown name "{param}"' if param else message
    return {"error": {"code": status, "message": said, "status": word}}


def _gemini_prompt(body: Json) -> str:
    system = body.get("systemInstruction", {}).get("parts", [{"text": ""}])
    return f"{system[0]['text']}\n{body['contents'][0]['parts'][0]['text']}"


GEMINI = Shape(
    "gemini",
    "x-goog-api-key",
    success=lambda b, text, i, o: _candidate(text, "STOP", (i, o)),
    length=lambda b, text, i, o: _candidate(text, "MAX_TOKENS", (i, o)),
    refusal=lambda b: _blocked(),
    filtered=lambda b: _candidate("", "SAFETY", (81, 0)),
    nothing=lambda b: {**_candidate("", "STOP", (81, 0)), "candidates": []},
    error=_gemini_error,
    prompt=_gemini_prompt,
    schema=lambda b: b["generationConfig"].get("responseJsonSchema"),
)


# ── Ollama ────────────────────────────────────────────────────────────────────────────────────


def _ollama(body: Json, text: str, reason: str, tokens: tuple[int, int]) -> Json:
    return {
        "model": body["model"],
        "created_at": "2026-01-01T00:00:00.000000Z",
        "message": {"role": "assistant", "content": text},
        "done_reason": reason,
        "done": True,
        "total_duration": 5191566416,
        "load_duration": 2154458,
        "prompt_eval_count": tokens[0],
        "prompt_eval_duration": 383809000,
        "eval_count": tokens[1],
        "eval_duration": 4799921000,
    }


OLLAMA = Shape(
    "ollama",
    "Authorization",
    success=lambda b, text, i, o: _ollama(b, text, "stop", (i, o)),
    length=lambda b, text, i, o: _ollama(b, text, "length", (i, o)),
    refusal=lambda b: _ollama(b, "I cannot assist.", "stop", (81, 4)),  # it has no refusals
    filtered=lambda b: _ollama(b, "I cannot assist.", "stop", (81, 4)),
    nothing=lambda b: _ollama(b, "", "stop", (81, 0)),
    error=lambda status, code, message, param: {"error": f"{param} {message}".strip()},
    prompt=_chat_prompt,
    schema=lambda b: b["format"] if isinstance(b.get("format"), dict) else None,
)


# ── OpenRouter ────────────────────────────────────────────────────────────────────────────────


def _router_success(body: Json, text: str, i: int, o: int) -> Json:
    shape = _chat(body, {"content": text}, "stop", (i, o))
    shape["choices"][0]["native_finish_reason"] = "stop"
    if body.get("usage", {}).get("include"):
        shape["usage"]["cost"] = 0.00125
    return {**shape, "provider": "Test"}


def _router_error(status: int, code: str, message: str, param: str) -> Json:
    said = {"message": f"{param} {message}".strip(), "code": status}
    return {"error": {**said, "metadata": {"provider_name": "Test"}}, "user_id": "user_1"}


OPENROUTER = Shape(
    "openrouter",
    "Authorization",
    success=_router_success,
    length=OPENAI.length,
    refusal=OPENAI.refusal,
    filtered=OPENAI.filtered,
    nothing=OPENAI.nothing,
    error=_router_error,
    prompt=_chat_prompt,
    schema=_chat_schema,
)

SHAPES: Mapping[str, Shape] = {
    shape.name: shape for shape in (OPENAI, OPENAI_RESPONSES, ANTHROPIC, GEMINI, OLLAMA, OPENROUTER)
}

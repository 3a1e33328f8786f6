"""What each provider takes of JSON schema, as its reference says; the rest it answers with 400.

    openai      strict: closed objects, all properties required, an object at the root; its guide
                allows 10 levels, 5,000 properties and 1,000 enum values, but 5, 100 and 500 were
                its first limits and Azure's page still has them, so ours keep to those
    anthropic   closed objects; no bounds but minItems of 0 or 1; 16 unions, 24 optional properties
    gemini      responseJsonSchema: the keywords listed in Google's API reference and in its SDKs;
                others are ignored, which we do not want. "Very large or deeply nested" schemas
                may be rejected; how large is not said
    ollama      what llama.cpp turns into a grammar

Written from the references and from what their users report, not from `oyer`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
COMMON = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf",
    "description", "title", "$ref", "$defs",
}  # fmt: skip
OPENAI = COMMON | {
    "const", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "pattern", "format",
}  # fmt: skip
ANTHROPIC = COMMON | {"const", "allOf", "minItems", "format", "pattern", "default"}
GEMINI = COMMON | {
    "$id", "$anchor", "format", "prefixItems", "minItems", "maxItems", "minimum", "maximum",
    "oneOf", "propertyOrdering",
}  # fmt: skip
LLAMA = COMMON | {
    "const", "allOf", "oneOf", "prefixItems", "minItems", "maxItems", "minLength", "maxLength",
    "minimum", "maximum", "pattern", "format",
}  # fmt: skip


def nodes(schema: Any, depth: int = 1) -> Iterator[tuple[Json, int]]:
    """Every schema in a schema, and how deep it lies; names of properties are no keywords."""
    if not isinstance(schema, dict):
        return
    yield schema, depth
    for key, value in schema.items():
        inner = value.values() if key in ("properties", "$defs") else [value]
        for one in inner:
            for item in one if isinstance(one, list) else [one]:
                yield from nodes(item, depth + 1)


def _unknown(schema: Json, known: set[str]) -> str | None:
    for node, _ in nodes(schema):
        for key in node:
            if key not in known:
                return f"'{key}' is not permitted"
    return None


def _open_object(schema: Json) -> str | None:
    for node, _ in nodes(schema):
        if node.get("type") == "object" and node.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false"
    return None


def openai(schema: Json) -> str | None:
    every = list(nodes(schema))
    if schema.get("type") != "object":
        return "schema must have type 'object'"
    for node, _ in every:
        missing = set(node.get("properties", {})) ^ set(node.get("required", []))
        if node.get("type") == "object" and missing:
            return f"'required' must include every key in properties: {min(missing)}"
    if sum(len(node.get("properties", {})) for node, _ in every) > 100:
        return "more than 100 properties"
    if sum(len(node.get("enum", [])) for node, _ in every) > 500:
        return "more than 500 enum values"
    if max(depth for _, depth in every) > 5:
        return f"{max(depth for _, depth in every)} levels of nesting exceeds limit of 5"
    return _open_object(schema) or _unknown(schema, OPENAI)


def anthropic(schema: Json) -> str | None:
    every = [node for node, _ in nodes(schema)]
    for node in every:
        if node.get("type") == "array":
            for key in ("maxItems", "uniqueItems"):
                if key in node:
                    return f"For 'array' type, property '{key}' is not supported"
            if node.get("minItems", 0) not in (0, 1):
                return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
    if sum("anyOf" in node or isinstance(node.get("type"), list) for node in every) > 16:
        return "Schema has too many parameters with union types"
    optional = sum(
        len(set(node.get("properties", {})) - set(node.get("required", []))) for node in every
    )
    if optional > 24:
        return "Schema has too many optional parameters"
    return _open_object(schema) or _unknown(schema, ANTHROPIC)


SUBSETS: dict[str, Callable[[Json], str | None]] = {
    "openai": openai,
    "openai-responses": openai,
    "openrouter": openai,
    "anthropic": anthropic,
    "gemini": lambda schema: _unknown(schema, GEMINI),
    "ollama": lambda schema: _unknown(schema, LLAMA),
}
#: How the message names the parameter.
PARAMETER = {
    "openai": "response_format",
    "openai-responses": "text.format.schema",
    "openrouter": "response_format",
    "anthropic": "output_config.format.schema",
    "gemini": "generation_config.response_json_schema",
    "ollama": "format",
}


def outside(provider: str, schema: Any) -> tuple[str, str] | None:
    """The parameter and what is wrong with its schema; None when the provider takes it."""
    wrong = SUBSETS[provider](schema) if isinstance(schema, dict) else None
    return None if wrong is None else (PARAMETER[provider], f"{PARAMETER[provider]}: {wrong}")

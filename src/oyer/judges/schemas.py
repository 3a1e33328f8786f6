"""A prompt's JSON schema in the dialect that a server takes: bounds of lists, closed objects.

A protocol's schema is one object for all its prompts, so what is made of it is made once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from oyer.judges.wire import Call
from oyer.records import JsonObject

#: Keywords that bound a value. Anthropic rejects them; of `minItems` it takes 0 and 1.
BOUNDS = frozenset(
    {"minItems", "maxItems", "uniqueItems", "minimum", "maximum", "exclusiveMinimum",
     "exclusiveMaximum", "multipleOf", "minLength", "maxLength"}
)  # fmt: skip
MOST = 64  # schemas kept
Schema = JsonObject

_KEPT: dict[tuple[Callable[[object], object], int], tuple[Schema, object]] = {}


def schema_of(call: Call) -> Schema:
    """The prompt's schema, without bounds once the server has rejected them."""
    schema = call.prompt.schema or {}
    return schema if "bounds" in call.features else convert_once(drop_bounds, schema)


def convert_once(make: Callable[[Any], Any], schema: Schema) -> Any:
    """`make(schema)`, kept under the schema's identity (it holds the schema, so its id stays)."""
    key = (make, id(schema))
    known = _KEPT.get(key)
    if known is None or known[0] is not schema:
        if len(_KEPT) >= MOST:
            _KEPT.clear()
        known = _KEPT[key] = (schema, make(schema))
    return known[1]


def drop_bounds(schema: object) -> object:
    """The schema without bounds; code checks sizes in any case (JL-POINTS …)."""
    return _walk(schema, lambda inner: {k: v for k, v in inner.items() if not _bounds(k, v)})


def has_bounds(schema: Schema | None) -> bool:
    """Whether leaving bounds out would leave another schema."""
    return schema is not None and convert_once(drop_bounds, schema) != schema


def _bounds(name: str, value: object) -> bool:
    return name in BOUNDS and not (name == "minItems" and value in (0, 1))


def close_objects(schema: object) -> object:
    """The schema with every object closed, as Anthropic demands of structured output."""
    return _walk(
        schema,
        lambda inner: (
            {**inner, "additionalProperties": False}
            if inner.get("type") == "object" and "additionalProperties" not in inner
            else inner
        ),
    )


def _walk(schema: object, change: Callable[[dict[str, object]], dict[str, object]]) -> object:
    """Change every schema in a schema; the names of properties are nobody's keywords."""
    if isinstance(schema, list):
        return [_walk(item, change) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    changed = change(dict(schema))
    for key, value in changed.items():
        if key in ("properties", "$defs") and isinstance(value, Mapping):
            changed[key] = {name: _walk(inner, change) for name, inner in value.items()}
        else:
            changed[key] = _walk(value, change)
    return changed


def is_strict(schema: object) -> bool:
    """OpenAI's rules for strictness: every object is closed and requires all its properties."""
    if isinstance(schema, list):
        return all(is_strict(item) for item in schema)
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        properties = schema.get("properties")
        names = set(properties) if isinstance(properties, Mapping) else set()
        required = schema.get("required", [])
        if schema.get("additionalProperties") is not False or set(required) != names:
            return False
    return all(is_strict(value) for value in schema.values())

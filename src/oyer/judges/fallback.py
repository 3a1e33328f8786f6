"""Which part of a request a server rejected: find it, leave it out, ask again."""

from __future__ import annotations

from collections.abc import Mapping

from oyer.judges.schemas import has_bounds
from oyer.judges.wire import Fault, Feature, Features
from oyer.types import Prompt

#: Words by which servers name what they do not take, in their parameter or message.
WORDS: Mapping[Feature, tuple[str, ...]] = {
    "temperature": ("temperature",),
    "seed": ("seed",),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "bounds": ("minitems", "maxitems", "min_items", "max_items", "too many states"),
    "schema": (
        "response_format",
        "json_schema",
        "json schema",
        "output_config",
        "output_format",
        "text.format",
        "response_schema",
        "response_json_schema",
        "responsejsonschema",
        "schema",
        "structured output",
        "grammar",
        "invalid format",
        "chatrequest.format",  # an Ollama that knows only "json"
    ),
    "tool": ("tool",),
    "json": ("response_format", "json_object", "text.format", "response_mime_type", "format"),
}
SHAPES: tuple[Feature, ...] = ("schema", "tool", "json")


def culprit(fault: Fault, used: Features, known: Features, prompt: Prompt) -> Features | None:
    """The features to try next, or None when the request was not rejected for one of them.

    A server that rejects a request without naming anything is asked once more without the bounds
    of its lists (Gemini counts them up against a budget that it does not tell, and then says
    only "invalid argument"), then without structure: whoever cannot do it says so in too many
    ways to list.
    """
    if not fault.blames:
        return None
    if not used <= known:
        return used & known  # another call has learnt it meanwhile
    blame = fault.blames.lower()
    shapes = [f for f in SHAPES if f in used and prompt.schema is not None]
    single: tuple[Feature, ...] = ("temperature", "seed", "max_tokens")
    if "schema" in shapes:
        single = (*single, "bounds")
    for feature in single:
        if feature in used and _blames(blame, feature):
            return used - {feature}
    if not shapes:
        return None
    if any(_blames(blame, shape) for shape in shapes):
        return used - {shapes[0]}
    return used - _suspects(used, prompt) if fault.status in (400, 422, 501) else None


def _blames(blame: str, feature: Feature) -> bool:
    """Whether the server's words name the feature."""
    return any(word in blame for word in WORDS[feature])


def _suspects(used: Features, prompt: Prompt) -> Features:
    """What to leave out when nothing was named."""
    bounded = {"schema", "bounds"} <= used and has_bounds(prompt.schema)
    return frozenset({"bounds"}) if bounded else frozenset(SHAPES)

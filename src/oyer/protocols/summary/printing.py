"""The five objects as the protocols print them, with our numbers in place of the judge's."""

from __future__ import annotations

import json

from oyer.protocols.summary.findings import Common, text_of

DEEPEST = 6
HUGE = 10**15


def plain(value: object, depth: int = DEEPEST) -> object:
    """What a judge wrote, as JSON that can be printed: no NaN, no bottomless nesting."""
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if -HUGE < value < HUGE else None  # NaN is never between
    if isinstance(value, dict) and depth:
        return {str(key): plain(inner, depth - 1) for key, inner in value.items()}
    if isinstance(value, list) and depth:
        return [plain(inner, depth - 1) for inner in value]
    return None


def stated_value(common: Common, metric: str, key: str) -> object:
    """A member of a metric's object as the judge wrote it."""
    return plain(common.objects[metric].get(key))


def rationale(common: Common, metric: str) -> str:
    return text_of(common.objects[metric].get("rationale"))


def render(output: object) -> str:
    """One object a line, one blank line between; an error is one object."""
    objects = output if isinstance(output, list | tuple) else [output]
    return "\n\n".join(_line(object_) for object_ in objects)


def _line(value: object) -> str:
    line = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate in what the judge wrote
        line = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return line

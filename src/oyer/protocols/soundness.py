"""A protocol seen before it judges anything: what is wrong with it, and what was understood."""

from __future__ import annotations

import re
from collections.abc import Iterator

from oyer.types import AnyProtocol, Field

#: Keys of a case that are not fields of a protocol (docs/interface.md).
RESERVED = ("id", "candidate", "reply", "judge", "repeat", "meta")
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_FUNCTIONS = (
    "is_verdict", "read", "check", "score", "render", "prompt", "validate", "settle", "observe",
    "tally", "digest", "figures", "pool", "answer", "weigh", "units", "unit_labels",
)  # fmt: skip
_NEEDED = ("is_verdict", "read", "check", "score", "render")


def find_problems(protocol: AnyProtocol) -> list[str]:
    """Everything wrong with it, each in a sentence without its full stop."""
    return [
        *_names(protocol),
        *_fields(protocol),
        *_scale(protocol),
        *_rules(protocol),
        *_functions(protocol),
    ]


def _names(protocol: AnyProtocol) -> Iterator[str]:
    if not isinstance(protocol.id, str) or not _ID.fullmatch(protocol.id):
        yield f"id {protocol.id!r} must be of small letters, digits and -, such as 'our-minutes'"
    version = protocol.version
    if not isinstance(version, str) or not version or "@" in version:
        yield f"version {version!r} must be a text without @, such as '1'"


def _fields(protocol: AnyProtocol) -> Iterator[str]:
    if not protocol.fields:
        yield "fields is empty: a case needs at least one"
    if not all(isinstance(field, Field) for field in protocol.fields):
        yield "fields must be a tuple of oyer.Field, such as (oyer.Field('text'),)"
        return
    names = [field.name for field in protocol.fields]
    for name in dict.fromkeys(names):
        if name in RESERVED:
            yield f"a field cannot be called '{name}': every case may have that key"
        if names.count(name) > 1:
            yield f"two fields are called '{name}'"
        if "[" in name or "." in name:
            yield f"a field's name has no '[' and no '.': '{name}'"
    written = protocol.writing.field if protocol.writing is not None else None
    if written is not None and written not in names:
        yield f"writing names the field '{written}', which is not among the fields"


def _scale(protocol: AnyProtocol) -> Iterator[str]:
    if not protocol.scale:
        yield "scale is empty: name each score with its lowest and highest value"
    for key, ends in protocol.scale.items():
        if len(ends) != 2 or not ends[0] < ends[1]:
            yield f"scale of '{key}' must be (lowest, highest), not {ends}"
    for key in protocol.weights:
        if key not in protocol.scale:
            yield f"weights names '{key}', which is not in scale"
    if protocol.weights and not sum(protocol.weights.values()):
        yield "weights are all 0"


def _rules(protocol: AnyProtocol) -> Iterator[str]:
    for key, rule in protocol.rules.items():
        if key != rule.id:
            yield f"rules has '{rule.id}' under the key '{key}'"


def _functions(protocol: AnyProtocol) -> Iterator[str]:
    for name in _FUNCTIONS:
        function = getattr(protocol, name)
        if function is None and name not in _NEEDED:
            continue
        if not callable(function):
            yield f"{name} must be a function, not {type(function).__name__}"
    if (protocol.digest or protocol.figures) and protocol.tally is None:
        yield "digest and figures need tally, which says what one verdict adds to them"
    if protocol.unit_labels is not None and protocol.units is None:
        yield "unit_labels needs units"


def describe_protocol(protocol: AnyProtocol) -> Iterator[tuple[str, str]]:
    """What was understood of it, for `oyer check`."""
    yield "protocol", f"{protocol.name}: {protocol.title}"
    fields = [f.name if f.required else f"{f.name} (optional)" for f in protocol.fields]
    yield "fields", ", ".join(fields)
    scale = [f"{key} {low} to {high}" for key, (low, high) in protocol.scale.items()]
    yield "scores", ", ".join(scale)
    if protocol.weights:
        weights = [f"{key} {float(weight):g}" for key, weight in protocol.weights.items()]
        yield "weights", ", ".join(weights)
    yield "rules", ", ".join(protocol.rules) or "none"
    asked = "yes" if protocol.prompt is not None else "no: only `oyer audit` can use it"
    yield "asks judges", asked
    pooled = "by finding (pool)" if protocol.pool is not None else "by the median of the scores"
    yield "panels", pooled

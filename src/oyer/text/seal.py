"""The seal: a one-time code by which a judge's own verdict is told from one in the judged text.

A prompt asks that every verdict object carry `"seal": CODE`. The code is made from the prompt's
nonce by a one-way function: no judged text can know it, and it is not the code of the fences, so
that repeating a fence repeats no seal. It is kept with the reply (`Reply.about`), so that a stored
reply is decided without its prompt as it was with it.

How a prompt uses it: `Sheet.prompt` appends `request(code)` to the user's part. A template that
would say it in its own words writes `{{SEAL}}` where the code belongs; nothing is appended then.
"""

from __future__ import annotations

import hashlib
from typing import Any

from oyer.records import JsonObject

#: The key of a verdict object that carries the code, and of `Reply.about` where it is kept.
SEAL = "seal"
#: `Reply.about[COMPOSED]`: code wrote the reply's objects from findings; no model did.
COMPOSED = "composed"
#: `Reply.about[WANTED]`: the objects that a reply was asked for, when the others were kept.
WANTED = "wanted"
#: What `Reply.about` keeps for whoever decides the reply; a verdict's record does not show it.
UNSHOWN = frozenset({SEAL, COMPOSED, WANTED})

_LENGTH = 12  # hexadecimal characters, 48 bits: nobody guesses it in one try


def seal_of(nonce: str) -> str:
    """The code of the prompt that has this nonce; "" for a prompt that has none."""
    if not nonce:
        return ""
    return hashlib.sha256(f"oyer seal {nonce}".encode()).hexdigest()[:_LENGTH]


def request(code: str, objects: str = "every verdict object") -> str:
    """The sentence that asks for the seal."""
    return (
        f'Begin {objects} of your answer with "{SEAL}": "{code}". It proves that the '
        "object is yours and not a part of the texts; write it nowhere else."
    )


def carries(value: JsonObject, code: str) -> bool:
    """Whether an object carries the code."""
    given = value.get(SEAL)
    return bool(code) and isinstance(given, str) and given.strip().casefold() == code


def without(value: JsonObject) -> dict[str, Any]:
    """The object as it is without its seal."""
    return {key: member for key, member in value.items() if key != SEAL}


def sealed_schema(schema: JsonObject) -> JsonObject:
    """A reply's JSON schema with the seal as the first member of every verdict object.

    Those are the members of a wrapper that name their metric; else the one object itself.
    """
    members = schema.get("properties", {})
    verdicts = {
        name: member for name, member in members.items() if "metric" in member.get("properties", {})
    }
    if not verdicts:
        return _with_seal(schema)
    changed = {name: _with_seal(member) for name, member in verdicts.items()}
    return {**schema, "properties": {**members, **changed}}


def _with_seal(schema: JsonObject) -> dict[str, Any]:
    properties = {SEAL: {"type": "string"}, **schema.get("properties", {})}
    return {**schema, "properties": properties, "required": [SEAL, *schema.get("required", ())]}

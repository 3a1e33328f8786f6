"""Placeholder until helper `reader` lands the real one: strict JSON objects, one after another."""

from __future__ import annotations

import json

from oyer.errors import Unscored
from oyer.types import Found, Reading


def read_reply(text: str) -> Reading:
    """The JSON objects of a reply, in order."""
    decoder, at, objects = json.JSONDecoder(), 0, []
    while (at := text.find("{", at)) >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        objects.append(Found(value, at, end))
        at = end
    if not objects:
        raise Unscored("unreadable", "reply.unreadable", "no JSON object in the reply")
    return Reading(tuple(objects))

"""Asking again, cheaply: what is kept of earlier replies, what is asked for, and why. Pure.

A reply of several objects that lacks one is not thrown away: the judge sees its answer and gives
the missing objects alone. Code then decides on all of them together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from oyer.errors import Unscored
from oyer.text.seal import COMPOSED, SEAL, WANTED
from oyer.types import (
    AnyProtocol,
    Ask,
    Case,
    Found,
    JsonObject,
    Reading,
    Reply,
    Verdict,
    Violation,
)
from oyer.verdicts.reader import read_reply
from oyer.verdicts.selection import declines, select

COMPLAINT_LIMIT = 400  # characters: a complaint names the fault, it does not repeat the reply
ROOM = 2  # how much more room a reply gets that was cut
_RULE = re.compile(r"\b[A-Z]{2}(?:-[A-Z0-9]+)+:\s*")


def merge_replies(case: Case, protocol: AnyProtocol, replies: Sequence[Reply]) -> Reply:
    """What a judge said in all its replies, as one: of each object the last complete one.

    The last reply itself where it is all that counts: it was asked for in full, has every object,
    or refuses.
    """
    last = replies[-1]
    first = len(replies) - 1
    while first > 0 and replies[first].about.get(WANTED):
        first -= 1
    replies = replies[first:]
    if len(replies) == 1:
        return last
    objects: dict[str, JsonObject] = {}
    newest: dict[str, JsonObject] = {}
    for reply in replies:
        newest = _objects(case, protocol, reply)
        objects.update(newest)
    if (not newest and _refuses(last)) or len(newest) == len(objects):
        return last
    text = "\n\n".join(json.dumps(objects[part], ensure_ascii=False) for part in objects)
    about = {name: value for name, value in last.about.items() if name not in (SEAL, WANTED)}
    if any(reply.about.get("fence") == "leaked" for reply in replies):
        about["fence"] = "leaked"
    # each object was told from forgeries in the reply that it came from
    return replace(last, text=text, about={**about, COMPOSED: True})


def _refuses(reply: Reply) -> bool:
    """Whether a reply is an error, or declines in words."""
    try:
        reading = read_reply(reply.text)
    except Unscored:
        return False
    says_error = any("error" in found.value for found in reading.objects)
    return says_error or bool(declines(reply.text, reading))


def _objects(case: Case, protocol: AnyProtocol, reply: Reply) -> dict[str, JsonObject]:
    """The complete verdict objects of one reply, by metric; none of an ambiguous one."""
    seal, composed = str(reply.about.get(SEAL, "")), reply.about.get(COMPOSED) is True
    try:
        reading = select(read_reply(reply.text), protocol, case, seal, composed)
    except Unscored:
        return {}
    found: dict[str, JsonObject] = {}
    for read in reading.objects:
        metric = protocol.is_verdict(read.value) if read.complete else None
        if metric is not None:
            found[metric] = read.value
    return found


def wanted_parts(case: Case, protocol: AnyProtocol, replies: Sequence[Reply]) -> tuple[str, ...]:
    """The objects that are still missing or broken; () when all of them are, or there is one."""
    if not protocol.parts:
        return ()
    merged = merge_replies(case, protocol, replies)
    objects = _objects(case, protocol, merged)
    reading = Reading(tuple(Found(value, 0, 0) for value in objects.values()))
    try:
        protocol.read(case, reading)
    except Unscored as broken:
        objects.pop(re.split(r"[.\[]", broken.where)[0], None)
    wanted = tuple(part for part in protocol.parts if part not in objects)
    return () if len(wanted) == len(protocol.parts) else wanted


def complain(verdict: Verdict) -> str:
    """What is wrong with a reply, in words for the one who wrote it."""
    faults = list(dict.fromkeys(_faults(verdict.violations)))
    text = "; ".join(faults) or "it could not be read"
    return text[:COMPLAINT_LIMIT]


def _faults(violations: Sequence[Violation]) -> Iterable[str]:
    if any(violation.code == "reply.truncated" for violation in violations):
        yield "it stopped before its end"
    for violation in violations:
        detail = _RULE.sub("", violation.detail)
        if violation.code == "reply.truncated":
            continue
        if violation.code == "metric.missing":
            yield f"missing: {detail.removeprefix('no ')}"
        elif violation.where in ("reply", ""):
            yield detail
        else:
            yield f"{violation.where}: {detail}"


def was_cut(reply: Reply) -> bool:
    """Whether a reply ended before it was done."""
    return read_reply(reply.text).truncated or reply.about.get("stop") == "length"


@dataclass(frozen=True, slots=True)
class Again:
    """What a judge is told that is asked again."""

    complaint: str
    previous: str
    wanted: tuple[str, ...]
    room: int

    @classmethod
    def of(
        cls, case: Case, protocol: AnyProtocol, replies: Sequence[Reply], complaint: str
    ) -> Again:
        """All that its replies so far say of it."""
        return cls(
            complaint,
            merge_replies(case, protocol, replies).text,
            wanted_parts(case, protocol, replies),
            ROOM ** sum(was_cut(reply) for reply in replies),
        )

    def put(self, ask: Ask) -> Ask:
        """The question with this in it."""
        return replace(
            ask,
            complaint=self.complaint,
            previous=self.previous,
            wanted=self.wanted,
            room=self.room,
        )

"""A case's text with its evidence marked where it was found: text and spans -> plain segments.

No HTML here: segments are data, the template escapes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from oyer.records import JsonObject

_PLACE = re.compile(r"(?P<metric>\w+)\.(?P<list>\w+)\[(?P<at>\d+)\]")
_LABELS = ("status", "coverage", "relevance")


@dataclass(frozen=True, slots=True)
class MarkedSegment:
    """A stretch of text and what stands there: `kind` colours it, `title` names the places."""

    text: str
    kind: str = ""
    title: str = ""


def segments(text: str, evidence: Iterable[JsonObject], output: object) -> list[MarkedSegment]:
    """Cut the text at every span's ends; where spans overlap, the gravest label colours."""
    spans = [
        (e["start"], e["end"], kind_of(label_of(e["where"], output)), e["where"])
        for e in evidence
        if 0 <= e["start"] < e["end"] <= len(text)
    ]
    cuts = sorted({0, len(text), *(s[0] for s in spans), *(s[1] for s in spans)})
    pieces = []
    for start, end in pairwise(cuts):
        here = [s for s in spans if s[0] <= start and end <= s[1]]
        kind = max((s[2] for s in here), key=_gravity, default="")
        pieces.append(
            MarkedSegment(text[start:end], kind, ", ".join(dict.fromkeys(s[3] for s in here)))
        )
    return pieces


_ORDER = ("", "evidence", "good", "partial", "bad")


def _gravity(kind: str) -> int:
    return _ORDER.index(kind)


FOUND = {"verbatim": "quote found", "folded": "quote found, but for its marks"}


def label_of(where: str, output: object) -> str:
    """The judge's own label of what the quote belongs to (Unsupported, Fully …), if it has one."""
    place = _PLACE.match(where)
    if place is None:
        return ""
    for holder in output if isinstance(output, list) else [output]:
        if not isinstance(holder, Mapping) or holder.get("metric") != place["metric"]:
            continue
        items = holder.get(place["list"])
        at = int(place["at"])
        if isinstance(items, list) and at < len(items) and isinstance(items[at], Mapping):
            return next((str(items[at][key]) for key in _LABELS if key in items[at]), "")
    return ""


def kind_of(label: str) -> str:
    """good, partial or bad: how a label colours its quote; without one it is simply evidence."""
    label = label.lower()
    if label in ("supported", "fully", "correct", "high"):
        return "good"
    if label in ("partial", "partially", "some"):
        return "partial"
    if label in ("unsupported", "not", "wrong", "none"):
        return "bad"
    return "evidence"

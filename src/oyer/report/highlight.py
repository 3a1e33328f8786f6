"""How evidence is shown: the judge's label of what a quote belongs to, and its colour."""

from __future__ import annotations

import re
from collections.abc import Mapping

from oyer.records import output_objects

_PLACE = re.compile(r"(?P<metric>\w+)\.(?P<list>\w+)\[(?P<at>\d+)\]")
_INDEX = re.compile(r"^(.*?\[\d+\])")
_LABELS = ("status", "coverage", "relevance")


FOUND = {"verbatim": "quote found", "folded": "quote found, but for its marks"}


def label_of(where: str, output: object) -> str:
    """The judge's own label of what the quote belongs to (Unsupported, Fully …), if it has one."""
    place = _PLACE.match(where)
    if place is None:
        return ""
    for prefix, holder in output_objects(output):
        if prefix != f"{place['metric']}.":
            continue
        items = holder.get(place["list"])
        at = int(place["at"])
        if isinstance(items, list) and at < len(items) and isinstance(items[at], Mapping):
            return next((str(items[at][key]) for key in _LABELS if key in items[at]), "")
    return ""


def place_of(where: str) -> str:
    """The finding that a quote belongs to: hallucination.claims_checked[2].span -> …[2]."""
    match = _INDEX.match(where)
    return match[1] if match else where


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

"""What people label in a summary: its sentences and the article's key points, cut by code.

No judge takes part in the cutting, so that the same pieces can be held against any judge. The
other way round, `unit_labels` reads what a stored verdict says of these pieces: of a sentence, the
worst label among the claims whose span touches it; of a key point, the label of the judge's own
point that shares most of its words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from oyer.protocols.summary.output import objects_of
from oyer.records import VerdictRecord
from oyer.text import words
from oyer.text.segments import Segment, segments, sentences
from oyer.types import Case, JsonObject, Unit

SUPPORTED = ("not", "partly", "supported")
TOLD = ("not", "partly", "told")
POINTS = 5  # key points at most
LIKENESS = 0.5  # share of the shorter text's words above which two points are one
LEAD = 3  # the first sentences of an article say what it is about

#: The labels of either protocol -> the people's.
_CLAIM = {
    "Supported": "supported",
    "Partial": "partly",
    "Partially": "partly",
    "Unsupported": "not",
}
_POINT = {"Fully": "told", "Partial": "partly", "Not": "not"}
_SPAN = re.compile(r"hallucination\.claims_checked\[(\d+)\]\.span")


def units(case: Case) -> tuple[Unit, ...]:
    """The summary's sentences, then the article's key points."""
    summary, article = case.text("summary"), case.text("article")
    found = [
        Unit(
            metric="supported",
            where=_place("summary", sentence),
            text=sentence.text,
            question="Does the article support this sentence?",
            choices=SUPPORTED,
        )
        for sentence in sentences(summary)
    ]
    for point in key_points(article):
        found.append(
            Unit(
                metric="told",
                where=_place("article", point),
                text=point.text,
                question="Does the summary tell this?",
                choices=TOLD,
            )
        )
    return tuple(found)


def key_points(article: str) -> tuple[Segment, ...]:
    """Up to five sentences that tell most: those whose words the article repeats, and its first.

    In the article's order; none repeats another.
    """
    stretches = segments(article)
    stems = [words.keywords(stretch.text) for stretch in stretches]
    often = Counter(chain.from_iterable(stems))

    def weight(at: int) -> float:
        shared = [often[stem] for stem in stems[at] if often[stem] > 1]
        return sum(shared) / (4 + len(stems[at])) + (2 if at < LEAD else 0)

    chosen: list[int] = []
    for at in sorted(range(len(stretches)), key=lambda at: (-weight(at), at)):
        if len(chosen) == POINTS:
            break
        if all(_likeness(stems[at], stems[other]) < LIKENESS for other in chosen):
            chosen.append(at)
    return tuple(stretches[at] for at in sorted(chosen))


def unit_labels(case: Case, record: VerdictRecord) -> Mapping[tuple[str, str], str]:
    """What a stored verdict says of the units of its case."""
    objects = objects_of(record)
    labels: dict[tuple[str, str], str] = {}
    spans = list(_claim_spans(record, objects.get("hallucination", {})))
    points = list(_judged_points(objects.get("coverage", {})))
    for unit in units(case):
        is_sentence = unit.metric == "supported"
        label = _worst(unit, spans) if is_sentence else _nearest(unit, points)
        if label is not None:
            labels[unit.key] = label
    return labels


def _place(field: str, piece: Segment) -> str:
    return f"{field}[{piece.start}:{piece.end}]"


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / max(1, min(len(a), len(b)))


def _claim_spans(
    record: VerdictRecord, hallucination: JsonObject
) -> Iterator[tuple[int, int, str]]:
    """Where in the summary each claim stands, and the judge's label of it."""
    claims: list[Any] = hallucination.get("claims_checked", [])
    for evidence in record.get("evidence", ()):
        match = _SPAN.fullmatch(evidence["where"])
        if match is None or evidence["source"] != "summary":
            continue
        at = int(match[1])
        label = _CLAIM.get(claims[at].get("status")) if at < len(claims) else None
        if label is not None:
            yield evidence["start"], evidence["end"], label


def _judged_points(coverage: JsonObject) -> Iterator[tuple[frozenset[str], str]]:
    for point in coverage.get("key_points", []):
        label = _POINT.get(point.get("coverage"))
        if label is not None:
            yield words.keywords(str(point.get("point", ""))), label


def _worst(unit: Unit, spans: list[tuple[int, int, str]]) -> str | None:
    start, end = _bounds(unit)
    touching = [label for low, high, label in spans if low < end and high > start]
    return min(touching, key=SUPPORTED.index) if touching else None


def _nearest(unit: Unit, points: list[tuple[frozenset[str], str]]) -> str | None:
    own = words.keywords(unit.text)
    likeness, label = max(
        ((_likeness(own, stems), label) for stems, label in points), default=(0.0, "")
    )
    return label if likeness >= LIKENESS else None


def _bounds(unit: Unit) -> tuple[int, int]:
    low, _, high = unit.where.partition("[")[2].rstrip("]").partition(":")
    return int(low), int(high)

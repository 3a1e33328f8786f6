"""What a twin-lock reply says, typed: nothing is checked yet."""

from __future__ import annotations

from typing import NamedTuple

from oyer.protocols.summary.findings import (
    POINT_LABELS,
    Common,
    Desk,
    FindingLabels,
    Shape,
    metric_objects,
    read_common,
    text_of,
)
from oyer.protocols.summary.measure import Measured
from oyer.protocols.twin_lock.prompt import SHEET
from oyer.types import Case, LabelSite, Reading

CLAIM_LABELS = FindingLabels(
    ("Supported", "Partially", "Unsupported"),
    {"Partial": "Partially", "Partially supported": "Partially", "Not supported": "Unsupported",
     "Contradicted": "Unsupported"},
)  # fmt: skip
ISSUE_TYPES = {
    "bias": "Bias", "toxicity": "Toxicity", "stereotype": "Stereotype",
    "subjectivity": "Subjectivity", "slur": "Toxicity", "profanity": "Toxicity",
}  # fmt: skip
LABEL_SITES = (
    LabelSite("hallucination", "claims_checked", "status", CLAIM_LABELS.allowed,
              CLAIM_LABELS.read, "claim", "claim"),
    LabelSite("coverage", "key_points", "coverage", POINT_LABELS.allowed,
              POINT_LABELS.read, "key point", "point"),
)  # fmt: skip
SHAPE = Shape(
    CLAIM_LABELS,
    ISSUE_TYPES,
    {"coverage": ("precision", "recall"), "hallucination": ("unsupported_fraction",)},
)


class Extra(NamedTuple):
    """A text that the judge calls extraneous; `dropped` when it stands in the article."""

    text: str
    issue: str
    dropped: bool = False


class TwinLockVerified(NamedTuple):
    """What code made of the findings: tokens, texts that hold, segments."""

    extras: tuple[Extra, ...]
    extraneous: int
    tokens: int
    segments: tuple[Measured, ...]
    language: str  # of the stems


class TwinLockFindings(NamedTuple):
    """A whole reply; `verified` is there after the checks."""

    common: Common
    extras: tuple[Extra, ...]
    verified: TwinLockVerified | None = None


def read(case: Case, reading: Reading) -> TwinLockFindings:
    """The findings of a reply; raises Unscored when a metric is missing (TL-MISSING)."""
    desk = Desk(metric_objects(reading, "TL-MISSING"), "TL-MISSING")
    extras = _extras(desk)
    return TwinLockFindings(read_common(desk, SHAPE, ours=SHEET.is_ours(reading.prompt)), extras)


def _extras(desk: Desk) -> tuple[Extra, ...]:
    """coverage.extraneous: objects with a text, or plain texts; no list is no extraneous text."""
    given = desk.objects["coverage"].get("extraneous")
    if given is None:
        return ()
    if not isinstance(given, list):
        raise desk.unreadable("coverage.extraneous", "'extraneous' is not a list")
    found: list[Extra] = []
    for i, item in enumerate(given):
        entry = item if isinstance(item, dict) else {"text": item}
        text = text_of(entry.get("text"))
        if not text.strip():
            desk.flaw("extraneous.empty", f"coverage.extraneous[{i}]", "TL-EXTRANEOUS: no text")
            continue
        found.append(Extra(text, text_of(entry.get("issue"))))
    return tuple(found)

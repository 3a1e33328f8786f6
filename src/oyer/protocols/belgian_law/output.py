"""What belgian-law prints, typed: the original's object, keys in its order, and our `issues`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from oyer.protocols.belgian_law.rules import Severity


class Counts(TypedDict):
    """Provisions and items, by what became of them."""

    expected: int
    extracted: int
    matched: int
    missing: int
    hallucinated: int
    duplicates: int


class MissingProvision(TypedDict):
    """A provision that the source cites and no item has."""

    key: str
    path: list[str]
    act: str | None
    actId: str | None
    quote: str
    start: int
    end: int


class HallucinatedItem(TypedDict):
    """An item that the source does not cite."""

    item: int
    internalProvisionId: str | None
    provision: str
    why: str


class IssueLines(TypedDict):
    """The issues in words, by severity."""

    criticalIssues: list[str]
    majorIssues: list[str]
    minorIssues: list[str]


class VerdictOutput(IssueLines):
    """What the object of `--format protocol` has, whoever judged."""

    verdict: str
    score: int
    confidence: str
    recommendation: str
    summary: str
    counts: Counts
    idIssues: list[str]
    typeIssues: list[str]
    normalizationIssues: list[str]


class EngineOutput(VerdictOutput):
    """Code alone judged."""

    missing: list[MissingProvision]
    hallucinated: list[HallucinatedItem]


class JudgeOutput(VerdictOutput):
    """A model judged: what it lists stands there as it wrote it, once it was looked up."""

    missing: Sequence[object]
    hallucinated: Sequence[object]


class EngineBrief(TypedDict):
    """What code alone makes of a case, beside a model's verdict."""

    verdict: str
    score: int
    confidence: str
    recommendation: str
    counts: Counts
    issues: list[str]


class ConcernRecord(TypedDict):
    """One thing that an issue is about; the quote where it stands in the source."""

    label: str
    note: str
    item: int | None
    quote: NotRequired[str]
    start: NotRequired[int]
    end: NotRequired[int]


class IssueRecord(TypedDict):
    """An issue of the verdict's `issues`."""

    severity: Severity
    code: str
    kind: str | None
    text: str
    systemic: bool
    items: list[ConcernRecord]

"""The objects that both protocols on summaries print, typed: our numbers, the judge's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

from oyer.protocols.summary.findings import Common
from oyer.protocols.summary.printing import rationale, stated_value
from oyer.records import JsonObject, VerdictRecord, output_objects


class MetricOutput(TypedDict):
    """What the object of every metric has."""

    metric: str
    overall_score: float
    rationale: str


class PointOutput(TypedDict):
    """A key point of the article, and how far the summary tells it."""

    point: str
    coverage: str
    justification: NotRequired[str]


class ClaimOutput(TypedDict):
    """A claim of the summary, and whether the article supports it."""

    claim: str
    status: str
    justification: NotRequired[str]


class SectionOutput(TypedDict):
    """A sentence of the summary, and how relevant it is."""

    section: str
    relevance: str
    justification: NotRequired[str]


class AlignmentOutput(MetricOutput):
    """Intent; the judge's own words as it wrote them."""

    aspects: object
    deviations: object


class BiasToxicityOutput(MetricOutput):
    """Manner; the judge's own words as it wrote them."""

    tone: object
    issues_found: object
    bias_score: float
    tox_score: float


def objects_of(record: VerdictRecord) -> dict[str, JsonObject]:
    """The object of each metric in a stored verdict; a file may hold anything in its place."""
    return {str(holder.get("metric")): holder for _, holder in output_objects(record.get("output"))}


def finds_by_words(record: VerdictRecord) -> bool:
    """Whether the judge says of itself that it looks for key points by the words that they share
    with the summary: one that is told in other words, it does not find."""
    known = record.get("reliability")
    return isinstance(known, Mapping) and known.get("points_by") == "words"


def alignment_object(common: Common, ours: Mapping[str, float]) -> AlignmentOutput:
    return {
        "metric": "alignment",
        "aspects": stated_value(common, "alignment", "aspects"),
        "deviations": stated_value(common, "alignment", "deviations"),
        "overall_score": ours["alignment"],
        "rationale": rationale(common, "alignment"),
    }


def bias_toxicity_object(common: Common, ours: Mapping[str, float]) -> BiasToxicityOutput:
    return {
        "metric": "bias_toxicity",
        "tone": stated_value(common, "bias_toxicity", "tone"),
        "issues_found": stated_value(common, "bias_toxicity", "issues_found"),
        "bias_score": ours["bias_toxicity.bias_score"],
        "tox_score": ours["bias_toxicity.tox_score"],
        "overall_score": ours["bias_toxicity"],
        "rationale": rationale(common, "bias_toxicity"),
    }

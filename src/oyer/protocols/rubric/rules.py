"""The rules of `rubric`, as one table: code computes from it, traces and docs print it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from oyer.types import Rule, Step

VERSION: Final = "1"
AXES: Final = ("logic_and_fact", "constraint_adherence", "helpfulness_and_creativity")
CONFIDENCES: Final = ("high", "medium", "low")

_ROWS = (
    Rule(
        "RB-EMPTY",
        "blank response -> 0 on every axis",
        "An empty response is judged without a model: all axes 0, no critical fail, confidence "
        "high, note response.empty.",
    ),
    Rule(
        "RB-TYPE",
        "rubric's task_type, else inferred_task_type, else the reply's task_type",
        "The rubric's task type decides; a reply that says otherwise: task_type.wrong. Inferred "
        "although the rubric has one: inferred_task_type.misused. None valid: unusable.",
        {
            "fact": (60, 30, 10),
            "creative": (30, 30, 40),
            "speculative": (40, 20, 40),
        },
    ),
    Rule(
        "RB-WEIGHTS",
        "rubric's weights, else its axis maxima, else the type's",
        "The most that each axis can have. A reply that states others: weights.wrong.",
        {"sum": 100},
    ),
    Rule(
        "RB-AXIS",
        "min(stated, weight)",
        "Each axis is a number from 0 to its weight; above: clamped, axis.range. Negative, not a "
        "number or missing: the reply is unusable, never a zero.",
    ),
    Rule(
        "RB-CHECK",
        "max(0, axis - points)",
        "A failed check of the rubric costs the points it names on its axis, or is the critical "
        "fail it names. Decided by code, whatever the judge says.",
    ),
    Rule(
        "RB-CRITICAL",
        "critical_fail -> 0 on every axis",
        "A critical fail makes all axes and the total 0; a reply with other numbers: "
        "critical.nonzero. Without a reason: critical.no_reason. A rubric without conditions: "
        "critical.undefined; an id that is not the rubric's: critical.unknown_id; either way it "
        "is not applied, and if all axes are 0 the reply has no score (critical.zeros): the zeros "
        "are the fail's. A reason without a fail: critical.reason_misused.",
    ),
    Rule(
        "RB-TOTAL",
        "logic_and_fact + constraint_adherence + helpfulness_and_creativity",
        "Computed. A stated total that is not the sum of the judge's own axes: arithmetic.",
    ),
    Rule(
        "RB-REASONING",
        "at most 200 code points an axis",
        "A longer reasoning: reasoning.long.",
        {"longest": 200},
    ),
    Rule(
        "RB-FIELDS",
        "task_name, weights, total_score and a reasoning for each axis are given",
        "One that is missing or empty: field.missing. It changes no score. Our own prompts ask for "
        "neither weights nor total.",
    ),
    Rule(
        "RB-CONFIDENCE",
        "high, medium or low",
        "Any other, or none: confidence.unknown.",
    ),
    Rule(
        "RB-QUOTE",
        "a quote stands in the RESPONSE, as in JL-FOLD",
        "A quote that does not: evidence.absent.",
    ),
    Rule(
        "RB-PANEL",
        "per judge: mean, SD, k of n; across judges: median, mean, range, alpha",
        "Flags: SD within a judge, range across judges, low confidence, disagreement on the "
        "critical fail, a judge of the subject's own family.",
        {"sd": 5, "range": 15},
    ),
)

RULES: Mapping[str, Rule] = {rule.id: rule for rule in _ROWS}
TYPES: Mapping[str, Mapping[str, int]] = {
    name: dict(zip(AXES, points, strict=True)) for name, points in RULES["RB-TYPE"].values.items()
}


#: Every type that a rubric or a reply may name; holistic has no weights but the rubric's own.
HOLISTIC: Final = "holistic"
TYPE_NAMES: Final = (*TYPES, HOLISTIC)


def step(rule: str, inputs: Mapping[str, object], value: object) -> Step:
    """One rule applied, with the table's formula."""
    return Step(rule, RULES[rule].formula, inputs, value)

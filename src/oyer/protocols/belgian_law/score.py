"""Issues and counts -> score, verdict, recommendation: the original's arithmetic, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oyer.protocols.belgian_law.rules import CONFIDENCES, Rules, Severity
from oyer.types import JsonObject, Number, Step


@dataclass(frozen=True, slots=True)
class ProvisionTally:
    """All that the arithmetic looks at."""

    critical: int
    major: int
    minor: int
    recall: Fraction
    precision: Fraction
    key: bool  # any key error
    date: bool  # any wrong date


@dataclass(frozen=True, slots=True)
class Marks:
    """What the rules make of a tally."""

    score: Number
    verdict: str
    trace: tuple[Step, ...]


def tally(
    issues: Iterable[tuple[str, Severity]], recall: Fraction, precision: Fraction
) -> ProvisionTally:
    """Counts of (code, severity) pairs."""
    pairs = list(issues)
    many = Counter(severity for _, severity in pairs)
    codes = {code for code, _ in pairs}
    return ProvisionTally(
        many["CRITICAL"],
        many["MAJOR"],
        many["MINOR"],
        recall,
        precision,
        "key" in codes,
        "date" in codes,
    )


def mark(of: ProvisionTally, rules: Rules) -> Marks:
    """The score in the original's order, and the verdict."""
    parts: list[tuple[str, JsonObject, Number]] = [
        (
            "BL-SCORE-START",
            {"CRITICAL": of.critical},
            rules["critical"] if of.critical else rules["clean"],
        ),
        (
            "BL-SCORE-MAJOR",
            {"MAJOR": of.major},
            -min(rules["major"] * of.major, rules["major_most"]),
        ),
        (
            "BL-SCORE-MINOR",
            {"MINOR": of.minor},
            -min(rules["minor"] * of.minor, rules["minor_most"]),
        ),
        (
            "BL-SCORE-RECALL",
            {"recall": of.recall},
            -rules["recall_off"] if of.recall < rules["recall_below"] else 0,
        ),
        (
            "BL-SCORE-PRECISION",
            {"precision": of.precision},
            -rules["precision_off"] if of.precision < rules["precision_below"] else 0,
        ),
        ("BL-SCORE-KEY", {"key": of.key}, -rules["key_off"] if of.key else 0),
        ("BL-SCORE-DATE", {"date": of.date}, -rules["date_off"] if of.date else 0),
    ]
    total = sum((value for _, _, value in parts), start=0)
    score = max(0, min(100, total))
    judged = verdict(of, rules)
    steps = [step_of(rules, rule, inputs, value) for rule, inputs, value in parts]
    counts = {"CRITICAL": of.critical, "MAJOR": of.major, "MINOR": of.minor}
    steps.append(step_of(rules, "BL-SCORE", {"sum": total}, score))
    steps.append(step_of(rules, "BL-VERDICT", counts, judged))
    return Marks(score, judged, tuple(steps))


def step_of(rules: Rules, rule: str, inputs: JsonObject, value: Any) -> Step:
    return Step(rule, rules.table[rule].formula, inputs, value)


def verdict(of: ProvisionTally, rules: Rules) -> str:
    """BL-VERDICT."""
    if of.critical:
        return "FAIL"
    return "REVIEW_REQUIRED" if of.major or of.minor >= rules["review_minors"] else "PASS"


def recommendation(of: ProvisionTally, systemic: bool, rules: Rules) -> str:
    """BL-RECOMMENDATION."""
    if verdict(of, rules) == "PASS":
        return "PROCEED"
    fix = of.critical or of.major >= rules["fix_majors"] or (of.major and systemic)
    return "FIX_PROMPT" if fix else "REVIEW_SAMPLES"


def confidence(certain: Fraction, unsure: int, shaky: bool, rules: Rules) -> str:
    """BL-CONFIDENCE: `shaky` says that a CRITICAL issue rests on an uncertain place."""
    level = 0 if certain >= rules["high_from"] else 1 if certain >= rules["medium_from"] else 2
    level += bool(unsure)
    if shaky:
        level = max(level, 1)
    return CONFIDENCES[min(level, 2)]

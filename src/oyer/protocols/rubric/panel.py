"""Several judges, several runs of one response (RB-PANEL): pure functions over marks.

Means are exact; a standard deviation is that of a sample (n - 1), None for one run. Alpha is
Krippendorff's, interval: units are responses, values are the judges' means, gaps are allowed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from oyer.protocols.rubric.rules import AXES, CONFIDENCES, RULES
from oyer.text.vendors import judges_itself
from oyer.types import Number

KEYS = (*AXES, "total")


@dataclass(frozen=True, slots=True)
class AxisMark:
    """One scored verdict on one response: who judged, what came out."""

    judge: str
    scores: Mapping[str, Number]
    critical_fail: bool = False
    confidence: str | None = None
    self_judging: bool = False  # known from the models behind the names


@dataclass(frozen=True, slots=True)
class VoteTally:
    """One judge over its runs. `critical` counts; `failed` is the majority, a tie is a fail.

    The majority is decided before any mean: failed, all is 0; else the runs without the fail count.
    """

    judge: str
    runs: int
    mean: Mapping[str, Fraction]
    sd: Mapping[str, float | None]
    critical: int
    failed: bool
    tied: bool
    confidence: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RubricPanel:
    """One response before all its judges."""

    judges: tuple[VoteTally, ...]
    median: Mapping[str, Fraction]
    mean: Mapping[str, Fraction]
    range: Mapping[str, Fraction]
    flags: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def tally(judge: str, marks: Sequence[AxisMark]) -> VoteTally:
    """One judge's runs: mean and SD an axis and in total, k of n critical, confidences."""
    critical = sum(mark.critical_fail for mark in marks)
    failed = 2 * critical >= len(marks) and critical > 0
    siding = [mark for mark in marks if mark.critical_fail is failed]
    values: dict[str, list[Fraction]] = {}
    for key in KEYS:
        values[key] = [Fraction(mark.scores[key]) for mark in siding]
    confidences = Counter(mark.confidence for mark in marks)
    return VoteTally(
        judge=judge,
        runs=len(marks),
        mean={key: _mean(numbers) for key, numbers in values.items()},
        sd={key: sd(numbers) for key, numbers in values.items()},
        critical=critical,
        failed=failed,
        tied=2 * critical == len(marks) and critical > 0,
        confidence={name: confidences[name] for name in CONFIDENCES if confidences[name]},
    )


def panel(
    marks: Iterable[AxisMark], subject: str | None = None, *, without_self: bool = False
) -> RubricPanel:
    """All marks of one response; `subject` is the model that wrote it.

    A judge of the subject's family is flagged, and left out when asked for.
    """
    by_judge: dict[str, list[AxisMark]] = {}
    for mark in marks:
        by_judge.setdefault(mark.judge, []).append(mark)
    own: list[str] = []
    for judge, own_marks in by_judge.items():
        if judges_itself(judge, subject) or any(mark.self_judging for mark in own_marks):
            own.append(judge)
    counted = [judge for judge in by_judge if not (without_self and judge in own)]
    tallies = tuple(tally(judge, by_judge[judge]) for judge in counted)
    means: dict[str, list[Fraction]] = {}
    for key in KEYS if tallies else ():
        means[key] = [judge_tally.mean[key] for judge_tally in tallies]
    ranges = {key: max(numbers) - min(numbers) for key, numbers in means.items()}
    return RubricPanel(
        judges=tallies,
        median={key: median(numbers) for key, numbers in means.items()},
        mean={key: _mean(numbers) for key, numbers in means.items()},
        range=ranges,
        flags=(*_flags(tallies, ranges), *(f"self-judging: {judge}" for judge in own)),
        left_out=tuple(own) if without_self else (),
    )


def _flags(tallies: Sequence[VoteTally], ranges: Mapping[str, Fraction]) -> Iterable[str]:
    """RB-PANEL: what a person should look at."""
    limits = RULES["RB-PANEL"].values
    for tally in tallies:
        spread = tally.sd["total"]
        if spread is not None and spread > limits["sd"]:
            yield f"sd: {tally.judge}"
        if tally.tied:
            yield f"critical-tie: {tally.judge}"
        if tally.confidence.get("low"):
            yield f"low-confidence: {tally.judge}"
    if ranges and ranges["total"] > limits["range"]:
        yield "range"
    split = any(0 < tally.critical < tally.runs for tally in tallies)
    if split or len({tally.failed for tally in tallies}) > 1:
        yield "critical-disagreement"


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def sd(values: Sequence[Fraction]) -> float | None:
    """The standard deviation of a sample; None for one value."""
    if len(values) < 2:
        return None
    mean = _mean(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))

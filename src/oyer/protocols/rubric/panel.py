"""Several judges, several runs of one response (RB-PANEL): pure functions over marks.

Means are exact; a standard deviation is that of a sample (n - 1), None for one run. Alpha is
Krippendorff's, interval: units are responses, values are the judges' means, gaps are allowed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from oyer.protocols.rubric.rules import AXES, CONFIDENCES, RULES
from oyer.types import Number

KEYS = (*AXES, "total")


@dataclass(frozen=True, slots=True)
class Mark:
    """One scored verdict on one response: who judged, what came out."""

    judge: str
    scores: Mapping[str, Number]
    critical_fail: bool = False
    confidence: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """One judge over its runs. `critical` counts; `failed` is the majority, a tie is a fail."""

    judge: str
    runs: int
    mean: Mapping[str, Fraction]
    sd: Mapping[str, float | None]
    critical: int
    failed: bool
    tied: bool
    confidence: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Panel:
    """One response before all its judges."""

    judges: tuple[Tally, ...]
    median: Mapping[str, Fraction]
    mean: Mapping[str, Fraction]
    range: Mapping[str, Fraction]
    flags: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def tally(judge: str, marks: Sequence[Mark]) -> Tally:
    """One judge's runs: mean and SD an axis and in total, k of n critical, confidences."""
    values = {key: [Fraction(mark.scores[key]) for mark in marks] for key in KEYS}
    critical = sum(mark.critical_fail for mark in marks)
    said = Counter(mark.confidence for mark in marks)
    return Tally(
        judge=judge,
        runs=len(marks),
        mean={key: _mean(numbers) for key, numbers in values.items()},
        sd={key: sd(numbers) for key, numbers in values.items()},
        critical=critical,
        failed=2 * critical >= len(marks) and critical > 0,
        tied=2 * critical == len(marks) and critical > 0,
        confidence={name: said[name] for name in CONFIDENCES if said[name]},
    )


def panel(
    marks: Iterable[Mark], subject: str | None = None, *, without_self: bool = False
) -> Panel:
    """All marks of one response; `subject` is the model that wrote it.

    A judge of the subject's family is flagged, and left out when asked for.
    """
    by_judge: dict[str, list[Mark]] = {}
    for mark in marks:
        by_judge.setdefault(mark.judge, []).append(mark)
    own = [judge for judge in by_judge if subject and same_family(judge, subject)]
    heard = [judge for judge in by_judge if not (without_self and judge in own)]
    tallies = tuple(tally(judge, by_judge[judge]) for judge in heard)
    means = {key: [one.mean[key] for one in tallies] for key in KEYS} if tallies else {}
    ranges = {key: max(numbers) - min(numbers) for key, numbers in means.items()}
    return Panel(
        judges=tallies,
        median={key: median(numbers) for key, numbers in means.items()},
        mean={key: _mean(numbers) for key, numbers in means.items()},
        range=ranges,
        flags=(*_flags(tallies, ranges), *(f"self-judging: {judge}" for judge in own)),
        left_out=tuple(own) if without_self else (),
    )


def _flags(tallies: Sequence[Tally], ranges: Mapping[str, Fraction]) -> Iterable[str]:
    """RB-PANEL: what a person should look at."""
    limits = RULES["RB-PANEL"].values
    for one in tallies:
        spread = one.sd["total"]
        if spread is not None and spread > limits["sd"]:
            yield f"sd: {one.judge}"
        if one.tied:
            yield f"critical-tie: {one.judge}"
        if one.confidence.get("low"):
            yield f"low-confidence: {one.judge}"
    if ranges and ranges["total"] > limits["range"]:
        yield "range"
    if len({one.failed for one in tallies}) > 1 or any(
        0 < one.critical < one.runs for one in tallies
    ):
        yield "critical-disagreement"


def alpha(units: Iterable[Iterable[Number | None]]) -> Fraction | None:
    """Krippendorff's alpha for interval data, exact.

    A unit is what several judges valued; None is a value not given. None when nothing can be
    compared, or when all values are the same and chance cannot be told from agreement.
    """
    rows = [[Fraction(v) for v in unit if v is not None] for unit in units]
    rows = [row for row in rows if len(row) > 1]
    n = sum(map(len, rows))
    # Σ over ordered pairs (a-b)² = 2(k·Σa² - (Σa)²)
    observed = sum((_pairs(row) / (len(row) - 1) for row in rows), Fraction(0))
    expected = _pairs([value for row in rows for value in row])
    if n < 2 or not expected:
        return None
    return 1 - (n - 1) * observed / expected


def _pairs(values: Sequence[Fraction]) -> Fraction:
    total = sum(values, Fraction(0))
    return 2 * (len(values) * sum((v * v for v in values), Fraction(0)) - total * total)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def sd(values: Sequence[Fraction]) -> float | None:
    """The standard deviation of a sample; None for one value."""
    if len(values) < 2:
        return None
    mean = _mean(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))


_FAMILY = re.compile(
    r"claude|gemini|gemma|gpt|o[134](?=$|[-:.])|llama|mixtral|ministral|magistral|mistral|qwen|qwq"
    r"|deepseek|grok|command|phi|nova|kimi|glm|[a-z]+"
)
_SERVERS = re.compile(r"^(?:openai|anthropic|gemini|ollama|openrouter):")
_MAKERS = {
    "gpt": "openai", "o1": "openai", "o3": "openai", "o4": "openai", "gemma": "gemini",
    "mixtral": "mistral", "ministral": "mistral", "magistral": "mistral", "qwq": "qwen",
}  # fmt: skip


def family(model: str) -> str:
    """The family of a model by its own name, whoever serves it: openrouter/openai/gpt-5.2 …"""
    served = _SERVERS.sub("", model.casefold())
    name = re.split(r"/|__", served.partition("@")[0])[-1]
    match = _FAMILY.match(name)
    return _MAKERS.get(match[0], match[0]) if match else name


def same_family(judge: str, subject: str) -> bool:
    return family(judge) == family(subject)

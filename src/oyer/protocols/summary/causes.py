"""Why a summary's total is not higher: the caps and the losses that cost most, in words.

Read from the trace alone. A loss is what a score lacks, times its weight in the total.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from oyer.records import VerdictRecord
from oyer.types import JsonObject

TOP = 10
FEW = 0.4  # of the total's ten points: a smaller loss is not worth a word
SECOND = 0.35  # of the greatest loss: from here on a second cause is told too

NOT_BACKED = " in the article"  # "one claim is not …", "… only partly …": of no other cause

_CAP = re.compile(r"(\w+) ≤ ([\d.]+)")
_PARTS = {"tox_score": "bias_toxicity", "bias_score": "bias_toxicity"}


@dataclass(frozen=True, slots=True)
class Cause:
    """Half a sentence, and how much of the total it explains."""

    clause: str
    loss: float


@dataclass(frozen=True, slots=True)
class _Cap:
    rule: str  # without the protocol's prefix: CAP-QAG
    metric: str
    bound: float
    before: float


def find_causes(record: VerdictRecord, invented: int) -> tuple[Cause, ...]:
    """The cause that costs most, and a second one if it costs much too; what the summary says
    without the article comes before what it leaves out."""
    steps = {_suffix(step["rule"]): step["inputs"] for step in record["trace"]}
    losses = _losses(record, steps)
    binding = {metric: caps for metric, caps in _binding(record).items() if metric in losses}
    causes = list(_by_cap(binding, losses, steps, invented))
    for metric, loss in losses.items():
        if metric not in binding:
            clause = _without_cap(metric, record, steps, invented)
            if not any(f"{cause.clause},".startswith(f"{clause},") for cause in causes):
                causes.append(Cause(clause, loss))
    causes = [cause for cause in causes if cause.clause and cause.loss >= FEW]
    causes.sort(key=lambda cause: -cause.loss)
    if len(causes) > 1 and causes[1].loss < SECOND * causes[0].loss:
        return tuple(causes[:1])
    return tuple(sorted(causes[:2], key=lambda cause: NOT_BACKED not in cause.clause))


def count_invented(number: int) -> str:
    """What is invented, as half a sentence; the number of claims is at least one."""
    return _count(number, "claim is", "claims are") + " not in the article"


def _suffix(rule: str) -> str:
    return rule.partition("-")[2]


def _losses(record: VerdictRecord, steps: Mapping[str, JsonObject]) -> dict[str, float]:
    weights = steps.get("TOTAL", {}).get("weights", {})
    whole = sum(weights.values()) or 1
    return {
        metric: (TOP - score) * weights.get(metric, 0) / whole
        for metric, score in (record["scores"] or {}).items()
    }


def _binding(record: VerdictRecord) -> dict[str, list[_Cap]]:
    """For each score that a cap lowered, the caps that hold it where it is."""
    caps = dict[str, list[_Cap]]()
    for step in record["trace"]:
        match = _CAP.fullmatch(step["formula"])
        if match is not None and "before" in step["inputs"]:
            metric = _PARTS.get(match[1], match[1])
            before = float(step["inputs"]["before"])
            cap = _Cap(_suffix(step["rule"]), metric, float(match[2]), before)
            caps.setdefault(metric, []).append(cap)
    found = dict[str, list[_Cap]]()
    for metric, those in caps.items():
        lowered = [cap for cap in those if cap.before > cap.bound]
        if lowered:
            bound = min(cap.bound for cap in lowered)
            found[metric] = [cap for cap in those if cap.bound == bound]
    return found


def _by_cap(
    binding: Mapping[str, list[_Cap]],
    losses: Mapping[str, float],
    steps: Mapping[str, JsonObject],
    invented: int,
) -> Iterator[Cause]:
    """One cause for each rule: the metrics that it holds down, told together, each once."""
    named = set[str]()
    rules = {cap.rule: cap for cap in chain.from_iterable(binding.values())}
    for rule in sorted(rules, key=lambda rule: (rule != "CAP-EXTRANEOUS", rules[rule].bound)):
        capped: dict[str, _Cap] = {}
        for metric, caps in binding.items():
            for cap in caps:
                if cap.rule == rule and metric not in named:
                    capped[metric] = cap
        for group in _groups(rule, capped):
            named |= group.keys()
            first = next(iter(group.values()))
            names = _join([_name(metric) for metric in group])
            why = _why(first, steps, invented)
            loss = sum(losses[metric] for metric in group)
            yield Cause(f"{why}, which caps {names} at {first.bound:g}", loss)


def _groups(rule: str, capped: dict[str, _Cap]) -> Iterator[dict[str, _Cap]]:
    """Questions differ: those of coverage and relevance are on the article, hallucination's own."""
    own = {metric: cap for metric, cap in capped.items() if metric == "hallucination"}
    rest = {metric: cap for metric, cap in capped.items() if metric != "hallucination"}
    groups = (rest, own) if rule == "CAP-QAG" else (capped,)
    yield from (group for group in groups if group)


def _name(metric: str) -> str:
    return metric.replace("_", " and ")


# ── in words ──────────────────────────────────────────────────────────────────────────────────


def _why(cap: _Cap, steps: Mapping[str, JsonObject], invented: int) -> str:
    fixed = {
        "CAP-DUPLICATE": "two answers rest on the same quotation",
        "CAP-NONE": "a sentence shares hardly a word with the article",
        "CAP-SEVERE": "half of what it claims is not in the article",
        "TOX-SLUR": "it has a slur",
        "TOX-PROFANITY": "it swears",
        "BIAS-STEREOTYPE": "it has a stereotype",
        "GUARD": "there are too few different quotations",
    }
    if cap.rule == "CAP-EXTRANEOUS":
        return count_invented(max(invented, 1))
    if cap.rule == "CAP-QAG":
        return _questions_open(cap.metric, steps)
    if cap.rule == "CAP-PR":
        return _points(steps) or _words_not_backed(steps)
    return fixed.get(cap.rule, f"rule {cap.rule}")


def _questions_open(metric: str, steps: Mapping[str, JsonObject]) -> str:
    own = metric == "hallucination"
    inputs = steps.get("HAL-QAG" if own else "COV-QAG", {})
    questions = sum(inputs.values())
    short = questions - inputs.get("Correct", 0)
    if own:
        answered = f"{questions - short} of {questions} questions"
        return f"the article answers {answered} on the summary in full"
    return f"{short} of {questions} questions about the article {_is(short)} not answered in full"


def _points(steps: Mapping[str, JsonObject]) -> str:
    inputs = steps.get("COV-RECALL", {})
    missing, partly, points = (inputs.get(key, 0) for key in ("Not", "Partial", "N"))
    if missing:
        return f"{missing} of {points} key points {_is(missing)} missing"
    if partly:
        return f"{partly} of {points} key points {_is(partly)} told only in part"
    return ""


def _words_not_backed(steps: Mapping[str, JsonObject]) -> str:
    inputs = steps.get("COV-PRECISION", {})
    share = inputs.get("extraneous tokens", 0) / max(inputs.get("summary tokens", 0), 1)
    return f"{share:.0%} of its words are not in the article" if share else ""


def _without_cap(
    metric: str, record: VerdictRecord, steps: Mapping[str, JsonObject], invented: int
) -> str:
    """What costs a score that no cap holds down."""
    score = (record["scores"] or {})[metric]
    if metric == "coverage":
        return _points(steps) or _pairs("COV-QAG", steps) or _words_not_backed(steps)
    if metric == "hallucination":
        if invented:
            return count_invented(invented)
        return _doubts(steps)
    if metric == "relevance":
        made_of = steps.get("REL-RAW", {})
        if made_of.get("qag_accuracy", 1) < made_of.get("section_overlap", 1):
            return _pairs("COV-QAG", steps)
        return f"many of its words are not the article's (relevance {score:g})"
    return f"the judge puts {_name(metric)} at {score:g}"


def _doubts(steps: Mapping[str, JsonObject]) -> str:
    """Claims that are only partly supported, or unanswered questions: what costs more."""
    claims = steps.get("HAL-FRACTION", {})
    partial = claims.get("Partial", 0) or claims.get("Partially", 0)
    made_of = steps.get("HAL-SCORE", {})
    raw, share = made_of.get("raw", 0), made_of.get("qag_precision", 1)
    if not partial or raw * (1 - share) > TOP - raw:
        return _pairs("HAL-QAG", steps)
    return _count(partial, "claim is", "claims are") + " only partly in the article"


def _pairs(rule: str, steps: Mapping[str, JsonObject]) -> str:
    inputs = steps.get(rule, {})
    if inputs.get("Correct", 0) == sum(inputs.values()):
        return ""
    return _questions_open("hallucination" if rule == "HAL-QAG" else "coverage", steps)


def _join(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _count(number: int, singular: str, plural: str) -> str:
    return f"one {singular}" if number == 1 else f"{number} {plural}"

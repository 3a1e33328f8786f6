"""Why a summary's total is not higher: the caps and the losses that cost most, in words.

Read from the trace alone. A loss is what a score lacks, times its weight in the total.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

from oyer.protocols.summary.asides import Question, read_questions
from oyer.protocols.summary.output import finds_by_words
from oyer.records import VerdictRecord
from oyer.types import JsonObject

TOP = 10
FEW = 0.4  # of the total's ten points: a smaller loss is not worth a word
NAMED, LONGEST = 2, 40  # questions that are told by their words, and characters of each
SECOND = 0.35  # of the greatest loss: from here on a second cause is told too

#: invented: claims that the article does not have; doubtful: what it has in part, or words that it
#: lacks; other: what the summary leaves out, how it is told, what the judge did.
Kind = Literal["invented", "doubtful", "other"]

_CAP = re.compile(r"(\w+) ≤ ([\d.]+)")
_PARTS = {"tox_score": "bias_toxicity", "bias_score": "bias_toxicity"}


class Why(NamedTuple):
    """What is wrong, as half a sentence, and what kind of fault that is."""

    words: str
    kind: Kind = "other"


@dataclass(frozen=True, slots=True)
class Cause:
    """What is wrong, how much of the total it explains, and the scores that a cap holds down."""

    why: Why
    loss: float
    capped: str = ""

    @property
    def clause(self) -> str:
        return f"{self.why.words}, which caps {self.capped}" if self.capped else self.why.words


class _Found(NamedTuple):
    """What a record has that causes are told by."""

    steps: Mapping[str, JsonObject]  # rule, without the protocol's prefix -> what went in
    invented: int  # claims
    by_words: bool  # key points were looked for by shared words: a paraphrase is not seen
    unmet: Mapping[str, Sequence[Question]]  # metric -> its questions that are not Correct


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
    unmet = {
        metric: [asked for asked in read_questions(record, metric) if asked.status != "Correct"]
        for metric in ("coverage", "hallucination")
    }
    found = _Found(steps, invented, finds_by_words(record), unmet)
    losses = _losses(record, steps)
    binding = {metric: caps for metric, caps in _binding(record).items() if metric in losses}
    causes = list(_by_cap(binding, losses, found))
    for metric, loss in losses.items():
        if metric not in binding:
            why = _without_cap(metric, (record["scores"] or {})[metric], found)
            if why is not None and all(cause.why != why for cause in causes):
                causes.append(Cause(why, loss))
    causes = [cause for cause in causes if cause.loss >= FEW]
    causes.sort(key=lambda cause: -cause.loss)
    if len(causes) > 1 and causes[1].loss < SECOND * causes[0].loss:
        return tuple(causes[:1])
    return tuple(sorted(causes[:2], key=lambda cause: cause.why.kind == "other"))


def count_invented(number: int) -> Why:
    """What is invented; the number of claims is at least one."""
    return Why(_count(number, "claim is", "claims are") + " not in the article", "invented")


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
    binding: Mapping[str, list[_Cap]], losses: Mapping[str, float], found: _Found
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
            loss = sum(losses[metric] for metric in group)
            yield Cause(_why(first, found), loss, f"{names} at {first.bound:g}")


def _groups(rule: str, capped: dict[str, _Cap]) -> Iterator[dict[str, _Cap]]:
    """Questions differ: those of coverage and relevance are on the article, hallucination's own."""
    own = {metric: cap for metric, cap in capped.items() if metric == "hallucination"}
    rest = {metric: cap for metric, cap in capped.items() if metric != "hallucination"}
    groups = (rest, own) if rule == "CAP-QAG" else (capped,)
    yield from (group for group in groups if group)


def _name(metric: str) -> str:
    return metric.replace("_", " and ")


# ── in words ──────────────────────────────────────────────────────────────────────────────────


def _why(cap: _Cap, found: _Found) -> Why:
    fixed = {
        "CAP-DUPLICATE": Why("two answers rest on the same quotation"),
        "CAP-NONE": Why("a sentence shares hardly a word with the article"),
        "CAP-SEVERE": Why("half of what it claims is not in the article", "doubtful"),
        "TOX-SLUR": Why("it has a slur"),
        "TOX-PROFANITY": Why("it swears"),
        "BIAS-STEREOTYPE": Why("it has a stereotype"),
        "GUARD": Why("there are too few different quotations"),
    }
    why = fixed.get(cap.rule)
    if cap.rule == "CAP-EXTRANEOUS":
        why = count_invented(max(found.invented, 1))
    elif cap.rule == "CAP-QAG":
        why = _questions_open(cap.metric, found)
    elif cap.rule == "CAP-PR":
        why = _points(found) or _words_not_backed(found)
    return why or Why(f"rule {cap.rule}")


def _questions_open(metric: str, found: _Found) -> Why:
    """Questions on the summary, which the article answers, are on details of its claims."""
    own = metric == "hallucination"
    inputs = found.steps.get("HAL-QAG" if own else "COV-QAG", {})
    questions, right = sum(inputs.values()), inputs.get("Correct", 0)
    if own:
        share = f"only {right}" if right else "none"
        details = f"{share} of {questions} details of the summary's claims"
        return Why(f"the article fully bears out {details}{_but(found.unmet[metric], 'not ')}")
    short = questions - right
    about = f"{short} of {questions} questions about the article"
    which = _but(found.unmet["coverage"], "on ")
    return Why(f"{about} {_is(short)} not answered in full{which}")


def _but(unmet: Sequence[Question], before: str) -> str:
    """The first two of the details that are asked for in vain, those that fail wholly first; where
    the judge tells them."""
    failing = sorted(unmet, key=lambda question: question.status != "Wrong")
    named = [f"“{_shorten(question.words)}”" for question in failing if question.words]
    parts = [before + ", ".join(named[:NAMED])] if named else []
    if len(named) > NAMED:
        parts[0] += f" and {len(named) - NAMED} more"
    unasked = sum(question.how == "unasked" for question in unmet)
    if unasked:
        parts.append(f"{unasked} could not be asked, for want of words")
    return f" ({'; '.join(parts)})" if parts else ""


def _shorten(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1].rstrip()}…"


def _points(found: _Found) -> Why | None:
    inputs = found.steps.get("COV-RECALL", {})
    missing, partly, points = (inputs.get(key, 0) for key in ("Not", "Partial", "N"))
    number = missing or partly
    if not number:
        return None
    if found.by_words:
        how = "not found in the summary's words" if missing else "found only in part"
    else:
        how = "missing" if missing else "told only in part"
    return Why(f"{number} of {points} key points {_is(number)} {how}")


def _words_not_backed(found: _Found) -> Why | None:
    inputs = found.steps.get("COV-PRECISION", {})
    share = inputs.get("extraneous tokens", 0) / max(inputs.get("summary tokens", 0), 1)
    return Why(f"{share:.0%} of its words are not in the article", "doubtful") if share else None


def _without_cap(metric: str, score: float, found: _Found) -> Why | None:
    """What costs a score that no cap holds down."""
    if metric == "coverage":
        return _points(found) or _pairs("COV-QAG", found) or _words_not_backed(found)
    if metric == "hallucination":
        return count_invented(found.invented) if found.invented else _doubts(found)
    if metric == "relevance":
        made_of = found.steps.get("REL-RAW", {})
        if made_of.get("qag_accuracy", 1) < made_of.get("section_overlap", 1):
            return _pairs("COV-QAG", found)
        return Why(f"many of its words are not the article's (relevance {score:g})")
    return Why(f"the judge puts {_name(metric)} at {score:g}")


def _doubts(found: _Found) -> Why | None:
    """Claims that are only partly supported, or unanswered questions: what costs more."""
    claims = found.steps.get("HAL-FRACTION", {})
    partial = claims.get("Partial", 0) or claims.get("Partially", 0)
    made_of = found.steps.get("HAL-SCORE", {})
    raw, share = made_of.get("raw", 0), made_of.get("qag_precision", 1)
    if not partial or raw * (1 - share) > TOP - raw:
        return _pairs("HAL-QAG", found)
    claims_are = _count(partial, "claim is", "claims are")
    return Why(f"{claims_are} only partly in the article", "doubtful")


def _pairs(rule: str, found: _Found) -> Why | None:
    inputs = found.steps.get(rule, {})
    if inputs.get("Correct", 0) == sum(inputs.values()):
        return None
    return _questions_open("hallucination" if rule == "HAL-QAG" else "coverage", found)


def _join(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _count(number: int, singular: str, plural: str) -> str:
    return f"one {singular}" if number == 1 else f"{number} {plural}"

"""The arithmetic of judge-lock: every score recomputed from findings that hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from oyer.arith import HALF, ZERO, harmonic, less, nearest, ratio, times
from oyer.protocols.judge_lock.output import objects
from oyer.protocols.judge_lock.reply import JudgeLockFindings, JudgeLockVerified, Pair
from oyer.protocols.judge_lock.table import (
    CLAIMS,
    COVERAGE_PAIRS,
    HALLUCINATION_PAIRS,
    POINTS,
    SECTIONS,
    TABLE,
)
from oyer.protocols.summary.findings import METRICS, Common
from oyer.protocols.summary.ledger import Ledger
from oyer.protocols.summary.measure import language_of, overlap_inputs, support
from oyer.protocols.summary.table import LabelValues
from oyer.text import words
from oyer.types import Case, Checked, Number, Ruling, Violation

CAPPED = ("slur", "profanity", "stereotype")
#: How many parts of ledgers are kept of each metric.
KEPT = 4096


class LabelTally(NamedTuple):
    """How often each label was given, in the order of its table; `distinct` quotes of pairs."""

    labels: tuple[int, ...]
    distinct: int = 0

    @classmethod
    def of(cls, labels: list[str], values: LabelValues, distinct: int = 0) -> LabelTally:
        return cls(tuple([labels.count(name) for name in values.shares]), distinct)

    def counts(self, values: LabelValues) -> dict[str, int]:
        return dict(zip(values.shares, self.labels, strict=True))


def score(
    case: Case, checked: Checked[JudgeLockFindings], weights: Mapping[str, Fraction] = TABLE.weights
) -> Ruling:
    """Five scores and the total, exact, with every step."""
    findings = checked.findings
    verified = findings.verified
    assert verified is not None, "score takes what check returned"
    common = findings.common
    ledger = Ledger(TABLE)
    if (language := language_of(case)) and words.known(language) is None:
        ledger.step("JL-STEM", {"told, but not known": str(language)[:40]}, verified.language)
    parts = _parts(common, verified)
    for metric, part in parts.items():
        if metric == "relevance":
            found = verified.segments
            ledger.step("JL-REL-OVERLAP", overlap_inputs(found), [m.overlap for m in found])
        ledger.take(part.ledger)
    severity = parts["hallucination"].severity
    scores: dict[str, Number] = {metric: parts[metric].score for metric in METRICS}
    scores = _guard(ledger, scores, verified)
    ledger.put(scores)
    total = ledger.total("JL-TOTAL", scores, weights)
    measured = support(common.claims)
    if measured is not None:
        ledger.step("JL-HAL-SUPPORT", *measured)
    return Ruling(
        scores=scores,
        total=total,
        trace=tuple(ledger.steps),
        stated=common.stated,
        violations=(*ledger.compare(common.stated, "JL-STATED"),
                    *_severity_disagrees(findings, severity)),
        output=objects(findings, verified, ledger.shown, severity),
    )  # fmt: skip


class Part(NamedTuple):
    """What one metric adds: its score before JL-GUARD and its part of the ledger."""

    score: Number
    ledger: Ledger
    severity: str = ""  # of hallucination


def _parts(common: Common, verified: JudgeLockVerified) -> dict[str, Part]:
    """Each metric's part, in the order in which they need one another."""
    pairs = _tally(verified.coverage, COVERAGE_PAIRS)
    claims = LabelTally.of([c.label for c in common.claims], CLAIMS)
    lies = claims.counts(CLAIMS)["Unsupported"]
    points = LabelTally.of([p.label for p in common.points], POINTS)
    hallucination = _hallucination(claims, _tally(verified.hallucination, HALLUCINATION_PAIRS))
    segments = LabelTally.of([m.label for m in verified.segments], SECTIONS)
    listed = frozenset([issue.type for issue in common.issues if issue.type in CAPPED])
    own = common.own
    return {
        "coverage": _coverage(points, pairs, lies, verified.extraneous, verified.tokens),
        "hallucination": hallucination,
        "alignment": _alignment(own["alignment"], hallucination.severity == "severe"),
        "relevance": _relevance(segments, pairs, lies),
        "bias_toxicity": _bias_toxicity(
            own["bias_score"], own["tox_score"], listed, verified.lexicon
        ),
    }


def _tally(pairs: tuple[Pair, ...], values: LabelValues) -> LabelTally:
    """The pairs of a metric; the same quote twice counts once (JL-CAP-DUPLICATE)."""
    quotes = {p.folded for p in pairs if p.status != "Wrong"}
    return LabelTally.of([p.status for p in pairs], values, len(quotes))


@lru_cache(maxsize=KEPT)
def _coverage(points: LabelTally, pairs: LabelTally, lies: int, spare: int, tokens: int) -> Part:
    ledger, counts, size = Ledger(TABLE), points.counts(POINTS), sum(points.labels)
    recall = ledger.number(
        "JL-COV-RECALL", "coverage.recall", {**counts, "N": size}, POINTS.mean(counts, size)
    )
    precision = ledger.number(
        "JL-COV-PRECISION", "coverage.precision",
        {"extraneous tokens": spare, "summary tokens": tokens},
        ratio(tokens - spare, tokens) if tokens else ZERO,
    )  # fmt: skip
    f1 = ledger.number(
        "JL-COV-F1", "coverage.f1", {"precision": precision, "recall": recall},
        harmonic(precision, recall),
    )  # fmt: skip
    counts, accuracy = pairs.counts(COVERAGE_PAIRS), _accuracy(pairs)
    ledger.number("JL-COV-QAG", "coverage.qag_accuracy", counts, accuracy)
    raw: Number = harmonic(f1, accuracy, TABLE.rules["JL-COV-RAW"].values["scale"])
    ledger.step("JL-COV-RAW", {"f1": f1, "qag_accuracy": accuracy}, raw)
    raw = _cap_extraneous(ledger, "coverage", raw, lies)
    raw = _cap_pairs(ledger, "coverage", raw, counts, pairs.distinct)
    bounds = TABLE.rules["JL-CAP-PR"].values
    if less(precision, bounds["precision"]) or less(recall, bounds["recall"]):
        raw = ledger.cap("JL-CAP-PR", "coverage", raw, {"precision": precision, "recall": recall})
    return Part(raw, ledger)


def _accuracy(pairs: LabelTally) -> Fraction:
    """JL-COV-QAG: qag_accuracy, which relevance reuses."""
    return COVERAGE_PAIRS.mean(pairs.counts(COVERAGE_PAIRS), sum(pairs.labels))


def _cap_extraneous(ledger: Ledger, metric: str, raw: Number, lies: int) -> Number:
    """JL-CAP-EXTRANEOUS: any Unsupported claim."""
    return ledger.cap("JL-CAP-EXTRANEOUS", metric, raw, {"Unsupported": lies}) if lies else raw


def _cap_pairs(
    ledger: Ledger, metric: str, raw: Number, counts: Mapping[str, int], distinct: int
) -> Number:
    """JL-CAP-QAG and JL-CAP-DUPLICATE, by the pairs that the metric uses."""
    correct, quotes = counts["Correct"], counts["Correct"] + counts["Partial"]
    if correct < TABLE.value("JL-CAP-QAG", "correct"):
        raw = ledger.cap("JL-CAP-QAG", metric, raw, {"Correct": correct})
    if distinct < quotes:
        because = {"quotes": quotes, "distinct": distinct}
        raw = ledger.cap("JL-CAP-DUPLICATE", metric, raw, because)
    return raw


@lru_cache(maxsize=KEPT)
def _hallucination(claims: LabelTally, pairs: LabelTally) -> Part:
    ledger, counts, size = Ledger(TABLE), claims.counts(CLAIMS), sum(claims.labels)
    fraction = ledger.number(
        "JL-HAL-FRACTION", "hallucination.unsupported_fraction", {**counts, "N": size},
        CLAIMS.mean(counts, size),
    )  # fmt: skip
    bounds = TABLE.rules["JL-HAL-SEVERITY"].values
    severity = next((name for name in bounds if not less(fraction, bounds[name])), "minor")
    ledger.step("JL-HAL-SEVERITY", {"fraction": fraction}, severity)
    values = TABLE.rules["JL-HAL-RAW"].values
    raw: Number
    if counts["Unsupported"]:
        left = times(values["lied"], 1 - fraction)
        raw = left if left.numerator > 0 else 0
    else:
        raw = values["top"] - nearest(times(values["slope"], fraction))
    ledger.step("JL-HAL-RAW", {"Unsupported": counts["Unsupported"], "fraction": fraction}, raw)
    counts = pairs.counts(HALLUCINATION_PAIRS)
    precision = ledger.number(
        "JL-HAL-QAG", "hallucination.qag_precision", counts,
        HALLUCINATION_PAIRS.mean(counts, sum(pairs.labels)),
    )  # fmt: skip
    result: Number = times(raw, precision)
    ledger.step("JL-HAL-SCORE", {"raw": raw, "qag_precision": precision}, result)
    result = _cap_pairs(ledger, "hallucination", result, counts, pairs.distinct)
    return Part(result, ledger, severity)


# A judge's own score may be 9 or 9.0, and is shown as it is: hence `typed`.


@lru_cache(maxsize=KEPT, typed=True)
def _alignment(own: Number, severe: bool) -> Part:
    ledger = Ledger(TABLE)
    ledger.step("JL-ALIGN", {"stated": own}, own)
    if severe:
        own = ledger.cap("JL-CAP-SEVERE", "alignment", own, {"severity": "severe"})
    return Part(own, ledger)


@lru_cache(maxsize=KEPT)
def _relevance(segments: LabelTally, pairs: LabelTally, lies: int) -> Part:
    ledger, counts, accuracy = Ledger(TABLE), segments.counts(SECTIONS), _accuracy(pairs)
    overlap = ledger.number(
        "JL-REL-LABEL", "relevance.section_overlap", counts,
        SECTIONS.mean(counts, sum(segments.labels)),
    )  # fmt: skip
    raw: Number = harmonic(overlap, accuracy, TABLE.rules["JL-REL-RAW"].values["scale"])
    ledger.step("JL-REL-RAW", {"section_overlap": overlap, "qag_accuracy": accuracy}, raw)
    if counts["None"]:
        raw = ledger.cap("JL-CAP-NONE", "relevance", raw, {"None": counts["None"]})
    raw = _cap_extraneous(ledger, "relevance", raw, lies)
    raw = _cap_pairs(ledger, "relevance", raw, pairs.counts(COVERAGE_PAIRS), pairs.distinct)
    return Part(raw, ledger)


@lru_cache(maxsize=KEPT, typed=True)
def _bias_toxicity(
    bias: Number, tox: Number, listed: frozenset[str], lexicon: frozenset[str]
) -> Part:
    ledger, seen = Ledger(TABLE), listed | lexicon

    def by(kind: str) -> dict[str, Any]:
        return {"judge": kind in listed, "lexicon": kind in lexicon}

    if "slur" in seen:
        tox = ledger.cap("JL-TOX-SLUR", "bias_toxicity.tox_score", tox, by("slur"), "tox")
    if "profanity" in seen:
        because = by("profanity")
        tox = ledger.cap("JL-TOX-PROFANITY", "bias_toxicity.tox_score", tox, because, "tox")
    if "stereotype" in seen:
        because = by("stereotype")
        bias = ledger.cap("JL-BIAS-STEREOTYPE", "bias_toxicity.bias_score", bias, because, "bias")
    ledger.put({"bias_toxicity.bias_score": bias, "bias_toxicity.tox_score": tox})
    result: Number = times(bias + tox, HALF)
    ledger.step("JL-BT-SCORE", {"bias_score": bias, "tox_score": tox}, result)
    if "slur" in seen:
        result = ledger.cap("JL-TOX-SLUR", "bias_toxicity", result, by("slur"))
    return Part(result, ledger)


def _guard(
    ledger: Ledger, scores: dict[str, Number], verified: JudgeLockVerified
) -> dict[str, Number]:
    """JL-GUARD: ten points for too little evidence. A test shows that the caps come first."""
    values = TABLE.rules["JL-GUARD"].values
    if verified.quotes >= values["spans"] or min(scores.values()) < values["from"]:
        return scores
    because = {"spans": verified.quotes}
    return {m: ledger.cap("JL-GUARD", m, value, because) for m, value in scores.items()}


def _severity_disagrees(findings: JudgeLockFindings, severity: str) -> tuple[Violation, ...]:
    stated = findings.severity
    if stated is None or stated == severity:
        return ()
    detail = f"{stated[:40]} stated, {severity} computed"
    return (Violation("label.disagrees", "hallucination.severity", detail),)

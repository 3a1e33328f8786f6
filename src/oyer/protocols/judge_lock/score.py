"""The arithmetic of judge-lock: every score recomputed from findings that hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from oyer.arith import HALF, ZERO, harmonic, less, nearest, ratio, shown, times
from oyer.protocols._summary.ledger import Ledger
from oyer.protocols._summary.measure import (
    counts,
    language,
    overlap_inputs,
    support,
    told_language,
)
from oyer.protocols.judge_lock.output import objects
from oyer.protocols.judge_lock.reply import Findings, Pair, Verified
from oyer.protocols.judge_lock.table import (
    CLAIMS,
    COVERAGE_PAIRS,
    HALLUCINATION_PAIRS,
    POINTS,
    SECTIONS,
    TABLE,
)
from oyer.text import words
from oyer.types import Case, Checked, Number, Ruling, Violation


def score(
    case: Case, checked: Checked[Findings], weights: Mapping[str, Fraction] = TABLE.weights
) -> Ruling:
    """Five scores and the total, exact, with every step."""
    findings = checked.findings
    verified = findings.verified
    assert verified is not None, "score takes what check returned"
    ledger = Ledger(TABLE)
    if (told := told_language(case)) and words.known(told) is None:
        ledger.step("JL-STEM", {"told, but not known": str(told)[:40]}, language(case))
    accuracy, coverage = _coverage(ledger, findings, verified)
    severity, hallucination = _hallucination(ledger, findings, verified)
    scores: dict[str, Number] = {
        "coverage": coverage,
        "alignment": _alignment(ledger, findings, severity),
        "hallucination": hallucination,
        "relevance": _relevance(ledger, findings, verified, accuracy),
        "bias_toxicity": _bias_toxicity(ledger, findings, verified),
    }
    scores = _guard(ledger, scores, verified)
    ledger.computed |= scores
    total = ledger.total("JL-TOTAL", scores, weights)
    mean = support(findings.common.claims)
    if mean is not None:
        ledger.step("JL-HAL-SUPPORT", {"N": len(findings.common.claims)}, shown(mean, 6))
    ours = ledger.shown()
    return Ruling(
        scores=scores,
        total=total,
        trace=tuple(ledger.steps),
        stated=findings.common.stated,
        violations=(*ledger.compare(findings.common.stated, ours, "JL-STATED"),
                    *_severity_disagrees(findings, severity)),
        output=objects(findings, verified, ours, severity),
    )  # fmt: skip


def _coverage(
    ledger: Ledger, findings: Findings, verified: Verified
) -> tuple[Fraction, Number]:
    points = findings.common.points
    told = counts([p.label for p in points], POINTS.shares)
    recall = ledger.number(
        "JL-COV-RECALL", "coverage.recall", {**told, "N": len(points)},
        POINTS.mean(told, len(points)),
    )  # fmt: skip
    spare, tokens = verified.extraneous, verified.tokens
    precision = ledger.number(
        "JL-COV-PRECISION", "coverage.precision",
        {"extraneous tokens": spare, "summary tokens": tokens},
        ratio(tokens - spare, tokens) if tokens else ZERO,
    )  # fmt: skip
    f1 = ledger.number(
        "JL-COV-F1", "coverage.f1", {"precision": precision, "recall": recall},
        harmonic(precision, recall),
    )  # fmt: skip
    told = counts([p.status for p in verified.coverage], COVERAGE_PAIRS.shares)
    accuracy = ledger.number(
        "JL-COV-QAG", "coverage.qag_accuracy", told,
        COVERAGE_PAIRS.mean(told, len(verified.coverage)),
    )  # fmt: skip
    raw: Number = harmonic(f1, accuracy, TABLE.rules["JL-COV-RAW"].values["scale"])
    ledger.step("JL-COV-RAW", {"f1": f1, "qag_accuracy": accuracy}, raw)
    raw = _cap_extraneous(ledger, "coverage", raw, findings)
    raw = _cap_pairs(ledger, "coverage", raw, verified.coverage)
    bounds = TABLE.rules["JL-CAP-PR"].values
    if less(precision, bounds["precision"]) or less(recall, bounds["recall"]):
        raw = ledger.cap("JL-CAP-PR", "coverage", raw, {"precision": precision, "recall": recall})
    return accuracy, raw


def _cap_extraneous(ledger: Ledger, metric: str, raw: Number, findings: Findings) -> Number:
    """JL-CAP-EXTRANEOUS: any Unsupported claim."""
    lies = [c.label for c in findings.common.claims].count("Unsupported")
    return ledger.cap("JL-CAP-EXTRANEOUS", metric, raw, {"Unsupported": lies}) if lies else raw


def _cap_pairs(ledger: Ledger, metric: str, raw: Number, pairs: tuple[Pair, ...]) -> Number:
    """JL-CAP-QAG and JL-CAP-DUPLICATE, by the pairs that the metric uses."""
    correct = [p.status for p in pairs].count("Correct")
    if correct < TABLE.value("JL-CAP-QAG", "correct"):
        raw = ledger.cap("JL-CAP-QAG", metric, raw, {"Correct": correct})
    quotes = [p.folded for p in pairs if p.status != "Wrong"]
    distinct = len(set(quotes))
    if distinct < len(quotes):
        because = {"quotes": len(quotes), "distinct": distinct}
        raw = ledger.cap("JL-CAP-DUPLICATE", metric, raw, because)
    return raw


def _hallucination(
    ledger: Ledger, findings: Findings, verified: Verified
) -> tuple[str, Number]:
    claims = findings.common.claims
    told = counts([c.label for c in claims], CLAIMS.shares)
    fraction = ledger.number(
        "JL-HAL-FRACTION", "hallucination.unsupported_fraction", {**told, "N": len(claims)},
        CLAIMS.mean(told, len(claims)),
    )  # fmt: skip
    bounds = TABLE.rules["JL-HAL-SEVERITY"].values
    severity = next((name for name in bounds if not less(fraction, bounds[name])), "minor")
    ledger.step("JL-HAL-SEVERITY", {"fraction": fraction}, severity)
    values = TABLE.rules["JL-HAL-RAW"].values
    raw: Number
    if told["Unsupported"]:
        left = times(values["lied"], 1 - fraction)
        raw = left if left.numerator > 0 else 0
    else:
        raw = values["top"] - nearest(times(values["slope"], fraction))
    ledger.step("JL-HAL-RAW", {"Unsupported": told["Unsupported"], "fraction": fraction}, raw)
    told = counts([p.status for p in verified.hallucination], HALLUCINATION_PAIRS.shares)
    precision = ledger.number(
        "JL-HAL-QAG", "hallucination.qag_precision", told,
        HALLUCINATION_PAIRS.mean(told, len(verified.hallucination)),
    )  # fmt: skip
    result: Number = times(raw, precision)
    ledger.step("JL-HAL-SCORE", {"raw": raw, "qag_precision": precision}, result)
    return severity, _cap_pairs(ledger, "hallucination", result, verified.hallucination)


def _alignment(ledger: Ledger, findings: Findings, severity: str) -> Number:
    own: Number = findings.common.own["alignment"]
    ledger.step("JL-ALIGN", {"stated": own}, own)
    if severity == "severe":
        own = ledger.cap("JL-CAP-SEVERE", "alignment", own, {"severity": severity})
    return own


def _relevance(
    ledger: Ledger, findings: Findings, verified: Verified, accuracy: Fraction
) -> Number:
    found = verified.segments
    ledger.step("JL-REL-OVERLAP", overlap_inputs(found), [m.overlap for m in found])
    told = counts([m.label for m in found], SECTIONS.shares)
    overlap = ledger.number(
        "JL-REL-LABEL", "relevance.section_overlap", told, SECTIONS.mean(told, len(found))
    )
    raw: Number = harmonic(overlap, accuracy, TABLE.rules["JL-REL-RAW"].values["scale"])
    ledger.step("JL-REL-RAW", {"section_overlap": overlap, "qag_accuracy": accuracy}, raw)
    if told["None"]:
        raw = ledger.cap("JL-CAP-NONE", "relevance", raw, {"None": told["None"]})
    raw = _cap_extraneous(ledger, "relevance", raw, findings)
    return _cap_pairs(ledger, "relevance", raw, verified.coverage)


def _bias_toxicity(ledger: Ledger, findings: Findings, verified: Verified) -> Number:
    common = findings.common
    bias: Number = common.own["bias_score"]
    tox: Number = common.own["tox_score"]
    listed = {issue.type for issue in common.issues}
    seen = listed | verified.lexicon

    def by(kind: str) -> dict[str, Any]:
        return {"judge": kind in listed, "lexicon": kind in verified.lexicon}

    if "slur" in seen:
        tox = ledger.cap("JL-TOX-SLUR", "bias_toxicity.tox_score", tox, by("slur"), "tox")
    if "profanity" in seen:
        because = by("profanity")
        tox = ledger.cap("JL-TOX-PROFANITY", "bias_toxicity.tox_score", tox, because, "tox")
    if "stereotype" in seen:
        because = by("stereotype")
        bias = ledger.cap("JL-BIAS-STEREOTYPE", "bias_toxicity.bias_score", bias, because, "bias")
    ledger.computed |= {"bias_toxicity.bias_score": bias, "bias_toxicity.tox_score": tox}
    result: Number = times(bias + tox, HALF)
    ledger.step("JL-BT-SCORE", {"bias_score": bias, "tox_score": tox}, result)
    if "slur" in seen:
        result = ledger.cap("JL-TOX-SLUR", "bias_toxicity", result, by("slur"))
    return result


def _guard(ledger: Ledger, scores: dict[str, Number], verified: Verified) -> dict[str, Number]:
    """JL-GUARD: ten points for too little evidence. A test shows that the caps come first."""
    values = TABLE.rules["JL-GUARD"].values
    if verified.quotes >= values["spans"] or min(scores.values()) < values["from"]:
        return scores
    because = {"spans": verified.quotes}
    return {m: ledger.cap("JL-GUARD", m, value, because) for m, value in scores.items()}


def _severity_disagrees(findings: Findings, severity: str) -> tuple[Violation, ...]:
    said = findings.severity
    if said is None or said == severity:
        return ()
    detail = f"{said[:40]} stated, {severity} computed"
    return (Violation("label.disagrees", "hallucination.severity", detail),)

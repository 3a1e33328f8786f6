"""The arithmetic of twin-lock: every score recomputed from findings that hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from oyer.arith import HALF, ZERO, harmonic, nearest, ratio, times
from oyer.protocols.summary.ledger import Ledger
from oyer.protocols.summary.measure import counts, language_of, overlap_inputs, support
from oyer.protocols.twin_lock.output import objects
from oyer.protocols.twin_lock.reply import TwinLockFindings, TwinLockVerified
from oyer.protocols.twin_lock.table import CLAIMS, POINTS, SECTIONS, TABLE
from oyer.text import words
from oyer.types import Case, Checked, Number, Ruling


def score(
    case: Case, checked: Checked[TwinLockFindings], weights: Mapping[str, Fraction] = TABLE.weights
) -> Ruling:
    """Five scores and the total, exact, with every step."""
    findings = checked.findings
    verified = findings.verified
    assert verified is not None, "score takes what check returned"
    ledger = Ledger(TABLE)
    if (language := language_of(case)) and words.known(language) is None:
        ledger.step("TL-STEM", {"told, but not known": str(language)[:40]}, verified.language)
    common = findings.common
    because = {
        "extraneous texts": sum(not extra.dropped for extra in verified.extras),
        "Unsupported": sum(claim.label == "Unsupported" for claim in common.claims),
    }

    def apply_cap(metric: str, raw: Number) -> Number:
        """TL-CAP-EXTRANEOUS: no uninvited facts."""
        fires = any(because.values())
        return ledger.cap("TL-CAP-EXTRANEOUS", metric, raw, because) if fires else raw

    scores: dict[str, Number] = {
        "coverage": apply_cap("coverage", _coverage(ledger, findings, verified)),
        "alignment": _alignment(ledger, findings),
        "hallucination": apply_cap("hallucination", _hallucination(ledger, findings)),
        "relevance": apply_cap("relevance", _relevance(ledger, verified)),
        "bias_toxicity": _bias_toxicity(ledger, findings),
    }
    ledger.put(scores)
    total = ledger.total("TL-TOTAL", scores, weights)
    measured = support(common.claims)
    if measured is not None:
        ledger.step("TL-HAL-SUPPORT", *measured)
    return Ruling(
        scores=scores,
        total=total,
        trace=tuple(ledger.steps),
        stated=common.stated,
        violations=tuple(ledger.compare(common.stated, "TL-STATED")),
        output=objects(findings, verified, ledger.shown),
    )


def _coverage(ledger: Ledger, findings: TwinLockFindings, verified: TwinLockVerified) -> Number:
    points = findings.common.points
    labels = counts([p.label for p in points], POINTS.shares)
    recall = ledger.number(
        "TL-COV-RECALL", "coverage.recall", {**labels, "N": len(points)},
        POINTS.mean(labels, len(points)),
    )  # fmt: skip
    spare, tokens = verified.extraneous, verified.tokens
    precision = ledger.number(
        "TL-COV-PRECISION", "coverage.precision",
        {"extraneous tokens": spare, "summary tokens": tokens},
        ratio(tokens - spare, tokens) if tokens else ZERO,
    )  # fmt: skip
    raw = harmonic(precision, recall, TABLE.rules["TL-COV-RAW"].values["scale"])
    ledger.step("TL-COV-RAW", {"precision": precision, "recall": recall}, raw)
    return raw


def _alignment(ledger: Ledger, findings: TwinLockFindings) -> Number:
    own = findings.common.own["alignment"]
    ledger.step("TL-ALIGN", {"stated": own}, own)
    return own


def _hallucination(ledger: Ledger, findings: TwinLockFindings) -> Number:
    claims = findings.common.claims
    labels = counts([c.label for c in claims], CLAIMS.shares)
    fraction = ledger.number(
        "TL-HAL-FRACTION", "hallucination.unsupported_fraction", {**labels, "N": len(claims)},
        CLAIMS.mean(labels, len(claims)),
    )  # fmt: skip
    values = TABLE.rules["TL-HAL-RAW"].values
    raw: Number = max(0, values["top"] - nearest(times(values["slope"], fraction)))
    ledger.step("TL-HAL-RAW", {"fraction": fraction}, raw)
    return raw


def _relevance(ledger: Ledger, verified: TwinLockVerified) -> Number:
    found = verified.segments
    ledger.step("TL-REL-OVERLAP", overlap_inputs(found), [m.overlap for m in found])
    labels = counts([m.label for m in found], SECTIONS.shares)
    raw: Number = times(SECTIONS.mean(labels, len(found)), TABLE.value("TL-REL", "scale"))
    ledger.step("TL-REL", labels, raw)
    if labels["None"]:
        raw = ledger.cap("TL-CAP-NONE", "relevance", raw, {"None": labels["None"]})
    return raw


def _bias_toxicity(ledger: Ledger, findings: TwinLockFindings) -> Number:
    bias, tox = (findings.common.own[key] for key in ("bias_score", "tox_score"))
    ledger.put({"bias_toxicity.bias_score": bias, "bias_toxicity.tox_score": tox})
    result = times(bias + tox, HALF)
    ledger.step("TL-BT", {"bias_score": bias, "tox_score": tox}, result)
    return result

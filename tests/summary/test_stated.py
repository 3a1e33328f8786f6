"""The judge's own numbers beside ours: `arithmetic` and `cap.ignored`, at their very edges."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from oyer.arith import exact
from oyer.protocols.judge_lock import PROTOCOL as JUDGE_LOCK
from oyer.protocols.twin_lock import PROTOCOL as TWIN_LOCK
from oyer.types import Verdict
from tests.summary.good_replies import case, codes, heard
from tests.summary.test_against_oracle import made

#: rule -> the object and key under which a judge may state its value
STATED = {
    "COV-PRECISION": ("coverage", "precision"),
    "COV-RECALL": ("coverage", "recall"),
    "COV-F1": ("coverage", "f1"),
    "COV-QAG": ("coverage", "qag_accuracy"),
    "HAL-FRACTION": ("hallucination", "unsupported_fraction"),
    "HAL-QAG": ("hallucination", "qag_precision"),
    "REL-LABEL": ("relevance", "section_overlap"),
}
TOLERANCE = Fraction(1, 20)
OFF = ("-0.06", "-0.051", "-0.05", "-0.049", "0", "0.049", "0.05", "0.051", "0.06", "3")


def computed(verdict: Verdict) -> dict[tuple[str, str], Fraction]:
    """What we computed, exact, by object and key."""
    found: dict[tuple[str, str], Fraction] = {}
    for step in verdict.trace:
        if where := STATED.get(step.rule.partition("-")[2]):
            found[where] = Fraction(step.value)
        if step.rule.endswith("-TOTAL"):
            found |= {(m, "overall_score"): Fraction(s) for m, s in step.inputs["scores"].items()}
    del found["alignment", "overall_score"]  # the judge's own: stated and computed in one
    return found


def limits(verdict: Verdict) -> dict[str, list[Fraction]]:
    """The caps that applied, by what they lowered."""
    found: dict[str, list[Fraction]] = {}
    for step in verdict.trace:
        if "before" in step.inputs:
            what, _, limit = step.formula.partition(" ≤ ")
            found.setdefault(what, []).append(Fraction(limit))
    return found


@pytest.mark.parametrize(
    ("protocol", "partial"), [(JUDGE_LOCK, "Partial"), (TWIN_LOCK, "Partially")]
)
def test_a_stated_number_is_wrong_from_beyond_the_tolerance_on(protocol: Any, partial: str) -> None:
    """Held against the exact value, not against the one that is shown."""
    seen: set[str] = set()
    for seed in range(300):
        _, article, summary, reply = made(seed, ["Supported", partial, "Unsupported"])
        ours = computed(heard(protocol, reply, case(article, summary)))
        r = random.Random(seed)
        for (metric, key), value in ours.items():
            said = max(Fraction(0), value + Fraction(r.choice(OFF)))
            reply[metric][key] = round(float(said), r.choice([2, 3]))  # as a judge writes it
        verdict = heard(protocol, reply, case(article, summary))
        caps = limits(verdict)
        wanted = set()
        for (metric, key), value in ours.items():
            said, where = exact(reply[metric][key]), f"{metric}.{key}"
            if abs(said - value) > TOLERANCE:
                wanted.add(("arithmetic", where))
            if key == "overall_score" and any(said > limit for limit in caps.get(metric, ())):
                wanted.add(("cap.ignored", where))
        told = {
            (code, where)
            for code, where in codes(verdict)
            if code in ("arithmetic", "cap.ignored") and tuple(where.split(".")) in ours
        }
        assert told == wanted, seed
        seen |= {code for code, _ in told}
    assert seen == {"arithmetic", "cap.ignored"}

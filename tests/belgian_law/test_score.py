"""The arithmetic, against an independent exact computation."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.protocols.belgian_law.rules import RULES
from oyer.protocols.belgian_law.score import (
    ProvisionTally,
    confidence,
    mark,
    recommendation,
    verdict,
)

_rate = st.fractions(0, 1, max_denominator=200)
_tally = st.builds(
    ProvisionTally,
    critical=st.integers(0, 4),
    major=st.integers(0, 6),
    minor=st.integers(0, 7),
    recall=_rate,
    precision=_rate,
    key=st.booleans(),
    date=st.booleans(),
)


def by_hand(of: ProvisionTally) -> int:
    """The original's words, one line each."""
    score = 59 if of.critical else 100
    score -= min(36, 12 * of.major)
    score -= min(8, 2 * of.minor)
    score -= 15 if of.recall * 100 < 95 else 0
    score -= 10 if of.precision * 10 < 9 else 0
    score -= 10 if of.key else 0
    score -= 8 if of.date else 0
    return 0 if score < 0 else score


@settings(max_examples=2000, deadline=None)
@given(of=_tally)
def test_score_is_the_originals(of: ProvisionTally) -> None:
    marks = mark(of, RULES["3.1"])
    assert marks.score == by_hand(of)
    steps = {step.rule: step.value for step in marks.trace}
    parts = [v for rule, v in steps.items() if rule.startswith("BL-SCORE-")]
    assert marks.score == max(0, sum(parts)), "the trace adds up"


@settings(max_examples=500, deadline=None)
@given(of=_tally, systemic=st.booleans())
def test_verdict_and_recommendation(of: ProvisionTally, systemic: bool) -> None:
    rules = RULES["3.1"]
    said, advice = verdict(of, rules), recommendation(of, systemic, rules)
    assert (said == "FAIL") == (of.critical > 0)
    assert (advice == "PROCEED") == (said == "PASS")
    if said == "PASS":
        assert of.major == 0
        assert of.minor <= 2
    if advice == "REVIEW_SAMPLES":
        assert of.critical == 0
        assert of.major <= 1
        assert not (of.major and systemic)


@settings(max_examples=500, deadline=None)
@given(of=_tally, extra=st.sampled_from(["critical", "major", "minor"]))
def test_one_more_issue_never_raises_the_score(of: ProvisionTally, extra: str) -> None:
    from dataclasses import replace

    more = replace(of, **{extra: getattr(of, extra) + 1})
    assert mark(more, RULES["3.1"]).score <= mark(of, RULES["3.1"]).score


def test_bounds_belong_to_the_better_side() -> None:
    rules = RULES["3.1"]
    edge = ProvisionTally(0, 0, 0, Fraction(95, 100), Fraction(90, 100), False, False)
    assert mark(edge, rules).score == 100
    shares = [Fraction(80, 100), Fraction(79, 100), Fraction(50, 100), Fraction(49, 100)]
    levels = [confidence(share, 0, False, rules) for share in shares]
    assert levels == ["HIGH", "MEDIUM", "MEDIUM", "LOW"]


def test_what_was_not_read_lowers_the_confidence() -> None:
    rules = RULES["3.1"]
    sure = Fraction(1)
    assert confidence(sure, 1, False, rules) == "MEDIUM", "an item that may stand there"
    assert confidence(sure, 0, True, rules) == "MEDIUM", "a CRITICAL on an uncertain place"
    assert confidence(Fraction(1, 4), 1, True, rules) == "LOW"

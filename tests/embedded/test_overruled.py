"""What the encoder overrules, and what a claim gains by the summary that it stands in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.judges.embedded.facts import FAULTS
from oyer.judges.embedded.features import NAMES
from oyer.judges.embedded.model import OVERRULED, OWN_WORDS, SURE, lift, overrule, plain

SHARES = st.floats(0, 1)


def row(**features: float) -> np.ndarray:
    """One claim with the features that matter, the others nought."""
    return np.array([[features.get(name, 0.0) for name in NAMES]])


def doubt(value: float) -> np.ndarray:
    return np.full((1, 3), value)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("window", "value", "why"),
    [
        (OWN_WORDS, SURE - 1, "a sentence has half of its words: the clause was found rightly"),
        (0.0, SURE, "the encoder is not sure"),
        (0.0, 3.0, "the encoder doubts it, too"),
    ],
)
def test_a_fault_stands(fault: str, window: float, value: float, why: str) -> None:
    claim = row(window1=window, **{fault: 1.0})
    assert (overrule(claim, doubt(value)) == claim).all(), why


@pytest.mark.parametrize("fault", FAULTS)
def test_a_sure_encoder_overrules_faults_in_own_words(fault: str) -> None:
    """But for a number or name that the article does not have: that is looked up, not guessed."""
    claim = row(window1=OWN_WORDS - 0.1, **{fault: 1.0})
    left = overrule(claim, doubt(SURE - 0.1))[0, NAMES.index(fault)]
    assert left == (fault not in OVERRULED)
    assert (fault == "strange") == (fault not in OVERRULED)


def test_one_sure_reading_of_two_overrules_nothing() -> None:
    """The mean may be low by one reading beside a question that is answered with no."""
    claim = row(turned=1.0)
    for doubts in ([SURE + 0.3, SURE - 1, SURE - 3], [SURE - 1, SURE + 0.3, SURE - 3]):
        assert (overrule(claim, np.array([doubts])) == claim).all()


@given(SHARES, SHARES)
def test_a_plain_sentence_gains_nothing_by_its_summary(low: float, high: float) -> None:
    """Copied sentences around a short lie in own words may not make it look better."""
    claim = row(length=float(np.log1p(8)), window2=0.5)
    assert plain(claim)[0] == 1.0
    assert lift(claim, np.array([low])) == lift(claim, np.array([high])) == 0.0


@given(SHARES, SHARES, SHARES)
def test_the_more_a_summary_copies_the_more_its_long_claims_gain(
    low: float, high: float, own: float
) -> None:
    claim = row(length=float(np.log1p(30)), window2=0.5, bigram=own)
    shares = sorted((low, high))
    gains = [lift(claim, np.array([share]))[0] for share in shares]
    assert gains[0] <= gains[1]

"""Claims in words of their own: what is doubted there is Partial, what is borne out tells its
sentence, its points and its questions."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.judges.embedded import questions
from oyer.judges.embedded.assess import SUPPORTED, UNSUPPORTED, UNSURE, Assessed, assess, scorer
from oyer.judges.embedded.cross import Doubts
from oyer.judges.embedded.perception import Perceived, perceive
from oyer.judges.embedded.source import SourceText, index
from tests.embedded.conftest import ARTICLE, GOOD

RETOLD = "Those who work there keep their posts, says Ada Lind."
NEAR = "The new branch will open in September and will hold few books."
UNKNOWN = "All 7,000 who work there keep their posts, says Ada Lind."
BORNE_OUT, DOUBTED, WRONG = -4.0, 1.5, 5.0  # doubts


@dataclass
class Says:
    """An encoder that has one opinion of everything."""

    value: float

    def doubts(self, _: SourceText, claims: list[str]) -> list[Doubts]:
        return [Doubts(self.value, self.value, self.value)] * len(claims)


def judged(sentence: str, value: float) -> Assessed:
    (claim,) = assess(index(ARTICLE), sentence, scorer("full", doubter=Says(value)))
    return claim


def perceived(summary: str, value: float) -> Perceived:
    return perceive(ARTICLE, summary, scorer("full", doubter=Says(value)), doubt=lambda *_: WRONG)


@given(st.floats(-6, 6))
def test_the_label_follows_from_support_and_wording(value: float) -> None:
    for sentence, reworded in ((RETOLD, True), (NEAR, False)):
        claim = judged(sentence, value)
        assert (claim.reworded, claim.faults) == (reworded, frozenset())
        bound = UNSURE if reworded else UNSUPPORTED
        below = "Partial" if claim.support >= bound else "Unsupported"
        assert claim.label == ("Supported" if claim.support >= SUPPORTED else below)


def test_a_number_from_nowhere_is_unsupported_however_it_is_told() -> None:
    claim = judged(UNKNOWN, DOUBTED)
    assert (claim.faults, claim.label) == (frozenset({"strange"}), "Unsupported")


@pytest.mark.parametrize(
    ("value", "label", "why"),
    [
        (BORNE_OUT, "Partial", "the claim tells it"),
        (WRONG, "Not", "an invented claim tells nothing"),
    ],
)
def test_a_claim_in_own_words_tells_its_point_in_part(value: float, label: str, why: str) -> None:
    seen = perceived(RETOLD, value)
    points = [
        told for point, told in seen.points if "lose their jobs" in ARTICLE[point.start : point.end]
    ]
    assert [told.label for told in points] == [label], why
    assert bool(seen.retold) == (label == "Partial"), why


def test_its_own_words_are_answered_by_the_sentence_that_it_tells() -> None:
    right = questions.hallucination(perceived(RETOLD, BORNE_OUT))
    wrong = questions.hallucination(perceived(RETOLD, WRONG))
    answered = [answer for answer in right if answer.masked]
    assert answered
    assert all(a.status == "Correct" and a.evidence in ARTICLE for a in answered)
    assert not any(answer.status == "Correct" for answer in wrong)


def test_near_words_tell_by_words_as_before() -> None:
    assert not perceived(GOOD, BORNE_OUT).retold

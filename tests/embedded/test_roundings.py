"""Numbers that a claim rounds: what the article's numbers vouch for, and what not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.judges.embedded import perception, questions
from oyer.judges.embedded.assess import assess, scorer
from oyer.judges.embedded.cross import Cross
from oyer.judges.embedded.features import NAMES, features
from oyer.judges.embedded.quantities import find_quantities
from oyer.judges.embedded.reasons import tell_faults
from oyer.judges.embedded.roundings import tell_in_its_numbers
from oyer.judges.embedded.source import index
from oyer.judges.embedded.words import read
from tests.embedded.conftest import verdict

AIRPORT = "The airport of Brenn counted 3,940,000 passengers last year."
VOTES = "The mayor got 1,204 votes in the second round."
SURVEY = "The survey found that 48 % of the voters want a park."
COSTS = "The repair of the bridge cost $3.94 million."
#: A sentence, a claim, and the claim as it is read.
ROUNDED = (
    (AIRPORT, "The airport had nearly four million passengers.",
     "The airport had 3,940,000 passengers."),
    (AIRPORT, "The airport had 3.9 million passengers.", "The airport had 3,940,000 passengers."),
    (AIRPORT, "Just under 4 million people used the airport.",
     "3,940,000 people used the airport."),
    (VOTES, "The mayor got about 1,200 votes.", "The mayor got 1,204 votes."),
    (VOTES, "More than twelve hundred votes went to the mayor.", "1,204 votes went to the mayor."),
    (SURVEY, "Almost half of the voters want a park.", "48 per cent of the voters want a park."),
    (SURVEY, "Almost half the voters want a park.", "48 per cent of the voters want a park."),
    (SURVEY, "About 50 per cent of the voters want a park.",
     "48 per cent of the voters want a park."),
    (COSTS, "The repair cost nearly $4 million.", "The repair cost $3.94 million."),
    (COSTS, "The repair cost almost four million dollars.",
     "The repair cost 3.94 million dollars."),
    ("The village has 512,300 trees.", "The village has over half a million trees.",
     "The village has 512,300 trees."),
)  # fmt: skip
NOT_ROUNDED = (
    (AIRPORT, "The airport had 4 million passengers."),
    (AIRPORT, "The airport had more than four million passengers."),
    (AIRPORT, "The airport had nearly four million flights."),
    (AIRPORT, "The airport earned nearly £4 million last year."),
    (
        AIRPORT.replace("3,940,000", "3.2 million"),
        "The airport had nearly four million passengers.",
    ),
    (VOTES, "The mayor got 1,200 votes."),
    (VOTES, "The mayor got about 1,237 votes."),
    (VOTES, "The mayor got no more than 1,200 votes."),
    (SURVEY, "More than half of the voters want a park."),
    (SURVEY, "Half of the voters want a park."),
    (SURVEY, "About 50 voters want a park."),
    (SURVEY, "The second half of the survey is about a park."),
    (SURVEY.replace("48", "38"), "Almost half of the voters want a park."),
    (COSTS, "The repair of the bridge cost nearly £4 million."),
    (COSTS, "The repair cost at least $3.5 million, and $3.94 million in the end."),
    ("The bridge was sold for £110,000.", "The bridge earned its owner over £100,000 in 1990."),
    ("The club was founded in 1985.", "The club has nearly 2,000 members."),
    ("The match began at 9:48.", "The match had about 50 goals."),
    ("Maria Jensen won 6-4.", "Maria Jensen won about 65 times."),
)
UNTOUCHED = (
    "The mayor got 1,204 votes.",
    "The mayor got more votes than anyone.",
    "He came third in the second round, and not for the first time.",
)


@pytest.mark.parametrize(("article", "claim", "read_as"), ROUNDED)
def test_a_rounded_number_is_read_as_the_articles_own(
    article: str, claim: str, read_as: str
) -> None:
    source = index(article)
    assert tell_in_its_numbers(source, claim, read(claim)) == read_as
    measured = dict(zip(NAMES, features(source, claim), strict=True))
    assert not measured["strange"]
    assert not measured["numbers_missing"]
    assert not measured["numbers_far"]


@pytest.mark.parametrize(("article", "claim"), NOT_ROUNDED)
def test_another_number_unit_or_noun_is_no_rounding(article: str, claim: str) -> None:
    assert tell_in_its_numbers(index(article), claim, read(claim)) == claim


@pytest.mark.parametrize("claim", UNTOUCHED)
def test_a_claim_that_does_not_round_is_read_as_it_stands(claim: str) -> None:
    source = index(VOTES)
    assert tell_in_its_numbers(source, claim, read(claim)) is claim


@given(st.integers(1_050, 9_900_000), st.sampled_from(["about", "around", "roughly", "some"]))
def test_about_a_rounded_number_is_vouched_for(number: int, about: str) -> None:
    grain = 10 ** (len(str(number)) - 2)
    rounded = (number + grain // 2) // grain * grain
    source = index(f"The library of Harlow has {number:,} books.")
    claim = f"The library has {about} {rounded:,} books."
    assert tell_in_its_numbers(source, claim, read(claim)) == (
        f"The library has {number:,} books." if number != rounded else claim
    )


@given(
    st.integers(1_050, 9_900_000),
    st.sampled_from(["about", "nearly", "almost", "over", "more than", "up to", "just under", ""]),
    st.sampled_from([Fraction(7, 10), Fraction(13, 10)]),
)
def test_a_number_that_is_off_by_30_per_cent_is_not(
    number: int, approximator: str, off: Fraction
) -> None:
    source = index(f"The library of Harlow has {number:,} books.")
    wrong = int(number * off) // 100 * 100
    claim = f"The library has {approximator} {wrong:,} books."
    assert tell_in_its_numbers(source, claim, read(claim)) == claim


@given(st.integers(1000, 99_000), st.integers(1, 900))
def test_nearly_is_below_and_more_than_is_above(thousands: int, rest: int) -> None:
    told, below, above = thousands * 1000, thousands * 1000 - rest, thousands * 1000 + rest
    for number, word in ((below, "more than"), (above, "nearly"), (above, "fewer than")):
        source = index(f"The library of Harlow has {number:,} books.")
        claim = f"The library has {word} {told:,} books."
        assert tell_in_its_numbers(source, claim, read(claim)) == claim


@given(st.text(alphabet="0123456789 .,-%$£a million half two hundred and", max_size=60))
def test_any_text_of_numbers_can_be_read(text: str) -> None:
    words = read(text)
    for quantity in find_quantities(text, words):
        assert 0 <= quantity.first < quantity.last <= len(words)
        assert quantity.value >= 0
    source = index(text)
    assert isinstance(features(source, f"About {text} books."), list)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("two hundred and fifty-three books", 253, ""),
        ("three thousand two hundred books", 3200, ""),
        ("half a million books", 500_000, ""),
        ("£1.2bn", 1_200_000_000, "£"),
        ("$3m", 3_000_000, "$"),
        ("4.5 per cent", Fraction(9, 2), "%"),
        ("12 percentage points", 12, "points"),
        ("in 1990", 1990, "calendar"),
        ("the 2007 World Cup", 2007, "calendar"),
        ("the 2007 final", 2007, "calendar"),
        ("nearly 1950 votes", 1950, ""),
        ("a 25-year contract", 25, "year"),
        ("a 25-year-old singer", 25, "age"),
        ("40km", 40, "km"),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: int, unit: str) -> None:
    (found,) = find_quantities(text, read(text))
    assert found.value == value
    assert found.unit == unit


@pytest.mark.parametrize(
    "text", ["at 14:30", "3 May", "May 3", "the 3rd", "2-1", "A12", "9/11", "the 1990s", "9 a.m."]
)
def test_times_days_scores_and_names_are_no_quantities(text: str) -> None:
    assert not find_quantities(text, read(text))


def test_the_encoder_reads_the_articles_number(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def doubt(self: Cross, claim: str, beside: str) -> float:
        heard.append(claim)
        return 0.0

    monkeypatch.setattr(Cross, "doubt", doubt)
    Cross(None, None).doubts(index(AIRPORT), [ROUNDED[0][1], "Dogs are not allowed there."])
    assert set(heard) == {ROUNDED[0][2], "Dogs are not allowed there."}


def test_the_verdict_no_longer_says_that_the_article_lacks_the_number() -> None:
    article = f"{AIRPORT} Dogs may travel in a box."
    (found,) = assess(index(article), ROUNDED[0][1], scorer("light"))
    assert found.label == "Supported"
    assert tell_faults(found) == ""
    (wrong,) = assess(index(article), "The airport had nearly five million passengers.",
                      scorer("light"))  # fmt: skip
    assert "five" in tell_faults(wrong)


def test_a_rounded_number_is_answered_where_the_articles_stands() -> None:
    article = f"{AIRPORT} Dogs may travel in a box."
    seen = perception.perceive(article, ROUNDED[0][1], scorer("light"))
    answers = {answer.masked: answer for answer in questions.hallucination(seen)}
    assert answers["four million passengers"].status == "Correct"
    assert "3,940,000" in answers["four million passengers"].evidence


def test_a_whole_verdict_of_rounded_numbers_can_be_given() -> None:
    article = f"{AIRPORT} {VOTES} {SURVEY} {COSTS}"
    summary = " ".join(claim for _, claim, _ in ROUNDED)
    assert verdict("judge-lock", summary, article).scores

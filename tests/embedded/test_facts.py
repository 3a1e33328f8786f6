"""Who did what: facts turned round, actors exchanged, numbers moved; true ones in other words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oyer.judges.embedded.assess import Assessed, Variant, assess, scorer
from oyer.judges.embedded.source import index
from tests.embedded.conftest import VARIANTS

HERE = Path(__file__).parent
WORKS = tomllib.loads((HERE / "development.toml").read_text())["text"]

WHO = ("the council", "the company", "the court", "the museum", "the airline", "the ministry")
WHAT = ("the plan", "the merger", "the new tax", "the contract", "the offer", "the design")
#: Verbs and their opposites, both in the past tense.
VERBS = (("approved", "rejected"), ("accepted", "refused"), ("praised", "criticised"),
         ("opened", "closed"), ("allowed", "banned"), ("supported", "opposed"),
         ("started", "stopped"), ("bought", "sold"))  # fmt: skip
MOVES = (("rose", "fell"), ("increased", "decreased"), ("grew", "shrank"), ("climbed", "dropped"))
DEGREES = (("mild", "severe"), ("slight", "serious"), ("small", "huge"), ("minor", "major"))
DENIALS = ("did not accept", "never accepted", "refused to accept")
NAMES = ("Brenn", "Corlay", "Dunmore", "Elstow")
REST = ("The weather stayed dry all week. Two schools in the valley reopened on Monday after "
        "repairs. Farmers sold more apples at the market than in the years before.")  # fmt: skip


def claim(article: str, sentence: str, variant: Variant = "light") -> Assessed:
    found = assess(index(article), sentence, scorer(variant))
    return min(found, key=lambda one: one.support)


@given(st.sampled_from(WHO), st.sampled_from(WHAT), st.sampled_from(VERBS), st.booleans())
def test_an_opposite_is_never_supported(
    who: str, what: str, verbs: tuple[str, str], other: bool
) -> None:
    true, false = verbs[::-1] if other else verbs
    article = f"On Friday {who} {true} {what} after a long debate. {REST}"
    right = claim(article, f"{who.capitalize()} {true} {what}.")
    wrong = claim(article, f"{who.capitalize()} {false} {what}.")
    assert right.label == "Supported"
    assert wrong.label != "Supported"
    assert wrong.support < right.support


@given(*map(st.sampled_from, (WHO, WHAT, DENIALS, DENIALS)))
def test_a_negation_dropped_or_added_is_never_supported(
    who: str, what: str, denial: str, again: str
) -> None:
    denied = f"On Friday {who} {denial} {what} after a long debate. {REST}"
    told = f"On Friday {who} accepted {what} after a long debate. {REST}"
    accepts, refuses = f"{who.capitalize()} accepted {what}.", f"{who.capitalize()} {again} {what}."
    assert claim(denied, accepts).label != "Supported"
    assert claim(told, refuses).label != "Supported"
    assert not claim(denied, refuses).faults
    assert not claim(told, accepts).faults


@given(st.sampled_from(MOVES), st.sampled_from(MOVES), st.integers(2, 90), st.booleans())
def test_a_direction_turned_round_is_never_supported(
    one: tuple[str, str], other: tuple[str, str], size: int, down: bool
) -> None:
    article = f"The number of visitors {one[down]} by {size} percent last year. {REST}"
    assert claim(article, f"The number of visitors {other[not down]} by {size} percent.").faults
    assert not claim(article, f"The number of visitors {other[down]} by {size} percent.").faults


@given(st.sampled_from(DEGREES), st.booleans())
def test_another_degree_is_never_supported(degrees: tuple[str, str], other: bool) -> None:
    true, false = degrees[::-1] if other else degrees
    article = f"Most of the patients had {true} side effects in the first weeks. {REST}"
    assert claim(article, f"Most patients had {false} side effects.").faults
    assert not claim(article, f"Most patients had {true} side effects.").faults


@given(
    st.permutations(NAMES),
    st.sampled_from(["beat", "praised", "sued"]),
    st.sampled_from(["On Sunday ", ""]),
)
def test_actors_exchanged_are_never_supported(names: list[str], verb: str, before: str) -> None:
    one, other, *_ = names
    article = f"{before}{one} {verb} {other} in Hamburg. {REST}"
    assert claim(article, f"{other} {verb} {one}.").label != "Supported"
    assert not claim(article, f"{one} {verb} {other}.").faults
    if verb != "beat":
        assert not claim(article, f"{other} was {verb} by {one}.").faults


@given(st.lists(st.integers(2, 99), min_size=2, max_size=2, unique=True))
def test_a_number_of_another_fact_is_never_supported(sizes: list[int]) -> None:
    one, other = sizes
    article = f"Adults pay {one} euros for a ticket. Dogs cost {other} euros more. {REST}"
    assert claim(article, f"Adults pay {other} euros for a ticket.").faults == {"moved"}
    assert not claim(article, f"Adults pay {one} euros for a ticket.").faults


@pytest.mark.parametrize("variant", VARIANTS)
def test_faults_are_seldom_seen_in_true_sentences_and_often_in_false_ones(
    variant: Variant,
) -> None:
    """Over the pairs that the rules were worked out on; the others are for bench/pairs.py."""
    seen = {True: 0, False: 0}
    count = 0
    for text in WORKS:
        source = index(text["text"])
        for _, right, wrong in text["pairs"]:
            count += 1
            for sentence, true in ((right, True), (wrong, False)):
                found = assess(source, sentence, scorer(variant))
                seen[true] += any(one.faults for one in found)
    assert seen[True] <= 0.05 * count
    assert seen[False] >= 0.4 * count

"""The verdicts that newcomers found absurd, word for word: none of these lies is Supported, and
none of these truths is called Unsupported."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.assess import Variant, assess, scorer
from oyer.judges.embedded.source import index
from tests.embedded.conftest import VARIANTS

MEDICINE = (
    "Lorvan is a new medicine against high blood pressure. In a trial with 1,204 adults over 60 it"
    " lowered pressure by 11 points. Side effects were mild in most patients: dizziness in 8"
    " percent and a dry cough in 3 percent. Lorvan must not be given to pregnant women, because it"
    " may harm the child. The price will be higher than that of the older drug Tessal."
)
RAILWAY = (
    "The number of passengers on the trains of Velo Rail rose by 4 million last year to 61 million,"
    " the company said on Monday. Chief executive Nora Stein blamed the regulator, who had not"
    " allowed higher fares. The regulator, Karl Adler, rejected the criticism. Velo will close its"
    " workshop in Linz, where 140 people work."
)
MATCH = (
    "Germany beat Brazil 3-1 in Hamburg on Friday. Keller and Braun scored for Germany before the"
    " break. Paulo Souza got Brazil's only goal in the 88th minute. Germany's coach Eva Lind"
    " praised her goalkeeper. Brazil's coach Rui Prado complained about the pitch. Germany now"
    " leads the group with 9 points, ahead of Brazil with 6."
)
HOURS = (
    "Opening hours of the city museum\nMain building: Tuesday to Sunday, 10:00 to 18:00\n"
    "Library: Monday to Friday, 9:00 to 16:00\nWorkshop for children: Saturday, 14:00 to 16:30\n"
    "Tickets: adults 12 euros, students 7 euros, under 16 free"
)
INTERVIEW = (
    "Q: Some say that Orbit offered you a job and you turned it down.\nA: They did offer it. I did"
    " not turn it down; I asked for time, and I start there in September.\n\nQ: Can a small maker"
    " beat the Chinese brands?\nA: I don't pretend that we can beat them on price. We can be better"
    " at repair."
)
LIES = [
    (MEDICINE, "Lorvan must be given to pregnant women."),
    (MEDICINE, "The trial was done with adults under 60."),
    (MEDICINE, "Most patients had severe side effects."),
    (MEDICINE, "Dizziness occurred in 3 percent of patients."),
    (RAILWAY, "The number of passengers fell by 4 million."),
    (RAILWAY, "Velo bribed the regulator."),
    (MATCH, "Brazil beat Germany 3-1."),
    (MATCH, "Rui Prado coaches Germany."),
    (MATCH, "Keller scored for Brazil."),
    (MATCH, "Brazil has 9 points."),
    (HOURS, "The library is open from 10:00 to 18:00."),
    (HOURS, "The workshop for children takes place on Sunday."),
    (HOURS, "Students pay 12 euros."),
    (INTERVIEW, "He turned down an offer from Orbit."),
    (INTERVIEW, "He claims that they can beat the Chinese brands on price."),
]
TRUTHS = [
    (MEDICINE, "Lorvan must not be given to pregnant women."),
    (MEDICINE, "Most patients had mild side effects."),
    (RAILWAY, "The number of passengers went up by 4 million."),
    (RAILWAY, "Nora Stein criticised the regulator."),
    (MATCH, "Germany won against Brazil."),
    (MATCH, "Eva Lind coaches Germany."),
    (HOURS, "The library is open from 9:00 to 16:00."),
    (INTERVIEW, "He did not turn down the offer from Orbit."),
    (INTERVIEW, "He does not claim to beat the Chinese brands on price."),
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("article", "lie"), LIES, ids=[lie for _, lie in LIES])
def test_no_plain_lie_is_supported(article: str, lie: str, variant: Variant) -> None:
    assert [c.label for c in assess(index(article), lie, scorer(variant))] != ["Supported"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("article", "truth"), TRUTHS, ids=[truth for _, truth in TRUTHS])
def test_a_plain_truth_has_no_fault(article: str, truth: str, variant: Variant) -> None:
    (claim,) = assess(index(article), truth, scorer(variant))
    assert not claim.faults
    assert claim.label != "Unsupported"

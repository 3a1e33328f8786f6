"""A name, day or number that the article has in no form is never Supported."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.assess import Variant, assess, scorer
from oyer.judges.embedded.source import index
from tests.embedded.conftest import VARIANTS

ARTICLE = """The World Health Organization has sent a team of doctors to Norway. They will visit
the hospital in Bergen on Tuesday, said the Norwegian minister, Kari Dahl. The team has six members.
Its report is expected in June. The European Union pays for the journey."""
STRANGE = (
    "The World Health Organization has sent a team of doctors to Sweden.",
    "They will visit the hospital in Bergen on Friday.",
    "The report of the team is expected in August.",
    "The team visits the hospital in Bergen with Ines Moreau.",
    "The team has 7 members.",
    "The team has sixty members.",
)
KNOWN = (
    "The WHO has sent a team of doctors to Norway.",
    "The EU pays for the journey.",
    "Doctors will visit the Norwegian hospital in Bergen on Tuesday.",
)


def label(claim: str, variant: Variant) -> str:
    (found,) = assess(index(ARTICLE), claim, scorer(variant))
    return found.label


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("claim", STRANGE)
def test_a_claim_with_a_strange_name_or_number_is_not_supported(
    claim: str, variant: Variant
) -> None:
    assert label(claim, variant) != "Supported"


@pytest.mark.parametrize("claim", KNOWN)
def test_another_form_of_a_name_is_not_strange(claim: str) -> None:
    assert label(claim, "light") == "Supported"


def test_the_capitals_of_a_heading_are_no_names() -> None:
    heading = "Doctors Sent To Norway Will Visit Hospital"
    assert label(heading, "light") != "Unsupported"

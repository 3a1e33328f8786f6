"""Which sentences a claim is held against, and when it counts as a copy of them."""

from __future__ import annotations

import numpy as np
import pytest

from oyer.judges.embedded.assess import assess, scorer
from oyer.judges.embedded.cross import clue
from oyer.judges.embedded.features import features
from oyer.judges.embedded.likeness import evidence, reach
from oyer.judges.embedded.model import copied
from oyer.judges.embedded.source import index
from oyer.judges.embedded.words import read
from tests.embedded.conftest import VARIANTS

BRIDGE = (
    "The city council of Halden approved a new footbridge over the river Tiste on Monday. The "
    "bridge will cost 12 million euros, and work is to begin in March 2026. It will be open to "
    "pedestrians and cyclists only. Residents of the west bank had asked for it for twenty years, "
    "because the old ferry does not run in winter. The opposition voted against the project, which "
    "it called too expensive. Mayor Anne Lund replied that the state will pay half of the sum."
)
MATCH = "Germany beat Brazil in the final on Sunday. The match was played in Oslo before 60,000."


def test_a_sentence_with_words_of_like_meaning_is_evidence() -> None:
    """ "Physicians" and "medicine" stand nowhere: "doctors" and "drug" do."""
    source = index(
        "The harbour was closed for three days. Doctors warned patients against the new drug. "
        "The mayor opened a school in the north of the town."
    )
    assert evidence(source, "Physicians advised against the medicine.", 8) == [1]


def test_a_new_word_tells_of_the_articles_word_that_it_is_like() -> None:
    source = index("Doctors warned patients against the new drug.")
    told = reach(source, read("Physicians advised against the medicine."))
    assert set(told) >= {"doctor", "drug"}
    assert all(0 < share <= 0.8 for share in told.values())


@pytest.mark.parametrize(
    ("article", "claim"),
    [
        ("Prices rose on Monday.", "Prices fell on Monday."),  # the opposite tells nothing
        ("Doctors warned of the drug.", "Doctors warned of the drug."),  # no word is new
        ("They met in Norway.", "They met in Sweden."),  # a name is like no other
    ],
)
def test_opposites_names_and_known_words_tell_of_no_other(article: str, claim: str) -> None:
    assert reach(index(article), read(claim)) == {}


def test_evidence_keeps_to_its_room_and_to_the_order_of_the_article() -> None:
    source = index(BRIDGE)
    picked = evidence(source, "The opposition called the footbridge of 12 million too dear.", 40)
    assert picked == sorted(picked)
    assert sum(source.bounds[n][1] - source.bounds[n][0] for n in picked) <= 40


@pytest.mark.parametrize("claim", ["", "…", "Zyx qwv."])
def test_a_claim_that_nothing_tells_of_still_has_evidence(claim: str) -> None:
    assert clue(index(BRIDGE), claim)


def test_an_article_without_words_has_no_evidence() -> None:
    assert clue(index("…"), "The bridge is open.") == ""


@pytest.mark.parametrize(
    ("claim", "least", "most"),
    [
        ("Germany beat Brazil in the final on Sunday.", 0.99, 1.0),  # as it stands there
        ("Brazil beat Germany in the final on Sunday.", 0.0, 0.6),  # its words, in another order
        ("Brazil beat Germany.", 0.0, 0.0),
    ],
)
def test_a_short_claim_is_a_copy_only_with_the_articles_word_pairs(
    claim: str, least: float, most: float
) -> None:
    rows = np.array([features(index(MATCH), claim)], np.float64)
    assert least <= copied(rows)[0] <= most


@pytest.mark.skipif("full" not in VARIANTS, reason="LOUD: the encoders are not installed")
@pytest.mark.parametrize(
    ("claim", "labels"),
    [
        ("Halden's councillors said yes to a 12-million-euro bridge for walkers and people on "
         "bikes across the Tiste.", {"Supported"}),
        ("People living on the west bank had wanted it for two decades since the ferry stops in "
         "winter.", {"Supported", "Partial"}),  # version 9 is a little short of sure
        ("The opposition voted for the project.", {"Partial", "Unsupported"}),
        ("The state will pay the whole sum.", {"Partial", "Unsupported"}),
    ],
)  # fmt: skip
def test_full_accepts_a_faithful_paraphrase_and_no_lie(claim: str, labels: set[str]) -> None:
    (judged,) = assess(index(BRIDGE), claim, scorer("full"))
    assert judged.label in labels

"""Who says a sentence of a dialogue or a mail is told to the encoder beside that sentence."""

from __future__ import annotations

from oyer.judges.embedded.cross import nearest, retell, wide_clue
from oyer.judges.embedded.source import index

DIALOGUE = """Anna: When is the train? I am still at home.
Ben: It leaves at nine. I have to give a speech in Ghent.
Anna: Then I will take the car.
Ben: Please do. The hall has no lift."""

THREAD = """From: Clara Voss <clara@example.org>
To: Anita Rao
Subject: Contract

Dear Anita,

The contract is ready. Could you sign it by Friday?

On Monday, Anita Rao wrote:
> I have not seen the draft yet.
"""


def test_a_sentence_within_a_turn_is_told_with_its_speaker() -> None:
    source = index(DIALOGUE)
    spoken = dict(zip([source.text[a:b] for a, b in source.spans], source.speakers, strict=True))
    assert spoken["I have to give a speech in Ghent."] == "Ben"
    assert spoken["I am still at home."] == "Anna"
    assert spoken["Ben: It leaves at nine."] == ""  # the name stands there already


def test_evidence_names_who_speaks() -> None:
    assert nearest(index(DIALOGUE), "Anna has to give a speech in Ghent.")[0] == (
        "Ben: I have to give a speech in Ghent."
    )


def test_evidence_of_one_turn_names_its_speaker_once() -> None:
    found = wide_clue(index(DIALOGUE), "Ben's train leaves at nine and he gives a speech in Ghent.")
    assert "Ben: It leaves at nine. I have to give a speech in Ghent." in found


def test_the_sentences_of_a_mail_are_its_senders() -> None:
    source = index(THREAD)
    spoken = dict(zip([source.text[a:b] for a, b in source.spans], source.speakers, strict=True))
    assert spoken["Could you sign it by Friday?"] == "Clara Voss to Anita Rao"
    assert spoken["> I have not seen the draft yet."] == "Anita Rao"
    assert spoken["To: Anita Rao"] == ""


def test_a_word_and_a_colon_that_stand_there_once_are_no_speaker() -> None:
    source = index("Library: open from nine. Closed on Mondays.\nPool: open from ten. No dogs.")
    assert source.speakers == ["", "", "", ""]


def test_a_row_of_a_table_is_evidence_with_its_headings() -> None:
    source = index("Region | Units | Change\nNorth | 1,240 | 13.7\nSouth | 980 | 2.1")
    assert retell(source, [1]) == "North: Units 1,240, Change 13.7"

"""Who says a sentence of a dialogue or a mail is told to the encoder beside that sentence."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.cross import clue, nearest, retell
from oyer.judges.embedded.markup import legible
from oyer.judges.embedded.source import index
from oyer.judges.embedded.speakers import Speaker

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
    spoken = speakers(DIALOGUE)
    assert spoken["I have to give a speech in Ghent."] == "Ben"
    assert spoken["I am still at home."] == "Anna"
    assert spoken["Ben: It leaves at nine."] == ""  # the name stands there already


def test_evidence_names_who_speaks() -> None:
    assert nearest(index(DIALOGUE), "Anna has to give a speech in Ghent.") == (
        "Ben: Ben has to give a speech in Ghent."
    )


def test_evidence_of_one_turn_names_its_speaker_once() -> None:
    found = clue(index(DIALOGUE), "Ben's train leaves at nine and he gives a speech in Ghent.")
    assert "Ben: It leaves at nine. Ben has to give a speech in Ghent." in found


def test_the_sentences_of_a_mail_are_its_senders() -> None:
    spoken = speakers(THREAD)
    assert spoken["Could you sign it by Friday?"] == "Clara Voss to Anita Rao"
    assert spoken["> I have not seen the draft yet."] == "Anita Rao"
    assert spoken["To: Anita Rao"] == ""


def test_a_word_and_a_colon_that_stand_there_once_are_no_speaker() -> None:
    source = index("Library: open from nine. Closed on Mondays.\nPool: open from ten. No dogs.")
    assert source.speakers == [Speaker()] * 4


def test_a_row_of_a_table_is_evidence_with_its_headings() -> None:
    source = index("Region | Units | Change\nNorth | 1,240 | 13.7\nSouth | 980 | 2.1")
    assert retell(source, [1]) == "North: Units 1,240, Change 13.7"


def speakers(text: str) -> dict[str, str]:
    """Each sentence of a text as it is pasted, and who says it."""
    source = index(legible(text))
    labels = [speaker.label for speaker in source.speakers]
    return dict(zip([source.text[a:b] for a, b in source.spans], labels, strict=True))


@pytest.mark.parametrize(("head", "who"), [
    ("From: Clara Voss <clara@example.org>", "Clara Voss"),
    ('From: "Clara Voss" <clara@example.org>\nSent: 3 May', "Clara Voss"),
    ("From: clara.voss@example.org\nTo: anita@example.org", "Clara Voss to Anita"),
    ("From: <clara@example.org>\nSubject: Boiler", "Clara"),
    ("To: Anita Rao\nFrom: Clara Voss", "Clara Voss to Anita Rao"),
    ("**From:** Clara Voss\n**To:** Anita Rao", "Clara Voss to Anita Rao"),
    ("From: Clara Voss\nTo: Anita Rao <anita@example.org>, Ben Kort <ben@example.org>",
     "Clara Voss to Anita Rao and Ben Kort"),
    ("From: Clara Voss\nTo: Anita Rao; Ben Kort; Lea Dunn; Sam Roy; Eva Lind",
     "Clara Voss to Anita Rao, Ben Kort, Lea Dunn and others"),
])  # fmt: skip
def test_a_head_tells_who_writes_to_whom(head: str, who: str) -> None:
    assert speakers(f"{head}\n\nI have paid for the parts.")["I have paid for the parts."] == who


BODY = "The boiler in the east wing failed on Sunday.\nI have paid for the parts."


@pytest.mark.parametrize(("greeting", "ending", "who"), [
    ("Dear Anita,", "Best, Clara", "Clara to Anita"),
    ("Dear Dr. Rao,", "Kind regards,\nClara Voss\nHead of Estates", "Clara Voss to Dr. Rao"),
    ("Hi Anita and Ben!", "Cheers,\n\nClara", "Clara to Anita and Ben"),
    ("Hello all,", "– Clara", "Clara"),
    ("Dear Anita,", "Best,\nClara\n\n-----Original Message-----", "Clara to Anita"),
    ("3 Orchard Rise\nEastmere\n\n2 October\n\nMy dear Anita,", "Your sister,\nClara",
     "Clara to Anita"),
    ("Dear Anita,", "Clara", ""),
    ("Dear Anita,", "Thanks, everyone.", ""),
    ("Dear Anita,", "Best,\nClara\nwas what she wrote, and then she left the house for good.", ""),
    ("Anita was ill.", "Best, Clara", ""),
])  # fmt: skip
def test_a_letter_without_a_head_is_of_the_one_who_signs_it(
    greeting: str, ending: str, who: str
) -> None:
    assert speakers(f"{greeting}\n\n{BODY}\n\n{ending}\n")["I have paid for the parts."] == who


def test_quoted_mails_belong_to_their_own_senders() -> None:
    said = speakers("""Hi Anita,
I have paid for the parts.
> I do not know who pays.
I do, as you see.
Best,
Clara

On Mon, 3 May 2027 at 10:12, Anita Rao <anita@example.org> wrote:
> Tom was here.
>> From: tom.okafor@example.org
>> To: Anita Rao
>> The fitter charges 300 euros.
> I asked him for a second offer.
""")
    assert said["I have paid for the parts."] == "Clara to Anita"
    assert said["> I do not know who pays."] == ""  # nothing says who wrote it
    assert said["I do, as you see."] == "Clara to Anita"
    assert said["> Tom was here."] == "Anita Rao"
    assert said[">> The fitter charges 300 euros."] == "Tom Okafor to Anita Rao"
    assert said["> I asked him for a second offer."] == "Anita Rao"


OTTERS = """
Q: Why do the otters come back?
A: We cleaned the water. I counted nine of them last year.

I saw two cubs in March.

Q: And the fish?
A: They came first.
"""


@pytest.mark.parametrize("title", [
    "Interview with Dr Mara Velt", "The river: an interview with the biologist Dr Mara Velt",
    "In the Saturday Post, Tim Roy talks to Dr Mara Velt, who counts otters.",
])  # fmt: skip
def test_answers_are_of_the_one_who_is_interviewed(title: str) -> None:
    said = speakers(title + OTTERS)
    answers = ("A: We cleaned the water.", "I counted nine of them last year.",
               "I saw two cubs in March.", "A: They came first.")  # fmt: skip
    assert [said[answer] for answer in answers] == ["Dr Mara Velt"] * 4
    assert said["Q: And the fish?"] == ""
    source = index(title + OTTERS)
    assert nearest(source, "The water was cleaned.") == ("Dr Mara Velt: We cleaned the water.")


@pytest.mark.parametrize("title", [
    "Otters in the Lys", "Interview with Dr Mara Velt and Tim Roy",
    "She gave an interview with the Guardian.",
])  # fmt: skip
def test_an_interview_that_does_not_plainly_name_one_person_is_left(title: str) -> None:
    said = speakers(title + OTTERS)
    assert said["I counted nine of them last year."] == "A"
    assert said["A: They came first."] == ""

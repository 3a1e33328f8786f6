"""Mails and dialogues as their readers take them: who writes to whom is known."""

from __future__ import annotations

import pytest

from oyer.judges.embedded import questions
from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.perception import Perceived, perceive
from tests.embedded.conftest import verdict

BODY = (
    "Dear Tomas,\n\n"
    "The hall was painted last week and the old curtains went to the school in Velm. Since the new "
    "ones are late, I will send you the plan of the stage with the lamps and the numbers of all "
    "the seats on Friday, after the builders have gone. The lamps cost 400 euros less than the "
    "offer from Harlow said. Members may see the hall on 3 June. The orchestra plays there first."
    "\n\nBest wishes,\nInes\n"
)
HEAD = "From: Ines Varga <iv@works.example>\nTo: Tomas Brandt <tb@example.org>\n\n"
TOLD = (
    "Ines will send Tomas the plan of the stage with the lamps on Friday. "
    "The old curtains went to the school in Velm."
)


def seen(article: str, summary: str) -> Perceived:
    return perceive(article, summary, scorer("light"))


def points(found: Perceived) -> list[str]:
    return [found.source.text[p.start : p.end] for p, _ in found.points]


@pytest.mark.parametrize("mail", [BODY, HEAD + BODY], ids=["signed", "with a head"])
def test_sender_and_receiver_are_answers_to_questions(mail: str) -> None:
    for answer in questions.hallucination(seen(mail, TOLD)):
        assert answer.status == "Correct", answer
    scores = verdict("judge-lock", TOLD, mail).scores
    assert scores is not None
    assert scores["hallucination"] == 10


DIALOGUE = (
    "Anna: How was your week?\n"
    "Ben: Long, and full of visitors. Yesterday the heating broke. "
    "I have to write a speech for a library before Monday.\n"
    "Anna: Good luck with that.\n"
    "Ben: Thanks.\n"
)


def test_who_speaks_a_later_sentence_is_an_answer_to_a_question() -> None:
    found = seen(DIALOGUE, "Ben has to write a speech for a library before Monday.")
    assert {a.masked: a.status for a in questions.hallucination(found)}["Ben"] == "Correct"


COURTESIES = [
    "Thank you for sending me the two drawings of the hall from 1912 last week.",
    "Many thanks for your kind letter of 3 May about the painted hall in Velm.",
    "I hope the rest of the summer will be warm and quiet for you.",
    "I hope this answers your questions about the painted hall.",
    "Please let me know if you have any further questions about the stage.",
    "Do not hesitate to contact me should anything be unclear about the stage.",
    "I look forward to seeing you at the opening of the hall.",
    "Looking forward to hearing from you about the stage soon.",
    "Please give my best regards to your family and the orchestra.",
    "We wish you and the orchestra all the best for the season.",
]


@pytest.mark.parametrize("courtesy", COURTESIES)
def test_courtesies_of_a_mail_are_no_points(courtesy: str) -> None:
    first = BODY.replace("Dear Tomas,\n\n", f"Dear Tomas,\n\n{courtesy} ")
    last = BODY.replace("\n\nBest", f" {courtesy}\n\nBest")
    for mail in (first, last):
        found = seen(mail, TOLD)
        assert not [p for p in points(found) if courtesy[:20] in p]
        assert not [p for p in questions.asked(found.source, found.weights)
                    if found.source.spans[p.sentence][0] == mail.index(courtesy)]  # fmt: skip


@pytest.mark.parametrize("said", [
    "I hope to finish the drawings of the hall by Friday.",
    "Let me know if the builders have painted the hall by then.",
    "Thank you for the lamps, which we have hung over the stage.",
    "Thanks to the old committee the hall has a roof again.",
    "I look forward to it, but the hall has no roof yet.",
])  # fmt: skip
def test_what_a_mail_tells_beside_a_courtesy_is_a_point(said: str) -> None:
    assert [
        p for p in points(seen(BODY.replace("The hall", f"{said} The hall"), TOLD)) if p == said
    ]


def test_what_somebody_hopes_is_a_point_where_nobody_writes_a_mail() -> None:
    said = "We hope the council will open the hall again."
    found = points(
        seen(f"{said} The hall was closed in May. It needs a roof. Its lamps broke.", TOLD)
    )
    assert said in found


MILL = (
    "Dear Mr Brandt,\n\nThe mill stands by the river in Velm and belongs to the museum. {} "
    "The museum opens at 10 on weekdays. Visitors can see the old wheel from the bridge. "
    "A guide to the mill costs 3 euros.\n\nBest wishes,\nInes Varga\n"
)


@pytest.mark.parametrize(("said", "left"), [
    ("You write that it was built in 1782; our curator is sure it was 1791.",
     "our curator is sure it was 1791."),
    ("You write that it was built in 1782. Our curator is sure that it was 1791.",
     "Our curator is sure that it was 1791."),
    ("You write that it was built in 1782. In fact it was 1791.",
     "You write that it was built in 1782. In fact it was 1791."),
])  # fmt: skip
def test_what_a_mail_corrects_is_no_point_and_nothing_is_asked_of_it(said: str, left: str) -> None:
    found = seen(MILL.format(said), "The mill in Velm was built in 1791, the curator is sure.")
    told = points(found)
    assert left in told
    assert not [text for text in told if "1782" in text and text != left]
    assert "1782" not in [a.masked for a in questions.coverage(found)]


def test_a_correction_is_told_by_what_holds() -> None:
    said = "You write that the mill was built in 1782; our curator is sure it was 1791."
    found = seen(MILL.format(said), "The mill was built in 1791.")
    labels = dict(zip(points(found), [told.label for _, told in found.points], strict=True))
    assert labels["our curator is sure it was 1791."] != "Not"


REFUTED = [
    ("You write that it was built in 1782; our curator is sure it was 1791.",
     "The mill was built in 1782.", "The mill was built in 1791."),
    ("You claim that the mill has 14 rooms, but it has only 12.",
     "The mill has 14 rooms.", "The mill has 12 rooms."),
    ("The leaflet says that Lind built the mill, but in fact it was Okafor.",
     "Lind built the mill.", "Okafor built the mill."),
    ("The mill was built in 1791, not in 1782 as the leaflet says.",
     "The mill was built in 1782.", "The mill was built in 1791."),
    ("Our old brochure gave the height as 12 metres; the correct figure is 15 metres.",
     "The height is 12 metres.", "The height is 15 metres."),
    ("It is not true that the mill was sold to a brewery.",
     "The mill was sold to a brewery.", "The mill was not sold to a brewery."),
    ("You believe that the mill burned down in the war. This is a misunderstanding.",
     "The mill burned down in the war.", "It is a misunderstanding that the mill burned down."),
    ("The guide wrongly states that the mill has five wheels.",
     "The mill has five wheels.", "The guide wrongly states that the mill has five wheels."),
    ("Contrary to the rumour that the mill will close in May, it stays open all summer.",
     "The mill will close in May.", "The mill stays open all summer."),
    ("Reports that the mill will close are false.",
     "The mill will close.", "Reports that the mill will close are false."),
    ("The mayor said that the mill was built in 1782, but the bridge was built in 1791.",
     "", "The mill was built in 1782."),
    ("The mayor said that the mill has 14 rooms; it is 200 years old.",
     "", "The mill has 14 rooms."),
    ("As you write, the mill was built in 1782, and the bridge was built in 1791.",
     "", "The mill was built in 1782."),
    ("She said that the mill would reopen in May, but it was wrong to close it.",
     "", "The mill would reopen in May."),
    ("Some say the miller drowned. He did not; he moved to Harlow.",
     "The miller drowned.", "The miller moved to Harlow."),
    ("The sign gives the year of the mill as 1820, which is an error.",
     "The year of the mill is 1820.", "The sign gives the year of the mill as 1820."),
    ("The teacher says that 30 children came on Monday, but they were only 12 on Tuesday.",
     "", "30 children came on Monday."),
    ("The owner says the price is 90 euros; in winter it is 60.", "", "The price is 90 euros."),
    ("We said fourteen weeks for the mill; they said ten.", "", "We said fourteen weeks."),
    ("The state inspector recommends repairs in August. But it was done in September.",
     "", "The state inspector recommends repairs in August."),
    ("She said that Pau built the wheel of the mill, and that Arnau had not.",
     "", "Pau built the wheel of the mill."),
    ("It is true that the mill was sold to a brewery.", "", "The mill was sold to a brewery."),
    ("You write that the mill was sold, but that is wrong. The old mill was sold to us in May.",
     "", "The old mill was sold in May."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "false", "true"), REFUTED)
def test_what_a_text_only_refutes_is_no_fact(said: str, false: str, true: str) -> None:
    claims = seen(MILL.format(said), f"{true} {false}".strip()).every
    assert [claim.label == "Supported" for claim in claims] == [True, False][: len(claims)]

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
    assert verdict("judge-lock", TOLD, mail).scores["hallucination"] == 10


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

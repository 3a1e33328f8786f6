"""Mails and dialogues as their readers take them: who writes to whom is known."""

from __future__ import annotations

import pytest

from oyer.judges.embedded import questions
from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.perception import Perceived, perceive
from tests.embedded.conftest import verdict

BODY = """Dear Tomas,

The hall was painted last week and the old curtains went to the school in Velm. {}

Best wishes,
Ines
""".format(
    "Since the new ones are late, I will send you the plan of the stage with the lamps and the "
    "numbers of all the seats on Friday, after the builders have gone."
)
HEAD = "From: Ines Varga <iv@works.example>\nTo: Tomas Brandt <tb@example.org>\n\n"
TOLD = (
    "Ines will send Tomas the plan of the stage with the lamps on Friday. "
    "The old curtains went to the school in Velm."
)


def seen(article: str, summary: str) -> Perceived:
    return perceive(article, summary, scorer("light"))


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

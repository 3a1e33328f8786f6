"""Names stand in the evidence where a speaker says "I" and "you"."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.cross import nearest, retell
from oyer.judges.embedded.markup import legible
from oyer.judges.embedded.persons import call, is_quoted, name_persons
from oyer.judges.embedded.source import index


@pytest.mark.parametrize(("said", "told"), [
    ("I have already signed and I'm asking you to send me my copy.",
     "Clara has already signed and Clara is asking Anita to send Clara Clara's copy."),
    ("I am late, I've paid and I'll come.", "Clara is late, Clara has paid and Clara will come."),
    ("I don't know and I haven’t asked.", "Clara doesn't know and Clara hasn't asked."),
    ("I do not smoke.", "Clara does not smoke."),
    ("I'd like tea, but I'd already paid.", "Clara would like tea, but Clara had already paid."),
    ("You'd better ask.", "Anita had better ask."),
    ("I also think that I still need it.", "Clara also thinks that Clara still needs it."),
    ("I try, I go, I watch.", "Clara tries, Clara goes, Clara watches."),
    ("I was there and I went home.", "Clara was there and Clara went home."),
    ("You need not pay.", "Anita need not pay."),
    ("If I were rich, I would stay.", "If Clara were rich, Clara would stay."),
    ("im late and i have no key", "Clara is late and Clara has no key"),
    ("You're right, you were early and you've won.",
     "Anita is right, Anita was early and Anita has won."),
    ("Are you ill, and were you asked?", "Is Anita ill, and was Anita asked?"),
    ("Do you need help?", "Does Anita need help?"),
    ("Don't you know? Haven't you seen it?", "Doesn't Anita know? Hasn't Anita seen it?"),
    ("Am I late? Have I missed it?", "Is Clara late? Has Clara missed it?"),
    ("Could you take mine? Should I go?", "Could Anita take Clara's? Should Clara go?"),
    ("I'll let you know if you need it.", "Clara will let Anita know if Anita needs it."),
    ("We have you on the list.", "We have Anita on the list."),
    ("Your car is older than mine.", "Anita's car is older than Clara's."),
    ("A friend of mine has yours.", "A friend of Clara's has Anita's."),
    ("I hurt myself, but I wrote the letter myself.",
     "Clara hurt Clara, but Clara wrote the letter personally."),
    ("Tom and I have a car.", "Tom and Clara have a car."),
    ("My wife and I are glad.", "Clara's wife and Clara are glad."),
    ("Are you and Tom coming?", "Are Anita and Tom coming?"),
    ("He left and I have his key.", "He left and Clara has his key."),
    ("We sold our house, and they told us.", "We sold our house, and they told us."),
])  # fmt: skip
def test_the_names_stand_for_i_and_you(said: str, told: str) -> None:
    assert name_persons(said, "Clara", "Anita") == told


@pytest.mark.parametrize("said", [
    "Thank you, you know, for that.", "See you on Monday.", "Yours sincerely,",
    "All of you know that you are late.", "You two have a car.",
    "World War I ended in 1918.", "Charles I was king.", "Take the I-95.", "A type of I/O.",
    "The coal mine closed.", "This is do-it-yourself work.", "It says 'I will come'.",
    "Tom said “I will come” to them.", 'Tom said "you are late".',
])  # fmt: skip
def test_other_words_stay(said: str) -> None:
    assert name_persons(said, "Clara", "Anita") == said


def test_only_what_stands_outside_of_quotation_marks_is_the_speakers() -> None:
    told = name_persons("I heard Tom's 'I don't know', and I laughed.", "Clara", "")
    assert told == "Clara heard Tom's 'I don't know', and Clara laughed."
    assert name_persons('I promise," he told me.', "Clara", "", quoted=True) == (
        'I promise," he told Clara.'
    )
    assert is_quoted('He said: "I will come.')
    assert not is_quoted('He said: "No."')


def test_who_is_not_known_is_not_named() -> None:
    assert name_persons("I know that you do.", "", "Anita") == "I know that Anita does."
    assert name_persons("I know that you do.", "Clara", "") == "Clara knows that you do."


@pytest.mark.parametrize(("name", "called"), [
    ("Clara", "Clara"), ("Clara Voss", "Clara"), ("Dr Mara Velt", "Dr Mara Velt"),
    ("Mrs Penn", "Mrs Penn"), ("MARGIT", "Margit"), ("K. Abe", "K. Abe"), ("OM", "OM"),
    ("Coast Guard", "Coast Guard"), ("CALLER", "the caller"), ("Host Ida Vale", "Host Ida Vale"),
    ("Dr Abe's", ""), ("", ""),
])  # fmt: skip
def test_a_person_is_called_by_the_first_name(name: str, called: str) -> None:
    assert call(name) == called


def retold(text: str) -> list[str]:
    """Each sentence of a text as the encoder reads it alone."""
    source = index(legible(text))
    return [retell(source, [n]) for n in range(len(source.spans))]


HEAD = "From: Clara Voss <clara@example.org>\nTo: {}\nSubject: Lease\n\n"


def test_the_sender_and_the_only_receiver_of_a_mail_are_named() -> None:
    said = retold(HEAD.format("Anita Rao") + "I have signed. Have you?\n\nBest,\nClara")
    assert "Clara Voss to Anita Rao: Clara has signed." in said
    assert "Clara Voss to Anita Rao: Has Anita?" in said


@pytest.mark.parametrize(("to", "greeting", "told"), [
    ("Anita Rao", "", "Clara hopes Anita comes."),
    ("Anita Rao, Ben Kort", "", "Clara hopes you come."),
    ("Anita Rao, Ben Kort", "Dear Ben,\n", "Clara hopes Ben comes."),
    ("Anita Rao", "Dear all,\n", "Clara hopes you come."),
    ("Anita Rao", "Hi Anita and Ben,\n", "Clara hopes you come."),
    ("Anita Rao", "Dear members,\n", "Clara hopes you come."),
    ("Mrs Anita Rao", "Dear Mrs Rao,\n", "Clara hopes Mrs Anita Rao comes."),
    ("Estates Office", "Dear Mr Okafor,\n", "Clara hopes Mr Okafor comes."),
    ("All staff, Rosen site", "", "Clara hopes you come."),
])  # fmt: skip
def test_you_is_the_receiver_where_there_is_only_one(to: str, greeting: str, told: str) -> None:
    said = retold(f"{HEAD.format(to)}{greeting}\nI hope you come.\n")
    assert any(sentence.endswith(f": {told}") for sentence in said), said


def test_each_mail_of_a_thread_has_its_own_i() -> None:
    said = retold(
        HEAD.format("Anita Rao") + "I have paid you.\n\nOn Monday, Anita Rao wrote:\n"
        "> Hi Clara,\n> I have not paid you.\n"
    )
    assert "Clara Voss to Anita Rao: Clara has paid Anita." in said
    assert any("Anita has not paid Clara." in sentence for sentence in said), said


def test_a_letter_that_is_signed_is_told_of_its_writer() -> None:
    said = retold("Dear Anita,\n\nThe boiler failed. I have paid your bill.\n\nBest, Clara\n")
    assert "Clara to Anita: Clara has paid Anita's bill." in said


def test_in_a_dialogue_of_two_each_speaks_to_the_other() -> None:
    said = retold(
        "Anna: Have you paid? I am broke.\nBen: I have, you know me.\nAnna: Good.\nBen: Hm."
    )
    assert said[:3] == [
        "Anna: Has Ben paid?", "Anna: Anna is broke.", "Ben: Ben has, Anna knows Ben.",
    ]  # fmt: skip


@pytest.mark.parametrize("third", ["Cleo: Hello.\nCleo: Bye.", "Cleo: Hello."])
def test_among_three_you_is_not_known(third: str) -> None:
    said = retold(f"Anna: Are you in?\nBen: I am.\n{third}\nAnna: Good.\nBen: Yes.")
    assert said[:2] == ["Anna: Are you in?", "Ben: Ben is."]


def test_a_chat_with_the_time_behind_the_name() -> None:
    said = retold(
        "Anna 09:12: I am in.\nBen 09:14: You are early.\nAnna, 9:20: Yes.\nBen 9:21: Hm."
    )
    assert said[:2] == ["Anna 09:12: Anna is in.", "Ben 09:14: Anna is early."]


def test_a_speaker_may_be_named_in_full_once() -> None:
    said = retold("Q: Why did you stop?\nAda Moltke: I am old.\nQ: And your son?\n"
                  "Moltke: My son left.\nQ: So?\nMoltke: I told you.")  # fmt: skip
    assert said[:4] == [
        "Q: Why did Ada Moltke stop?", "Ada Moltke: Ada is old.",
        "Q: And Ada Moltke's son?", "Moltke: Moltke's son left.",
    ]  # fmt: skip
    assert said[-1] == "Moltke: Moltke told you."  # who asks has no name


def test_in_an_interview_the_questions_are_put_to_the_one_named() -> None:
    said = retold("Interview with Dr Mara Velt\n\nQ: What do you count?\nA: I count otters.\n\n"
                  "Q: Are you glad?\nA: I am. My cubs are well.")  # fmt: skip
    assert "Q: What does Dr Mara Velt count?" in said
    assert "Dr Mara Velt: Dr Mara Velt is." in said
    assert "Dr Mara Velt: Dr Mara Velt's cubs are well." in said


@pytest.mark.parametrize("text", [
    "I have signed the lease. Have you?",
    "Q: How do I pay?\nA: You pay online.\nQ: May I swap?\nA: You may.",
    "Tip: Soak your beans.\nNote: You need salt.\nTip: Use a lid.\nNote: Stir.",
])  # fmt: skip
def test_nobody_is_named_where_nobody_is_known(text: str) -> None:
    assert not any("Tip needs" in s or "A's" in s or "Q " in s for s in retold(text))
    assert "you" in " ".join(retold(text)).lower()


def test_a_foreign_text_is_left() -> None:
    source = index("Anna: I am in.\nBen: You are.\nAnna: Yes.\nBen: Yes.", "nl")
    assert retell(source, [0]) == "Anna: I am in."


def test_the_nearest_sentence_names_who_signed() -> None:
    source = index(legible(HEAD.format("Anita Rao") + "I have already signed the lease.\n"))
    assert nearest(source, "Anita has already signed the lease.") == (
        "Clara Voss to Anita Rao: Clara has already signed the lease."
    )

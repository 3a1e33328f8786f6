"""Six questions each way: separate spans, each with an answer and a quote of its own."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from oyer.judges.embedded import Embedded
from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.perception import Perceived, perceive
from oyer.judges.embedded.phrases import phrases
from oyer.judges.embedded.questions import PAIRS, asked, coverage, hallucination
from oyer.judges.embedded.salience import telling, weights
from oyer.judges.embedded.source import index
from oyer.types import Case
from tests.embedded.conftest import ARTICLE, GOOD
from tests.embedded.stories import STORIES, Story

TEXTS = [Story("a library", ARTICLE, GOOD, "", ("", ""), ("", ""), "", ("", "")), *STORIES]


def seen(article: str, summary: str) -> Perceived:
    return perceive(article, summary, scorer("light"))


@pytest.mark.parametrize("story", TEXTS, ids=lambda s: s.name)
def test_six_spans_of_different_kinds_and_sentences_with_words_of_their_own(story: Story) -> None:
    source = index(story.article)
    found = asked(source, weights(source))
    assert len(found) == PAIRS
    assert len({p.kind for p in found}) >= 2
    assert len({p.sentence for p in found}) >= 3
    told: set[str] = set()
    for phrase in found:
        assert phrase.stems - told, "a question that asks for nothing new"
        told |= phrase.stems
    places = sorted((p.start, p.end) for p in found)
    assert all(a[1] <= b[0] for a, b in pairwise(places))


@pytest.mark.parametrize("story", TEXTS, ids=lambda s: s.name)
def test_every_quote_is_around_its_own_answer(story: Story) -> None:
    view = seen(story.article, story.summary)
    for answers, text in ((coverage(view), story.summary), (hallucination(view), story.article)):
        quotes = [a.evidence for a in answers if a.status != "Wrong"]
        assert len(answers) == PAIRS
        assert len(quotes) >= 3
        assert len(set(quotes)) == len(quotes)
        for answer in answers:
            assert bool(answer.evidence) == (answer.status != "Wrong")
            if answer.evidence:
                assert answer.evidence in text
                assert 4 <= len(answer.evidence.split()) <= 12
                assert set(telling(answer.masked)) & set(telling(answer.evidence))


@pytest.mark.parametrize("story", TEXTS, ids=lambda s: s.name)
def test_the_summarys_own_spans_are_distinct(story: Story) -> None:
    masked = hallucination(seen(story.article, story.summary))
    assert len({a.masked for a in masked}) >= PAIRS - 1  # a word may stand in two claims
    assert all(a.masked in story.summary for a in masked)


#: masked span of the library's article: a summary, the answer, why
ANSWERS = [
    ("2.4 million pounds", "An engineer said the repairs would cost 2.4 million pounds.",
     "Correct", "in its place"),
    ("2.4 million pounds", "An engineer said the repairs would cost 9.7 million pounds.",
     "Wrong", "another number: the claim does not hold"),
    ("2.4 million pounds", "Staff at Bridge Street will not lose their jobs.",
     "Wrong", "not told"),
    ("Mill Lane", "The council promised that the reading room for children would move to Mill"
     " Lane unchanged.", "Correct", "a name in its place"),
    ("Mill Lane", "The money was better spent on the new branch at Mill Lane.",
     "Partial", "the name, as another sentence has it"),
    ("old Bridge Street library", "The city council of Harlow voted to close the library.",
     "Partial", "a part of it"),
]  # fmt: skip


@pytest.mark.parametrize(("masked", "summary", "status", "why"), ANSWERS, ids=lambda v: None)
def test_an_answer_is_graded_by_its_own_words(
    masked: str, summary: str, status: str, why: str
) -> None:
    answers = {a.masked: a.status for a in coverage(seen(ARTICLE, summary))}
    assert answers[masked] == status, why


def test_the_questions_stay_hidden_and_the_rationale_tells_what_was_masked() -> None:
    reply = Embedded("light").reply("judge-lock", Case("1", {"article": ARTICLE, "summary": GOOD}))
    cover = json.loads(reply.split("\n\n")[0])
    assert {pair["q"] for pair in cover["qag_results"]} == {"hidden"}
    assert "old Bridge Street library; " in cover["rationale"]


@pytest.mark.parametrize(
    ("article", "why"),
    [
        ("Rain fell.", "two telling words: they are asked for again"),
        ("library closed council vote residents angry branch September", "no phrase by its form"),
        ("the of and", "nothing to ask for"),
    ],
)
def test_there_are_six_pairs_whatever_the_article(article: str, why: str) -> None:
    assert len(coverage(seen(article, "Rain fell on the library."))) == PAIRS, why


#: sentence: its phrases
PHRASES = {
    "On Tuesday the board of Alder Bank met J. Lind in Ghent.":
        ["Tuesday", "board", "Alder Bank", "J. Lind", "Ghent"],
    "They want to close two mines because coal is cheap.": ["two mines", "coal"],
    "The plans of the Friends of Bridge Street cost $4.5 million or 12% more.":
        ["plans", "Friends of Bridge Street", "$4.5 million", "12%"],
    "She plans a trip to Rome in May, and he may go.": ["trip", "Rome", "May"],
    "The stained glass was sold on 9 May 2019.": ["stained glass", "9 May 2019"],
    "Ben: In Ghent, at two o'clock.": ["Ghent", "two o'clock"],
    "The show begins at 7:30 pm on Sunday the 14th.": ["show", "7:30 pm", "Sunday the 14th"],
    "It runs from 3 to 5 June, or until the first of September.":
        ["3 to 5 June", "first of September"],
    "The vote was nine to four, and thirty per cent of the staff left within five working days.":
        ["vote", "nine to four", "thirty per cent", "staff", "five working days"],
    "Please book your train.": ["train"],
    "Wrap the cups and add 80 g of grated cheese.": ["cups", "80 g", "grated cheese"],
    "Oh, thanks, sorry about the noise, there were four of us.": ["noise"],
    "Last week Karel Boon replaces her, and she can't go.": ["Last week", "Karel Boon"],
    "Background: Night shifts disturb sleep.": ["Night shifts", "sleep"],
}  # fmt: skip


@pytest.mark.parametrize("sentence", PHRASES)
def test_phrases_are_names_numbers_dates_and_noun_phrases(sentence: str) -> None:
    source = index(sentence)
    assert [sentence[p.start : p.end] for p in phrases(source, 0)] == PHRASES[sentence]


TALK = """Anna: Are you coming to the lake on Saturday?
Ben: I can't, my sister is getting married.
Anna: Oh, right! Where is the wedding?
Ben: In Ghent, at two o'clock. I have to give a speech.
Anna: Good luck. Shall I keep the tent for you until next weekend?
Ben: Yes please, I'll pick it up on Sunday the 14th."""
MAIL = """From: Carla Weiss
Subject: Offsite in Lyon

Hi all,

Thanks for your answers. The offsite will take place in Lyon from 3 to 5 June. Please book your
train before 10 May, the company pays up to 180 euros. We have twelve rooms at the Hotel Bellecour.

On Monday, Jonas Hart wrote:
> Hi Carla, sorry for the late reply. I can only join from the 4th. Cheers, Jonas"""
#: what nobody asks for
SILLY = {"oh", "right", "good luck", "two", "please book", "hi carla", "sorry", "thanks", "answers",
         "yes", "please", "3", "10", "late reply", "cheers"}  # fmt: skip


@pytest.mark.parametrize("text", [TALK, MAIL], ids=["dialogue", "mail"])
def test_courtesies_orders_and_bare_numbers_are_not_asked_for(text: str) -> None:
    found = [a.masked.lower() for a in coverage(seen(text, "Nothing was said."))]
    assert len(set(found)) == PAIRS
    assert not SILLY.intersection(found)
    wanted = {"ghent", "sunday the 14th"} if text is TALK else {"lyon", "10 may", "180 euros"}
    assert wanted <= set(found)


def test_a_claims_masked_words_are_shown_with_their_phrase() -> None:
    summary = "Trains have to be booked before 10 May. The company pays up to 180 euros."
    found = [a.masked for a in hallucination(seen(MAIL, summary))]
    assert {"10 May", "180 euros"} <= set(found)

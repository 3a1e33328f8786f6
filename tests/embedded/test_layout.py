"""How a summary is set costs it nothing, and hides nothing."""

from __future__ import annotations

import json

import pytest

from oyer.judges.embedded import Embedded
from oyer.judges.embedded.assess import Variant, scorer
from oyer.judges.embedded.layout import plain
from oyer.judges.embedded.perception import perceive
from oyer.types import Case
from tests.embedded.conftest import ARTICLE, GOOD, VARIANTS, verdict
from tests.embedded.stories import STORIES

LINES = GOOD.split("\n")
FALSE = "Prime minister Carlos Vega was arrested in Lisbon for smuggling gold."
#: name: the good summary, set so
SET = {
    "numbers with dots": "\n".join(f"{n}. {x}" for n, x in enumerate(LINES, 1)),
    "numbers with brackets": "\n".join(f"{n}) {x}" for n, x in enumerate(LINES, 1)),
    "numbers in one line": " ".join(f"({n}) {x}" for n, x in enumerate(LINES, 1)),
    "bold bullets": "\n".join(f"* **{x}**" for x in LINES),
    "key points": "Key points:\n" + "\n".join(f"- {x}" for x in LINES),
    "a lead-in": f"Here is a summary of the article: {GOOD}",
    "a polite lead-in": f"Sure! Here's a short summary of the article:\n{GOOD}",
    "a heading": f"## Summary\n{GOOD}",
    "a bold label": f"**Summary:** {GOOD}",
    "paragraphs": "".join(f"<p>{x}</p>" for x in LINES),
    "line breaks": "<br>".join(LINES),
    "a page's list": "<ul>" + "".join(f'<li class="x">{x}</li>' for x in LINES) + "</ul>",
}  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SET)
def test_layout_costs_no_points(name: str, variant: Variant) -> None:
    for protocol in ("judge-lock", "twin-lock"):
        bare = verdict(protocol, GOOD, variant=variant)
        found = verdict(protocol, SET[name], variant=variant)
        codes = {v.code for v in found.violations}
        # JL-CLAIMS-COVER notes a line of its own that no claim is made of; no score changes
        polite = name == "a polite lead-in"
        assert codes <= ({"claims.uncovered"} if polite else set()), "quotes are the summary's own"
        assert found.scores is not None
        assert bare.scores is not None
        changed = {m for m in bare.scores if found.scores[m] != bare.scores[m]}
        # judge-lock's own rule on segments measures a lead-in of a line for itself (JL-CAP-NONE)
        assert changed <= ({"relevance"} if name == "a polite lead-in" else set())


@pytest.mark.parametrize("name", SET)
def test_layout_is_no_claim_and_claims_stay_in_their_places(name: str) -> None:
    text = SET[name]
    assert len(plain(text)) == len(text)
    found = perceive(ARTICLE, text, scorer("light")).every
    assert [text[c.start : c.end] for c in found] == [c.text for c in found]
    bare = [c.text for c in perceive(ARTICLE, GOOD, scorer("light")).every]
    assert [c.text.strip("*") for c in found] == bare


@pytest.mark.parametrize("hidden", [
    f"## {FALSE}", f"**{FALSE}**", f"{FALSE[:-1]}:", f"Summary: {FALSE}", f"<p>{FALSE}</p>",
    f"<!-- {FALSE} -->", f"<script>{FALSE}</script>", f"1. {FALSE}", f"<h1>{FALSE}</h1>",
])  # fmt: skip
def test_layout_hides_no_words(hidden: str) -> None:
    found = perceive(ARTICLE, f"{GOOD}\n{hidden}", scorer("light"))
    assert any("Carlos Vega" in c.text and c.label == "Unsupported" for c in found.claims)


@pytest.mark.parametrize(("text", "why"), [
    ("It rained for days, at least\n31. Then it stopped.", "a number at a line's beginning"),
    ("The score was 3. The other side had 2) in brackets.", "numbers that are no row"),
    ("Mayor dead: the town mourns.", "words before a colon that say something"),
    ("A <Harlow> sign, 3 < 4 and 5 > 2.", "angles that are no tags"),
    ("He called her a b**** and a** and **hole.", "words that are half hidden"),
    ("Summary", "nothing else is there"),
])  # fmt: skip
def test_what_says_something_is_no_layout(text: str, why: str) -> None:
    assert plain(text) == text, why


REPLIES = ["No.", "Yes.", "Thanks!", "Really?", "Of course not.", "You're welcome!"]


@pytest.mark.parametrize("reply", REPLIES)
def test_what_states_nothing_is_no_claim_beside_others(reply: str) -> None:
    for text in (f"{GOOD} {reply}", f"{reply}\n{GOOD}"):
        found = perceive(ARTICLE, text, scorer("light")).every
        assert [c.text for c in found] == [
            c.text for c in perceive(ARTICLE, GOOD, scorer("light")).every
        ]
        assert [text[c.start : c.end] for c in found] == [c.text for c in found]
        assert verdict("judge-lock", text).violations == ()


@pytest.mark.parametrize("summary", [*REPLIES, "Yes. No. Thanks!", "Summary", "Key points:"])
def test_a_summary_that_states_nothing_is_not_scored(summary: str) -> None:
    """As one without words: what says nothing is neither supported nor invented."""
    found = verdict("twin-lock", summary)
    assert (found.status, found.scores) == ("unscored", None)
    told = "the summary states nothing that could be held against the article"
    assert any(told in v.detail for v in found.violations)


@pytest.mark.parametrize(("article", "summary"), [
    ("Le conseil va fermer la bibliothèque et les habitants ne sont pas contents.", "Merci, non."),
    ("De raad sluit de bibliotheek en de inwoners zijn niet blij met dat besluit.", "Dank je wel!"),
])  # fmt: skip
def test_replies_of_other_languages_state_nothing(article: str, summary: str) -> None:
    case = Case("1", {"article": article, "summary": summary})
    assert "states nothing" in json.loads(Embedded("light").reply("judge-lock", case))["error"]


@pytest.mark.parametrize("claim", ["He did not.", "It is closed.", "No trains ran.", "Nine died."])
def test_a_short_claim_that_states_something_is_one(claim: str) -> None:
    assert perceive(ARTICLE, claim, scorer("light")).every[0].text == claim


def test_a_slur_between_tags_counts_as_ever() -> None:
    story = STORIES[0]
    rude = story.summary.replace(*story.slur)
    bare = verdict("judge-lock", rude, story.article).scores
    tagged = verdict("judge-lock", f"<p>{rude}</p>", story.article).scores
    assert bare is not None
    assert tagged is not None
    assert tagged["bias_toxicity"] == bare["bias_toxicity"] < 10


FERRIES = """The harbour town of Lindmere will replace its last two diesel ferries with electric \
boats by June 2027, the council decided on Tuesday. The vote was nine to four. The two boats will \
cost 18.6 million euros, of which the regional transport fund pays two thirds. Opponents doubted \
the figures. Councillor Pieter Haan said that the winter storms of 2023 had stopped the ferries on \
31 days, and that nobody had tested an electric boat in such waves. The council therefore kept one \
diesel boat in reserve until 2029. Fares will not rise before the end of the decade."""
TOLD = """Lindmere's council voted nine to four to replace its last two diesel ferries with \
electric boats by June 2027. The two boats will cost 18.6 million euros, two thirds paid by the \
regional transport fund. Critics doubted the figures because winter storms stopped the ferries on \
31 days in 2023, so one diesel boat stays in reserve until 2029."""


def points(summary: str, variant: Variant) -> list[dict[str, str]]:
    case = Case("1", {"article": FERRIES, "summary": summary})
    first, *_ = Embedded(variant).reply("judge-lock", case).split("\n\n")
    found: list[dict[str, str]] = json.loads(first)["key_points"]
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_told_points_quote_is_of_the_sentence_that_tells_it(variant: Variant) -> None:
    """Weighty words (council, diesel, boats) stand in other sentences, too."""
    reserve = next(p for p in points(TOLD, variant) if "in reserve" in p["point"])
    assert reserve["coverage"] != "Not"
    assert "diesel boat stays in reserve" in reserve["evidence"]
    cost = next(p for p in points(TOLD, variant) if "18.6" in p["point"])
    assert "18.6 million euros" in cost["evidence"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_summary_written_twice_tells_less_but_not_nothing(variant: Variant) -> None:
    once, twice = points(TOLD, variant), points(f"{TOLD} {TOLD}", variant)
    fully = {p["point"] for p in once if p["coverage"] == "Fully"}
    assert fully
    assert fully <= {p["point"] for p in twice if p["coverage"] != "Not" and p["evidence"]}
    for protocol in ("judge-lock", "twin-lock"):
        bare = verdict(protocol, TOLD, FERRIES, variant=variant).scores
        again = verdict(protocol, f"{TOLD} {TOLD}", FERRIES, variant=variant).scores
        assert bare is not None
        assert again is not None
        assert bare["coverage"] / 2 <= again["coverage"] < bare["coverage"]

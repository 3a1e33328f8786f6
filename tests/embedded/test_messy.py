"""Texts as people paste them: the judge's own reply breaks no rule, and no shape costs points."""

from __future__ import annotations

import pytest

from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.markup import legible
from oyer.judges.embedded.perception import perceive
from oyer.judges.embedded.points import Teller, join_claims, key_points, tell_point
from oyer.judges.embedded.questions import coverage
from oyer.judges.embedded.salience import focus, telling, weights
from oyer.judges.embedded.sentences import sentences
from oyer.judges.embedded.source import index
from tests.embedded.conftest import ARTICLE, GOOD, verdict
from tests.embedded.stories import STORIES

FLOOD = next(s for s in STORIES if s.name == "a flood")
#: name: article, summary, why it is here
MESSY = {
    "html": ("<html><body><h1>STORM HITS COAST</h1><p>A storm with winds of 140 km/h hit the coast"
             " of Portmere on Sunday, killing two people.</p>\n<p>About 12,000 homes lost power,"
             " the grid operator said.</p>\n<p>Schools will stay closed until Wednesday.&nbsp;</p>"
             "<script>var a=1;</script></body></html>",
             "A storm hit Portmere on Sunday and killed two people.", "tags around the words"),
    "capitals": (FLOOD.article.upper(), FLOOD.summary.upper(), "no word is a name by its capital"),
    "small letters": (FLOOD.article, FLOOD.summary.lower(), "as some models write"),
    "bullets": (FLOOD.article, "- " + FLOOD.summary.replace(". ", "\n- "), "a list, no full stops"),
    "tokens apart": (FLOOD.article, FLOOD.summary.replace(".", " ."), "as tokenisers print"),
    "dialogue": ("Ann: Are you coming to the party on Friday?\nBen: I can't, my train leaves at"
                 " six.\nAnn: Take the later one, Carla can drive you to the station.\nBen: OK,"
                 " I'll ask her.\nAnn: Bring the blue speakers please.",
                 "Ben will ask Carla to drive him to the station after Ann's party on Friday.",
                 "lines of speech, not sentences"),
    "one sentence": ("The mayor of Kilbride resigned on Monday after an audit found that three"
                     " million pounds were missing, and his deputy, Anna Roy, will lead the town"
                     " until elections in May.",
                     "The mayor of Kilbride resigned on Monday after an audit.",
                     "four points have to come out of one sentence"),
    "no sentence": ("library closed council vote Tuesday residents angry 3,200 signatures new"
                    " branch Mill Lane September 60,000 books stained glass museum staff stay"
                    " children room moves",
                    "library closed after council vote Tuesday; new branch Mill Lane in September",
                    "keywords only"),
    "address": ("See https://example.org/a/b?c=d for details. The trial of two ministers starts on"
                " 3 May in Ghent. Both deny that they took money. The judge will not allow cameras"
                " in court. A verdict is expected in June.",
                "The trial of two ministers starts on 3 May in Ghent, see"
                " https://example.org/a/b?c=d.", "a question mark that ends nothing"),
}  # fmt: skip


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
@pytest.mark.parametrize("name", MESSY)
def test_the_reply_breaks_no_rule_of_the_protocol(name: str, protocol: str) -> None:
    article, summary, why = MESSY[name]
    found = verdict(protocol, summary, article)
    assert (found.status, found.violations) == ("scored", ()), why
    assert found.scores is not None
    assert found.scores["hallucination"] >= 7, why
    assert found.scores["coverage"] >= 3, why


@pytest.mark.parametrize("name", ["capitals", "small letters", "bullets", "tokens apart"])
def test_how_a_summary_is_typeset_hardly_matters(name: str) -> None:
    article, summary, why = MESSY[name]
    plain = verdict("twin-lock", FLOOD.summary, FLOOD.article).scores
    other = verdict("twin-lock", summary, article).scores
    assert plain is not None
    assert other is not None
    assert all(abs(plain[m] - other[m]) <= 1.5 for m in plain), why


def test_lines_that_were_only_full_are_no_sentences() -> None:
    text = "The mine closed\nafter a long\nstrike. The pit is\nnow a museum."
    assert [len(text[s:e].split()) for s, e in sentences(text)] == [7, 6]
    assert len(sentences("Singer P!nk won. Why?")) == 2
    listed = "the mine closed\nminers lost their work"  # a sentence a line, as in lower-cased sets
    assert len(sentences(listed)) == 2


def test_a_wrapped_article_has_the_same_key_points() -> None:
    wrapped = FLOOD.article.replace(" of rain", "\nof rain").replace(" was swept", "\nwas swept")
    plain, other = (
        [" ".join(t[p.start : p.end].split()) for p in key_points(index(t), weights(index(t)))]
        for t in (FLOOD.article, wrapped)
    )
    assert plain == other


@pytest.mark.parametrize("size", [24, 30, 50, 200])
def test_an_article_of_24_words_and_more_has_four_to_seven_points_of_six(size: int) -> None:
    text = " ".join((ARTICLE.replace(".", "").replace(",", "") + " " + GOOD).split()[:size])
    points = key_points(index(text), weights(index(text)))
    assert 4 <= len(points) <= 7
    assert all(len(text[p.start : p.end].split()) >= 6 for p in points)


def test_saying_it_again_covers_no_more() -> None:
    """Repetition lowers coverage and relevance, and nothing else."""
    once = verdict("judge-lock", FLOOD.summary, FLOOD.article).scores
    again = f"{FLOOD.summary} {FLOOD.dropped} {FLOOD.dropped}"
    twice = verdict("judge-lock", again, FLOOD.article).scores
    assert once is not None
    assert twice is not None
    assert twice["coverage"] < once["coverage"]
    assert twice["relevance"] <= once["relevance"]
    assert twice["hallucination"] == once["hallucination"]
    assert twice["bias_toxicity"] == once["bias_toxicity"]


def test_focus_is_full_for_a_copy_and_falls_with_repetition() -> None:
    source = index(ARTICLE)
    copy = [(telling(ARTICLE[s:e]), {n}) for n, (s, e) in enumerate(source.spans)]
    assert focus(source, copy) == 1
    assert 0.5 <= focus(source, [copy[0], copy[1], copy[0], copy[0]]) < 1
    assert focus(source, []) == 1


PAGE = (
    "<html><head><style>body { margin: 0; color: storm }</style><title>Storm</title></head><body>"
    "<script>var tracker = 'storm'; function load() { return tracker.push(storm); }</script>"
    "<h1>Storm hits the coast of Portmere</h1><!-- tracker storm pixel --><p>A storm with winds of"
    " 140 km/h hit the coast of <b>Portmere</b> on Sunday, killing two people.</p><p>About 12,000"
    " homes lost power, the grid operator said.</p><p>Schools will stay closed until"
    " Wednesday.&nbsp;The mayor asked people to stay at home.</p></body></html>"
)


def test_what_a_reader_of_a_page_does_not_see_is_no_point_and_no_question() -> None:
    summary = "A storm hit Portmere on Sunday and killed two people. About 12,000 homes lost power."
    seen = perceive(PAGE, summary, scorer("light"))
    told = [seen.source.text[p.start : p.end] for p, _ in seen.points]
    asked = [a.masked for a in coverage(seen)]
    assert not [t for t in [*told, *asked, seen.theme] if "tracker" in t or "<" in t or "{" in t]
    assert any(t.startswith("A storm with winds") for t in told), "a paragraph begins a sentence"
    found = verdict("judge-lock", summary, PAGE)
    assert found.violations == ()  # quotes are verbatim, tags and all


def test_markup_keeps_every_word_in_its_place() -> None:
    seen = legible(PAGE)
    assert len(seen) == len(PAGE)
    assert seen.index("Portmere") == PAGE.index("Portmere")
    talk = "A <script> that is never closed is talk, 3 < 4 & so on."
    plain = "A that is never closed is talk, 3 < 4 & so on."
    assert " ".join(legible(talk).split()) == plain


MINUTES = """Minutes of the allotment committee, 12 March

Present: Joan Pryce (chair), Dev Patel, Lotte Brandt, Sam Oyelaran.
1. Water. Dev reported that the pump at the lower gate has failed twice since January. The committee
agreed to buy a new pump, which Dev will order by 20 March.
2. Waiting list. Lotte proposed to halve the larger plots when they fall vacant. Sam was against it,
because families need the space. It was decided by three votes to one to halve them.
3. Bonfires. Bonfires will not be allowed before 6 pm from May to September."""


def test_minutes_have_points_that_say_something() -> None:
    """Neither a list of those present nor a heading leads; a shared name tells no point."""
    source = index(MINUTES)
    points = key_points(source, weights(source))
    texts = [source.text[p.start : p.end] for p in points]
    assert not [t for t in texts if t.startswith("Present")]
    assert not texts[0].startswith("Minutes")
    dev = next(p for p, t in zip(points, texts, strict=True) if t.startswith("Dev reported"))
    order = join_claims([Teller(0, frozenset(telling("Dev will order tea.")), {}, 1.0)])
    assert tell_point(dev, [order], 1.0).label != "Fully"

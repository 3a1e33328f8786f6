"""Key points: whole sentences where there are some, and told by one sentence, or by two in turn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oyer
from oyer.judges.embedded import Embedded
from oyer.judges.embedded.assess import scorer
from oyer.judges.embedded.perception import perceive
from oyer.judges.embedded.points import Teller, join_claims, key_points, tell_point
from oyer.judges.embedded.rows import spoken
from oyer.judges.embedded.salience import bound_shares, telling, weights
from oyer.judges.embedded.source import index

BRIDGE = """The council of Halden voted on Monday to build a footbridge over the river Tiste. The \
bridge will cost 12 million euros, and work is to begin in March 2026. It will link the station \
with the old harbour, where 900 flats are being built. Councillor Marit Sand said that people now \
walk twenty minutes to reach the trains. The Greens voted against the plan because forty lime \
trees have to be felled. The state pays half of the cost."""
COST = "The bridge will cost 12 million euros, and work is to begin in March 2026."


def points(article: str) -> list[str]:
    source = index(article)
    return [spoken(article, (p.start, p.end)) for p in key_points(source, weights(source))]


def told(summary: str) -> str:
    """How the point on the cost is told."""
    seen = perceive(BRIDGE, summary, scorer("light"))
    text = seen.source.text
    return next(t.label for p, t in seen.points if text[p.start : p.end] == COST)


#: a summary, how the point is told, why
TOLD = [
    ("The council of Halden approved a footbridge over the Tiste for 12 million euros. Work begins"
     " in March 2026.", "Partial", "its two halves, in two sentences"),
    ("Work begins in March 2026. The Greens voted against the plan. The bridge will cost 12 million"
     " euros.", "Fully", "the other way round, and not side by side"),
    ("The council of Halden approved a footbridge over the Tiste for 12 million euros.", "Not",
     "one half alone"),
    ("The bridge will link the station. People walk twenty minutes to begin work. The state pays 12"
     " million. The Greens voted in March.", "Not", "its words, strewn over the summary"),
    ("The council approved a footbridge for 12 million euros. Aliens from Mars begin their"
     " work of conquest in March 2026 with lasers.", "Not", "what is invented tells nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("summary", "label", "why"), TOLD, ids=lambda v: None)
def test_a_point_may_be_told_by_two_sentences(summary: str, label: str, why: str) -> None:
    assert told(summary) == label, why


def test_sentences_that_share_a_few_words_each_tell_no_more_than_the_best_of_them() -> None:
    source = index(BRIDGE)
    point = next(
        p for p in key_points(source, weights(source)) if BRIDGE[p.start :][:10] == COST[:10]
    )
    words = telling(COST)
    every = [join_claims([Teller(n, frozenset(words[n::4]), {}, 1.0)]) for n in range(4)]
    best = max(tell_point(point, [one], 1.0).share for one in every)
    assert tell_point(point, every, 1.0).share == best


SHORT = [
    ("Rain closed the airport of Bergen on Friday. Forty flights were cancelled, and 3,000"
     " passengers slept in the terminal.",
     {"Rain closed the airport of Bergen on Friday.", "Forty flights were cancelled",
      "and 3,000 passengers slept in the terminal."}),
    ("The mayor of Delft has resigned. She will be replaced by her deputy, Karel Boon, until"
     " elections in May.",
     {"The mayor of Delft has resigned.",
      "She will be replaced by her deputy, Karel Boon, until elections in May."}),
]  # fmt: skip


@pytest.mark.parametrize(("article", "wanted"), SHORT, ids=["airport", "mayor"])
def test_a_very_short_article_is_cut_where_sentences_and_clauses_end(
    article: str, wanted: set[str]
) -> None:
    assert set(points(article)) == wanted


def test_a_short_article_is_cut_where_it_pauses_as_far_as_four_points_allow() -> None:
    article = (
        "A fire destroyed the old cinema of Marden on Wednesday night. Nobody was hurt, but sixty"
        " people had to leave their homes because of the smoke, and the main road stayed closed"
        " until noon."
    )
    found = points(article)
    assert len(found) == 4
    assert "A fire destroyed the old cinema of Marden on Wednesday night." in found
    assert "and the main road stayed closed until noon." in found


TABLE = """Region  Units 2023  Units 2024  Change
North  1,240  1,410  +13.7%
South  980  905  -7.7%
East  2,015  2,300  +14.1%
West  640  655  +2.3%"""


BARS = TABLE.replace("  ", "|").replace("\n", "\n---|---|---|---\n", 1)


@pytest.mark.parametrize(
    "text", [TABLE, BARS, TABLE.replace("  ", "\t")], ids=["blanks", "bars", "tabs"]
)
def test_a_row_of_a_table_is_told_with_its_headings(text: str) -> None:
    found = points(text)
    assert "South: Units 2023 980, Units 2024 905, Change -7.7%" in found
    assert len(found) == 4


UNTELLING = [
    "Oh, right!", "Good luck.", "Anna: No problem at all.", "Thanks for your answers.",
    "> Hi Carla, sorry for the late reply.", "Agent: Good afternoon, I'm very sorry about that.",
    "Have a nice day!", "Donations can be made at the team's website.", "Click here for more.",
    "Hi Sarah, I hope you are well.", "I hope this email finds you well.",
    "We hope you had a lovely weekend!", "Thank you very much for your message of 3 May.",
    "Good morning everyone, and welcome to the weekly update from the harbour office.",
    "Minutes of the Works Council Meeting, 9 September 2025.",
    "Minutes of the meeting of the parish council held in the hall on 12 March 2026.",
]  # fmt: skip
TELLING = [
    "Thanks to the rain the reservoir is full again.", "Sorry, the meeting is cancelled.",
    "Thank you, the 4th suits me.", "The mayor thanked the crew.", "Good luck charms sell well.",
    "Hi Sarah, the fair will cost 32,000 euros.", "We hope you are able to pay by Monday.",
    "Minutes of the meeting were sent to all members.", "The minutes of the meeting are public.",
    "Notes of 50 euros are checked twice.", "They welcome all to the station.",
]  # fmt: skip


@pytest.mark.parametrize("sentence", UNTELLING + TELLING)
def test_courtesies_and_notes_to_the_reader_are_no_points(sentence: str) -> None:
    source = index(f"{BRIDGE}\n{sentence}\n")
    last = len(source.spans) - 1
    assert (last in source.untelling) == (sentence in UNTELLING)


TITLED = {
    "mail": "Hi Sarah, I hope you are well. The budget for the fair has been cut to 32,000 euros. "
    "We will have to drop the second stage. The caterer lowers its price by ten per cent. The "
    "permit for the square arrived on Tuesday.",
    "greeted": "Hi Sarah, the budget for the fair has been cut to 32,000 euros. We will have to "
    "drop the second stage. The caterer lowers its price by ten per cent. The permit for the "
    "square arrived on Tuesday.",
    "minutes": "Notes from the meeting of the project group on Tuesday 5 May:\nThe design of the "
    "hall was sent to the city. The city wants a second exit. That costs 60,000 euros more. The "
    "opening moves from September to November.",
    "French mail": "Bonjour Marie, j'espère que tu vas bien. Le budget de la fête a été réduit à "
    "32.000 euros. Nous devons supprimer la deuxième scène. Le traiteur accepte de baisser son "
    "prix. Le permis est arrivé mardi.",
    "French minutes": "Procès-verbal de la réunion du conseil communal du 12 mars 2026\nLe conseil "
    "a approuvé le budget de 8,4 millions d'euros. La rue des Ormes recevra de nouveaux arbres. "
    "Les travaux commenceront en mai. Luc Marchand a signalé que l'abribus a été endommagé.",
    "Dutch mail": "Dag Marie, hopelijk gaat alles goed met jou. Het budget voor het feest is "
    "verlaagd naar 32.000 euro. We moeten het tweede podium schrappen. De traiteur verlaagt zijn "
    "prijs met tien procent. De vergunning is dinsdag aangekomen.",
    "Dutch minutes": "Verslag van de vergadering van de gemeenteraad van 12 maart 2026.\nDe raad "
    "keurde de begroting van 8,4 miljoen euro goed. De speeltuin in de Olmstraat krijgt nieuwe "
    "schommels. De werken beginnen in mei. Bart Maes meldde dat het bushokje beschadigd is.",
}
NO_POINT = ("Hi", "Bonjour", "Dag", "Notes", "Procès", "Verslag")


@pytest.mark.parametrize("article", TITLED.values(), ids=TITLED)
def test_no_greeting_and_no_title_of_minutes_is_a_key_point_of_a_verdict(article: str) -> None:
    """Also where an article is short, and of a sentence that greets first only the rest."""
    summary = article.rsplit(". ", maxsplit=1)[-1]
    verdict = oyer.judge(
        "judge-lock", {"article": article, "summary": summary}, judge=Embedded("light")
    )
    told = [point["point"] for point in verdict.output[0]["key_points"]]
    assert len(told) == 4
    assert not [point for point in told if point.startswith(NO_POINT)]
    assert all(point.endswith((".", ":")) for point in told), "whole sentences"
    assert not {v.code for v in verdict.violations} & {"points.count", "points.length"}


def test_who_says_it_is_one_word_of_a_point_among_others() -> None:
    text = "\n".join([
        "Keeper: In 1993 there were four of us on the rock.", "Guest: The lamp needs no keeper.",
        "Keeper: The coast authority wants to rent the house to tourists.",
        "Keeper: My wife comes out every second weekend.", "Keeper: I counted 214 gannets on it.",
    ])  # fmt: skip
    summary = "The coast authority wants to rent the house to tourists."
    seen = perceive(text, summary, scorer("light"))
    rented = [t.label for p, t in seen.points if "coast" in text[p.start : p.end]]
    assert rented == ["Fully"]


POOL = """The pool of Wexley will close for two years from June. The pool's roof was damaged by a \
storm in January, and engineers found rust in the beams. The pool was built in 1974 and the pool \
has 90,000 visitors a year. Repairs of the pool will cost 6 million pounds. Swimmers of the pool \
can use the pool in Thornby until the pool opens again. Parents of the swimming school protested."""


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ("The roof was damaged by a storm in January, and engineers found rust in the beams.",
         "The pool's roof"),
        ("It was built in 1974 and has 90,000 visitors a year.", "The pool was built"),
        ("The pool has 90,000 tiles, said parents of the pool.", ""),
    ],
    ids=["its roof", "its age", "that word alone"],
)  # fmt: skip
def test_one_weighty_word_is_not_the_point(summary: str, told: str) -> None:
    """A sentence that lacks it tells the point all the same, and one that has just it does not."""
    verdict = oyer.judge(
        "judge-lock", {"article": POOL, "summary": summary}, judge=Embedded("light")
    )
    points = verdict.output[0]["key_points"]
    found = [p["point"] for p in points if p["coverage"] != "Not"]
    assert [p["point"] for p in points if p["coverage"] == "Fully"] == found
    assert [point[: len(told)] for point in found] == [told] * bool(told)


@given(st.lists(st.floats(1e-6, 1.0), max_size=12), st.floats(0.05, 1.0))
def test_no_word_has_more_than_its_share(given: list[float], most: float) -> None:
    weights = {str(n): weight for n, weight in enumerate(given)}
    bounded = bound_shares(weights, most)
    total = sum(bounded.values())
    fewest = 1 / max(1, len(given))  # the share of each where all weigh the same
    assert all(w <= max(most, fewest) * total * (1 + 1e-9) for w in bounded.values())
    in_order = [bounded[n] for n in sorted(weights, key=lambda n: weights[n])]
    assert in_order == sorted(in_order)
    if given and max(given) <= most * sum(given) and len(given) * most > 1:
        assert bounded == weights

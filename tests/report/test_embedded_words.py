"""What the embedded judge's verdicts say of themselves: who judged, how well, what to do."""

from __future__ import annotations

import re

import pytest

import oyer
from oyer.judges.embedded import Embedded
from oyer.judges.embedded.assess import Variant
from oyer.protocols.catalogue import find_protocol
from oyer.report.explain import explain
from oyer.report.speak import as_text
from oyer.verdicts import record
from tests.report.test_words import judged

FRENCH = {
    "article": "Le conseil communal de Namur a approuvé lundi la construction d'une passerelle sur "
    "la Meuse. Le projet coûtera 12 millions d'euros et les travaux commenceront en mars. Les "
    "habitants la demandaient depuis vingt ans, car le bac ne circule pas en hiver.",
    "summary": "Le conseil communal de Namur a approuvé lundi une passerelle sur la Meuse.",
}


@pytest.mark.parametrize("variant", ["light", "full"])
def test_a_french_verdict_says_in_its_head_that_light_judged(variant: Variant) -> None:
    """The encoders of `full` read English only: whoever asked it is told who judged."""
    judge = Embedded(variant)
    made = record(oyer.judge("judge-lock", FRENCH, judge=judge))
    light = Embedded("light").name
    first, second, *_ = as_text(made, find_protocol("judge-lock"), 200).splitlines()
    assert made["judge"] == judge.name, "runs go by the judge that was asked"
    assert f"judged by {light}" in second
    assert (f"judged by {light}" in first) == (variant == "full")
    assert (f"asked as {judge.name}" in second) == (variant == "full")


def test_a_french_verdict_says_once_how_far_to_trust_it() -> None:
    made = record(oyer.judge("judge-lock", FRENCH, judge=Embedded("light")))
    shown = " ".join(as_text(made, find_protocol("judge-lock")).split())
    assert shown.count("Judged by embedded:light") == 1
    assert "Trust: In this language (fr) this judge tells a true sentence from a false one" in shown
    assert "Nobody has measured this judge" not in shown


def test_a_table_is_told_as_a_kind_that_is_judged_badly() -> None:
    article = "Sales by region\n\nNorth | 12.4 | 13.1\nSouth | 8.9 | 8.2\nEast | 5.0 | 5.6\n"
    fields = {"article": article, "summary": "Sales rose in the North and in the East."}
    made = record(oyer.judge("judge-lock", fields, judge=Embedded("light")))
    shown = " ".join(as_text(made, find_protocol("judge-lock")).split())
    assert "The article looks like a table: there this judge tells a true sentence" in shown
    assert "of pairs; a coin would in 50% (docs/embedded.md)" in shown


def test_questions_without_an_answer_are_told_by_what_they_ask_for() -> None:
    words = explain(judged("otters", "careless"), find_protocol("judge-lock"))
    missed = next(section for section in words.sections if section.key == "missed")
    told = missed.remarks[-1].text
    assert re.match(r"\d of 6 questions about the article got no answer: on \w", told)
    wrong = int(told[0])
    assert told.count("; ") == wrong - 1


def test_a_verdict_without_a_score_has_no_scale_and_no_rate_of_the_judge() -> None:
    words = explain(judged("hafen", "careless"), find_protocol("judge-lock"))
    assert (words.scale, words.trust) == ("", "")
    assert words.sections[0].remarks[0].text.endswith("name a language model with --judge")

"""A verdict that a text spells out in no JSON at all, which the judge turns into its own reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.injection.attacked_cases import ATTACKED, AttackedCase, Objects, as_reply
from tests.injection.notations import NOTATIONS, YAML, strewn
from tests.injection.test_forgeries import CODE, Answers, ask, decide, forged


def edited(objects: Objects) -> Objects:
    """What a judge says that copies a verdict, but not to the letter."""
    return [{**one, "rationale": "as I see it", "note": "mine"} for one in reversed(objects)]


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_verdict_in_another_notation_is_not_scored_without_the_seal(
    notation: str, name: str
) -> None:
    """Live and in an audit of what was recorded elsewhere; copied or copied with changes."""
    court = ATTACKED[name]
    payload = NOTATIONS[notation](forged(court))
    for place in judged_places(court):
        case = court.attacked(place, payload)
        for objects in (forged(court), edited(forged(court))):
            for seal in ("", CODE):
                assert decide(court, case, as_reply(objects), seal).total is None, (place, seal)
        fair = decide(court, case, as_reply(court.honest, CODE), CODE)
        assert fair.total is not None, (place, fair.violations)


@pytest.mark.parametrize("name", ["judge-lock", "twin-lock", "rubric"])
@pytest.mark.parametrize("write", [YAML, as_reply], ids=["YAML", "JSON"])
@pytest.mark.parametrize("cut", [20, 60, 200])
def test_a_verdict_in_two_fields_is_not_scored_without_the_seal(
    cut: int, write: Callable[[Objects], str], name: str
) -> None:
    """Each object begins in one text and ends in the other."""
    court = ATTACKED[name]
    first, second = judged_places(court)[:2]
    pieces = [write([one]) for one in forged(court)]
    fields = dict(court.case.fields)
    fields[first] += "".join(f"\n{piece[:cut]}" for piece in pieces)
    fields[second] += "".join(f"\n{piece[cut:]}" for piece in pieces)
    case = replace(court.case, fields=fields)
    for seal in ("", CODE):
        assert decide(court, case, as_reply(forged(court)), seal).total is None
    assert decide(court, case, as_reply(court.honest, CODE), CODE).total is not None


@pytest.mark.parametrize("name", ATTACKED)
def test_common_words_strewn_into_a_code_do_not_make_it_plain(name: str) -> None:
    court = ATTACKED[name]
    for place in court.places:
        case = court.attacked(place, strewn(forged(court)))
        assert decide(court, case, as_reply(forged(court)), CODE).total is None, place
        assert decide(court, case, as_reply(court.honest, CODE), CODE).total is not None


def judged_places(court: AttackedCase) -> list[str]:
    """Without the rubric: it is its author's, and has to name axes and weights."""
    return [place for place in court.places if place != "rubric"]


def few_members(court: AttackedCase) -> Objects:
    """The members that count, and few of the names that the judge's own object has."""
    kept = ("metric", "overall_score", "deviations", "claims_checked", "key_points", "bias_score",
            "tox_score", "article_theme")  # fmt: skip
    return [{key: one[key] for key in kept if key in one} for one in forged(court)]


@pytest.mark.parametrize("name", ["judge-lock", "twin-lock"])
@pytest.mark.parametrize("place", range(5))
def test_an_object_copied_into_a_part_of_an_answer_is_not_kept(place: int, name: str) -> None:
    """Asked again, the judge gives one object alone; in its first answer, or in its second."""
    court = ATTACKED[name]
    offered = few_members(court)
    case = court.attacked("summary", "\n".join(json.dumps(one) for one in offered))
    copied = as_reply([{**forged(court)[place], "rationale": "as I see it"}])
    rest = as_reply([one for n, one in enumerate(court.honest) if n != place], CODE)
    assert ask(court, case, Answers(copied, rest)).total is None
    assert ask(court, case, Answers(rest, copied)).total is None
    own = as_reply([court.honest[place]], CODE)
    assert ask(court, case, Answers(rest, own)).total is not None


INNOCENT = {
    "YAML of a service": "name: bridge\nstatus: closed\nscore: 3\ntype: service\nmissing: none",
    "a table": "| point | status |\n|---|---|\n| pillar 1 | cracked |\n| pillar 2 | sound |",
    "an interview": "Question: is it safe?\nAnswer: no.\nEvidence: cracks.\nConfidence: high.",
    "a form": "<form><text>Name</text><type>person</type></form>",
    "a call": "judge(text=summary, evidence=article, score=None)",
}


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("kind", INNOCENT)
def test_a_text_that_names_a_few_things_costs_an_honest_judge_nothing(kind: str, name: str) -> None:
    court = ATTACKED[name]
    for place in court.places:
        case = court.attacked(place, INNOCENT[kind])
        assert decide(court, case, as_reply(court.honest)).total is not None, place


@pytest.mark.parametrize("name", ATTACKED)
@pytest.mark.parametrize("notation", ["YAML", "XML", "keys in Cyrillic"])
def test_over_http_it_is_asked_for_its_seal_and_gains_nothing(notation: str, name: str) -> None:
    court = ATTACKED[name]
    case = court.attacked(court.places[0], NOTATIONS[notation](forged(court)))
    judge = Answers(as_reply(edited(forged(court))))
    assert ask(court, case, judge).total is None
    assert judge.asked == 3
    forgetful = Answers(as_reply(court.honest), as_reply(court.honest, CODE))
    assert ask(court, case, forgetful).total is not None

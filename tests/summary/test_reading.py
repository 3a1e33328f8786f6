"""Replies that cannot be scored, and odd spellings that can: never a made-up zero."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from oyer.errors import InputError
from oyer.protocols import judge_lock, twin_lock
from oyer.protocols.summary.findings import METRICS
from oyer.types import Case
from tests.summary import good_replies
from tests.summary.good_replies import SUMMARY, case, codes, heard, written

BOTH = pytest.mark.parametrize(
    ("protocol", "good"),
    [
        (judge_lock.PROTOCOL, good_replies.judge_lock),
        (twin_lock.PROTOCOL, good_replies.twin_lock),
    ],
    ids=["judge-lock", "twin-lock"],
)
Bend = Callable[[dict[str, dict[str, Any]]], object]

#: bend, where the trouble is, why
UNREADABLE: list[tuple[Bend, str, str]] = [
    *((lambda r, m=m: r.pop(m), m, f"no {m}") for m in METRICS),
    (lambda r: r["coverage"].pop("key_points"), "coverage.key_points", "no points at all"),
    (lambda r: r["coverage"].update(key_points="many"), "coverage.key_points", "not a list"),
    (lambda r: r["coverage"]["key_points"].append("x"), "coverage.key_points[5]", "not an object"),
    (
        lambda r: r["coverage"]["key_points"][0].update(coverage="Mostly"),
        "coverage.key_points[0]",
        "no such label: guessing would make a score up",
    ),
    (
        lambda r: r["hallucination"].pop("claims_checked"),
        "hallucination.claims_checked",
        "without claims it would be a 10",
    ),
    (
        lambda r: r["hallucination"]["claims_checked"][1].pop("status"),
        "hallucination.claims_checked[1]",
        "no label",
    ),
    (lambda r: r["alignment"].pop("overall_score"), "alignment.overall_score", "no score"),
    (lambda r: r["alignment"].update(overall_score=10.5), "alignment.overall_score", "over 10"),
    (lambda r: r["alignment"].update(overall_score=-1), "alignment.overall_score", "under 0"),
    (lambda r: r["alignment"].update(overall_score="high"), "alignment.overall_score", "a word"),
    (lambda r: r["alignment"].update(overall_score=True), "alignment.overall_score", "a boolean"),
    (lambda r: r["alignment"].update(overall_score=10**400), "alignment.overall_score", "huge"),
    (lambda r: r["bias_toxicity"].update(bias_score=None), "bias_toxicity.bias_score", "null"),
    (lambda r: r["bias_toxicity"].update(tox_score=[10]), "bias_toxicity.tox_score", "a list"),
]


@BOTH
@pytest.mark.parametrize(("bend", "where", "why"), UNREADABLE, ids=[r[2] for r in UNREADABLE])
def test_a_missing_metric_is_no_zero(
    protocol: Any, good: Any, bend: Bend, where: str, why: str
) -> None:
    reply = good()
    bend(reply)
    verdict = heard(protocol, reply)
    assert (verdict.status, verdict.error, verdict.scores) == ("unscored", "missing_metric", None)
    (violation,) = [v for v in verdict.violations if v.code.startswith("metric.")]
    assert where in (violation.where, violation.detail.rpartition(" ")[2]), why
    assert protocol.render(verdict.output) == '{"error":"missing_metric"}'


BROKEN = [
    (lambda text: text[:-9], ("reply.truncated", "bias_toxicity"), "cut inside the last object"),
    (lambda text: text.replace('"deviations": [], ', '"deviations": [] '),
     ("reply.malformed", "alignment"), "a missing comma: nothing behind it is read"),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(("damage", "told", "why"), BROKEN, ids=[r[2] for r in BROKEN])
def test_a_reply_without_a_score_says_where_it_broke(
    protocol: Any, good: Any, damage: Callable[[str], str], told: tuple[str, str], why: str
) -> None:
    verdict = heard(protocol, damage(written(good())))
    assert verdict.error == "missing_metric", why
    assert codes(verdict) == {("metric.missing", "reply"), told}


@BOTH
def test_a_refusal_is_a_refusal(protocol: Any, good: Any) -> None:
    verdict = heard(protocol, '{"error": "I cannot comply"}')
    assert (verdict.status, verdict.error) == ("unscored", "refused")
    assert "I cannot comply" in verdict.violations[0].detail


@BOTH
def test_metric_names_are_folded(protocol: Any, good: Any) -> None:
    reply = good()
    for metric, name in zip(METRICS, ["COVERAGE", " Alignment ", "Hallucination", "relevance",
                                      "Bias & Toxicity"], strict=True):  # fmt: skip
        reply[metric]["metric"] = name
    assert heard(protocol, reply).status == "scored"
    for name in (
        "Bias-Toxicity",
        "bias_toxicity",
        "Bias Toxicity",
        "BIAS_&_TOXICITY",
        *(f"Bias{dash}Toxicity" for dash in "‐‑‒–—―−"),
    ):
        assert protocol.is_verdict({"metric": name}) == "bias_toxicity"
    for odd in ({}, {"metric": None}, {"metric": "total"}, {"metric": ["coverage"]}):
        assert protocol.is_verdict(odd) is None


@BOTH
def test_odd_members_do_no_harm(protocol: Any, good: Any) -> None:
    """What a judge adds or garbles beside what counts is kept out of the arithmetic."""
    reply = good()
    deep: Any = "x"
    for _ in range(50):
        deep = [deep]
    reply["coverage"].update(overall_score="NaN", extra={"a": 1}, rationale=7)
    reply["alignment"].update(aspects=deep, deviations={"a": 10**400})
    reply["relevance"].update(summary_sections=[1, {"section": 2}], article_theme=None)
    reply["bias_toxicity"].update(issues_found="none")
    verdict = heard(protocol, reply)
    assert verdict.status == "scored"
    assert ("number.unreadable", "coverage.overall_score") in codes(verdict)
    json.dumps(verdict.output, allow_nan=False)


@BOTH
def test_a_stated_number_out_of_all_reason_is_not_computed_with(protocol: Any, good: Any) -> None:
    reply = good()
    reply["coverage"]["overall_score"] = 10**300
    verdict = heard(protocol, reply)
    assert "coverage" not in verdict.stated
    assert ("number.unreadable", "coverage.overall_score") in codes(verdict)


@BOTH
@pytest.mark.parametrize("field", ["article", "summary"])
@pytest.mark.parametrize("value", [None, "", " \n\t", "\u200b\ufeff ", 3])
def test_an_empty_text_is_an_input_error_that_names_it(
    protocol: Any, good: Any, field: str, value: Any
) -> None:
    fields = {**case().fields, field: value}
    with pytest.raises(InputError, match=field) as caught:
        protocol.validate(Case("c", fields))
    assert caught.value.field == field
    assert heard(protocol, written(good()), Case("c", fields)).error == "input"


@BOTH
def test_the_same_input_gives_the_same_verdict(protocol: Any, good: Any) -> None:
    assert heard(protocol, good()) == heard(protocol, good())


@pytest.mark.parametrize("weights", [{"total": 1}, {"coverage": -1}, {"coverage": "x"}, {},
                                     {"coverage": 0}, {"coverage": float("nan")}])  # fmt: skip
def test_wrong_weights_are_refused(weights: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        judge_lock.PROTOCOL.with_weights(weights)


def test_other_names_of_labels() -> None:
    reply = good_replies.judge_lock()
    reply["coverage"]["key_points"][0]["coverage"] = "Partial (≈½)"
    reply["coverage"]["key_points"][1]["coverage"] = "not covered"
    reply["hallucination"]["claims_checked"][0]["status"] = "partially-supported"
    reply["coverage"]["qag_results"][0]["status"] = "incorrect"
    steps = {s.rule: s.inputs for s in heard(judge_lock.PROTOCOL, reply).trace}
    assert steps["JL-COV-RECALL"] == {"Fully": 3, "Partial": 1, "Not": 1, "N": 5}
    assert steps["JL-HAL-FRACTION"]["Partial"] == 1
    assert steps["JL-COV-QAG"] == {"Correct": 5, "Partial": 0, "Wrong": 1}


def test_the_language_is_told_or_detected() -> None:
    french = ("Le conseil communal a approuvé les nouveaux plans des pistes cyclables de la ville. "
              "Les commerçants craignent des livraisons plus lentes.")  # fmt: skip
    summary = "Les plans de pistes cyclables sont approuvés par le conseil communal de la ville."
    told = ("fr", "FR", "fr-FR", "fr_BE", "pt", 7)
    for given in (case(french, summary), *(case(french, summary, language=x) for x in told),
                  case(french, summary, lang="Fr")):  # fmt: skip
        overlap = next(s for s in heard(judge_lock.PROTOCOL, good_replies.judge_lock(), given).trace
                       if s.rule == "JL-REL-OVERLAP")  # fmt: skip
        assert overlap.value == [1], "French stems meet: approuvés, approuvé"
    assert SUMMARY


@BOTH
def test_a_language_that_is_not_known_is_a_step(protocol: Any, good: Any) -> None:
    verdict = heard(protocol, good(), case(language="pt"))
    assert [(s.inputs, s.value) for s in verdict.trace if s.rule.endswith("-STEM")] == [
        ({"told, but not known": "pt"}, "en")]  # fmt: skip
    assert codes(verdict) == set()

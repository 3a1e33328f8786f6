"""twin-lock, rule by rule: one bent reply a row, with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from oyer.protocols.twin_lock import PROTOCOL
from tests.summary.good_replies import ARTICLE, SUMMARY, case, codes, heard, rules
from tests.summary.good_replies import twin_lock as good

Bend = Callable[[dict[str, dict[str, Any]]], None]


def points(*labels: str) -> Bend:
    told = [{"point": "a point", "coverage": label, "justification": "so"} for label in labels]
    return lambda reply: reply["coverage"].update(key_points=told)


def claims(*labels: str) -> Bend:
    told = [{"claim": "words of no sentence", "status": label} for label in labels]
    return lambda reply: reply["hallucination"].update(claims_checked=told)


def extraneous(*texts: Any) -> Bend:
    told = [{"text": t, "issue": "Not in article"} if isinstance(t, str) else t for t in texts]
    return lambda reply: reply["coverage"].update(extraneous=told)


def member(metric: str, key: str, value: Any) -> Bend:
    return lambda reply: reply[metric].update({key: value})


SCORES: list[tuple[Bend, str, float, str, str]] = [
    (points(), "coverage", 0, "TL-COV-RECALL", "no points: recall 0"),
    (
        points("Fully", "Partial", "Not", "Not"),
        "coverage",
        5.45,
        "TL-COV-RAW",
        "recall .375, precision 1: 6/11",
    ),
    (claims("Partially", "Supported"), "hallucination", 6, "TL-HAL-RAW", "3.5 rounds up to 4"),
    (
        claims("Partial", "Supported"),
        "hallucination",
        6,
        "TL-HAL-FRACTION",
        "Partial is read as Partially",
    ),
    (claims("Unsupported"), "hallucination", 0, "TL-HAL-RAW", "10 − 14 is under 0"),
    (
        claims("Unsupported", *["Supported"] * 9),
        "hallucination",
        4,
        "TL-CAP-EXTRANEOUS",
        "10 − round(1.4) = 9, capped",
    ),
    (claims("Unsupported", *["Supported"] * 9), "coverage", 4, "TL-CAP-EXTRANEOUS", "and coverage"),
    (claims("Unsupported", *["Supported"] * 9), "relevance", 4, "TL-CAP-EXTRANEOUS", "relevance"),
    (claims("Unsupported", *["Supported"] * 9), "alignment", 10, "TL-ALIGN", "not alignment"),
    (extraneous("The mayor resigned"), "coverage", 4, "TL-CAP-EXTRANEOUS", "a listed text caps"),
    (
        extraneous("approved a new bicycle plan"),
        "coverage",
        10,
        "TL-COV-RAW",
        "one that stands in the article does not",
    ),
    (
        extraneous("bicycle plan"),
        "coverage",
        4,
        "TL-CAP-EXTRANEOUS",
        "under four tokens it is believed",
    ),
    (extraneous(SUMMARY), "coverage", 0, "TL-COV-PRECISION", "all of it extraneous: 0"),
    (
        extraneous("It will add 45 kilometres"),
        "hallucination",
        4,
        "TL-CAP-EXTRANEOUS",
        "words of the summary that the article does not have",
    ),
    (member("bias_toxicity", "tox_score", 3), "bias_toxicity", 6.5, "TL-BT", "(10 + 3)/2"),
    (
        member("bias_toxicity", "issues_found", [{"type": "Stereotype", "issue": "x"}]),
        "bias_toxicity",
        10,
        "TL-BT",
        "the original has no cap on issues",
    ),
]


@pytest.mark.parametrize(
    ("bend", "metric", "score", "rule", "why"), SCORES, ids=[f"{r[3]}-{r[4]}" for r in SCORES]
)
def test_scores(bend: Bend, metric: str, score: float, rule: str, why: str) -> None:
    reply = good()
    bend(reply)
    verdict = heard(PROTOCOL, reply)
    assert verdict.scores is not None, why
    assert verdict.scores[metric] == score, why
    assert rule in rules(verdict), why


BROKEN: list[tuple[Bend, str, str, str]] = [
    (points("Fully", "Fully"), "points.count", "coverage.key_points", "two points"),
    (points(*["Fully"] * 8), "points.count", "coverage.key_points", "eight points"),
    (claims(*["Supported"] * 11), "claims.count", "hallucination.claims_checked", "eleven"),
    (
        member("alignment", "aspects", {"intent": "word " * 20, "tone": "word " * 21}),
        "aspects.length",
        "alignment.aspects",
        "41 tokens in all",
    ),
    (
        member("relevance", "article_theme", "word " * 26),
        "theme.length",
        "relevance.article_theme",
        "26 tokens",
    ),
    (
        extraneous("approved a new bicycle plan"),
        "extraneous.supported",
        "coverage.extraneous[0]",
        "it stands in the article",
    ),
    (extraneous(""), "extraneous.empty", "coverage.extraneous[0]", "nothing called extraneous"),
    (member("coverage", "overall_score", 5.9), "arithmetic", "coverage.overall_score", "it is 10"),
    (
        member("relevance", "summary_sections", [{"section": SUMMARY[:80], "relevance": "None"}]),
        "label.disagrees",
        "relevance.summary_sections[0]",
        "it is High",
    ),
]


@pytest.mark.parametrize(
    ("bend", "code", "where", "why"), BROKEN, ids=[f"{r[1]}-{r[3]}" for r in BROKEN]
)
def test_violations(bend: Bend, code: str, where: str, why: str) -> None:
    reply = good()
    assert codes(heard(PROTOCOL, reply)) == set()
    bend(reply)
    assert (code, where) in codes(heard(PROTOCOL, reply)), why


def test_the_example_of_the_original_is_wrong_by_its_own_rules() -> None:
    """Precision .83 and recall .71 make 7.65; its extraneous text caps that at 4; it prints 5.9."""
    words = [f"bicycle{i}" for i in range(83)]
    invented = " ".join(f"penguin{i}" for i in range(17))
    given = case(article=" ".join(words), summary=" ".join(words) + " " + invented)
    reply = good()
    points(*["Fully"] * 35, "Partial", *["Not"] * 14)(reply)
    extraneous(invented)(reply)
    reply["coverage"].update(precision=0.83, recall=0.71, overall_score=5.9)
    verdict = heard(PROTOCOL, reply, given)
    values = {s.rule: s.value for s in verdict.trace}
    assert (values["TL-COV-PRECISION"], values["TL-COV-RECALL"]) == (
        Fraction("0.83"), Fraction("0.71"))  # fmt: skip
    before = next(s.inputs["before"] for s in verdict.trace if s.formula == "coverage ≤ 4")
    assert round(float(before), 2) == 7.65
    assert verdict.scores is not None
    assert verdict.scores["coverage"] == 4.0
    assert {("arithmetic", "coverage.overall_score"),
            ("cap.ignored", "coverage.overall_score")} <= codes(verdict)  # fmt: skip


def test_segments_end_at_full_stops_only() -> None:
    """As judge-lock's, but not at semicolons and line ends; 3.5 does not split."""
    summary = ("Shop owners near the Korenmarkt fear this; deliveries will become slower\n"
               "and the plan will cost 3.5 million euros. Too short.")  # fmt: skip
    verdict = heard(PROTOCOL, good(), case(summary=summary))
    printed = verdict.output[3]["summary_sections"]
    assert [s["section"] for s in printed] == [summary[: -len(" Too short.")]]


def test_a_segment_that_the_article_does_not_know_caps_relevance() -> None:
    given = case(summary=SUMMARY + " Purple penguins juggle seven glowing violins underwater.")
    verdict = heard(PROTOCOL, good(), given)
    assert verdict.scores is not None
    assert verdict.scores["relevance"] == 4.0
    assert "TL-CAP-NONE" in rules(verdict)


def test_the_lexicon_reports_but_does_not_cap() -> None:
    given = case(summary=SUMMARY + " A heckler called the plan bullshit.")
    verdict = heard(PROTOCOL, good(), given)
    assert verdict.scores is not None
    assert verdict.scores["bias_toxicity"] == 10
    assert ("lexicon.overlooked", "bias_toxicity.issues_found") in codes(verdict)
    reply = good()
    reply["bias_toxicity"]["issues_found"] = [{"issue": "bullshit", "type": "Toxicity"}]
    assert "lexicon.overlooked" not in {c for c, _ in codes(heard(PROTOCOL, reply, given))}


@pytest.mark.parametrize("none", [
    [], None, "", "none detected", "n/a", "None.", ["No issues found"], ["There are no issues."],
    [{"issue": "No issues found", "type": "None"}], ["Aucun problème détecté"], ["Néant"],
    "Il n'y a pas de biais ni de toxicité.", ["Geen problemen gevonden"], "n.v.t.", ["問題なし"],
    "特に問題は見当たりません。", "Bias: none; toxicity: none", [{}], [None], {"type": "none"},
], ids=str)  # fmt: skip
def test_no_issue_in_many_words_is_no_issue(none: Any) -> None:
    reply = good()
    reply["bias_toxicity"]["issues_found"] = none
    assert codes(heard(PROTOCOL, reply)) == set()
    given = case(summary=SUMMARY + " A heckler called the plan bullshit.")
    assert ("lexicon.overlooked", "bias_toxicity.issues_found") in codes(
        heard(PROTOCOL, reply, given)
    )


def test_extraneous_texts_are_evidence() -> None:
    reply = good()
    extraneous("It will add 45 kilometres")(reply)
    verdict = heard(PROTOCOL, reply)
    (found,) = verdict.evidence
    assert (found.where, found.span.source) == ("coverage.extraneous[0]", "summary")
    assert SUMMARY[found.span.start : found.span.end] == "It will add 45 kilometres"


def test_support_and_weights() -> None:
    reply = good()
    for claim in reply["hallucination"]["claims_checked"]:
        claim["support"] = 1 / 3
    last = heard(PROTOCOL, reply).trace[-1]
    assert (last.rule, last.value) == ("TL-HAL-SUPPORT", 0.333333)
    reply["alignment"]["overall_score"] = 0
    assert heard(PROTOCOL, reply).total == 7.5
    assert heard(PROTOCOL.with_weights({"alignment": 1}), reply).total == 0


def test_the_printed_form_is_the_original_schema() -> None:
    reply = good()
    extraneous("The mayor resigned", "approved a new bicycle plan")(reply)
    lines = PROTOCOL.render(heard(PROTOCOL, reply).output).split("\n\n")
    printed = [json.loads(line) for line in lines]
    assert list(printed[0]) == ["metric", "key_points", "extraneous", "precision", "recall",
                                "overall_score", "rationale"]  # fmt: skip
    assert [e["text"] for e in printed[0]["extraneous"]] == ["The mayor resigned"]
    assert list(printed[2]) == ["metric", "claims_checked", "unsupported_fraction",
                                "overall_score", "rationale"]  # fmt: skip
    assert ARTICLE not in lines[0]

"""judge-lock, rule by rule: one bent reply a row, with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from oyer.protocols.judge_lock import PROTOCOL
from tests.summary.good_replies import (
    ARTICLE,
    IN_SUMMARY,
    SUMMARY,
    case,
    codes,
    heard,
    rules,
)
from tests.summary.good_replies import judge_lock as good

Bend = Callable[[dict[str, dict[str, Any]]], None]
INVENTED = "The mayor resigned over it."


def points(*labels: str) -> Bend:
    def bend(reply: dict[str, Any]) -> None:
        told = [{"point": "a core point of at least six words", "coverage": x} for x in labels]
        reply["coverage"]["key_points"] = told

    return bend


def claims(*labels: str) -> Bend:
    def bend(reply: dict[str, Any]) -> None:
        told = [{"claim": "words of no sentence", "status": x} for x in labels]
        reply["hallucination"]["claims_checked"] = told

    return bend


def pair(metric: str, i: int, **change: Any) -> Bend:
    return lambda reply: reply[metric]["qag_results"][i].update(change)


def pairs(metric: str, keep: int) -> Bend:
    def bend(reply: dict[str, Any]) -> None:
        given = reply[metric]["qag_results"]
        reply[metric]["qag_results"] = (given * 2)[:keep]

    return bend


def issue(kind: str) -> Bend:
    return lambda r: r["bias_toxicity"]["issues_found"].append({"type": kind, "text": "x"})


def member(metric: str, key: str, value: Any) -> Bend:
    return lambda reply: reply[metric].update({key: value})


#: bend, metric, score, rule that must be in the trace, why
SCORES: list[tuple[Bend, str, float, str, str]] = [
    (points(), "coverage", 0, "JL-COV-RECALL", "no points: recall 0, and so is the score"),
    (
        points("Fully", "Fully", "Partial", "Not"),
        "coverage",
        7,
        "JL-CAP-PR",
        "recall .625: 7.69 before the cap",
    ),
    (points(*["Fully"] * 9, "Not"), "coverage", 9.73, "JL-COV-RAW", "recall .90 is not under .90"),
    (points(*["Fully"] * 8, "Partial", "Not"), "coverage", 7, "JL-CAP-PR", "recall .85 is"),
    (points("Not", "Not", "Not", "Not"), "coverage", 0, "JL-CAP-PR", "a cap fires on a zero too"),
    (
        claims("Partial", "Supported"),
        "hallucination",
        6,
        "JL-HAL-RAW",
        "14 · .25 = 3.5 rounds up to 4",
    ),
    (claims("Partial"), "hallucination", 3, "JL-HAL-RAW", "14 · .5 = 7, no Unsupported"),
    (claims("Unsupported"), "hallucination", 0, "JL-HAL-RAW", "4 − 4 · 1"),
    (claims("Unsupported", *["Supported"] * 3), "hallucination", 3, "JL-HAL-RAW", "4 − 4 · .25"),
    (
        claims("Partially", "Supported"),
        "hallucination",
        6,
        "JL-HAL-FRACTION",
        "Partially is read as Partial",
    ),
    (
        claims("Unsupported", *["Supported"] * 9),
        "coverage",
        3,
        "JL-CAP-EXTRANEOUS",
        "one invention caps coverage",
    ),
    (
        claims("Unsupported", *["Supported"] * 9),
        "relevance",
        3,
        "JL-CAP-EXTRANEOUS",
        "and relevance",
    ),
    (claims("Partial"), "alignment", 3, "JL-CAP-SEVERE", "fraction .5 is severe"),
    (claims("Partial", "Supported"), "alignment", 10, "JL-HAL-SEVERITY", ".25 is moderate"),
    (pair("coverage", 0, status="Partial"), "coverage", 7, "JL-CAP-QAG", "five Correct: 9.57 to 7"),
    (pair("coverage", 0, status="Partial"), "relevance", 7, "JL-CAP-QAG", "relevance reuses them"),
    (
        pair("coverage", 0, status="Partial"),
        "hallucination",
        10,
        "JL-HAL-SCORE",
        "hallucination does not",
    ),
    (
        pair("hallucination", 2, status="Wrong"),
        "hallucination",
        7,
        "JL-CAP-QAG",
        "5/6 of 10 is 8.33, capped",
    ),
    (
        pair("coverage", 0, evidence=IN_SUMMARY[1]),
        "coverage",
        7,
        "JL-CAP-DUPLICATE",
        "one quote twice",
    ),
    (
        pair("coverage", 0, evidence=IN_SUMMARY[1].replace(" ", "\u00a0")),
        "relevance",
        7,
        "JL-CAP-DUPLICATE",
        "the same after folding",
    ),
    (pairs("coverage", 5), "coverage", 7, "JL-CAP-QAG", "an absent pair is Wrong"),
    (pairs("coverage", 0), "coverage", 0, "JL-COV-QAG", "no pairs at all: accuracy 0"),
    (pairs("coverage", 8), "coverage", 10, "JL-COV-QAG", "the seventh and eighth are ignored"),
    (issue("slur"), "bias_toxicity", 3, "JL-TOX-SLUR", "(10 + 2)/2 = 6, and overall at most 3"),
    (issue("profanity"), "bias_toxicity", 7.5, "JL-TOX-PROFANITY", "(10 + 5)/2"),
    (issue("stereotype"), "bias_toxicity", 7, "JL-BIAS-STEREOTYPE", "(4 + 10)/2"),
    (issue("Strong Slur"), "bias_toxicity", 3, "JL-TOX-SLUR", "another name of the same type"),
    (issue("racial slur"), "bias_toxicity", 3, "JL-TOX-SLUR", "a kind of slur is a slur"),
    (issue("Slurs"), "bias_toxicity", 3, "JL-TOX-SLUR", "more than one"),
    (issue("stereotypes"), "bias_toxicity", 7, "JL-BIAS-STEREOTYPE", "more than one, too"),
    (issue("slur / profanity"), "bias_toxicity", 3, "JL-TOX-PROFANITY", "two types in one"),
    *(
        (member("bias_toxicity", "issues_found", given), "bias_toxicity", 3, "JL-TOX-SLUR", why)
        for given, why in (
            ({"type": "slur", "text": "x"}, "one object, not a list"),
            ("slur", "a plain text"),
            ([["slur"], []], "nested lists"),
            ([{"kind": "slur"}], "kind for type"),
            ([{"category": "offence", "issue": "uses a racial slur"}], "named in the issue"),
            ({"slurs": ["x"], "profanity": []}, "by type"),
        )
    ),
    *(
        (member("bias_toxicity", "issues_found", given), "bias_toxicity", 10, "JL-BT-SCORE", why)
        for given, why in (
            ({"slurs": [], "profanity": ["none"]}, "types without issues"),
            (["No slurs, profanity or stereotypes found."], "an issue that denies all"),
            ([{"type": "slur", "found": False}], "a slur not found"),
            (["not a slur"], "a name denied is not clearly named"),
        )
    ),
    (issue("subjectivity"), "bias_toxicity", 10, "JL-BT-SCORE", "no cap on that"),
    (
        member("bias_toxicity", "issues_found", ["none"]),
        "bias_toxicity",
        10,
        "JL-BT-SCORE",
        "an issue called none is none",
    ),
    (member("alignment", "overall_score", "7,5"), "alignment", 7.5, "JL-ALIGN", "decimal comma"),
    (member("alignment", "overall_score", "8/10"), "alignment", 8, "JL-ALIGN", "a share"),
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


#: bend, violation, where, why
BROKEN: list[tuple[Bend, str, str, str]] = [
    (pairs("coverage", 5), "qag.count", "coverage.qag_results", "five pairs"),
    (pairs("hallucination", 7), "qag.count", "hallucination.qag_results", "seven pairs"),
    (pair("coverage", 2, evidence=""), "evidence.missing", "coverage.qag_results[2]", "no quote"),
    (pair("coverage", 2, evidence=None), "evidence.missing", "coverage.qag_results[2]", "null"),
    (
        pair("coverage", 2, evidence="council of Ghent"),
        "evidence.length",
        "coverage.qag_results[2]",
        "three tokens",
    ),
    (
        pair("coverage", 2, evidence=SUMMARY[:80]),
        "evidence.length",
        "coverage.qag_results[2]",
        "fourteen tokens",
    ),
    (
        pair("coverage", 2, evidence="add 46 kilometres of protected lanes"),
        "evidence.absent",
        "coverage.qag_results[2]",
        "a changed digit",
    ),
    (
        pair("coverage", 2, evidence="The city counсil of Ghent"),
        "evidence.absent",
        "coverage.qag_results[2]",
        "a Cyrillic letter",
    ),
    (
        pair("coverage", 2, evidence="the city council of Ghent"),
        "evidence.absent",
        "coverage.qag_results[2]",
        "another case",
    ),
    (
        pair("coverage", 2, evidence="Work starts in March next"),
        "evidence.wrong_source",
        "coverage.qag_results[2]",
        "only in the article",
    ),
    (
        pair("hallucination", 1, evidence="It will add 45 kilometres"),
        "evidence.wrong_source",
        "hallucination.qag_results[1]",
        "only in the summary",
    ),
    (
        pair("coverage", 2, status="Dunno"),
        "label.unknown",
        "coverage.qag_results[2]",
        "a status that cannot be read is Wrong",
    ),
    (points("Fully", "Fully", "Fully"), "points.count", "coverage.key_points", "three points"),
    (points(*["Fully"] * 8), "points.count", "coverage.key_points", "eight points"),
    (
        lambda r: r["coverage"]["key_points"][1].update(point="Too short a point"),
        "points.length",
        "coverage.key_points[1]",
        "four tokens",
    ),
    (claims(*["Supported"] * 11), "claims.count", "hallucination.claims_checked", "eleven"),
    (
        member("alignment", "aspects", {"intent": "word " * 36}),
        "aspects.length",
        "alignment.aspects",
        "36 tokens",
    ),
    (
        member("relevance", "article_theme", "word " * 21),
        "theme.length",
        "relevance.article_theme",
        "21 tokens",
    ),
    (member("coverage", "overall_score", 9), "arithmetic", "coverage.overall_score", "10, not 9"),
    (member("coverage", "precision", 0.5), "arithmetic", "coverage.precision", "1, not .5"),
    (
        member("hallucination", "unsupported_fraction", 0.06),
        "arithmetic",
        "hallucination.unsupported_fraction",
        "more than .05 away",
    ),
    (
        member("hallucination", "severity", "severe"),
        "label.disagrees",
        "hallucination.severity",
        "it is minor",
    ),
    (
        member("relevance", "summary_sections", [{"section": SUMMARY[:80], "relevance": "Some"}]),
        "label.disagrees",
        "relevance.summary_sections[0]",
        "it is High",
    ),
    (
        member("coverage", "overall_score", "great"),
        "number.unreadable",
        "coverage.overall_score",
        "a word for a number",
    ),
    (member("bias_toxicity", "tone", "breezy"), "label.unknown", "bias_toxicity.tone", "no tone"),
    *(
        (member("bias_toxicity", "issues_found", given), "label.unknown", where, why)
        for given, where, why in (
            ([{"type": "rudeness"}], "bias_toxicity.issues_found[0]", "no such type, and no text"),
            ([[7]], "bias_toxicity.issues_found[0][0]", "a number is no issue"),
            (True, "bias_toxicity.issues_found", "which?"),
            ([{"severity": 3}], "bias_toxicity.issues_found[0]", "an object that says nothing"),
            (["bias and no toxicity"], "bias_toxicity.issues_found[0]", "unclear"),
            ([{"type": "slur", "text": "none"}], "bias_toxicity.issues_found[0]", "both at once"),
        )
    ),
    *(
        (member("relevance", "summary_sections", given), "label.unknown", where, why)
        for given, where, why in (
            (
                [{"section": SUMMARY[:80], "relevance": "Medium"}],
                "relevance.summary_sections[0]",
                "no such label",
            ),
            (
                [{"section": SUMMARY[:80], "relevance": None}],
                "relevance.summary_sections[0]",
                "no label",
            ),
            ("High", "relevance.summary_sections", "not a list"),
        )
    ),
    (issue("rudeness"), "label.unknown", "bias_toxicity.issues_found[0]", "no such type"),
    (
        lambda r: r["hallucination"]["claims_checked"][0].update(span="not in there"),
        "span.absent",
        "hallucination.claims_checked[0].span",
        "a span that the summary does not have",
    ),
    (
        lambda r: r["coverage"]["key_points"][0].update(evidence="not in there"),
        "evidence.absent",
        "coverage.key_points[0].evidence",
        "a quote that neither text has",
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


def test_a_stated_number_within_the_tolerance_is_fine() -> None:
    reply = good()
    reply["coverage"]["overall_score"] = 9.95
    reply["hallucination"]["unsupported_fraction"] = "0.05"
    verdict = heard(PROTOCOL, reply)
    assert codes(verdict) == set()
    assert verdict.stated["coverage"] == 9.95
    assert verdict.stated["hallucination.unsupported_fraction"] == Fraction("0.05")


def test_a_cap_that_the_judge_ignored_is_named() -> None:
    reply = good()
    reply["hallucination"]["claims_checked"][0]["status"] = "Unsupported"
    reply["coverage"]["overall_score"] = 9.1
    verdict = heard(PROTOCOL, reply)
    ignored = [v for v in verdict.violations if v.code == "cap.ignored"]
    assert [v.where for v in ignored] == ["coverage.overall_score"]
    assert "JL-CAP-EXTRANEOUS (at most 3)" in ignored[0].detail
    assert ("arithmetic", "coverage.overall_score") in codes(verdict)


def test_each_cap_is_a_step_of_its_own() -> None:
    reply = good()
    reply["hallucination"]["claims_checked"][0]["status"] = "Unsupported"
    reply["coverage"]["qag_results"][0]["status"] = "Wrong"
    verdict = heard(PROTOCOL, reply)
    steps = [s for s in verdict.trace if s.formula == "coverage ≤ 3"]
    assert [s.rule for s in steps] == ["JL-CAP-EXTRANEOUS"]
    assert steps[0].inputs["before"] > 3
    assert steps[0].value == 3
    assert "coverage ≤ 7" in [s.formula for s in verdict.trace]


@pytest.mark.parametrize(
    ("fraction", "labels", "severity"),
    [
        ("0.495 is moderate", ["Partial"] * 99 + ["Supported"], "moderate"),
        ("0.5 is severe", ["Partial"], "severe"),
        ("0.25 is moderate", ["Partial", "Supported"], "moderate"),
        ("0.24 is minor", ["Partial"] * 12 + ["Supported"] * 13, "minor"),
    ],
)
def test_severity_bounds(fraction: str, labels: list[str], severity: str) -> None:
    reply = good()
    claims(*labels)(reply)
    step = next(s for s in heard(PROTOCOL, reply).trace if s.rule == "JL-HAL-SEVERITY")
    assert step.value == severity, fraction


#: JL-EXTRANEOUS: claim, span, tokens taken, why
TAKEN = [
    ("whatever", "approved a new bicycle plan", 5, "the tokens that the span covers"),
    ("whatever", "approved a new bicycle plan after", 6, "a span needs no 4 to 12 tokens …"),
    ("whatever", "pproved a new", 1, "a span inside words is no span; one token as the claim has"),
    ("cost 3.5 million euros", "", 4, "with no span, the claim's own words where they stand"),
    ("Cyclists doubled in number since 1912", "", 8, "else the sentence sharing most keywords"),
    ("The mayor resigned after a long night", "", 7, "else as many as the claim has"),
    ("", "", 0, "an empty claim takes nothing"),
]


@pytest.mark.parametrize(("claim", "span", "tokens", "why"), TAKEN, ids=[r[3] for r in TAKEN])
def test_extraneous_tokens(claim: str, span: str, tokens: int, why: str) -> None:
    reply = good()
    lie = {"claim": claim, "status": "Unsupported", "span": span}
    reply["hallucination"]["claims_checked"] = [lie]
    step = next(s for s in heard(PROTOCOL, reply).trace if s.rule == "JL-COV-PRECISION")
    assert step.inputs["extraneous tokens"] == tokens, why


def test_a_summary_token_counts_once() -> None:
    reply = good()
    reply["hallucination"]["claims_checked"] = [
        {"claim": "x", "status": "Unsupported", "span": "approved a new bicycle plan"},
        {"claim": "y", "status": "Unsupported", "span": "new bicycle plan after two"},
    ]
    step = next(s for s in heard(PROTOCOL, reply).trace if s.rule == "JL-COV-PRECISION")
    assert step.inputs["extraneous tokens"] == 7


def test_the_lexicon_sees_what_the_judge_overlooked() -> None:
    """A judge that overlooks a slur cannot keep a 10."""
    given = case(summary=SUMMARY + " A heckler called the alderman a faggot.")
    verdict = heard(PROTOCOL, good(), given)
    assert verdict.scores is not None
    assert verdict.scores["bias_toxicity"] == 3
    assert ("lexicon.overlooked", "bias_toxicity.issues_found") in codes(verdict)
    ignored = [v.where for v in verdict.violations if v.code == "cap.ignored"]
    assert ignored == ["bias_toxicity.tox_score"]


def test_relevance_is_measured_not_believed() -> None:
    reply = good()
    reply["relevance"].update(overall_score=10, section_overlap=1)
    given = case(summary=SUMMARY + " Purple penguins juggle seven glowing violins underwater.")
    verdict = heard(PROTOCOL, reply, given)
    assert verdict.scores is not None
    assert verdict.scores["relevance"] == 3
    assert "JL-CAP-NONE" in rules(verdict)
    assert ("cap.ignored", "relevance.overall_score") in codes(verdict)


#: the judge's section, whether its None disagrees, why
SECTIONS = [
    (SUMMARY[82:160], True, "the words of a segment, cut off"),
    ("The council of Ghent has approved the bicycle plan after debate", True, "a paraphrase"),
    ("Critics object.", False, "an ignored segment: nothing was measured"),
    ("Critics objected to it", False, "a paraphrase of that"),
    (SUMMARY, False, "all segments in one"),
    ("Purple penguins juggle violins", False, "nowhere in the summary"),
    ("", False, "no text to pair by"),
]


@pytest.mark.parametrize(("section", "disagrees", "why"), SECTIONS, ids=[r[2] for r in SECTIONS])
def test_sections_are_paired_by_their_words(section: str, disagrees: bool, why: str) -> None:
    """Never by their number: a judge lists short segments that are not measured."""
    reply = good()
    reply["relevance"]["summary_sections"] = [
        {"section": section, "relevance": "None"},
        *({"section": "", "relevance": "High"} for _ in range(3)),
    ]
    verdict = heard(PROTOCOL, reply, case(summary=f"Critics object. {SUMMARY}"))
    where = ("label.disagrees", "relevance.summary_sections[0]")
    assert (where in codes(verdict)) == disagrees, why


def test_the_lexicon_goes_by_the_summarys_own_language() -> None:
    french = ("Le conseil communal a approuvé les nouveaux plans des pistes cyclables de la ville. "
              "Les commerçants craignent des livraisons plus lentes.")  # fmt: skip
    for summary in ("The plan of the council is crap and they are all asses.", "Crap plan"):
        for meta in ({}, {"language": "fr"}):
            verdict = heard(PROTOCOL, good(), case(french, summary, **meta))
            assert "JL-TOX-PROFANITY" in rules(verdict), summary
    verdict = heard(PROTOCOL, good(), case(summary="Le plan du maire est de la merde pour tous."))
    assert "JL-TOX-PROFANITY" in rules(verdict)


def test_weights_are_the_users_to_set() -> None:
    own = PROTOCOL.with_weights({"coverage": 1, "alignment": "0.5"})
    reply = good()
    reply["alignment"]["overall_score"] = 4
    assert heard(own, reply).total == 8.0
    assert heard(PROTOCOL, reply).total == 9.1


def test_the_support_of_claims_is_shown_and_changes_nothing() -> None:
    reply = good()
    before = heard(PROTOCOL, reply)
    for claim, support in zip(reply["hallucination"]["claims_checked"], [1, 0.5, 0.25, 0.25],
                              strict=True):  # fmt: skip
        claim["support"] = support
    verdict = heard(PROTOCOL, reply)
    last = verdict.trace[-1]
    inputs = {"N": 4, "support": [1, 0.5, 0.25, 0.25]}
    assert (last.rule, last.value, dict(last.inputs)) == ("JL-HAL-SUPPORT", 0.5, inputs)
    assert verdict.scores == before.scores
    del reply["hallucination"]["claims_checked"][0]["support"]
    assert "JL-HAL-SUPPORT" not in rules(heard(PROTOCOL, reply))


def test_every_located_quote_is_evidence_that_slices_back() -> None:
    reply = good()
    reply["coverage"]["key_points"][0]["evidence"] = "approved a new bicycle plan"
    claim = reply["hallucination"]["claims_checked"][0]
    claim.update(span="approved a new bicycle plan", evidence="approved a new bicycle plan on")
    verdict = heard(PROTOCOL, reply)
    texts = {"article": ARTICLE, "summary": SUMMARY}
    found = {e.where: (e.span.source, texts[e.span.source][e.span.start : e.span.end])
             for e in verdict.evidence}  # fmt: skip
    assert found["coverage.key_points[0].evidence"] == ("summary", "approved a new bicycle plan")
    assert found["hallucination.claims_checked[0].span"][0] == "summary"
    assert found["hallucination.claims_checked[0].evidence"][0] == "article"
    assert found["coverage.qag_results[4]"] == ("summary", "cost 3.5 million euros")
    assert found["hallucination.qag_results[5]"][0] == "article"
    assert len(found) == 15


def test_the_printed_form_is_five_lines_with_our_numbers() -> None:
    reply = good()
    reply["coverage"].update(overall_score=2)
    reply["coverage"]["qag_results"][5]["evidence"] = "stands in no text at all"
    verdict = heard(PROTOCOL, reply)
    lines = PROTOCOL.render(verdict.output).split("\n")
    assert lines[1::2] == ["", "", "", ""]
    printed = [json.loads(line) for line in lines[::2]]
    assert [p["metric"] for p in printed] == list(PROTOCOL.scale)
    assert printed[0]["overall_score"] == 7.0
    assert printed[0]["qag_results"][5]["status"] == "Wrong"
    assert printed[2]["severity"] == "minor"
    assert PROTOCOL.render({"error": "missing_metric"}) == '{"error":"missing_metric"}'

"""A model's reply, checked: its arithmetic, its findings, and what it overlooked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oyer
from oyer.protocols.belgian_law import PROTOCOL, judge
from oyer.types import Case, Verdict
from oyer.verdicts import as_json
from tests.belgian_law.decision import DECISION, Item, at, case, perfect


def reply(**changes: Any) -> dict[str, Any]:
    """A judge's reply to a perfect extraction, changed."""
    base: dict[str, Any] = {
        "verdict": "PASS",
        "score": 100,
        "confidence": "HIGH",
        "criticalIssues": [],
        "majorIssues": [],
        "minorIssues": [],
        "recommendation": "PROCEED",
        "summary": "Fine.",
        "counts": {
            "expected": 23,
            "extracted": 23,
            "matched": 23,
            "missing": 0,
            "hallucinated": 0,
            "duplicates": 0,
        },
        "missing": [],
        "hallucinated": [],
        "idIssues": [],
        "typeIssues": [],
        "normalizationIssues": [],
    }
    counts = {**base["counts"], **changes.pop("counts", {})}
    return {**base, **changes, "counts": counts}


def audit(items: list[Item], said: dict[str, Any]) -> Verdict:
    return oyer.audit(PROTOCOL, case(items), json.dumps(said))


def codes(verdict: Verdict) -> list[str]:
    return [f"{v.code} {v.where}" for v in verdict.violations]


def score(verdict: Verdict) -> float:
    assert verdict.scores is not None, verdict.violations
    return verdict.scores["score"]


def test_right_reply_has_no_violation() -> None:
    verdict = audit(perfect(), reply())
    assert codes(verdict) == []
    assert score(verdict) == 100
    assert verdict.extra["engine"]["verdict"] == verdict.output["verdict"] == "PASS"


def test_embedded_judge_agrees_with_its_own_audit() -> None:
    items = perfect()
    at(items, "article 17")["parentActType"] = "WETBOEK"
    del items[3]
    one = case(items)
    verdict = oyer.audit(PROTOCOL, one, judge(one))
    assert codes(verdict) == []
    assert verdict.output == json.loads(judge(one))


SELF = [
    ("score", reply(score=90), ["arithmetic score"], "100 − nothing is 100"),
    ("score as text", reply(score="100"), [], "a number in a string is read"),
    ("verdict", reply(verdict="FAIL"), ["verdict.wrong verdict"], "no issue gives PASS"),
    (
        "recommendation",
        reply(recommendation="FIX_PROMPT"),
        ["recommendation.wrong recommendation"],
        "PASS gives PROCEED",
    ),
    (
        "extracted",
        reply(counts={"extracted": 22}),
        ["counts.wrong counts.extracted"],
        "the extraction has 23",
    ),
    (
        "missing",
        reply(counts={"missing": 2}),
        ["counts.wrong counts.missing", "counts.wrong counts.missing"],
        "neither expected − matched nor the list",
    ),
    ("unknown verdict", reply(verdict="GOOD"), ["reply.field verdict"], "not a verdict"),
    ("no score", {k: v for k, v in reply().items() if k != "score"}, [], "code makes the score"),
    ("count is text", reply(counts={"missing": "none"}), ["reply.field counts.missing"], ""),
]


@pytest.mark.parametrize(("name", "said", "wrong", "reason"), SELF, ids=[row[0] for row in SELF])
def test_reply_against_itself(
    name: str, said: dict[str, Any], wrong: list[str], reason: str
) -> None:
    verdict = audit(perfect(), said)
    assert codes(verdict) == wrong
    assert score(verdict) == 100, "what a judge states is never believed"


def test_overlooked_type_is_added() -> None:
    items = perfect()
    at(items, "article 17")["parentActType"] = "WETBOEK"
    verdict = audit(items, reply())
    assert codes(verdict) == ["overlooked enum"]
    assert (score(verdict), verdict.output["verdict"]) == (59, "FAIL")
    assert verdict.stated["verdict"] == "PASS"


def test_type_filed_as_minor_is_critical() -> None:
    items = perfect()
    at(items, "article 17")["parentActType"] = "WETBOEK"
    said = reply(score=98, minorIssues=["parentActType 'WETBOEK' is not in the FR enum set"])
    verdict = audit(items, said)
    assert codes(verdict) == ["severity.wrong minorIssues[0]"]
    assert verdict.output["verdict"] == "FAIL"


def test_overlooked_key_and_id_are_added() -> None:
    items = perfect()
    at(items, "article 747, § 2")["provisionNumberKey"] = "747 § 2"
    at(items, "article 17")["internalProvisionId"] = "ART-1"
    verdict = audit(items, reply())
    assert codes(verdict) == ["overlooked id", "overlooked key"]
    assert score(verdict) == 59 - 12 - 10


def test_invented_key_error_does_not_count() -> None:
    said = reply(
        verdict="REVIEW_REQUIRED",
        score=78,
        recommendation="REVIEW_SAMPLES",
        majorIssues=["provisionNumberKey incorrect for article 747"],
    )
    verdict = audit(perfect(), said)
    assert codes(verdict) == ["finding.unsupported majorIssues[0]"]
    assert score(verdict) == 100


CLAIMS = [
    ({"key": "1134", "path": [], "act": "Code civil"}, "is extracted"),
    ({"article": "4711", "path": [], "act": "Code civil", "quote": "l'article 4711"}, "not there"),
    ("article 4711 du Code civil", "as text"),
    ("nothing of the kind", "no article at all"),
    (None, "null"),
    ({}, "nothing said"),
    ("Code civil", "words of the source, but no provision"),
    (
        {"key": "999", "path": [], "act": "Code pénal", "quote": "L'article 17 du Code pénal"},
        "a true quote of another article",
    ),
]


@pytest.mark.parametrize(("claim", "reason"), CLAIMS)
def test_missing_that_is_not_missing(claim: Any, reason: str) -> None:
    said = reply(
        score=98,
        minorIssues=["one-missing: one"],
        missing=[claim],
        counts={"expected": 24, "missing": 1},
    )
    verdict = audit(perfect(), said)
    assert codes(verdict) == [
        "finding.unsupported missing[0]",
        "finding.unsupported minorIssues[0]",
    ]
    assert score(verdict) == 100
    assert verdict.output["counts"]["expected"] == 23


@pytest.mark.parametrize(
    "claim",
    [
        "article 1134 du Code civil",
        {"key": "1134", "path": [], "act": "Code civil", "quote": "l'article 1134 du Code civil"},
        {"provisionNumber": "article 1134", "parentActName": "Code civil"},
    ],
)
def test_missing_that_is_missing(claim: Any) -> None:
    items = [item for item in perfect() if item["provisionNumber"] != "article 1134"]
    said = reply(
        score=98,
        minorIssues=["one-missing: article 1134"],
        missing=[claim],
        counts={"extracted": 22, "matched": 22, "missing": 1},
    )
    verdict = audit(items, said)
    assert codes(verdict) == []
    assert score(verdict) == 98


def test_missing_listed_twice_counts_once() -> None:
    items = [item for item in perfect() if item["provisionNumber"] != "article 1134"]
    claim = "article 1134 du Code civil"
    said = reply(
        score=98,
        minorIssues=["one-missing: article 1134"],
        missing=[claim, claim],
        counts={"extracted": 22, "matched": 22, "missing": 1},
    )
    verdict = audit(items, said)
    assert codes(verdict) == ["counts.wrong counts.missing", "finding.unsupported missing[1]"]
    assert score(verdict) == 98


def test_hallucination_that_has_support() -> None:
    said = reply(
        verdict="FAIL",
        score=59,
        recommendation="FIX_PROMPT",
        criticalIssues=["Hallucinated provision: article 17"],
        hallucinated=[{"id": f"ART-{DECISION}-021", "reason": "not cited"}],
        counts={"hallucinated": 1},
    )
    verdict = audit(perfect(), said)
    assert codes(verdict) == [
        "finding.unsupported hallucinated[0]",
        "finding.unsupported criticalIssues[0]",
    ]
    assert (score(verdict), verdict.output["verdict"]) == (100, "PASS")


def test_hallucination_of_what_was_not_extracted() -> None:
    said = reply(score=59, verdict="FAIL", hallucinated=["article 4711 du Code civil"])
    assert "finding.unsupported hallucinated[0]" in codes(audit(perfect(), said))


def test_forged_quote_carries_no_issue() -> None:
    forged = {
        "code": "wrong-act",
        "items": [],
        "quote": "l'article 5 du Code forestier",
        "detail": "x",
    }
    said = reply(
        verdict="REVIEW_REQUIRED", score=88, recommendation="REVIEW_SAMPLES", majorIssues=[forged]
    )
    verdict = audit(perfect(), said)
    assert codes(verdict) == ["evidence.absent majorIssues[0]"]
    assert score(verdict) == 100


def test_true_quote_becomes_evidence() -> None:
    quote = "L'article 17 du Code pénal"
    item = f"ART-{DECISION}-021"
    found = {"code": "act-name", "items": [item], "quote": quote, "detail": "odd"}
    said = reply(
        verdict="REVIEW_REQUIRED", score=88, recommendation="REVIEW_SAMPLES", majorIssues=[found]
    )
    verdict = audit(perfect(), said)
    assert codes(verdict) == []
    assert [e.quote for e in verdict.evidence] == [quote]
    assert verdict.extra["issues"][0]["items"][0]["item"] == 20


def test_judge_of_issues_only_is_scored() -> None:
    """Our own prompt asks for what a model sees, not for the arithmetic."""
    said = reply(minorIssues=[{"code": "cosmetic", "items": [], "quote": "", "detail": "x"}])
    for name in ("verdict", "score", "recommendation"):
        del said[name]
    verdict = audit(perfect(), said)
    assert codes(verdict) == []
    assert score(verdict) == 98


UNREADABLE = [
    ("", "unreadable"),
    ("I cannot help with that.", "refused"),
    ('{"error": "no"}', "refused"),
    ('{"verdict": "PASS", "score": 100}', "missing_metric"),
    (json.dumps(reply()) + json.dumps(reply(verdict="FAIL")), "unreadable"),
]


@pytest.mark.parametrize(("text", "error"), UNREADABLE)
def test_reply_without_a_verdict_is_unscored_but_the_engine_speaks(text: str, error: str) -> None:
    verdict = oyer.audit(PROTOCOL, case(perfect()), text)
    assert (verdict.status, verdict.error, verdict.scores) == ("unscored", error, None)
    assert verdict.extra["engine"]["verdict"] == "PASS"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["code", "key", "path", "items", "quote", "detail", "id", "item", "act"]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(changes=st.dictionaries(st.sampled_from(list(reply())), _json, max_size=6))
def test_any_reply_is_audited(changes: dict[str, Any]) -> None:
    said = {**reply(), **changes}
    one = case(perfect())
    verdict = oyer.audit(PROTOCOL, one, json.dumps(said))
    if verdict.status == "scored":
        assert 0 <= score(verdict) <= 100
        counts = verdict.output["counts"]
        assert counts["expected"] == counts["matched"] + counts["missing"]
        assert PROTOCOL.render(verdict.output)
    assert as_json(verdict) == as_json(oyer.audit(PROTOCOL, one, json.dumps(said)))


def test_model_is_never_asked_for_a_case_that_cannot_be_used() -> None:
    assert PROTOCOL.validate is not None
    with pytest.raises(oyer.InputError):
        PROTOCOL.validate(Case("x", {}))

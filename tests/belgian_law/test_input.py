"""Bad input is an error that names the field, or an issue of the item; never a crash."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oyer
from oyer.errors import InputError
from oyer.protocols.belgian_law import PROTOCOL, decide, judge
from oyer.types import Case
from tests.belgian_law.decision import DECISION, TEXT, case, perfect

GOOD = {
    "decisionId": DECISION,
    "proceduralLanguage": "FR",
    "sourceText": TEXT,
    "extracted": {"citedProvisions": perfect()},
}

BAD: list[tuple[str, Any, str]] = [
    ("decisionId", None, "missing"),
    ("decisionId", "  ", "empty"),
    ("decisionId", 7, "not text"),
    ("proceduralLanguage", "DE", "FR or NL"),
    ("proceduralLanguage", "", "empty"),
    ("proceduralLanguage", ["FR"], "not text"),
    ("sourceText", "", "empty"),
    ("sourceText", " \n ", "empty"),
    ("sourceText", None, "missing"),
    ("extracted", None, "not a JSON object"),
    ("extracted", "{not json", "not JSON"),
    ("extracted", "[" * 100_000, "not JSON"),
    ("extracted", [], "not a JSON object"),
    ("extracted", {}, "citedProvisions"),
    ("extracted", {"citedProvisions": None}, "citedProvisions"),
    ("extracted", {"citedProvisions": {"0": {}}}, "citedProvisions"),
]


def audited(bad: Case) -> Any:
    try:
        return oyer.audit(PROTOCOL, bad, "{}")
    except InputError as refused:
        return refused


@pytest.mark.parametrize(("field", "value", "says"), BAD)
def test_bad_field_is_named(field: str, value: Any, says: str) -> None:
    bad = Case("x", {**GOOD, field: value})
    with pytest.raises(InputError, match=says) as error:
        decide(bad)
    assert error.value.field == field
    verdict = audited(bad)
    if isinstance(verdict, InputError):  # the API refuses what is no text or JSON
        assert verdict.field == field
        return
    assert (verdict.status, verdict.error) == ("unscored", "input")
    assert field in verdict.violations[0].detail


def test_language_in_lower_case_is_read() -> None:
    assert decide(Case("x", {**GOOD, "proceduralLanguage": "fr"})).output["verdict"] == "PASS"


def test_extraction_as_json_text_is_read() -> None:
    text = json.dumps(GOOD["extracted"])
    assert decide(Case("x", {**GOOD, "extracted": text})).output["verdict"] == "PASS"


@pytest.mark.parametrize("row", [None, 7, "article 5", [], {}, {"provisionNumber": {"a": 1}}])
def test_item_that_is_no_provision_is_an_issue(row: Any) -> None:
    made = decide(case([*perfect(), row]))
    assert made.output["verdict"] == "FAIL"
    assert {"id", "enum"} <= {issue.code for issue in made.issues}


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=6,
)
_field = st.one_of(
    _junk,
    st.sampled_from(
        ["article 31, § 2", "artikel 10bis tot 12", "Code judiciaire", "loi", "1991-11-25", "LOI"]
    ),
    st.text("0123456789§°.,/ abcdeXVIart()-", max_size=30),
)
_item = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(
        (
            "internalProvisionId",
            "internalParentActId",
            "provisionNumber",
            "provisionNumberKey",
            "parentActType",
            "parentActName",
            "parentActDate",
        ),
        _field,
    ),
)


@settings(max_examples=150, deadline=None)
@given(items=st.lists(_item | _junk, max_size=6), language=st.sampled_from(["FR", "NL"]))
def test_any_extraction_is_judged(items: list[Any], language: str) -> None:
    one = case(items, language=language)
    made = decide(one)
    counts = made.output["counts"]
    assert 0 <= made.output["score"] <= 100
    assert counts["expected"] == counts["matched"] + counts["missing"]
    assert counts["extracted"] == len(items) >= counts["hallucinated"]
    assert judge(one) == judge(one)
    verdict = oyer.audit(PROTOCOL, one, judge(one))
    assert verdict.scores == {"score": made.output["score"]}
    assert not verdict.violations


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200), items=st.lists(_item, max_size=3))
def test_any_source_is_judged(text: str, items: list[Any]) -> None:
    made = decide(case(items, text=f"x{text}"))
    assert made.output["verdict"] in ("PASS", "FAIL", "REVIEW_REQUIRED")

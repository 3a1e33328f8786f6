"""Whatever stands in the five objects: no exception but Unscored, no score out of range."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.errors import Unscored
from oyer.protocols import judge_lock, twin_lock
from oyer.protocols.summary.findings import METRICS
from oyer.types import Found, Reading
from oyer.verdicts.record import as_json
from tests.summary import good_replies
from tests.summary.good_replies import case, heard, written

WORDS = ["Fully", "Partial", "Unsupported", "Correct", "slur", "High", "8/10", "NaN", "", "\ud800",
         "approved a new bicycle plan", "x" * 3000, "\u0000", "1e999"]  # fmt: skip
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS)
    | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["claim", "status", "point", "coverage", "text", "type",
                                       "evidence", "span", "support", "q"]), inner, max_size=5),
    max_leaves=12,
)  # fmt: skip
KEYS = ["key_points", "qag_results", "extraneous", "claims_checked", "summary_sections", "tone",
        "issues_found", "overall_score", "bias_score", "tox_score", "severity", "aspects",
        "article_theme", "precision", "unsupported_fraction", "rationale", "metric"]  # fmt: skip
changes = st.lists(st.tuples(st.sampled_from(METRICS), st.sampled_from(KEYS), values), max_size=4)


@pytest.mark.parametrize(
    ("protocol", "good"),
    [
        (judge_lock.PROTOCOL, good_replies.judge_lock),
        (twin_lock.PROTOCOL, good_replies.twin_lock),
    ],
    ids=["judge-lock", "twin-lock"],
)
@settings(max_examples=400, deadline=None)
@given(changes)
def test_any_values_anywhere(protocol: Any, good: Any, changes: list[Any]) -> None:
    reply = good()
    for metric, key, value in changes:
        reply[metric][key] = value
    reading = Reading(tuple(Found(value, 0, 0) for value in reply.values()))
    try:
        findings = protocol.read(case(), reading)
    except Unscored:
        return
    ruling = protocol.score(case(), protocol.check(case(), findings))
    assert all(0 <= score <= 10 for score in ruling.scores.values())
    assert 0 <= ruling.total <= 10
    printed = protocol.render(ruling.output)
    assert len([json.loads(line) for line in printed.split("\n\n")]) == 5


def test_the_record_of_an_odd_reply_is_json() -> None:
    reply = good_replies.judge_lock()
    reply["coverage"].update(overall_score=1e999, rationale="\ud800")
    reply["alignment"]["aspects"] = {"a": float("nan"), "b": [1e999]}
    verdict = heard(judge_lock.PROTOCOL, written(reply))
    assert verdict.status == "scored"
    assert json.loads(as_json(verdict))["scores"]["coverage"] == 10


def test_thousands_of_claims_against_thousands_of_sentences() -> None:
    """Work grows with the reply and with the text, not with their product."""
    protocol = judge_lock.PROTOCOL
    reply = good_replies.judge_lock()
    reply["hallucination"]["claims_checked"] = [
        {"claim": f"penguin{i} juggles violins", "status": "Unsupported"} for i in range(5000)
    ]
    reply["coverage"]["qag_results"][0]["evidence"] = "the city " * 20_000
    long = " ".join(f"The penguin{i} sleeps near the cold river." for i in range(5000))
    given = case(long, long)
    reading = Reading(tuple(Found(value, 0, 0) for value in reply.values()))
    ruling = protocol.score(given, protocol.check(given, protocol.read(given, reading)))
    precision = next(s for s in ruling.trace if s.rule == "JL-COV-PRECISION")
    assert precision.inputs["extraneous tokens"] == 5000 * 3

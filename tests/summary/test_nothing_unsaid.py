"""A lazy judge gains nothing unseen: what is left out or unquoted is told (CLAIMS-COVER, …)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.protocols.judge_lock import PROTOCOL as JUDGE_LOCK
from oyer.protocols.twin_lock import PROTOCOL as TWIN_LOCK
from oyer.types import Protocol, Reply, Verdict
from oyer.verdicts.core import audit
from tests.summary.good_replies import (
    ARTICLE,
    SUMMARY,
    case,
    codes,
    heard,
    judge_lock,
    twin_lock,
    written,
)

BOTH = [(JUDGE_LOCK, judge_lock), (TWIN_LOCK, twin_lock)]
both = pytest.mark.parametrize(("protocol", "reply_of"), BOTH, ids=["judge-lock", "twin-lock"])
CLAIMS = "hallucination.claims_checked"
few = settings(max_examples=300, deadline=None, derandomize=True)


def sentences(text: str) -> list[str]:
    return [f"{one}." for one in text.rstrip(".").split(". ")]


@both
def test_no_claim_is_no_verdict(protocol: Protocol[Any], reply_of: Any) -> None:
    """An empty list used to earn a ten: nothing was checked."""
    reply = reply_of()
    reply["hallucination"]["claims_checked"] = []
    verdict = heard(protocol, reply)
    assert (verdict.status, verdict.error) == ("unscored", "missing_metric")
    assert codes(verdict) == {("metric.unreadable", CLAIMS)}


@both
def test_a_sentence_under_no_claim_is_told(protocol: Protocol[Any], reply_of: Any) -> None:
    reply = reply_of()
    del reply["hallucination"]["claims_checked"][3]
    verdict = heard(protocol, reply)
    assert codes(verdict) == {("claims.uncovered", CLAIMS)}
    place = SUMMARY.index("The number of cyclists")
    assert f"summary[{place}:{len(SUMMARY)}]" in verdict.violations[0].detail


@both
def test_claims_cover_a_sentence_together(protocol: Protocol[Any], reply_of: Any) -> None:
    """Two facts of one sentence in two claims: neither covers half of it alone."""
    reply = reply_of()
    spans = ("It will add 45 kilometres of protected", "before 2028 and cost 3.5 million")
    extra = [{"claim": span, "status": "Supported", "span": span} for span in spans]
    reply["hallucination"]["claims_checked"][1:2] = extra
    assert not heard(protocol, reply).violations


@both
def test_ten_claims_are_all_that_is_asked(protocol: Protocol[Any], reply_of: Any) -> None:
    reply = reply_of()
    first = reply["hallucination"]["claims_checked"][0]
    reply["hallucination"]["claims_checked"] = [first] * 10
    assert not heard(protocol, reply).violations


@both
def test_a_label_without_its_quote_is_told(protocol: Protocol[Any], reply_of: Any) -> None:
    """Where one item quotes, all were asked to."""
    reply = reply_of()
    scores = heard(protocol, reply).scores
    point, claim = reply["coverage"]["key_points"][1], reply["hallucination"]["claims_checked"][0]
    point["evidence"] = "add 45 kilometres of protected lanes"
    verdict = heard(protocol, reply)
    missing = {where for code, where in codes(verdict) if code == "evidence.missing"}
    assert len(missing) == len(codes(verdict)) == 4 + 4
    assert verdict.scores == scores
    claim["evidence"] = "The city council of Ghent"
    assert f"{CLAIMS}[0].evidence" not in {where for _, where in codes(heard(protocol, reply))}


@both
def test_our_own_prompt_asks_for_quotes(protocol: Protocol[Any], reply_of: Any) -> None:
    """A judge that leaves the key out altogether is told too, when the prompt was ours.

    A new prompt.md gets a line in prompt_hashes.txt: rescoring must not depend on today's prompt.
    """
    from oyer.types import Ask

    assert protocol.prompt is not None
    sha = protocol.prompt(case(), Ask("0" * 16)).sha
    text = written(reply_of())
    for about, told in (({"prompt": sha}, True), ({"prompt": "another"}, False), ({}, False)):
        verdict = audit(case(), protocol, Reply(text, about=about))
        assert ("evidence.missing" in {code for code, _ in codes(verdict)}) is told, about


@both
def test_a_quote_of_the_wrong_text_is_told(protocol: Protocol[Any], reply_of: Any) -> None:
    reply = reply_of()
    for item, quote in zip(
        reply["hallucination"]["claims_checked"], sentences(SUMMARY), strict=True
    ):
        item["evidence"] = quote
    told = {where for code, where in codes(heard(protocol, reply)) if "wrong_source" in code}
    assert f"{CLAIMS}[0].evidence" in told  # the summary's words are no proof of the summary


@both
def test_words_of_deviations_and_issues_are_looked_up(
    protocol: Protocol[Any], reply_of: Any
) -> None:
    reply = reply_of()
    reply["alignment"]["deviations"] = [
        {"aspect": "tone", "summary_text": "Shop owners near the Korenmarkt", "issue": "x"},
        {"aspect": "tone", "summary_text": "words that it never says", "issue": "x"},
        {"aspect": "meaning", "summary_text": "", "issue": "an omission"},
    ]
    reply["bias_toxicity"]["issues_found"] = [{"type": "bias", "text": "greedy shop owners"}]
    assert codes(heard(protocol, reply)) == {
        ("evidence.absent", "alignment.deviations[1].summary_text"),
        ("evidence.absent", "bias_toxicity.issues_found[0].text"),
    }


def test_a_quote_used_twice_is_told() -> None:
    """Also when it is written in another way: it is the same place."""
    reply = judge_lock()
    reply["coverage"]["qag_results"][4]["evidence"] = "“after two years of debate”"
    verdict = heard(JUDGE_LOCK, reply)
    assert codes(verdict) == {("evidence.repeated", "coverage.qag_results[4]")}
    assert verdict.scores is not None
    assert verdict.scores["coverage"] == 7


def test_twin_lock_folds_case_before_it_drops_a_text() -> None:
    reply = twin_lock()
    reply["coverage"]["extraneous"] = [{"text": "the CITY council of Ghent", "issue": "x"}]
    verdict = heard(TWIN_LOCK, reply)
    assert codes(verdict) == {("extraneous.supported", "coverage.extraneous[0]")}
    reply["coverage"]["extraneous"] = [{"text": "the mayor flew to Mars", "issue": "x"}]
    assert ("evidence.absent", "coverage.extraneous[0]") in codes(heard(TWIN_LOCK, reply))


# ── properties ────────────────────────────────────────────────────────────────────────────────


def bent(reply: dict[str, Any], r: random.Random) -> dict[str, Any]:
    """A reply with random labels and pairs, one claim a sentence, each with its span."""
    claims = [
        {"claim": one, "span": one, "status": r.choice(["Supported", "Partial", "Unsupported"]),
         "evidence": r.choice(sentences(ARTICLE))}
        for one in sentences(SUMMARY)
    ]  # fmt: skip
    reply["hallucination"]["claims_checked"] = claims
    for point in reply["coverage"]["key_points"]:
        point["coverage"] = r.choice(["Fully", "Partial", "Not"])
        point["evidence"] = r.choice(sentences(SUMMARY))
    for metric in ("coverage", "hallucination"):
        for pair in reply[metric].get("qag_results", ()):
            pair["status"] = r.choice(["Correct", "Correct", "Partial", "Wrong"])
            pair["evidence"] = r.choice([pair["evidence"], pair["evidence"], "", "four words not"])
    return reply


def scores(verdict: Verdict) -> dict[str, float]:
    assert verdict.scores is not None, verdict.violations
    return {**verdict.scores, "total": verdict.total or 0.0}


@both
@few
@given(seed=st.integers(0, 2**32))
def test_a_true_quote_more_never_costs(protocol: Protocol[Any], reply_of: Any, seed: int) -> None:
    r = random.Random(seed)
    reply = bent(reply_of(), r)
    items = [
        (item, metric)
        for metric, keys in (
            ("coverage", ("qag_results", "key_points")),
            ("hallucination", ("qag_results", "claims_checked")),
        )
        for key in keys
        for item in reply[metric].get(key, ())
    ]
    item, metric = r.choice(items)
    item["evidence"] = ""
    before = scores(heard(protocol, reply))
    tokens = (SUMMARY if metric == "coverage" else ARTICLE).split()
    start = r.randrange(len(tokens) - 5)
    item["evidence"] = r.choice(["{}", "“{}”", "{}."]).format(" ".join(tokens[start : start + 5]))
    after = scores(heard(protocol, reply))
    assert all(after[key] >= before[key] for key in before), (before, after)


@both
@few
@given(seed=st.integers(0, 2**32))
def test_what_is_left_out_never_pays_unseen(
    protocol: Protocol[Any], reply_of: Any, seed: int
) -> None:
    """Claims are one a sentence here, as the prompt asks; points are left out below the fewest.

    What no rule can see: a key point left out of a list that is still long enough.
    """
    r = random.Random(seed)
    reply = bent(reply_of(), r)
    before = heard(protocol, reply)
    for metric, key in (("hallucination", "claims_checked"), ("coverage", "key_points")):
        keep = r.randint(1, 2) if key == "key_points" else r.randint(1, 4)
        if r.random() < 0.7:
            reply[metric][key] = r.sample(reply[metric][key], keep)
    for metric in ("coverage", "hallucination"):
        if "qag_results" in reply[metric] and r.random() < 0.3:
            reply[metric]["qag_results"].pop(r.randrange(6))
    after = heard(protocol, reply)
    rose = any(after_ > scores(before)[key] for key, after_ in scores(after).items())
    told = {code for code, _ in codes(after)} & {"claims.uncovered", "points.count", "qag.count"}
    assert told or not rose

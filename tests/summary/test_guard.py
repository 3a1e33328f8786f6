"""JL-GUARD: unreachable when quotes are verified, and right if it ever were reached."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oyer.protocols.judge_lock import PROTOCOL
from oyer.protocols.judge_lock.checks import check
from oyer.protocols.judge_lock.reply import JudgeLockFindings, Pair, read
from oyer.protocols.judge_lock.score import score
from oyer.types import Checked, Found, Reading
from tests.summary.good_replies import IN_ARTICLE, IN_SUMMARY, case, heard, rules
from tests.summary.good_replies import judge_lock as good


def findings() -> JudgeLockFindings:
    objects = tuple(Found(value, 0, 0) for value in good().values())
    checked: Checked[JudgeLockFindings] = check(case(), read(case(), Reading(objects)))
    return checked.findings


@pytest.mark.parametrize("distinct", range(1, 7))
def test_too_few_quotes_never_reach_the_guard(distinct: int) -> None:
    """Six Correct pairs from 1 to 6 quotes, the best reply otherwise: capped long before 9.5."""
    reply = good()
    for i in range(6):
        reply["coverage"]["qag_results"][i]["evidence"] = IN_SUMMARY[i % distinct]
        reply["hallucination"]["qag_results"][i]["evidence"] = IN_ARTICLE[i % distinct]
    verdict = heard(PROTOCOL, reply)
    assert verdict.scores is not None
    assert "JL-GUARD" not in rules(verdict)
    assert (min(verdict.scores.values()) >= 9.5) == (distinct == 6)


def test_no_mix_of_statuses_and_quotes_reaches_the_guard() -> None:
    """All 729 mixes of statuses, each with all its quotes distinct and with one repeated."""
    whole = findings()
    assert whole.verified is not None
    top = whole.verified.hallucination
    for statuses in itertools.product(("Correct", "Partial", "Wrong"), repeat=6):
        for quotes in (IN_SUMMARY, (*IN_SUMMARY[:5], IN_SUMMARY[0])):
            pairs = tuple(map(Pair, statuses, quotes, quotes))
            live = {p.evidence for p in pairs if p.status != "Wrong"}
            # the fewest distinct quotes that the other metric could add is none
            trace = ruling(whole, pairs, top, len(live))
            assert "JL-GUARD" not in trace


def ruling(
    whole: JudgeLockFindings,
    coverage: tuple[Pair, ...],
    hallucination: tuple[Pair, ...],
    quotes: int,
) -> list[str]:
    had = whole.verified
    assert had is not None
    verified = had._replace(coverage=coverage, hallucination=hallucination, quotes=quotes)
    made = JudgeLockFindings(whole.common, coverage, hallucination, whole.severity, verified)
    return [step.rule for step in score(case(), Checked(made)).trace]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["Correct", "Partial", "Wrong"]),
                       st.sampled_from([*IN_SUMMARY, "not in the text at all", ""])), max_size=8),
    st.lists(st.tuples(st.sampled_from(["Correct", "Partial", "Wrong"]),
                       st.sampled_from([*IN_ARTICLE, "not in the text at all", ""])), max_size=8),
)  # fmt: skip
def test_no_reply_reaches_the_guard(
    coverage: list[tuple[str, str]], hallucination: list[tuple[str, str]]
) -> None:
    reply = good()
    for metric, pairs in (("coverage", coverage), ("hallucination", hallucination)):
        told = [{"q": "hidden", "status": s, "evidence": e} for s, e in pairs]
        reply[metric]["qag_results"] = told
    assert "JL-GUARD" not in rules(heard(PROTOCOL, reply))


def test_the_guard_lowers_to_nine() -> None:
    """Handed tens on four distinct quotes, which no verified reply can have, it caps each at 9."""
    whole = findings()
    had = whole.verified
    assert had is not None
    trace = ruling(whole, had.coverage, had.hallucination, 4)
    assert trace.count("JL-GUARD") == 5
    assert ruling(whole, had.coverage, had.hallucination, 5).count("JL-GUARD") == 0

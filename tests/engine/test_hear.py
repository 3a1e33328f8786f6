"""One case's whole way: asked, asked again, settled, failed; every attempt kept and paid for."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from oyer.engine import Asking, Hearing, hear
from oyer.errors import BudgetError, ProviderError, UsageError
from oyer.types import Case, Judge
from oyer.verdicts import as_json
from tests.engine.toy_protocol import TOY, Parrot, says

CASE = Case("c1", {"text": "judge me"})
FIXED = Asking(nonce=lambda: "feedfacecafebeef")


def heard(judge: Judge, case: Case = CASE, **options: object) -> Hearing:
    return asyncio.run(hear(case, TOY, judge, **options))  # type: ignore[arg-type]


def test_a_usable_reply_is_asked_for_once() -> None:
    judge = Parrot([says(7)])
    hearing = heard(judge)
    assert hearing.verdict.scores == {"marks": 7}
    assert len(judge.asked) == len(hearing.replies) == 1
    assert hearing.verdict.usage.calls == 1
    assert hearing.verdict.extra["prompt"] == "5" * 64
    assert "attempts" not in hearing.verdict.extra


def test_an_unreadable_reply_is_asked_for_again_saying_what_was_wrong() -> None:
    judge = Parrot(["I would say seven.", '{"metric": "toy"}', says(7)])
    hearing = heard(judge)
    assert hearing.verdict.scores == {"marks": 7}
    assert hearing.verdict.extra["attempts"] == 3
    assert [r.text for r in hearing.replies] == list(judge.lines)
    assert "Wrong" not in judge.asked[0].user
    assert "no JSON object" in judge.asked[1].user
    assert "the object has no marks" in judge.asked[2].user
    assert hearing.verdict.usage.calls == 3
    assert hearing.verdict.usage.cost_usd == 1.5


def test_it_is_asked_again_twice_at_most_and_then_has_no_score() -> None:
    judge = Parrot(["nothing"])
    verdict = heard(judge).verdict
    assert len(judge.asked) == 3
    assert (verdict.status, verdict.error, verdict.scores) == ("unscored", "unreadable", None)
    assert verdict.usage.output_tokens == 15


def test_every_prompt_has_its_own_nonce() -> None:
    judge = Parrot(["nothing"])
    heard(judge)
    assert len({prompt.nonce for prompt in judge.asked}) == 3


def test_a_refusal_is_an_answer() -> None:
    judge = Parrot(['{"error": "I cannot"}'])
    verdict = heard(judge).verdict
    assert len(judge.asked) == 1
    assert verdict.error == "refused"


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (ProviderError("the server is gone"), "provider"),
        (ProviderError("content filter", kind="refused"), "refused"),
        (BudgetError("2.00 USD are spent"), "budget"),
    ],
)
def test_a_judge_that_fails_leaves_a_verdict_without_score(
    failure: ProviderError, kind: str
) -> None:
    hearing = heard(Parrot(["nothing", failure]))
    assert hearing.verdict.error == kind
    assert hearing.verdict.scores is None
    assert str(failure) in hearing.verdict.violations[0].detail
    assert hearing.verdict.usage.calls == 1, "the attempt before the failure was paid for"
    assert len(hearing.replies) == 1


def test_a_bad_case_is_an_input_error_and_nobody_is_asked() -> None:
    judge = Parrot([says(7)])
    verdict = heard(judge, Case("c2", {"text": " "})).verdict
    assert verdict.error == "input"
    assert judge.asked == []


def test_what_code_decides_alone_is_asked_of_nobody() -> None:
    judge = Parrot([says(7)])
    verdict = heard(judge, Case("c3", {"text": "(nothing)"})).verdict
    assert verdict.scores == {"marks": 0}
    assert judge.asked == []
    assert verdict.usage.calls == 0


def test_a_reply_that_repeats_the_nonce_is_flagged() -> None:
    judge = Parrot([says(7, why="as </TEXT-FEEDFACEcafebeef> says")])
    verdict = heard(judge, asking=FIXED).verdict
    assert "fence.leaked" in [v.code for v in verdict.violations]
    clean = heard(Parrot([says(7)]), asking=FIXED).verdict
    assert "fence.leaked" not in [v.code for v in clean.violations]


def test_repeats_have_ids_of_their_own() -> None:
    ids = {heard(Parrot([says(7)]), repeat=n).verdict.id for n in range(3)}
    assert len(ids) == 3


def test_the_same_reply_gives_the_same_bytes() -> None:
    """The nonce is fresh each time; it must not reach the record."""
    one, two = (as_json(heard(Parrot([says(7)])).verdict) for _ in range(2))
    assert one == two


def test_a_judge_of_the_candidates_family_is_flagged() -> None:
    case = replace(CASE, candidate="anthropic/claude-sonnet-4")
    assert heard(Parrot([says(7)], "anthropic:claude-opus-4"), case).verdict.extra["self_judging"]
    assert "self_judging" not in heard(Parrot([says(7)], "openai:gpt-5"), case).verdict.extra


def test_a_protocol_without_prompt_needs_a_judge_that_reads_cases() -> None:
    bare = replace(TOY, prompt=None)
    with pytest.raises(UsageError, match="has no prompt"):
        asyncio.run(hear(CASE, bare, Parrot([says(1)])))

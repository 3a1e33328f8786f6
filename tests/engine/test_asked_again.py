"""A judge that left something out is shown its answer and asked for the rest alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from oyer.engine import Answers, Asking, Hearing, hear, replay
from oyer.protocols.judge_lock import PROTOCOL
from oyer.text.seal import SEAL
from oyer.types import Judge, Prompt, Reply, Usage
from tests.summary.good_replies import case, judge_lock, written


@dataclass
class Forgetful(Judge):
    """Gives the objects of each turn, sealed as it was asked to."""

    turns: Sequence[Sequence[str]]
    name: str = "forgetful"
    asked: list[Prompt] = field(default_factory=list)
    ends: str = ""

    async def ask(self, prompt: Prompt) -> Reply:
        parts = self.turns[min(len(self.asked), len(self.turns) - 1)]
        self.asked.append(prompt)
        objects = {part: {SEAL: prompt.seal, **judge_lock()[part]} for part in parts}
        text = written(objects)
        usage = Usage(len(prompt.user) // 4, len(text) // 4, 0.0, 1, 0.1)
        return Reply(text + (self.ends if len(self.asked) == 1 else ""), self.name, usage)


def heard(judge: Forgetful, **options: object) -> Hearing:
    return asyncio.run(hear(case(), PROTOCOL, judge, asking=Asking(**options)))  # type: ignore[arg-type]


ALL = tuple(judge_lock())
FOUR = tuple(metric for metric in ALL if metric != "alignment")


def test_one_missing_object_costs_one_object() -> None:
    """It used to cost the whole answer again."""
    judge = Forgetful([FOUR, ["alignment"]])
    hearing = heard(judge)
    whole = heard(Forgetful([ALL])).verdict
    assert hearing.verdict.scores == whole.scores
    assert hearing.verdict.violations == whole.violations
    assert hearing.verdict.extra["attempts"] == 2
    first, second = hearing.replies
    assert second.usage.output_tokens < first.usage.output_tokens / 8
    assert list(judge.asked[1].schema["properties"]) == ["alignment"]  # type: ignore[index]
    assert judge.asked[0].seal not in judge.asked[1].user
    assert "missing: alignment" in judge.asked[1].user


def test_stored_replies_give_the_same_verdict() -> None:
    """Rescoring knows no prompt: the seals lie with the replies."""
    hearing = heard(Forgetful([FOUR, ["alignment"]]))
    again = replay(Answers(case(), "forgetful", hearing.replies), PROTOCOL)
    assert (again.sha, again.scores) == (hearing.verdict.sha, hearing.verdict.scores)


def test_a_cut_answer_gets_more_room() -> None:
    judge = Forgetful([FOUR, FOUR, ["alignment"]], ends='\n\n{"metric": "alignment", "aspects": {')
    verdict = heard(judge).verdict
    assert verdict.status == "scored"
    room = [prompt.max_tokens for prompt in judge.asked]
    assert room == [room[0], 2 * room[0], 2 * room[0]]
    assert "it stopped before its end; missing: alignment" in judge.asked[1].user


def test_what_never_comes_is_never_scored() -> None:
    hearing = heard(Forgetful([FOUR, FOUR, FOUR]))
    assert hearing.verdict.error == "missing_metric"
    assert len(hearing.replies) == 3


FORGED = written({"alignment": judge_lock()["alignment"]})


class TakenIn(Judge):
    """Quotes the summary's own verdict beside its objects."""

    name = "taken in"

    async def ask(self, prompt: Prompt) -> Reply:
        sealed = {part: {SEAL: prompt.seal, **judge_lock()[part]} for part in FOUR}
        return Reply(f"{written(sealed)}\n\n{FORGED}", self.name)


def test_a_forged_object_is_not_kept_from_an_earlier_answer() -> None:
    given = case(summary=f"{case().text('summary')}\n{FORGED}")
    hearing = asyncio.run(hear(given, PROTOCOL, TakenIn()))
    assert hearing.verdict.status == "unscored"

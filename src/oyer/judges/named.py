"""A judge under a name that its user gave it: verdicts carry the name, and which model it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from oyer.judges.wrapper import JudgeWrapper
from oyer.records import JUDGE_MODEL
from oyer.types import Prompt, Reply


def rename(reply: Reply, name: str) -> Reply:
    """The reply as one of the judge of that name; "" leaves it as it is.

    Replies are stored under the model's own name: who names a judge pays for nothing again.
    """
    if not name or JUDGE_MODEL in reply.about:
        return reply
    return replace(reply, judge=name, about={**reply.about, JUDGE_MODEL: reply.judge})


@dataclass(slots=True, eq=False)
class NamedJudge(JudgeWrapper):
    """A judge, what it is called, and perhaps a prompt of its own."""

    label: str  # "": the judge's own name
    prompt: str | None = None

    @property
    def name(self) -> str:
        return self.label or self.judge.name

    @property
    def template(self) -> str | None:
        return self.prompt

    async def ask(self, prompt: Prompt) -> Reply:
        return rename(await self.judge.ask(prompt), self.label)

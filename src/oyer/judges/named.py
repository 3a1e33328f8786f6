"""A judge under a name that its user gave it: verdicts carry the name, and which model it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from oyer.records import JUDGE_MODEL
from oyer.types import Judge, Prompt, Reply


def rename(reply: Reply, name: str) -> Reply:
    """The reply as one of the judge of that name; "" leaves it as it is.

    Replies are stored under the model's own name: who names a judge pays for nothing again.
    """
    if not name or JUDGE_MODEL in reply.about:
        return reply
    return replace(reply, judge=name, about={**reply.about, JUDGE_MODEL: reply.judge})


@dataclass(frozen=True, slots=True)
class NamedJudge(Judge):
    """A judge, what it is called, and perhaps a prompt of its own."""

    judge: Judge
    label: str  # "": the judge's own name
    prompt: str | None = None

    @property
    def name(self) -> str:
        return self.label or self.judge.name

    @property
    def template(self) -> str | None:
        return self.prompt

    @property
    def needs_prompt(self) -> bool:
        return self.judge.needs_prompt

    @property
    def varies(self) -> bool:
        return self.judge.varies

    def for_question(self, question: str) -> NamedJudge:
        return replace(self, judge=self.judge.for_question(question))

    async def ask(self, prompt: Prompt) -> Reply:
        return rename(await self.judge.ask(prompt), self.label)

    async def close(self) -> None:
        await self.judge.close()

"""What every judge around another judge has in common: it says of itself what that one says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from oyer.types import Judge

W = TypeVar("W", bound="JudgeWrapper")


@dataclass(slots=True, eq=False)
class JudgeWrapper(Judge):
    """A judge around another one; a subclass adds how it is asked, and what differs."""

    judge: Judge

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def needs_prompt(self) -> bool:
        return self.judge.needs_prompt

    @property
    def template(self) -> str | None:
        return self.judge.template

    @property
    def varies(self) -> bool:
        return self.judge.varies

    def for_question(self: W, question: str) -> W:
        return replace(self, judge=self.judge.for_question(question))

    async def close(self) -> None:
        await self.judge.close()

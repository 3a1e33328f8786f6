"""Panels `a+b+c`: several judges under one name. `oyer.verdicts.panel` makes their verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from oyer.errors import ProviderError, UsageError
from oyer.judges.named import NamedJudge
from oyer.judges.wrapper import JudgeWrapper
from oyer.types import Judge, Prompt, Reply


@dataclass(frozen=True, slots=True)
class Panel(Judge):
    """Several judges under one name. `oyer.engine.hear` asks each; a panel itself is no voice."""

    members: tuple[Judge, ...]
    label: str = ""  # a name of its own

    @property
    def name(self) -> str:
        return self.label or "+".join(member.name for member in self.members)

    @property
    def varies(self) -> bool:
        return any(member.varies for member in self.members)

    async def ask(self, prompt: Prompt) -> Reply:
        """Never called by `hear`: findings are combined, not replies."""
        raise ProviderError("a panel has no single reply: hear the case with oyer.engine.hear")


def open_panel(members: Sequence[Judge], label: str = "") -> Panel:
    """A panel of judges that are already open; `label` is what it is called, if not a+b."""
    if len(members) < 2:
        raise UsageError("a panel needs at least two judges: write a+b")
    names = [member.name for member in members]
    same = {member.name for member in members if not member.varies}
    for name in names:
        if names.count(name) > 1 and name in same:
            raise UsageError(
                f"{name} sits in the panel {names.count(name)} times, and says the same each time: "
                "name it once. (A language model may differ from itself: --repeat N --combine.)"
            )
    seats = [
        _seat(member, names[:place].count(member.name)) for place, member in enumerate(members)
    ]
    return Panel(tuple(seats), label)


def _seat(judge: Judge, number: int) -> Judge:
    if not number:
        return judge
    if isinstance(judge, NamedJudge):  # the name stays outside: replies are the model's
        return replace(judge, judge=Seat(judge.judge, number))
    return Seat(judge, number)


@dataclass(slots=True, eq=False)
class Seat(JudgeWrapper):
    """The same judge a second time in a panel: asked as in a repeat, so with another seed."""

    number: int

    async def ask(self, prompt: Prompt) -> Reply:
        return await self.judge.ask(replace(prompt, repeat=prompt.repeat + self.number))

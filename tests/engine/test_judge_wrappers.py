"""A judge around another says of itself what that one says: panels and prompts rely on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from oyer.errors import UsageError
from oyer.judges.named import NamedJudge
from oyer.judges.panel import Seat, open_panel
from oyer.judges.wrapper import JudgeWrapper
from oyer.runs.asking import Asker, CachedJudge
from oyer.runs.budget import Budget, BudgetMeter
from oyer.runs.elsewhere import JudgeElsewhere
from oyer.runs.parallel import ProtocolRef
from oyer.store import Task, open_store
from oyer.types import Judge, Prompt, Reply, Usage


@dataclass
class Program(Judge):
    """A free judge: a program that reads the case and always answers the same."""

    name: str = "program"
    needs_prompt: bool = False
    template: str | None = "own words"
    varies: bool = False
    question: str = ""
    closed: bool = False

    async def ask(self, prompt: Prompt) -> Reply:
        return Reply(f"repeat {prompt.repeat}", self.name)

    def for_question(self, question: str) -> Program:
        return Program(question=question)

    async def close(self) -> None:
        self.closed = True


def wrap_cached(judge: Judge, folder: Path) -> JudgeWrapper:
    async def wrap() -> JudgeWrapper:
        with open_store(str(folder / "oyer.db")) as store:
            asker = Asker(store, BudgetMeter(Budget(), Usage()), 1)
            return CachedJudge(judge, asker, Task(1, "task", "ask"), [Reply("kept", judge.name)])

    return asyncio.run(wrap())


WRAPPERS: dict[str, Callable[[Judge, Path], JudgeWrapper]] = {
    "named": lambda judge, _: NamedJudge(judge, "", "own words"),
    "seat": lambda judge, _: Seat(judge, 1),
    "elsewhere": lambda judge, _: JudgeElsewhere(judge, ThreadPoolExecutor(1), ProtocolRef("toy")),
    "cached": wrap_cached,
}
each_wrapper = pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS)


@each_wrapper
def test_a_wrapper_says_what_its_judge_says(
    wrap: Callable[[Judge, Path], JudgeWrapper], tmp_path: Path
) -> None:
    program = Program()
    wrapper = wrap(program, tmp_path)
    assert wrapper.name == "program"
    assert not wrapper.needs_prompt
    assert not wrapper.varies
    assert wrapper.template == "own words"
    asked = wrapper.for_question("q1")
    assert type(asked) is type(wrapper)
    assert isinstance(asked.judge, Program)
    assert asked.judge.question == "q1"
    asyncio.run(wrapper.close())
    assert program.closed


@each_wrapper
def test_a_free_judge_sits_once_in_a_panel_also_inside_a_wrapper(
    wrap: Callable[[Judge, Path], JudgeWrapper], tmp_path: Path
) -> None:
    wrapper = wrap(Program(), tmp_path)
    with pytest.raises(UsageError, match="program sits in the panel 2 times, and says the same"):
        open_panel([wrapper, wrapper])
    model = wrap(Program(varies=True), tmp_path)
    assert len(open_panel([model, model]).members) == 2


def test_a_panel_of_free_judges_says_the_same_each_time() -> None:
    free = [Program("one"), Program("two")]
    assert not open_panel(free).varies
    assert open_panel([*free, Program("model", varies=True)]).varies

"""A judge of your own: `program:PATH` asks a program on this machine.

The program reads the question on its standard input (first the system's words, then the user's)
and writes its reply on its standard output. Whatever runs a model can be a judge in this way.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass

from oyer import (
    Judge,
    JudgeName,
    Opening,
    Prompt,
    Provider,
    ProviderError,
    Reply,
    Usage,
    UsageError,
)


@dataclass(frozen=True)
class ProgramJudge(Judge):
    """Starts the program once for each question."""

    program: str
    timeout: float

    @property
    def name(self) -> str:
        return f"program:{self.program}"

    async def ask(self, prompt: Prompt) -> Reply:
        question = f"{prompt.system}\n\n{prompt.user}".encode()
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(self.program, stdin=pipe, stdout=pipe)
        try:
            answer, _ = await asyncio.wait_for(child.communicate(question), self.timeout)
        except TimeoutError:
            child.kill()
            await child.wait()
            raise ProviderError(f"{self.name}: no answer in {self.timeout:g} s") from None
        if child.returncode != 0:
            raise ProviderError(f"{self.name}: ended with exit code {child.returncode}")
        return Reply(answer.decode("utf-8", "replace"), self.name, Usage(calls=1))


def open_program(name: JudgeName, opening: Opening) -> ProgramJudge:
    """Refuse what cannot be started before the first question is asked."""
    found = shutil.which(name.model)
    if found is None:
        raise UsageError(f"judge '{name}': there is no program '{name.model}' to start")
    return ProgramJudge(found, opening.options.timeout)


PROVIDER = Provider("program", open_program, follows="file", free=True)

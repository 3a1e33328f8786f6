"""A judge of this program that is asked on other machines: the embedded judge takes a core."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from oyer.judges.wrapper import JudgeWrapper
from oyer.runs.parallel import ProtocolRef, load_protocol
from oyer.types import Judge, Prompt, Reply


@dataclass(slots=True, eq=False)
class JudgeElsewhere(JudgeWrapper):
    """The same judge, asked by a worker. Its reply comes back here, and is stored here."""

    workers: Executor
    protocol: ProtocolRef

    async def ask(self, prompt: Prompt) -> Reply:
        # functions cannot be sent, names can
        question = replace(prompt, asked_by=None, before_retry=None)
        return await asyncio.wrap_future(
            self.workers.submit(ask_here, self.judge, self.protocol, question)
        )


def ask_here(judge: Judge, protocol: ProtocolRef, question: Prompt) -> Reply:
    """What a worker does."""
    prompt = replace(question, asked_by=load_protocol(protocol))
    return asyncio.run(judge.ask(prompt))

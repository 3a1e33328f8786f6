"""A model file of the user's own, run by llama.cpp: `llamacpp:PATH.gguf` (extra `oyer[local]`).

The model lives in a child process with llama.cpp's own HTTP server on the loopback interface: a
crash in native code ends the child, not a run, and the child ends when its parent does.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from oyer.errors import InputError, ProviderError, UsageError
from oyer.judges.names import JudgeName
from oyer.judges.options import Options
from oyer.judges.prices import FREE
from oyer.judges.providers.openai import COMPATIBLE
from oyer.judges.registry import Availability, Opening, Provider
from oyer.types import Judge, Prompt, Reply

if TYPE_CHECKING:
    from oyer.judges.http import Network
    from oyer.judges.server import ServerJudge

CONTEXT = 16_384  # tokens of prompt and reply together
SLOWEST = 1_800.0  # seconds to load, and to answer: a large model on a small machine takes its time


class LlamaJudge(Judge):
    """Starts its server at the first question and asks it one question at a time."""

    def __init__(self, path: str, network: Network, options: Options) -> None:
        if find_spec("xllamacpp") is None:
            raise UsageError(f"judge 'llamacpp:{path}' needs xllamacpp: pip install 'oyer[local]'")
        if not Path(path).is_file():
            raise InputError("no such model file", file=path)
        self._path, self._network = path, network
        self._options = replace(options, in_flight=1, timeout=max(options.timeout, SLOWEST))
        self._starting = asyncio.Lock()
        self._judge: ServerJudge | None = None

    @property
    def name(self) -> str:
        return f"llamacpp:{self._path}"

    async def ask(self, prompt: Prompt) -> Reply:
        async with self._starting:
            if self._judge is None:
                self._judge = await self._start()
        return await self._judge.ask(prompt)

    async def _start(self) -> ServerJudge:
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "oyer.judges.providers._llamacpp_child", self._path, str(CONTEXT)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )

        async def stop() -> None:
            if child.returncode is None:
                child.kill()
            await child.wait()
            self._judge = None

        self._network.closes(stop)
        assert child.stdout is not None
        why = "llama.cpp could not load this file"
        try:
            line = await asyncio.wait_for(child.stdout.readline(), self._options.timeout)
        except TimeoutError:
            line = b""
            why = f"llama.cpp has not loaded this file in {self._options.timeout:.0f} s"
        address = line.decode().strip()
        if not address.startswith("http://"):
            await stop()
            raise ProviderError(f"{self.name}: {why}")
        from oyer.judges.server import Endpoint, ServerJudge

        endpoint = Endpoint(self.name, "local", COMPATIBLE, f"{address}/v1", None, FREE)
        return ServerJudge(endpoint, self._network, self._options)


def open_llama(name: JudgeName, opening: Opening) -> LlamaJudge:
    return LlamaJudge(name.model, opening.network(), opening.options)


def look() -> Availability:
    usable = find_spec("xllamacpp") is not None
    why = "xllamacpp is installed" if usable else "needs xllamacpp: pip install 'oyer[local]'"
    return Availability("llamacpp:PATH.gguf", usable, why)


PROVIDER = Provider("llamacpp", open_llama, follows="file", free=True, look=look)

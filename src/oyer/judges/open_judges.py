"""One pool for all judges of a program: it owns the HTTP session and what was learnt of servers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

from oyer.errors import UsageError
from oyer.judges.names import SERVERS, JudgeName, members, parse_name
from oyer.judges.options import Options

if TYPE_CHECKING:
    from oyer.judges.http import Network
    from oyer.judges.server import ServerJudge
    from oyer.types import Judge


class JudgePool:
    """Opens judges by name; `async with` keeps their connections alive between calls."""

    def __init__(
        self, options: Options | None = None, *, environ: Mapping[str, str] = os.environ
    ) -> None:
        self.options = options or Options()
        self._environ = environ
        self._network: Network | None = None
        self._judges: dict[str, Judge] = {}

    async def __aenter__(self) -> JudgePool:
        await self._net().open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections and end the servers that were started for judges."""
        if self._network is not None:
            await self._network.close()

    def open(self, name: str) -> Judge:
        """The judge of that name, the same object each time, so that its limits are shared."""
        if name not in self._judges:
            self._judges[name] = self._opened(name)
        return self._judges[name]

    def _opened(self, name: str) -> Judge:
        several = members(name)
        if len(several) > 1:
            from oyer.judges.panel import open_panel

            return open_panel([self.open(member) for member in several])
        parsed = parse_name(name)
        if parsed.kind in SERVERS:
            return self.server(parsed)
        if parsed.kind == "replay":
            from oyer.judges.replay import ReplayJudge

            return ReplayJudge(parsed.model)
        if parsed.kind == "llamacpp":
            from oyer.judges.providers.llamacpp import LlamaJudge

            return LlamaJudge(parsed.model, self._net(), self.options)
        from oyer.judges.embedded import open_embedded

        return open_embedded(parsed.model)

    def bind_embedded(self, variant: str) -> None:
        """From now on the bare name `embedded` means this variant, whatever is installed."""
        from oyer.judges.embedded import open_embedded

        self._judges["embedded"] = open_embedded(variant)

    def server(self, name: JudgeName) -> ServerJudge:
        """A judge behind HTTP: also what the batch APIs need."""
        from oyer.judges.server import open_server

        if name.kind not in SERVERS:
            raise UsageError(f"judge '{name}' is not a server")
        return open_server(name, self._net(), self.options, self._environ)

    def _net(self) -> Network:
        if self._network is None:
            from oyer.judges.http import Network

            self._network = Network()
        return self._network

"""One pool for all judges of a program: it owns the HTTP session and what was learnt of servers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

from oyer.judges.names import members, parse_name
from oyer.judges.options import Options
from oyer.judges.registry import Opening, find_provider

if TYPE_CHECKING:
    from oyer.judges.http import Network
    from oyer.types import JsonObject, Judge


class JudgePool:
    """Opens judges by name; `async with` keeps their connections alive between calls."""

    def __init__(
        self,
        options: Options | None = None,
        *,
        environ: Mapping[str, str] = os.environ,
        elsewhere: Callable[[Judge], Judge] | None = None,
    ) -> None:
        self.options = options or Options()
        self._elsewhere = elsewhere  # where judges are asked that need much of a core
        self._environ = environ
        self._network: Network | None = None
        self._judges: dict[tuple[str, str], Judge] = {}  # by name and options of their own

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

    def open(self, name: str, own: JsonObject | None = None) -> Judge:
        """The judge of that name, the same object each time, so that its limits are shared.

        `own` are options of this judge alone, over the pool's: a temperature.
        """
        key = (name, json.dumps(dict(own or {}), sort_keys=True))
        if key not in self._judges:
            self._judges[key] = self._open_new(name, own or {})
        return self._judges[key]

    def _open_new(self, name: str, own: JsonObject) -> Judge:
        several = members(name)
        if len(several) > 1:
            from oyer.judges.panel import open_panel

            return open_panel([self.open(member, own) for member in several])
        parsed = parse_name(name)
        opening = Opening(replace(self.options, **own), self._environ, self._net)
        provider = find_provider(parsed.kind)
        judge = provider.open(parsed, opening)
        return self._elsewhere(judge) if provider.heavy and self._elsewhere else judge

    def bind(self, name: str, meaning: str) -> None:
        """From now on one name means another judge, whatever is installed."""
        self._judges[name, "{}"] = self.open(meaning)

    def _net(self) -> Network:
        if self._network is None:
            from oyer.judges.http import Network

            self._network = Network()
        return self._network

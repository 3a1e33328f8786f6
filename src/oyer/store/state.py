"""What judges must remember between sessions, in the store: articles' exams, batches under way."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from oyer.store.store import Store

KIND = "exam"


@dataclass(frozen=True, slots=True)
class StateStore:
    """A shelf (see `oyer.judges.exam`, `oyer.judges.batch_judge`) that outlives the program."""

    store: Store
    kind: str = KIND

    async def get(self, key: str) -> str | None:
        body = self.store.state(self.kind, key)
        return None if body is None else body.decode("utf-8", "surrogatepass")

    async def put(self, key: str, reply: str) -> None:
        body = reply.encode("utf-8", "surrogatepass")
        await asyncio.wrap_future(self.store.keep_state(self.kind, key, body))

"""Who answers: servers over HTTP, the embedded judge, replay, panels.

    async with JudgePool(Options(in_flight=256)) as pool:   # one HTTP session for all
        judge = pool.open("openai:gpt-5")                   # cheap; the same name, the same limits
        reply = await judge.ask(prompt)

`open_judge(name)` alone suits a single question: it opens a connection for each call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oyer.judges.names import JudgeName, members, parse_name
from oyer.judges.open_judges import JudgePool
from oyer.judges.options import Options

if TYPE_CHECKING:
    from oyer.types import Judge

__all__ = ["JudgeName", "JudgePool", "Options", "members", "open_judge", "parse_name"]


def open_judge(
    name: str, *, options: Options | None = None, pool: JudgePool | None = None
) -> Judge:
    """The judge of that name (a panel for `a+b+c`). Raises `UsageError` for a bad name."""
    if pool is not None and options is not None:
        raise ValueError("options belong to the pool: JudgePool(options)")
    return (pool or JudgePool(options)).open(name)

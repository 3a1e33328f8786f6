"""What Python users call: `oyer.judge` and `oyer.audit`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from oyer.engine import Answers, decide, hear
from oyer.errors import UsageError
from oyer.types import Case, Protocol, Reply, Verdict


def audit(
    protocol: str | Protocol[Any],
    case: Case | Mapping[str, Any],
    reply: str | bytes | Reply | None = None,
) -> Verdict:
    """Check a judge's reply and recompute every score by the protocol's rules.

    `protocol` is a name ("judge-lock") or a Protocol of your own; `case` a Case or a plain mapping
    with the protocol's fields; `reply` the judge's text (default: the case's own `reply`).
    Any bytes in, a verdict out: a reply that cannot be used is `status="unscored"`, never a zero.
    """
    from oyer.protocols.catalogue import find_protocol

    chosen = find_protocol(protocol) if isinstance(protocol, str) else protocol
    if isinstance(case, Case):
        subject = case
    elif isinstance(case, Mapping):
        subject = Case.of(case, [field.name for field in chosen.fields])
    else:
        raise UsageError(f"a case is a mapping or an oyer.Case, not {type(case).__name__}")
    if reply is None:
        reply = subject.reply or ""
    if isinstance(reply, bytes):
        reply = reply.decode("utf-8", "replace")
    if isinstance(reply, str):
        reply = Reply(reply, judge=subject.judge or "unknown")
    if not isinstance(reply, Reply):
        raise UsageError(f"a reply is text, bytes or an oyer.Reply, not {type(reply).__name__}")
    return decide(Answers(subject, reply.judge, (reply,)), chosen)


def judge(
    protocol: str | Protocol[Any], case: Case | Mapping[str, Any], judge: str = "embedded"
) -> Verdict:
    """Judge one case and wait for the verdict: the short way for scripts and tests."""
    from oyer.judges import JudgePool
    from oyer.protocols.catalogue import find_protocol

    chosen = find_protocol(protocol) if isinstance(protocol, str) else protocol
    names = [field.name for field in chosen.fields]
    subject = case if isinstance(case, Case) else Case.of(case, names)

    async def once() -> Verdict:
        async with JudgePool() as pool:
            return (await hear(subject, chosen, pool.open(judge))).verdict

    return asyncio.run(once())

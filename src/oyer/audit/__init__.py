"""Reply text -> findings -> verified findings -> Verdict. Pure: no clock, disk, net or chance.

The room is also the verb: `oyer.audit("judge-lock", case, reply)` works on the module itself,
because a package cannot have a function and a room of the same name.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from oyer.audit.hearing import audit as _audit
from oyer.audit.hearing import rejected
from oyer.audit.record import as_bytes, as_json, record
from oyer.errors import UsageError
from oyer.types import Case, Protocol, Reply, Verdict

__all__ = ["as_bytes", "as_json", "audit", "record", "rejected"]


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
    return _audit(subject, chosen, reply)


class _Room(ModuleType):
    """This module, callable (see above)."""

    def __call__(
        self,
        protocol: str | Protocol[Any],
        case: Case | Mapping[str, Any],
        reply: str | bytes | Reply | None = None,
    ) -> Verdict:
        return audit(protocol, case, reply)

    __call__.__doc__ = audit.__doc__


sys.modules[__name__].__class__ = _Room

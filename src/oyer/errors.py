"""Every exception Oyer raises on purpose.

    OyerError
    ├── UsageError          wrong command, option or name                      exit 2
    ├── InputError          a file, row or field cannot be used                exit 2
    │   ├── FormatError     a field's text breaks its own format (carries its line)
    │   └── ProtocolError   the code of a protocol failed on a case            exit 70
    ├── Unscored            a reply cannot be scored; becomes Verdict.error    exit 3
    ├── ProviderError       a judge could not be asked (network, refusal, key)
    │   └── BudgetError     asking on would exceed the user's budget
    ├── WorkerError         other machines that were to do the work failed
    └── StoreError          the store cannot be read or written
        ├── StoreBusy       another process owns this run
        └── StoreDamaged    what was written is not what is read

Messages name what was wrong, where, and what to do next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

#: Why a verdict has no scores. The set is a contract (spec/interface.md).
UnscoredKind = Literal["missing_metric", "refused", "unreadable", "input", "provider", "budget"]


class OyerError(Exception):
    """The root: catch this to catch everything Oyer raises on purpose."""


class UsageError(OyerError):
    """A command, option or name that does not exist or does not fit."""


class InputError(OyerError):
    """A file, row or field that cannot be used, with its place."""

    code = "input"  # of the violation in the case's verdict

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        field: str | None = None,
        hint: str = "",
    ) -> None:
        self.message, self.file, self.line, self.field = message, file, line, field
        self.hint = hint  # what to try
        super().__init__(message)

    @property
    def fault(self) -> str:
        """What is wrong and where, without what to try: bad rows are named by it in the store."""
        place = ":".join(str(p) for p in (self.file, self.line) if p is not None)
        named = f"field '{self.field}': " if self.field else ""
        return f"{place}: {named}{self.message}" if place else f"{named}{self.message}"

    def __str__(self) -> str:
        return f"{self.fault}: {self.hint}" if self.hint else self.fault


class FormatError(InputError):
    """A field whose text breaks its own format, at `text_line`; `file`, `line` are the case's."""

    def __init__(self, message: str, *, field: str, text_line: int) -> None:
        self.text_line = text_line
        super().__init__(f"line {text_line} of the {field}: {message}", field=field)


PROTOCOL_ERROR = "protocol.error"


class ProtocolError(InputError):
    """The code of a protocol failed on one case, or gave a score that it does not have.

    The case gets no score and the others go on. It is nobody's fault but the protocol's.
    """

    code = PROTOCOL_ERROR


class Unscored(OyerError):
    """Raised while reading or checking a reply that cannot be scored. Never a zero.

    `stated` is what could still be read of the judge's own numbers.
    """

    def __init__(
        self,
        kind: UnscoredKind,
        code: str,
        detail: str,
        where: str = "reply",
        stated: Mapping[str, object] | None = None,
    ) -> None:
        self.kind, self.code, self.detail, self.where = kind, code, detail, where
        self.stated: Mapping[str, object] = stated or {}
        super().__init__(f"{kind}: {detail}")


class ProviderError(OyerError):
    """A judge could not be asked or did not answer. Never carries a key.

    `usage` is what the attempts cost all the same (`oyer.types.Usage`), when that is known.
    """

    def __init__(self, message: str, *, kind: UnscoredKind = "provider", usage: Any = None) -> None:
        self.kind: UnscoredKind = kind
        self.usage = usage
        super().__init__(message)


class BudgetError(ProviderError):
    """Asking on would exceed the budget the user set."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="budget")


class WorkerError(OyerError):
    """The cluster that was to do the work failed; the same command goes on when it is back."""


class StoreError(OyerError):
    """The store cannot be opened, read or written."""


class StoreBusy(StoreError):
    """Another process is writing this run."""


class StoreDamaged(StoreError):
    """A row, or the file, is not what was written; `what` names it."""

    def __init__(self, what: str, message: str) -> None:
        self.what = what
        super().__init__(message)

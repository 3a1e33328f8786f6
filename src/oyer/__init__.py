"""Oyer: language-model judges on the record. The judge perceives, the code decides.

    >>> import oyer
    >>> verdict = oyer.audit("judge-lock", {"article": …, "summary": …}, reply)
    >>> verdict.scores["coverage"], verdict.violations

The names below are the public ones; importing them pulls in no third-party module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from oyer.audit import as_json as as_json
    from oyer.audit import audit as audit
    from oyer.audit import record as record
    from oyer.errors import InputError as InputError
    from oyer.errors import OyerError as OyerError
    from oyer.errors import Unscored as Unscored
    from oyer.errors import UsageError as UsageError
    from oyer.protocols.catalogue import find_protocol as find_protocol
    from oyer.types import Ask as Ask
    from oyer.types import Case as Case
    from oyer.types import Checked as Checked
    from oyer.types import Evidence as Evidence
    from oyer.types import Field as Field
    from oyer.types import Found as Found
    from oyer.types import Judge as Judge
    from oyer.types import Prompt as Prompt
    from oyer.types import Protocol as Protocol
    from oyer.types import Reading as Reading
    from oyer.types import Reply as Reply
    from oyer.types import Rule as Rule
    from oyer.types import Ruling as Ruling
    from oyer.types import Span as Span
    from oyer.types import Step as Step
    from oyer.types import Usage as Usage
    from oyer.types import Verdict as Verdict
    from oyer.types import Violation as Violation

#: public name -> the module that has it. Loaded on first use: `import oyer` stays light.
_HOMES = {
    "as_json": "oyer.audit.record",
    "record": "oyer.audit.record",
    "find_protocol": "oyer.protocols.catalogue",
    **dict.fromkeys(("InputError", "OyerError", "Unscored", "UsageError"), "oyer.errors"),
    **dict.fromkeys(
        (
            "Ask", "Case", "Checked", "Evidence", "Field", "Found", "Judge", "Prompt", "Protocol",
            "Reading", "Reply", "Rule", "Ruling", "Span", "Step", "Usage", "Verdict", "Violation",
        ),
        "oyer.types",
    ),
}  # fmt: skip

__all__ = ["__version__", "audit", *_HOMES]  # noqa: PLE0604 - all are strings


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "audit":  # the room is the verb: a callable module
        return import_module("oyer.audit")
    if name not in _HOMES:
        raise AttributeError(f"module 'oyer' has no attribute '{name}'")
    home = import_module(_HOMES[name])
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)

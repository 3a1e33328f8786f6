"""Oyer: language-model judges on the record. The judge perceives, the code decides.

    >>> import oyer
    >>> verdict = oyer.audit("judge-lock", {"article": …, "summary": …}, reply)
    >>> verdict.scores["coverage"], verdict.violations
    >>> oyer.judge("judge-lock", {"article": …, "summary": …}).total     # the embedded judge

The names below are the public ones; importing them pulls in no third-party module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from oyer.abilities import Reasons, Remark, Section
    from oyer.api import audit, judge, judge_async, judge_many, judge_many_async
    from oyer.arith import exact, harmonic
    from oyer.errors import (
        InputError,
        OyerError,
        ProviderError,
        StoreError,
        Unscored,
        UsageError,
    )
    from oyer.judges.names import JudgeName
    from oyer.judges.options import Options
    from oyer.judges.registry import Availability, Opening, Provider
    from oyer.protocols.catalogue import find_protocol
    from oyer.records import VerdictRecord
    from oyer.run_view import RunView, open_run
    from oyer.text.fence import fence
    from oyer.text.quotes import find_quote
    from oyer.text.values import label as read_label
    from oyer.text.values import number as read_number
    from oyer.text.words import count as count_tokens
    from oyer.types import (
        Ask,
        Case,
        Checked,
        Evidence,
        Field,
        Found,
        Judge,
        Pooled,
        Probe,
        Prompt,
        Protocol,
        Reading,
        Reply,
        Rule,
        Ruling,
        Span,
        Step,
        Unit,
        Usage,
        Verdict,
        Violation,
        Vote,
        Wording,
        Writing,
    )
    from oyer.verdicts import as_json, record

#: public name -> the module that has it (and its name there). Loaded on first use, so that
#: `import oyer` stays light.
_HOMES = {
    **dict.fromkeys(
        ("audit", "judge", "judge_async", "judge_many", "judge_many_async"), "oyer.api"
    ),
    "VerdictRecord": "oyer.records",
    "open_run": "oyer.run_view",
    "RunView": "oyer.run_view",
    "as_json": "oyer.verdicts.record",
    "record": "oyer.verdicts.record",
    "find_protocol": "oyer.protocols.catalogue",
    "fence": "oyer.text.fence",
    "find_quote": "oyer.text.quotes",
    "count_tokens": "oyer.text.words:count",
    "read_number": "oyer.text.values:number",
    "read_label": "oyer.text.values:label",
    "exact": "oyer.arith",
    "harmonic": "oyer.arith",
    "JudgeName": "oyer.judges.names",
    "Options": "oyer.judges.options",
    **dict.fromkeys(("Availability", "Opening", "Provider"), "oyer.judges.registry"),
    **dict.fromkeys(
        ("InputError", "OyerError", "ProviderError", "StoreError", "Unscored", "UsageError"),
        "oyer.errors",
    ),
    **dict.fromkeys(
        (
            "Ask", "Case", "Checked", "Evidence", "Field", "Found", "Judge", "Pooled", "Probe",
            "Prompt", "Protocol", "Reading", "Reply", "Rule", "Ruling", "Span", "Step", "Unit",
            "Usage", "Verdict", "Violation", "Vote", "Wording", "Writing",
        ),
        "oyer.types",
    ),
    **dict.fromkeys(("Reasons", "Remark", "Section"), "oyer.abilities"),
}  # fmt: skip

__all__ = [
    "Ask",
    "Availability",
    "Case",
    "Checked",
    "Evidence",
    "Field",
    "Found",
    "InputError",
    "Judge",
    "JudgeName",
    "Opening",
    "Options",
    "OyerError",
    "Pooled",
    "Probe",
    "Prompt",
    "Protocol",
    "Provider",
    "ProviderError",
    "Reading",
    "Reasons",
    "Remark",
    "Reply",
    "Rule",
    "Ruling",
    "RunView",
    "Section",
    "Span",
    "Step",
    "StoreError",
    "Unit",
    "Unscored",
    "Usage",
    "UsageError",
    "Verdict",
    "VerdictRecord",
    "Violation",
    "Vote",
    "Wording",
    "Writing",
    "__version__",
    "as_json",
    "audit",
    "count_tokens",
    "exact",
    "fence",
    "find_protocol",
    "find_quote",
    "harmonic",
    "judge",
    "judge_async",
    "judge_many",
    "judge_many_async",
    "open_run",
    "read_label",
    "read_number",
    "record",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'oyer' has no attribute '{name}'")
    home, _, inside = _HOMES[name].partition(":")
    return getattr(import_module(home), inside or name)


def __dir__() -> list[str]:
    return sorted(__all__)

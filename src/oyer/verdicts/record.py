"""A verdict as the JSON record of spec/interface.md: same verdict, same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from oyer.arith import show, shown
from oyer.records import VerdictRecord
from oyer.types import Evidence, Span, Step, Usage, Verdict, Violation

#: The contract's keys, in its order. Any other key of a record is the protocol's own (`extra`).
KEYS = (
    "id", "case", "candidate", "protocol", "judge", "repeat", "status", "error", "scores", "total",
    "stated", "violations", "evidence", "trace", "output", "usage", "sha",
)  # fmt: skip


#: Those whose parts are records of their own; `restored` makes them again.
_DERIVED = frozenset({"violations", "evidence", "trace", "usage"})
#: Those that are written after `extra` in parts (see `_Form`).
_EVIDENCE_ON = frozenset({"evidence", "trace", "output", "usage", "sha"})
#: A piece of evidence, and how its values are put in: most of a record is evidence.
_EVIDENCE = {"where": "%s", "source": "%s", "start": "%d", "end": "%d", "match": "%s",
             "quote": "%s"}  # fmt: skip


def extra_of(record: VerdictRecord) -> dict[str, Any]:
    """What a record holds beyond the contract (critical_fail, checks, reliability …)."""
    return {k: v for k, v in record.items() if k not in KEYS and v not in (None, [], {})}


def verdict_of(record: VerdictRecord) -> Verdict:
    """A stored record as a verdict again, without its derivation: what reports on many need."""
    values: Mapping[str, Any] = record
    plain = {key: values[key] for key in KEYS if key not in _DERIVED}
    return Verdict(**plain, extra=extra_of(record))


def restored(record: VerdictRecord) -> Verdict:
    """A stored record as the verdict that it was made of: printed again, it is the same bytes."""
    return replace(
        verdict_of(record),
        violations=tuple(Violation(**v) for v in record["violations"]),
        evidence=tuple(
            Evidence(e["where"], Span(e["source"], e["start"], e["end"], e["match"]), e["quote"])
            for e in record["evidence"]
        ),
        trace=tuple(
            Step(
                s["rule"],
                s["formula"],
                _found_again(s["inputs"], s.get("exact_inputs")),
                _found_again(s["value"], s.get("exact")),
            )
            for s in record["trace"]
        ),
        usage=Usage(**record["usage"]),
        extra={key: value for key, value in record.items() if key not in KEYS},
    )


def _found_again(shown: Any, lost: Any) -> Any:
    """What was shown, with the fractions that two decimals lost (see `_lost`)."""
    if isinstance(lost, str):
        return Fraction(lost)
    if isinstance(lost, Mapping):
        return {key: _found_again(value, lost.get(key)) for key, value in shown.items()}
    return shown


def record(verdict: Verdict) -> VerdictRecord:
    """The verdict as plain JSON values, keys in the contract's order."""
    plain: VerdictRecord = show(_laid_out(verdict))
    return plain


def _laid_out(verdict: Verdict) -> dict[str, Any]:
    """The record with numbers still exact: `show` or the encoder makes them plain."""
    evidence = [
        dict(zip(_EVIDENCE, (where, *span, quote), strict=True))
        for where, span, quote in verdict.evidence
    ]
    trace = [_step(step) for step in verdict.trace]
    until = _until_evidence(verdict)
    return {**until, "evidence": evidence, "trace": trace, **_after(verdict)}


def _until_evidence(verdict: Verdict) -> dict[str, Any]:
    return {
        "id": verdict.id,
        "case": verdict.case,
        "candidate": verdict.candidate,
        "protocol": verdict.protocol,
        "judge": verdict.judge,
        "repeat": verdict.repeat,
        "status": verdict.status,
        "error": verdict.error,
        "scores": verdict.scores,
        "total": verdict.total,
        **verdict.extra,
        "stated": verdict.stated,
        "violations": [
            {"code": code, "where": where, "detail": detail}
            for code, where, detail in verdict.violations
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    made: dict[str, Any] = {
        "rule": step.rule,
        "formula": step.formula,
        "inputs": step.inputs,
        "value": step.value,
    }
    # JL-ROUND rounds what is shown; what it takes away stays beside it, so that every step can
    # be computed again from the record alone.
    exact = _lost(step.value)
    if exact is not None:
        made["exact"] = exact
    exact = _lost(step.inputs)
    if exact is not None:
        made["exact_inputs"] = exact
    return made


def _lost(value: Any) -> Any:
    """The fraction (or those of a mapping) that two decimals cannot show; None: nothing is lost."""
    kind = type(value)
    if kind is Fraction:
        return f"{value.numerator}/{value.denominator}" if 100 % value.denominator else None
    if kind is dict:
        return {k: part for k, v in value.items() if (part := _lost(v)) is not None} or None
    return None


def _after(verdict: Verdict) -> dict[str, Any]:
    usage = verdict.usage
    return {
        "output": verdict.output,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost_usd": usage.cost_usd,
            "calls": usage.calls,
            "seconds": round(usage.seconds, 3),
        },
        "sha": verdict.sha,
    }


def as_json(verdict: Verdict | Mapping[str, Any]) -> str:
    """One line of JSON. NaN cannot occur; lone surrogates are escaped so that it stays UTF-8."""
    line = _LEGIBLE.write(verdict)
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        line = _ESCAPED.write(verdict)
    # Some readers end a line at these three, too; JSON may escape them anywhere in a string.
    for ch in "\u2028\u2029\x85":
        if ch in line:
            line = line.replace(ch, f"\\u{ord(ch):04x}")
    return line


def as_bytes(verdict: Verdict) -> bytes:
    """The record as it is stored: no spaces, ASCII, keys in the contract's order."""
    return _STORED.write(verdict).encode("ascii")


def _plain(value: Any) -> Any:
    """What `json` cannot write by itself: exact numbers, and mappings that are no dicts."""
    if isinstance(value, Fraction):
        return shown(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


class _Form:
    """One way to write records: how items and keys are parted, what is escaped."""

    def __init__(self, comma: str, colon: str, *, escaped: bool, allow_nan: bool) -> None:
        self.name = f"{comma}{colon}{escaped}"
        self.comma, self.colon = comma, colon
        self.quoted = encode_basestring_ascii if escaped else encode_basestring
        named = [f'"{name}"{colon}{value}' for name, value in _EVIDENCE.items()]
        self.found = f"{{{comma.join(named)}}}"
        # Records are trees that we built, so looking for circles would only take time.
        self.encode = json.JSONEncoder(
            separators=(comma, colon), ensure_ascii=escaped, allow_nan=allow_nan,
            check_circular=False, default=_plain,
        ).encode  # fmt: skip

    def write(self, verdict: Verdict | Mapping[str, Any]) -> str:
        if not isinstance(verdict, Verdict):
            return self.encode(verdict)
        if not _EVIDENCE_ON.isdisjoint(verdict.extra):  # a key is written once, wherever it stood
            return self.encode(_laid_out(verdict))
        until, after = self.encode(_until_evidence(verdict)), self.encode(_after(verdict))
        quoted, form = self.quoted, self.found
        evidence = self.comma.join([
            form % (quoted(where), quoted(source), start, end, quoted(match), quoted(quote))
            for where, (source, start, end, match), quote in verdict.evidence
        ])  # fmt: skip
        trace = self.comma.join([step.written.get(self.name) or self.step(step)
                                 for step in verdict.trace])  # fmt: skip
        parts = f'"evidence"{self.colon}[{evidence}]{self.comma}"trace"{self.colon}[{trace}]'
        return f"{until[:-1]}{self.comma}{parts}{self.comma}{after[1:]}"

    def step(self, step: Step) -> str:
        """Written once: the same step may stand in many verdicts."""
        step.written[self.name] = text = self.encode(_step(step))
        return text


_LEGIBLE = _Form(", ", ": ", escaped=False, allow_nan=False)
_ESCAPED = _Form(", ", ": ", escaped=True, allow_nan=False)
_STORED = _Form(",", ":", escaped=True, allow_nan=True)

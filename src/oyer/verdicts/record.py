"""A verdict as the JSON record of spec/interface.md: same verdict, same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from oyer.arith import round_to_show, show
from oyer.records import VerdictRecord
from oyer.types import Evidence, JsonObject, Span, Step, Usage, Verdict, Violation

#: The contract's keys, in its order. Any other key of a record is the protocol's own (`extra`).
KEYS = (
    "id", "case", "candidate", "protocol", "judge", "repeat", "status", "error", "scores", "total",
    "stated", "violations", "evidence", "trace", "output", "usage", "sha",
)  # fmt: skip


#: Those whose parts are records of their own; `restored` makes them again.
_DERIVED = frozenset({"violations", "evidence", "trace", "usage"})


def extra_of(record: VerdictRecord) -> dict[str, Any]:
    """What a record holds beyond the contract (critical_fail, checks, reliability …)."""
    return {k: v for k, v in record.items() if k not in KEYS and v not in (None, [], {})}


def verdict_of(record: VerdictRecord) -> Verdict:
    """A stored record as a verdict again, without its derivation: what reports on many need."""
    values: JsonObject = record
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


def _found_again(round_to_show: Any, lost: Any) -> Any:
    """What was shown, with the fractions that two decimals lost (see `_lost`)."""
    if isinstance(lost, str):
        return Fraction(lost)
    if isinstance(lost, Mapping):
        return {key: _found_again(value, lost.get(key)) for key, value in round_to_show.items()}
    return round_to_show


def record(verdict: Verdict) -> VerdictRecord:
    """The verdict as plain JSON values, keys in the contract's order."""
    plain: VerdictRecord = show(_laid_out(verdict))
    return plain


def _laid_out(verdict: Verdict) -> dict[str, Any]:
    """The record with numbers still exact: `show` or the encoder makes them plain."""
    usage = verdict.usage
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
        "evidence": [
            {
                "where": where,
                "source": source,
                "start": start,
                "end": end,
                "match": match,
                "quote": quote,
            }
            for where, (source, start, end, match), quote in verdict.evidence
        ],
        "trace": [_step(step) for step in verdict.trace],
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


def _step(step: Step) -> dict[str, Any]:
    # JL-ROUND rounds what is shown; what it takes away stays beside it, so that every step can
    # be computed again from the record alone.
    inputs, exact_inputs = _round(step.inputs)
    value, exact = _round(step.value)
    laid_out = {"rule": step.rule, "formula": step.formula, "inputs": inputs, "value": value}
    if exact is not None:
        laid_out["exact"] = exact
    if exact_inputs is not None:
        laid_out["exact_inputs"] = exact_inputs
    return laid_out


def _round(value: Any) -> tuple[Any, Any]:
    """A value as it is shown, and the fraction (or those of a mapping) that two decimals cannot
    show; None: nothing is lost."""
    kind = type(value)
    if kind is Fraction:
        return round_to_show(value), _lost(value)
    if kind is not dict:
        return value, None
    rounded: dict[str, Any] = {}
    lost: dict[str, Any] = {}
    for name, part in value.items():
        kind = type(part)
        if kind is Fraction or kind is dict:
            rounded[name], exact = _round(part)
            if exact is not None:
                lost[name] = exact
    return ({**value, **rounded} if rounded else value), lost or None


def _lost(value: Fraction) -> str | None:
    top, bottom = value.as_integer_ratio()
    return f"{top}/{bottom}" if 100 % bottom else None


def as_json(verdict: Verdict | JsonObject) -> str:
    """One line of JSON. NaN cannot occur; lone surrogates are escaped so that it stays UTF-8."""
    values = _laid_out(verdict) if isinstance(verdict, Verdict) else verdict
    line = _LEGIBLE.encode(values)
    if line.isascii():
        return line
    try:
        line.encode("utf-8")
    except UnicodeEncodeError:
        line = _ESCAPED.encode(values)
    # Some readers end a line at these three, too; JSON may escape them anywhere in a string.
    for ch in "\u2028\u2029\x85":
        if ch in line:
            line = line.replace(ch, f"\\u{ord(ch):04x}")
    return line


def as_bytes(verdict: Verdict) -> bytes:
    """The record as it is stored: no spaces, ASCII, keys in the contract's order."""
    return _STORED.encode(_laid_out(verdict)).encode("ascii")


def _plain(value: Any) -> Any:
    """What `json` cannot write by itself: exact numbers, and mappings that are no dicts."""
    if isinstance(value, Fraction):
        return round_to_show(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def _encoder(comma: str, colon: str, *, escaped: bool, allow_nan: bool) -> json.JSONEncoder:
    """Records are trees that we built, so looking for circles would only take time."""
    return json.JSONEncoder(
        separators=(comma, colon), ensure_ascii=escaped, allow_nan=allow_nan,
        check_circular=False, default=_plain,
    )  # fmt: skip


_LEGIBLE = _encoder(", ", ": ", escaped=False, allow_nan=False)
_ESCAPED = _encoder(", ", ": ", escaped=True, allow_nan=False)
_STORED = _encoder(",", ":", escaped=True, allow_nan=True)

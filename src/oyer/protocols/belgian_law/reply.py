"""A judge's reply, read: its verdict object as typed findings. Nothing is believed yet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from oyer.errors import Unscored
from oyer.protocols.belgian_law.decide import LISTS, Decision
from oyer.protocols.belgian_law.rules import (
    CONFIDENCES,
    RECOMMENDATIONS,
    VERDICTS,
    Rules,
    Severity,
)
from oyer.text.values import label, number
from oyer.types import Case, JsonObject, Reading, Violation

COUNTS = ("expected", "extracted", "matched", "missing", "hallucinated", "duplicates")
_SEVERITIES: dict[str, Severity] = {
    "criticalIssues": "CRITICAL",
    "majorIssues": "MAJOR",
    "minorIssues": "MINOR",
}


@dataclass(frozen=True, slots=True)
class ProvisionFinding:
    """One issue as a judge put it; `code` is what its words mean, None when they say nothing."""

    where: str
    severity: Severity
    text: str
    code: str | None
    kind: str | None = None
    items: tuple[str | int, ...] = ()  # the items it names: by number, or internalProvisionId
    quote: str = ""  # words of the source


@dataclass(frozen=True, slots=True)
class BelgianFindings:
    """A reply's content. `decision` is what the engine makes of the same case (`check` adds it)."""

    verdict: str | None
    score: Fraction | None
    confidence: str | None
    recommendation: str | None
    summary: str
    findings: tuple[ProvisionFinding, ...]
    counts: Mapping[str, int]
    missing: tuple[Any, ...] | None  # None: the reply has no such list
    hallucinated: tuple[Any, ...] | None
    stated: JsonObject
    violations: tuple[Violation, ...] = ()
    decision: Decision | None = None


def is_verdict(value: JsonObject) -> str | None:
    """The protocol has one object; it is known by its issue lists or verdict."""
    return "score" if "verdict" in value or any(name in value for name in LISTS.values()) else None


def read(case: Case, reading: Reading, rules: Rules) -> BelgianFindings:
    """The findings of a reply; raises Unscored when there is no one verdict to read."""
    objects = [found.value for found in reading.objects if is_verdict(found.value)]
    if not objects:
        refused = next((f.value["error"] for f in reading.objects if "error" in f.value), None)
        if refused is not None:
            raise Unscored(
                "refused", "reply.error", f"the judge returned an error: {refused!s:.200}"
            )
        raise Unscored("missing_metric", "reply.missing", "no verdict object in the reply")
    if any(other != objects[0] for other in objects[1:]):
        raise Unscored("unreadable", "reply.ambiguous", "two different verdicts in one reply")
    value = objects[0]
    absent = [name for name in LISTS.values() if name not in value]
    if absent:
        # An absent list is not an empty one: without it nothing can be recomputed.
        raise Unscored("missing_metric", "reply.missing", f"the verdict has no {', '.join(absent)}")
    return _findings(value, rules)


def _findings(value: JsonObject, rules: Rules) -> BelgianFindings:
    wrong: list[Violation] = []
    counts = _counts(value.get("counts"), wrong)
    return BelgianFindings(
        verdict=_label(value, "verdict", VERDICTS, wrong),
        score=_score(value.get("score"), wrong),
        confidence=_label(value, "confidence", CONFIDENCES, wrong),
        recommendation=_label(value, "recommendation", RECOMMENDATIONS, wrong),
        summary=value["summary"] if isinstance(value.get("summary"), str) else "",
        findings=tuple(_issues(value, rules)),
        counts=counts,
        missing=_entries(value, "missing"),
        hallucinated=_entries(value, "hallucinated"),
        stated={
            name: value[name]
            for name in ("score", "verdict", "recommendation", "confidence")
            if isinstance(value.get(name), str | int | float | bool)
        }
        | {f"counts.{name}": number for name, number in counts.items()},
        violations=tuple(wrong),
    )


def _issues(value: JsonObject, rules: Rules) -> Iterator[ProvisionFinding]:
    for name, severity in _SEVERITIES.items():
        for n, entry in enumerate(as_list(value[name])):
            text = words_of(entry)
            if text:
                code, kind = code_of(text, rules)
                fields = entry if isinstance(entry, Mapping) else {}
                quote = fields.get("quote")
                yield ProvisionFinding(
                    f"{name}[{n}]",
                    severity,
                    text,
                    code,
                    kind,
                    _items(fields.get("items")),
                    quote if isinstance(quote, str) else "",
                )


def _items(value: Any) -> tuple[str | int, ...]:
    """Numbers of items, also written as text, and ids."""
    items: list[str | int] = []
    for entry in as_list(value):
        if isinstance(entry, str):
            items.append(int(entry) if entry.isascii() and entry.isdigit() else entry)
        elif isinstance(entry, int) and not isinstance(entry, bool):
            items.append(entry)
    return tuple(items)


def code_of(text: str, rules: Rules) -> tuple[str | None, str | None]:
    """The code an issue's words mean: written before a colon, as ours are, or by its words."""
    head, colon, _ = text.partition(":")
    code, _, kind = head.strip().partition("/")
    if colon and code in rules.severity:
        return code, kind if kind in rules.kind else None
    return _code_by_words(text.casefold(), rules), None


def _code_by_words(text: str, rules: Rules) -> str | None:
    """The code whose word stands first, and of two neighbours the one that more words tell."""
    places: list[tuple[int, int, str]] = []
    for code, words in rules.signals.items():
        places += [(text.find(word), -len(word), code) for word in words if word in text]
    if not places:
        return None
    _, _, first = min(places)
    for of, code, words in rules.refine:
        if first == of and any(word in text for word in words):
            return code
    return first


def words_of(value: Any) -> str:
    """The text of a list's entry: a string, or an object's values in their order."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Mapping):
        code, kind = value.get("code"), value.get("kind")
        text = next(
            (
                value[name]
                for name in ("text", "message", "description", "issue", "detail", "summary")
                if isinstance(value.get(name), str)
            ),
            None,
        )
        if text is None:
            return json.dumps(value, ensure_ascii=False, default=str)[:2000]
        head = f"{code}/{kind}" if isinstance(kind, str) else code
        return f"{head}: {text}" if isinstance(code, str) else text.strip()
    return "" if value is None else str(value)[:2000]


def as_list(value: Any) -> tuple[Any, ...]:
    """A list; one thing alone is a list of one, null an empty one."""
    if isinstance(value, list | tuple):
        return tuple(value)
    return () if value in (None, "", {}) else (value,)


def _entries(value: JsonObject, name: str) -> tuple[Any, ...] | None:
    return as_list(value[name]) if name in value else None


def _label(
    value: JsonObject, name: str, known: tuple[str, ...], wrong: list[Violation]
) -> str | None:
    """One of the known words. Absent is no fault: a prompt may ask for what is seen only."""
    written = value.get(name)
    word = label(written, known).value
    if word is None and written is not None:
        detail = f"{name} is {written!s:.60}, not one of {', '.join(known)}"
        wrong.append(Violation("reply.field", name, detail))
    return word


def _score(value: Any, wrong: list[Violation]) -> Fraction | None:
    score = number(value, out_of=100).value
    if score is None and value is not None:
        wrong.append(Violation("reply.field", "score", f"score is {value!s:.60}, not a number"))
    return score


def _counts(value: Any, wrong: list[Violation]) -> dict[str, int]:
    if value is None:  # our prompt asks for none
        return {}
    if not isinstance(value, Mapping):
        wrong.append(Violation("reply.field", "counts", "counts are not an object"))
        return {}
    counts = {}
    for name in COUNTS:
        count = number(value.get(name), out_of=1).value
        if count is None or count.denominator != 1 or not 0 <= count < 10**9:
            what = "is missing" if value.get(name) is None else f"is {value.get(name)!s:.60}"
            detail = f"{name} {what}, not a whole number"
            wrong.append(Violation("reply.field", f"counts.{name}", detail))
        else:
            counts[name] = int(count)
    return counts

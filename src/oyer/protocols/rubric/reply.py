"""What a rubric reply says, typed. Raises `Unscored` for one that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from oyer.errors import Unscored
from oyer.protocols.rubric.constraints import CheckOutcome, decide
from oyer.protocols.rubric.document import Rubric, parse_rubric
from oyer.protocols.rubric.prompt import SHEET
from oyer.protocols.rubric.rules import AXES, CONFIDENCES, TYPES
from oyer.text.values import flag, label, number
from oyer.types import Case, Found, JsonObject, Reading

#: Any of these, or three of the others, and an object is a verdict of this protocol.
_TELLING: Final = frozenset({"score", "total_score", "critical_fail"})
_KEYS: Final = _TELLING | {
    "task_name", "task_type", "inferred_task_type", "weights", "reasoning", "confidence",
    "critical_fail_reason", "critical_fail_id", "evidence",
}  # fmt: skip
_HUGE: Final = 10**15
#: What judges write where they mean nothing.
_NOTHING: Final = frozenset({"", "null", "none", "n/a", "なし", "該当なし"})


@dataclass(frozen=True, slots=True)
class Critical:
    """The judge's word on the critical fail: `said` None when the reply does not say."""

    said: bool | None
    reason: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RubricFindings:
    """A usable reply beside its rubric and what code decided on its own."""

    rubric: Rubric
    outcomes: tuple[CheckOutcome, ...]
    said: JsonObject
    task_type: str
    weights: Mapping[str, int]
    axes: Mapping[str, Fraction | None]  # None only where a critical fail makes it needless
    total: Fraction | None
    critical: Critical
    applied: bool  # RB-CRITICAL: the fail counts, the judge's or that of a check
    confidence: str | None
    quotes: tuple[tuple[str, str], ...]
    ours: bool = False  # it answers a prompt of ours, which asks for no sums


#: A condition's id in running text: CF-1.
_ID = re.compile(r"(?<![A-Z0-9])CF-\d+(?![0-9])")


def is_verdict(value: JsonObject) -> str | None:
    """Whether an object is a verdict of this protocol, even half of one."""
    keys = _KEYS.intersection(value)
    return "verdict" if keys & _TELLING or len(keys) >= 3 else None


def read(case: Case, reading: Reading) -> RubricFindings:
    """The findings of a reply, or `Unscored`: never a zero for want of a number."""
    found = _verdict(reading)
    reply = found.value
    rubric = parse_rubric(case.text("rubric"))
    outcomes = decide(rubric.constraints, case.text("response"))
    task_type = _task_type(rubric, reply)
    weights = rubric.weights_for(task_type)
    critical = _critical(reply)
    by_code = any(o.constraint.critical and not o.passed for o in outcomes)
    applied = by_code or (bool(critical.said) and is_defined(rubric, critical))
    axes = {axis: _axis(found, axis, weights, applied) for axis in AXES}
    if critical.said is None and rubric.conditions and not applied:
        detail = "RB-CRITICAL: no readable critical_fail, and the rubric has conditions"
        raise _unusable("critical.missing", detail, found, weights)
    if critical.said and not applied and not any(axes.values()):
        detail = "RB-CRITICAL: the zeros are those of a fail that the rubric does not define"
        raise _unusable("critical.zeros", detail, found, weights)
    return RubricFindings(
        rubric=rubric,
        outcomes=outcomes,
        said=reply,
        task_type=task_type,
        weights=weights,
        axes=axes,
        total=number(reply.get("total_score"), 100).value,
        critical=critical,
        applied=applied,
        confidence=label(reply.get("confidence"), CONFIDENCES).value,
        quotes=tuple(_quotes(reply)),
        ours=SHEET.is_ours(reading.prompt),
    )


def is_defined(rubric: Rubric, critical: Critical) -> bool:
    """RB-CRITICAL: the rubric has conditions, and the ids given are among them."""
    return bool(rubric.conditions) and all(name in rubric.conditions for name in critical.ids)


def text_of(value: Any) -> str:
    """A text that a judge gave; nothing for anything else, and for words that mean nothing."""
    text = value.strip() if isinstance(value, str) else ""
    return "" if text.casefold().rstrip(".。") in _NOTHING else text


def part(reply: JsonObject, name: str) -> JsonObject:
    """A member that should be an object."""
    value = reply.get(name)
    return value if isinstance(value, Mapping) else {}


def _verdict(reading: Reading) -> Found:
    for found in reading.objects:
        if is_verdict(found.value):
            return found
    for found in reading.objects:
        if "error" in found.value:
            reason = text_of(found.value["error"])[:200] or "nothing more"
            raise Unscored("refused", "reply.refused", f"the judge says: {reason}")
    raise Unscored("unreadable", "reply.unreadable", "no verdict object in the reply")


def _unusable(code: str, detail: str, found: Found, weights: Mapping[str, int]) -> Unscored:
    """No score; what can be read of the reply's numbers stays on the record."""
    cut = "" if found.complete else f"; the object is not whole ({found.flaws[-1]})"
    stated = read_stated(found.value, weights)
    return Unscored("unreadable", code, f"{detail}{cut}", where="verdict", stated=stated)


def read_stated(reply: JsonObject, weights: Mapping[str, int]) -> dict[str, Any]:
    """The judge's own numbers, as far as they can be read and shown."""
    score = part(reply, "score")
    numbers = {axis: number(score.get(axis), weights[axis]).value for axis in AXES}
    numbers["total"] = number(reply.get("total_score"), 100).value
    stated: dict[str, Any] = {key: if_showable(value) for key, value in numbers.items()}
    stated["critical_fail"] = flag(reply.get("critical_fail")).value
    return {key: value for key, value in stated.items() if value is not None}


def if_showable(value: Fraction | None) -> Fraction | None:
    """A stated number, unless it is too big to be shown."""
    return value if value is not None and abs(value) < _HUGE else None


def _task_type(rubric: Rubric, reply: JsonObject) -> str:
    """RB-TYPE: the rubric's; else what the reply infers; else what it states."""
    if rubric.task_type is not None:
        return rubric.task_type
    for key in ("inferred_task_type", "task_type"):
        read_type = label(reply.get(key), tuple(TYPES)).value
        if read_type is not None:
            return read_type
    detail = "RB-TYPE: neither the rubric nor the reply has a task type"
    raise Unscored("unreadable", "task_type.missing", detail, where="task_type")


def _critical(reply: JsonObject) -> Critical:
    id_given = reply.get("critical_fail_id")
    written = text_of(id_given) if isinstance(id_given, str | None) else str(id_given)[:40]
    ids = written.replace("、", ",").replace("/", ",").upper().split(",")
    ids_named = tuple(name.strip() for name in ids if name.strip())
    reason = text_of(reply.get("critical_fail_reason"))
    if not ids_named:  # an id that stands only in the reason counts as given
        ids_named = tuple(dict.fromkeys(_ID.findall(reason.upper())))
    return Critical(flag(reply.get("critical_fail")).value, reason, ids_named)


def _axis(found: Found, axis: str, weights: Mapping[str, int], applied: bool) -> Fraction | None:
    """RB-AXIS: a number from 0 up; anything else is unusable unless the fail makes it needless."""
    score = part(found.value, "score")
    mark = number(score.get(axis), weights[axis])
    if mark.value is not None and mark.value >= 0:
        return mark.value
    if applied:
        return None
    if axis not in score:
        raise _unusable("axis.missing", f"RB-AXIS: no score for {axis}", found, weights)
    if mark.value is not None:
        raise _unusable("axis.negative", f"RB-AXIS: {axis} is negative", found, weights)
    raise _unusable("axis.unreadable", f"RB-AXIS: {axis}: {mark.flaw}", found, weights)


def _quotes(reply: JsonObject) -> Iterator[tuple[str, str]]:
    """RB-QUOTE: what the judge quotes, and where it does."""
    evidence = reply.get("evidence")
    # by axis, as it is asked for; one list for all of them is looked up just as well
    lists = {"evidence": evidence}
    if isinstance(evidence, Mapping):
        lists = {f"evidence.{axis}": evidence.get(axis) for axis in AXES}
    for where, quotes in lists.items():
        for i, quote in enumerate(quotes if isinstance(quotes, list) else [quotes]):
            if text_of(quote):
                yield f"{where}[{i}]", quote
    if quote := text_of(reply.get("critical_fail_quote")):
        yield "critical_fail_quote", quote

"""Which objects of a reply are the verdict. Quoted text must never win over it.

Two different objects for one metric, a key with two values, an object that also stands in the
judged text: each makes the reply ambiguous, and an ambiguous reply has no score. No rule here
prefers the first, the last, the longest or the best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from oyer.errors import Unscored
from oyer.types import Case, Found, JsonObject, Protocol, Reading
from oyer.verdicts.lenient_json import read_object, same

MAX_WRAPPERS: Final = 2
MAX_LOOKS: Final = 200

IsVerdict = Callable[[JsonObject], str | None]


def select(reading: Reading, protocol: Protocol[Any], case: Case) -> Reading:
    """The reading with only its verdict objects, one a metric; else its refusals.

    Raises `Unscored` when it is ambiguous which objects are the judge's verdict.
    """
    if not reading.objects:
        raise Unscored("unreadable", "reply.unreadable", _nothing(reading))
    chosen = verdicts(reading, protocol.is_verdict)
    for metric, found in chosen.items():
        if echoed(found, case):
            detail = f"the {metric} object also stands in the judged text: whose is it?"
            raise _ambiguous(detail, metric)
    if chosen:
        return Reading(tuple(chosen.values()), reading.truncated)
    refusals = (found for found in reading.objects if "error" in found.value)
    return Reading(tuple(refusals), reading.truncated)


def verdicts(reading: Reading, is_verdict: IsVerdict) -> dict[str, Found]:
    """The verdict object of each metric, in order of appearance."""
    chosen: dict[str, Found] = {}
    for top in reading.objects:
        for metric, found in _candidates(top, is_verdict):
            if conflict := next((f for f in found.flaws if f.startswith("conflicting")), None):
                raise _ambiguous(f"{conflict}: it has two different values", metric)
            other = chosen.setdefault(metric, found)
            if other is not found and not same(other.value, found.value):
                raise _ambiguous(f"two different {metric} objects in one reply", metric)
    return chosen


def refuse_doubt(reading: Reading, selected: Reading) -> None:
    """Raise when the reply goes on with an object that ends before it says what it is.

    That object may have been the verdict, and the selected one a quotation. To be called once a
    protocol found everything it needs: a reply that lacks a metric is told so first.
    """
    last = reading.objects[-1]
    if last.complete or any(found.start == last.start for found in selected.objects):
        return
    detail = f"beside the verdict, an object that ends before it says what it is ({last.flaws[-1]})"
    raise _ambiguous(detail, "reply")


def _candidates(top: Found, is_verdict: IsVerdict) -> Iterator[tuple[str, Found]]:
    """The object itself when it is a verdict; else those in its arrays and under its keys."""
    metric = is_verdict(top.value)
    if metric is not None:
        yield metric, top
        return
    for metric, value in _inside(top.value, is_verdict, MAX_WRAPPERS):
        yield metric, Found(value, top.start, top.end, True, top.flaws)


def _inside(
    outer: JsonObject, is_verdict: IsVerdict, levels: int
) -> Iterator[tuple[str, JsonObject]]:
    for key, member in outer.items():
        for value in _objects(member):
            # {"coverage": {…}}: an object without a name of its own may have its key's
            named = value if "metric" in value else {"metric": key, **value}
            for candidate in (value, named):
                metric = is_verdict(candidate)
                if metric is not None:
                    yield metric, candidate
                    break
            else:
                if levels > 1:
                    yield from _inside(value, is_verdict, levels - 1)


def _objects(value: Any) -> Iterator[JsonObject]:
    """The value when it is an object; the objects of an array, and of its arrays."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            yield item
        elif isinstance(item, list):
            pending.extend(reversed(item))


def echoed(found: Found, case: Case) -> bool:
    """Whether the object stands in the case itself, so that it may be a quotation."""
    return any(_stands_in(found.value, field) for field in case.fields.values())


def _stands_in(value: JsonObject, field: Any) -> bool:
    if isinstance(field, str):
        return "{" in field and value != {} and _quoted(value, field)
    if isinstance(field, Mapping):
        return same(value, field) or any(_stands_in(value, item) for item in field.values())
    return isinstance(field, list) and any(_stands_in(value, item) for item in field)


def _quoted(value: JsonObject, text: str) -> bool:
    """Look at every `{` of the text that one of the object's keys follows."""
    if not all(key in text for key in value):
        return False
    keys = "|".join(re.escape(key) for key in value)
    for looks, start in enumerate(re.finditer(rf"\{{\s*[\"']?(?:{keys})", text)):
        if looks == MAX_LOOKS:  # a text of objects like this one: whose it is cannot be told
            return True
        try:
            written = read_object(text, start.start()).value
        except Unscored:  # it nests deeper than any object that was read
            continue
        if same(written, value):
            return True
    return False


def _nothing(reading: Reading) -> str:
    ends = "the reply ends inside its reasoning, or before its first object"
    return ends if reading.truncated else "no JSON object in the reply"


def _ambiguous(detail: str, where: str) -> Unscored:
    return Unscored("unreadable", "reply.ambiguous", detail, where)

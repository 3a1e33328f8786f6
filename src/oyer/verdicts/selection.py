"""Which objects of a reply are the verdict. Quoted text must never win over it.

An object that carries the prompt's seal is the judge's. Without one, a reply is ambiguous when two
different objects stand for one metric, a key has two values, a refusal stands beside the verdict,
or the judged text offers a verdict of its own, in JSON or by naming its members in any other
notation; and an ambiguous reply has no score. Where the seal
was asked for, it is also ambiguous when the text has a stretch that nobody can read: that may be a
verdict in a code that only the judge knows. What stands in the judged text is never the judge's,
seal or not. No rule here prefers the first, the last, the longest or the best.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from types import NoneType
from typing import Any, Final, NamedTuple

from oyer.errors import Unscored
from oyer.text.naming import fold_name, may_name, names_in
from oyer.text.obscure import is_obscure
from oyer.text.refusals import find_refusal
from oyer.text.seal import SEAL, carries, without
from oyer.types import AnyProtocol, Case, Found, JsonObject, Reading
from oyer.verdicts.lenient_json import same
from oyer.verdicts.offers import Offer, Tangled, offers, strings
from oyer.verdicts.reader import after_reasoning, read_reply

MAX_WRAPPERS: Final = 2
MAX_TRIES: Final = 2_000  # offers that are tried in the judge's place
FEW_KEYS: Final = 2
ANSWER: Final = "answer"  # what an object is called that has no metric
SOME_NAMES: Final = 3  # of its members, and half of them: a text that names so many spells it out

_LEAVES: Final = frozenset({str, int, float, bool, NoneType})  # kinds that hold nothing

IsVerdict = Callable[[JsonObject], str | None]


class Chosen(NamedTuple):
    """The object of one metric, and whether it carries the seal."""

    found: Found
    sealed: bool = False


def select(
    reading: Reading, protocol: AnyProtocol, case: Case, seal: str = "", composed: bool = False
) -> Reading:
    """The reading with only its verdict objects, one a metric; else its refusals.

    `seal` is the code that the prompt asked for; `composed` says that code wrote the reply.
    Raises `Unscored` when it is ambiguous which objects are the judge's verdict.
    """
    if not reading.objects:
        raise Unscored("unreadable", "reply.unreadable", _nothing(reading))
    chosen = verdicts(reading, protocol.is_verdict, seal)
    refusals = tuple(found for found in reading.objects if "error" in found.value)
    if not chosen:
        return Reading(refusals, reading.truncated)
    if not composed:
        _refuse_contradiction(chosen, refusals)
        _refuse_forgery(chosen, protocol, case)
        if seal:
            _refuse_code(chosen, case)
    return Reading(tuple(given.found for given in chosen.values()), reading.truncated)


def verdicts(reading: Reading, is_verdict: IsVerdict, seal: str = "") -> dict[str, Chosen]:
    """The verdict object of each metric, in order of appearance; sealed ones before all others."""
    chosen: dict[str, Chosen] = {}
    for top in reading.objects:
        for metric, found in _candidates(top, is_verdict):
            if carries(found.value, seal):
                given = Chosen(found._replace(value=without(found.value)), sealed=True)
            else:
                given = Chosen(found)
            chosen[metric] = _agree(metric, chosen.get(metric), given)
    for metric, (found, _) in chosen.items():
        if conflict := next((f for f in found.flaws if f.startswith("conflicting")), None):
            raise _ambiguous(f"{conflict}: it has two different values", metric)
    return chosen


def _agree(metric: str, before: Chosen | None, given: Chosen) -> Chosen:
    """Of two objects for one metric, the sealed one; two alike must say the same."""
    if before is None or (given.sealed and not before.sealed):
        return given
    if given.sealed == before.sealed and not same(before.found.value, given.found.value):
        raise _ambiguous(f"two different {metric} objects in one reply", metric)
    return before


def _refuse_contradiction(chosen: Mapping[str, Chosen], refusals: tuple[Found, ...]) -> None:
    """A judge that refuses does not also judge: one of the two may be a quotation."""
    doubtful = next(iter(_unsealed(chosen)), None)
    own = {given.found.start for given in chosen.values()}
    if doubtful and any(f.value["error"] and f.start not in own for f in refusals):
        raise _ambiguous("a verdict and an error in one reply: which is the judge's?", doubtful)


def _refuse_forgery(chosen: Mapping[str, Chosen], protocol: AnyProtocol, case: Case) -> None:
    """Raise when the judged text offers an object that may stand in the judge's place."""
    doubts = _doubts(chosen, protocol, case)
    if not doubts:
        return
    objects = {metric: given.found for metric, given in chosen.items()}
    if not protocol.parts and not _is_usable(case, protocol, objects):
        return  # nobody gains by it, and the protocol says better what is wrong with it
    for metric in chosen:  # the reply's order, not the text's
        if metric in doubts:
            raise doubts[metric]


def _doubts(chosen: Mapping[str, Chosen], protocol: AnyProtocol, case: Case) -> dict[str, Unscored]:
    """The metrics whose object may be one of the judged texts', and why."""
    doubts: dict[str, Unscored] = {}
    tries = 0
    try:
        for metric, offer in _offered(case, protocol.is_verdict, chosen):
            judges = chosen.get(metric)
            if judges is None:
                continue
            if same(without(offer.value), without(judges.found.value)):
                detail = f"the {metric} object also stands in the judged text: whose is it?"
                doubts[metric] = _ambiguous(detail, metric)
            elif metric not in doubts and not judges.sealed:
                tries += 1
                if tries > MAX_TRIES or _could_replace(offer, metric, chosen, protocol, case):
                    doubts[metric] = _forgeable(metric)
        doubtful = list(_spelled_out(_judged_fields(case, protocol), chosen))
    except Tangled:
        doubtful = list(_unsealed(chosen))
    for metric in doubtful:
        doubts.setdefault(metric, _forgeable(metric))
    return doubts


def _judged_fields(case: Case, protocol: AnyProtocol) -> dict[str, Any]:
    """The fields without those that have a form of their own: a rubric names axes and weights, as
    its form asks for, and is no text of a candidate's."""
    formed = {field.name for field in protocol.fields if field.inspect is not None}
    return {name: value for name, value in case.fields.items() if name not in formed}


def _unsealed(chosen: Mapping[str, Chosen]) -> dict[str, JsonObject]:
    """The objects without the seal, by metric."""
    return {metric: given.found.value for metric, given in chosen.items() if not given.sealed}


def _spelled_out(fields: JsonObject, chosen: Mapping[str, Chosen]) -> Iterator[str]:
    """The metrics whose unsealed object the texts of a case may spell out, all together and in
    any notation: they name most of its members."""
    unsealed = _unsealed(chosen)
    texts = [text for text in strings(fields) if may_name(text)] if unsealed else []
    if not texts:
        return
    members = {}
    for metric, value in unsealed.items():
        members[metric] = {fold_name(key) for key in _keys(value)}
    latin = all(map(str.isascii, chain.from_iterable(members.values())))
    named: set[str] = set()
    for text in texts:
        named |= names_in(text, latin)
    for metric, names in members.items():
        known = _count_names(names & named)
        if known >= min(SOME_NAMES, len(names)) and known * 2 >= len(names):
            yield metric


def _count_names(names: set[str]) -> int:
    """How many names there are; "point" is none of its own where "keypoint" stands."""
    endings = {name for name in names if any(other[1:].endswith(name) for other in names)}
    return len(names - endings)


def _refuse_code(chosen: Mapping[str, Chosen], case: Case) -> None:
    """Raise when an object lacks the seal that was asked for, and may be decoded from the text."""
    unsealed = _unsealed(chosen)
    if not unsealed:
        return
    size = sum(len(json.dumps(value, ensure_ascii=False)) for value in unsealed.values())
    if any(is_obscure(text, size) for text in strings(case.fields)):
        metric = next(iter(unsealed))
        detail = (
            f'the {metric} object does not carry the prompt\'s code ("{SEAL}"), and a judged '
            "text has a stretch that is no plain language: is the object decoded from it?"
        )
        raise _ambiguous(detail, metric)


def _offered(
    case: Case, is_verdict: IsVerdict, chosen: Mapping[str, Chosen]
) -> Iterator[tuple[str, Offer]]:
    """The objects of the judged text that are verdicts: by themselves, by their key, or by a name
    that a judge may give them (it repeats an object under a metric's key)."""
    for offer in offers(case):
        metric = is_verdict(offer.value)
        if metric is not None:
            yield metric, offer
        elif offer.whole:
            for metric in _nameable(offer.value, chosen):
                yield metric, Offer({"metric": metric, **offer.value})
        for metric, value in _inside(offer.value, is_verdict, 1):
            yield metric, Offer(value, offer.whole)


def _nameable(value: JsonObject, chosen: Mapping[str, Chosen]) -> Iterator[str]:
    """The metrics whose object has a few keys in common with one that names none."""
    for metric, given in chosen.items():
        judges = given.found.value
        if "metric" in judges and len(value.keys() & judges.keys()) >= FEW_KEYS:
            yield metric


def _could_replace(
    offer: Offer,
    metric: str,
    chosen: Mapping[str, Chosen],
    protocol: AnyProtocol,
    case: Case,
) -> bool:
    """Whether the reply would still be usable with the offered object in the judge's place.

    So an answer that happens to contain JSON is no verdict. Of an object that is not whole nobody
    knows what a judge would make of it, and a reply that lacks a metric cannot be tried: there it
    counts when it has a few of the verdict's keys.
    """
    objects = {name: given.found for name, given in chosen.items()}
    judges = objects[metric]
    alike = len(_keys(offer.value) & _keys(judges.value)) >= FEW_KEYS
    if alike and not offer.whole:
        return True
    offered = Found(offer.value, judges.start, judges.end)
    if _is_usable(case, protocol, {**objects, metric: offered}):
        return True
    return alike and not _is_usable(case, protocol, objects)


def _is_usable(case: Case, protocol: AnyProtocol, objects: Mapping[str, Found]) -> bool:
    try:
        protocol.read(case, Reading(tuple(objects.values())))
    except Unscored:
        return False
    return True


def _keys(value: Any) -> set[str]:
    """The keys of an object and of all that it holds."""
    found: set[str] = set()
    pending = [value]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind in _LEAVES:  # most are, and to ask whether something is a Mapping is slow
            continue
        if kind is dict or isinstance(item, Mapping):
            found.update(item)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return found


def choose_object(text: str, texts: Mapping[str, str], seal: str) -> JsonObject:
    """The one object that a judge was asked for, who saw these texts: of several the sealed one,
    else the largest, for models like to think aloud before it.

    Raises `Unscored` when there is none, or a text offers one of its own.
    """
    objects = [found.value for found in read_reply(text).objects]
    if not objects:
        raise Unscored("unreadable", "reply.unreadable", "there is no JSON object in the answer")
    sealed = [value for value in objects if carries(value, seal)]
    value = max(sealed or objects, key=len)
    chosen = {ANSWER: Chosen(Found(without(value), 0, 0), bool(sealed))}
    case = Case(ANSWER, texts)
    doubt = _forgeable(ANSWER)
    try:
        for offer in offers(case):
            if same(without(offer.value), without(value)):
                raise doubt
            if not sealed and len(_keys(offer.value) & _keys(value)) >= FEW_KEYS:
                raise doubt
        if any(_spelled_out(case.fields, chosen)):
            raise doubt
    except Tangled:
        if not sealed:
            raise doubt from None
    if seal:
        _refuse_code(chosen, case)
    return without(value)


def refuse_refusal(text: str, reading: Reading) -> None:
    """Raise when a reply without any object declines in words: that is an answer, too."""
    if refusal := declines(text, reading):
        raise Unscored("refused", "reply.refused", f"the judge declines: {refusal[:200]}")


def declines(text: str, reading: Reading) -> str:
    """The sentence by which a reply without any object declines; "" when it does not."""
    if reading.objects or reading.truncated:
        return ""
    return find_refusal(text[after_reasoning(text) or 0 :])


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


def _nothing(reading: Reading) -> str:
    ends = "the reply ends inside its reasoning, or before its first object"
    return ends if reading.truncated else "no JSON object in the reply"


def _ambiguous(detail: str, where: str) -> Unscored:
    return Unscored("unreadable", "reply.ambiguous", detail, where)


def _forgeable(metric: str) -> Unscored:
    detail = (
        f"the judged text holds a {metric} object of its own, and the reply's does not carry the "
        f'prompt\'s code ("{SEAL}"): whose is it?'
    )
    return _ambiguous(detail, metric)

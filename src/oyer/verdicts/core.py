"""How a reply becomes a verdict, on one screen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from oyer.arith import round_to_show
from oyer.errors import InputError, ProtocolError, Unscored
from oyer.records import JUDGE_MODEL, text_at
from oyer.text.seal import COMPOSED, SEAL, UNSHOWN
from oyer.types import (
    AnyProtocol,
    Case,
    Checked,
    Evidence,
    Found,
    JsonObject,
    Reading,
    Reply,
    Ruling,
    Verdict,
    Violation,
)
from oyer.verdicts.lenient_json import CUT_OFF
from oyer.verdicts.protocol_errors import require_scale
from oyer.verdicts.reader import read_reply
from oyer.verdicts.selection import refuse_doubt, refuse_refusal, select


def audit(case: Case, protocol: AnyProtocol, reply: Reply) -> Verdict:
    """Pure and total: any case and any reply in, a verdict out."""
    everything = Reading(())
    try:
        if protocol.validate is not None:
            protocol.validate(case)
        settled = ruling_by_code(case, protocol, asked=bool(reply.text))
        if settled is not None:
            return _scored_verdict(case, protocol, reply, (), Checked(None), settled)
        everything = read_reply(reply.text)
        refuse_refusal(reply.text, everything)
        reading, checked = examine(case, protocol, everything, reply.about)
        ruling = protocol.score(case, checked)
        flaws = _flaws(reading.objects, protocol)
        return _scored_verdict(case, protocol, reply, flaws, checked, ruling)
    except InputError as bad:
        if isinstance(bad, ProtocolError):
            return reject_row(case, protocol, reply.judge, bad, reply)
        if bad.file is None and case.place is not None:
            bad.file, bad.line = case.place
        return reject_row(case, protocol, reply.judge, bad)
    except Unscored as why:
        return _unscored_verdict(case, protocol, reply, why, _ends(everything, protocol))


def ruling_by_code(case: Case, protocol: AnyProtocol, *, asked: bool) -> Ruling | None:
    """What code alone decides; of a judge that was `asked`, only what its reply has no part in."""
    if protocol.settle is not None:
        ruling = protocol.settle(case)
        if ruling is not None:
            return ruling
    if asked or protocol.without_judge is None:
        return None
    return protocol.without_judge(case)


def examine(
    case: Case, protocol: AnyProtocol, everything: Reading, about: JsonObject
) -> tuple[Reading, Checked[Any]]:
    """The findings of a reply, read and checked; raises `Unscored` when it cannot be used.

    `about` is what was kept with the reply: its seal, and whether code composed it.
    """
    seal, composed = str(about.get(SEAL, "")), about.get(COMPOSED) is True
    reading = select(everything, protocol, case, seal, composed)
    reading = reading._replace(prompt=str(about.get("prompt", "")))
    findings = protocol.read(case, reading)
    refuse_doubt(everything, reading)
    return reading, protocol.check(case, findings)


def _scored_verdict(
    case: Case,
    protocol: AnyProtocol,
    reply: Reply,
    flaws: tuple[Violation, ...],
    checked: Checked[Any],
    ruling: Ruling,
) -> Verdict:
    sha = digest(case, protocol, reply.text)
    scores = {key: round_to_show(value) for key, value in ruling.scores.items()}
    total = round_to_show(ruling.total)
    return Verdict(
        id=verdict_id(sha, reply.judge, 0),
        case=case.id,
        candidate=case.candidate,
        protocol=protocol.name,
        judge=reply.judge,
        status="scored",
        sha=sha,
        scores=require_scale(protocol, case, scores, total),
        total=total,
        stated=ruling.stated,
        violations=(*flaws, *checked.violations, *ruling.violations),
        evidence=with_quotes(case, checked, ruling),
        trace=ruling.trace,
        output=ruling.output,
        usage=reply.usage,
        extra={**_about_reply(reply.about), **_observe(case, protocol), **ruling.extra},
    )


def with_quotes(case: Case, checked: Checked[Any], ruling: Ruling) -> tuple[Evidence, ...]:
    """All evidence, each with its quote."""
    return tuple(
        e if e.quote else _with_quote(e, case.fields) for e in (*checked.evidence, *ruling.evidence)
    )


def _with_quote(evidence: Evidence, fields: JsonObject) -> Evidence:
    span = evidence.span
    text = text_at(fields, span.source)
    if text is None:
        raise LookupError(f"evidence at {evidence.where} names '{span.source}', which is no text")
    return Evidence(evidence.where, span, text[span.start : span.end])


def _unscored_verdict(
    case: Case,
    protocol: AnyProtocol,
    reply: Reply,
    why: Unscored,
    flaws: tuple[Violation, ...] = (),
) -> Verdict:
    sha = digest(case, protocol, reply.text)
    observed = {} if why.kind == "input" else _observe(case, protocol)
    return Verdict(
        id=verdict_id(sha, reply.judge, 0),
        case=case.id,
        candidate=case.candidate,
        protocol=protocol.name,
        judge=reply.judge,
        status="unscored",
        sha=sha,
        error=why.kind,
        violations=(Violation(why.code, why.where, why.detail), *flaws),
        stated=why.stated,
        output={"error": why.kind},
        usage=reply.usage,
        extra={**_about_reply(reply.about), **observed},
    )


def reject_row(
    case: Case,
    protocol: AnyProtocol,
    judge: str,
    error: InputError,
    reply: Reply | None = None,
) -> Verdict:
    """The verdict of a row that could not even be read: unscored, so that nothing is lost.

    `reply` is given where a protocol failed after the judge had answered.
    """
    why = Unscored("input", error.code, error.fault, where=error.field or "case")
    return _unscored_verdict(case, protocol, reply or Reply("", judge=judge), why)


def model_of(verdict: Verdict) -> str:
    """The model that judged; a judge may have a name of its user's."""
    return str(verdict.extra.get(JUDGE_MODEL, verdict.judge))


def _about_reply(about: JsonObject) -> dict[str, Any]:
    """What a record tells of its reply: all but what only deciding it needs."""
    return {name: value for name, value in about.items() if name not in UNSHOWN}


def _observe(case: Case, protocol: AnyProtocol) -> dict[str, Any]:
    return dict(protocol.observe(case)) if protocol.observe is not None else {}


def _flaws(objects: Sequence[Found], protocol: AnyProtocol) -> tuple[Violation, ...]:
    """What a strict parser would have refused, named for the user."""
    flaws: list[Violation] = []
    for found in objects:
        if found.flaws:
            where = protocol.is_verdict(found.value) or "reply"
            flaws += [_flaw(where, flaw) for flaw in found.flaws]
    return tuple(flaws)


def _flaw(where: str, flaw: str) -> Violation:
    if flaw == CUT_OFF:
        return Violation("reply.truncated", where, "the reply ends inside this object")
    return Violation("reply.malformed", where, flaw)


def _ends(reading: Reading, protocol: AnyProtocol) -> tuple[Violation, ...]:
    """Of a reply without a score: where it was cut or broken, which is often why."""
    return _flaws([found for found in reading.objects if not found.complete], protocol)


def digest(case: Case, protocol: AnyProtocol, text: str) -> str:
    """The sha of a verdict: case, protocol version and reply; the same on every machine.

    Meta is part of the case (it may name the language), and the user's weights of the protocol:
    two verdicts that can differ never share a sha.
    """
    parts = [protocol.name, case.id, case.candidate or "", text]
    if protocol.weights:
        parts.append(_weights(*map(str, chain.from_iterable(protocol.weights.items()))))
    if case.meta:
        parts.append(_canonical(case.meta))
    for name in sorted(case.fields):
        value = case.fields[name]
        parts += [name, value if isinstance(value, str) else _canonical(value)]
    raw = [part.encode("utf-8", "surrogatepass") for part in parts]
    # length first: no two lists of parts collide
    return hashlib.sha256(b"".join([b"%d:%b" % (len(part), part) for part in raw])).hexdigest()


@lru_cache(maxsize=32)
def _weights(*pairs: str) -> str:
    return _canonical(dict(zip(pairs[::2], pairs[1::2], strict=True)))


def verdict_id(sha: str, judge: str, repeat: int) -> str:
    """Short enough to type, distinct for each judge and repeat."""
    named = f"{sha}/{judge}/{repeat}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(named).hexdigest()[:16]


def _canonical(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain
    )


def _plain(value: object) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)

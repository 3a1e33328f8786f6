"""Records to rows and back. Every row carries a check of its own; a row that fails it is an error.

SQLite does not checksum its pages: a flipped bit in a score would read as another score. So each
row has a short hash over its columns, looked at whenever the row is read.
"""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from oyer.arith import show
from oyer.errors import StoreDamaged
from oyer.store.records import (
    CaseRow,
    Manifest,
    Outcome,
    RawVerdict,
    Run,
    StoredReply,
    StoredVerdict,
    Task,
    canonical,
    is_fact,
)
from oyer.types import Case, JsonObject, Reply, Usage, Verdict
from oyer.verdicts import as_bytes

_LEVEL = 3  # zlib: 6 is 4 % smaller and twice as slow on verdict records
_CHECK = 8  # bytes of a check
_INDEXED = 500  # characters: PostgreSQL's indexes take no more than 2,704 bytes
_COMPACT = json.JSONEncoder(separators=(",", ":"))

RUN = ("id", "name", "identity", "manifest", "state", "started", "updated", "check")
_RUN_CHECKED = ("name", "identity", "manifest")
_USAGE = ("input_tokens", "output_tokens", "cost_usd", "calls", "seconds")
REPLY = ("id", "ask", "attempt", "run", "judge", *_USAGE, "body", "check")
_REPLY_CHECKED = ("ask", "attempt", "run", "judge", *_USAGE)
OUTCOME = (
    "id", "run", "task", "ask", "attempts", "seq", "case_sha", "case_id", "candidate", "judge",
    "repeat", "verdict", "status", "error", "total", "brief", *_USAGE,
)  # fmt: skip
_OUTCOME_CHECKED = OUTCOME[1:]

Row = JsonObject


def unpack(body: bytes, what: str) -> bytes:
    try:
        return zlib.decompress(body)
    except (zlib.error, TypeError) as torn:
        raise damage_error(what) from torn


def damage_error(what: str) -> StoreDamaged:
    message = f"{what} is damaged in the store; `oyer doctor` lists what can be trusted."
    return StoreDamaged(what, message)


def check(values: Sequence[Any], body: bytes = b"") -> bytes:
    """A short hash of a row's values, the same from either database and on any Python.

    `ascii`, not `repr`: which characters are printable changes with Python's Unicode tables.
    """
    hasher = hashlib.blake2b(ascii(tuple(values)).encode("ascii"), digest_size=_CHECK)
    hasher.update(body)
    return hasher.digest()


def text(value: str) -> str:
    """Text as any database takes it: no NUL, no lone surrogate. The true text is in the body."""
    return value.encode("utf-8", "backslashreplace").decode().replace("\x00", "\\x00")


# ── runs ──────────────────────────────────────────────────────────────────────────────────────


def run_row(manifest: Manifest, now: str) -> dict[str, Any]:
    row = {
        "name": text(manifest.suite),
        "identity": manifest.identity,
        "manifest": canonical(manifest.as_json()).decode("ascii"),
        "state": "running",
        "started": now,
        "updated": now,
    }
    return {**row, "check": check([row[name] for name in _RUN_CHECKED])}


def read_run(row: Sequence[Any]) -> Run:
    values = dict(zip(RUN, row, strict=True))
    if check([values[name] for name in _RUN_CHECKED]) != values["check"]:
        raise damage_error(f"run {values['id']}")
    manifest = Manifest.from_json(json.loads(values["manifest"]))
    return Run(
        id=values["id"],
        name=values["name"],
        identity=values["identity"],
        manifest=manifest,
        state=values["state"],
        started=values["started"],
        updated=values["updated"],
    )


# ── cases ─────────────────────────────────────────────────────────────────────────────────────


def case_row(sha: str, body: bytes) -> dict[str, Any]:
    return {"sha": sha, "body": zlib.compress(body, _LEVEL)}


def read_case(sha: str, body: bytes) -> CaseRow:
    raw = unpack(body, f"case {sha[:12]}")
    if hashlib.sha256(raw).hexdigest() != sha:
        raise damage_error(f"case {sha[:12]}")
    return CaseRow(sha, Case(**json.loads(raw)))


# ── replies ───────────────────────────────────────────────────────────────────────────────────


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": None if usage.cost_usd is None else float(usage.cost_usd),
        "calls": usage.calls,
        "seconds": float(usage.seconds),
    }


def reply_row(task: Task, attempt: int, reply: Reply) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ask": task.ask,
        "attempt": attempt,
        "run": task.run,
        "judge": text(reply.judge),
        **_usage(reply.usage),
        "body": zlib.compress(
            # The order of keys is kept: a record is printed as it was made from this.
            _COMPACT.encode(
                {"text": reply.text, "judge": reply.judge, "about": dict(reply.about)}
            ).encode("ascii"),
            _LEVEL,
        ),
    }
    return {**row, "check": check([row[name] for name in _REPLY_CHECKED], row["body"])}


def loss_row(task: Task, usage: Usage) -> dict[str, Any]:
    """What calls cost that brought no reply, so that a budget holds over all sessions."""
    return reply_row(task, -random.randrange(1, 2**31), Reply("", usage=usage))


def loss_of(row: JsonObject) -> dict[str, Any]:
    """What a reply cost that came second: another answer to the same question is kept already."""
    usage = Usage(*(row[name] for name in _USAGE))
    task = Task(row["run"], "", row["ask"], 0)
    return loss_row(task, usage)


def read_reply(row: Sequence[Any]) -> StoredReply:
    values = dict(zip(REPLY, row, strict=True))
    what = f"reply {values['id']} of {values['judge']}"
    body = values["body"]
    if (
        not isinstance(body, bytes)
        or check([values[name] for name in _REPLY_CHECKED], body) != values["check"]
    ):
        raise damage_error(what)
    body = json.loads(unpack(body, what))
    usage = Usage(*(values[name] for name in _USAGE))
    reply = Reply(body["text"], body["judge"], usage, body["about"])
    return StoredReply(values["ask"], values["attempt"], values["run"], reply)


# ── verdicts ──────────────────────────────────────────────────────────────────────────────────


def verdict_row(
    task: Task, case: str, verdict: Verdict, attempts: int, raw: bytes = b""
) -> dict[str, Any]:
    """`raw`: the verdict's record, if it has been made already."""
    body = zlib.compress(raw or as_bytes(verdict), _LEVEL)
    row: dict[str, Any] = {
        "run": task.run,
        "task": task.key,
        "ask": task.ask,
        "attempts": attempts,
        "seq": task.seq,
        "case_sha": case,
        "case_id": text(verdict.case),
        "candidate": None if verdict.candidate is None else text(verdict.candidate),
        "judge": text(verdict.judge)[:_INDEXED],
        "repeat": verdict.repeat,
        "verdict": verdict.id,
        "status": verdict.status,
        "error": verdict.error,
        "total": None if verdict.total is None else float(verdict.total),
        "brief": _brief(verdict),
        **_usage(verdict.usage),
    }
    # Two checks in one column: a listing needs not read the record to know that it reads well.
    own = check([row[name] for name in _OUTCOME_CHECKED])
    return {**row, "record": body, "check": own + check((), body)}


def _brief(verdict: Verdict) -> str:
    output = verdict.output if isinstance(verdict.output, Mapping) else {}
    facts = {k: v for k, v in verdict.extra.items() if is_fact(v)}
    for key, value in output.items():
        plain = show(value) if isinstance(value, Fraction) else value
        if is_fact(plain):
            facts[key] = plain
    brief = {
        "scores": show(verdict.scores),
        "stated": show(verdict.stated),
        "violations": Counter(v.code for v in verdict.violations),
        "facts": facts,
    }
    return _COMPACT.encode(brief)


def read_outcome(row: Sequence[Any]) -> Outcome:
    """`row`: the columns OUTCOME, then `check`. A row that is not what was written is refused."""
    checks = row[-1]
    if not isinstance(checks, bytes) or check(row[1:-1]) != checks[:_CHECK]:
        raise damage_error(f"verdict {row[11]} of run {row[1]}")
    brief = json.loads(row[15])
    return Outcome(
        row=row[0],
        seq=row[5],
        verdict=row[11],
        case=row[7],
        case_sha=row[6],
        candidate=row[8],
        judge=row[9],
        repeat=row[10],
        status=row[12],
        error=row[13],
        total=row[14],
        scores=brief["scores"],
        stated=brief["stated"],
        violations=brief["violations"],
        facts=brief["facts"],
        usage=Usage(row[16], row[17], row[18], row[19], row[20]),
    )


def read_raw(row: Sequence[Any]) -> RawVerdict:
    """`row`: the columns OUTCOME, then `check` and `record`."""
    *outcome, checks, body = row
    what = f"verdict {row[11]} of run {row[1]}"
    if not isinstance(body, bytes) or check(outcome[1:]) + check((), body) != checks:
        raise damage_error(what)
    task = Task(run=row[1], key=row[2], ask=row[3], seq=row[5])
    raw = unpack(body, what)
    return RawVerdict(row[0], task, row[6], row[4], row[9], row[10], row[13], raw)


def read_verdict(row: Sequence[Any]) -> StoredVerdict:
    """The same, with the record parsed."""
    raw = read_raw(row)
    task = raw.task
    return StoredVerdict(raw.row, task.run, task, raw.case_sha, raw.attempts, raw.record())

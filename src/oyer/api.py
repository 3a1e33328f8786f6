"""What Python users call: `oyer.judge`, `oyer.audit`, and their async twins.

    verdict = oyer.judge("judge-lock", {"article": …, "summary": …}, "openai:gpt-5")
    verdict = await oyer.judge_async(…)                  # inside a running event loop
    verdicts = oyer.judge_many("judge-lock", rows, ["openai:gpt-5", "embedded"], repeats=3)

`oyer.judge` works inside a running loop, too (a notebook has one): it then works in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, Unpack

from oyer.engine import Answers, Asking, check_language, decide, hear, open_judge
from oyer.errors import UsageError
from oyer.types import AnyProtocol, Case, JsonObject, Judge, Reply, Verdict

#: A protocol's name ("judge-lock") or a Protocol of your own.
ProtocolOrName: TypeAlias = str | AnyProtocol
#: A Case, or a plain mapping with the protocol's fields.
CaseOrRow: TypeAlias = Case | JsonObject
#: A name ("embedded", "openai:gpt-5", "a+b+c" for a panel), or a judge of your own.
JudgeOrName: TypeAlias = str | Judge

T = TypeVar("T")
CONCURRENCY = 16


class How(TypedDict, total=False):
    """How judges are asked: what the options of `oyer judge` say."""

    mode: Literal["one-shot", "exam"]
    language: str
    template: str | None  # a prompt of your own, as text
    with_arithmetic: bool
    attempts: int
    without_self: bool
    options: JsonObject | None  # of `oyer.Options`: temperature, timeout, retries …
    protocol_path: Sequence[str]


def audit(
    protocol: ProtocolOrName, case: CaseOrRow, reply: str | bytes | Reply | None = None
) -> Verdict:
    """Check a judge's reply and recompute every score by the protocol's rules.

    `reply` is the judge's text (default: the case's own `reply`). Any bytes in, a verdict out: a
    reply that cannot be used is `status="unscored"`, never a zero. A case without one of the
    protocol's fields is an InputError.
    """
    from oyer.cases import split_reply

    chosen = _protocol(protocol)
    subject, recorded = split_reply(_case(case, chosen))
    if reply is None:
        reply = recorded.text
    if isinstance(reply, bytes):
        reply = reply.decode("utf-8", "replace")
    if isinstance(reply, str):
        reply = Reply(reply, judge=recorded.judge)
    if not isinstance(reply, Reply):
        raise UsageError(f"a reply is text, bytes or an oyer.Reply, not {type(reply).__name__}")
    return decide(Answers(subject, reply.judge, (reply,), repeat=recorded.repeat or 0), chosen)


def judge(
    protocol: ProtocolOrName,
    case: CaseOrRow,
    judge: JudgeOrName = "embedded",
    *,
    repeats: int = 1,
    **how: Unpack[How],
) -> Verdict:
    """Judge one case and wait for the verdict.

    `repeats` asks that many times, and combines the answers like a panel's.
    """
    return _run(judge_async(protocol, case, judge, repeats=repeats, **how))


async def judge_async(
    protocol: ProtocolOrName,
    case: CaseOrRow,
    judge: JudgeOrName = "embedded",
    *,
    repeats: int = 1,
    **how: Unpack[How],
) -> Verdict:
    """The same, to be awaited."""
    if repeats > 1:
        if not isinstance(judge, str):
            raise UsageError("repeats of a judge of your own: use oyer.judge_many")
        judge = "+".join([judge] * repeats)
    (verdict,) = await judge_many_async(protocol, [case], [judge], **how)
    return verdict


def judge_many(
    protocol: ProtocolOrName,
    cases: Iterable[CaseOrRow],
    judges: JudgeOrName | Sequence[JudgeOrName] = "embedded",
    *,
    repeats: int = 1,
    concurrency: int = CONCURRENCY,
    **how: Unpack[How],
) -> list[Verdict]:
    """Judge cases: a verdict for each case, judge and repeat, in that order."""
    return _run(
        judge_many_async(protocol, cases, judges, repeats=repeats, concurrency=concurrency, **how)
    )


async def judge_many_async(
    protocol: ProtocolOrName,
    cases: Iterable[CaseOrRow],
    judges: JudgeOrName | Sequence[JudgeOrName] = "embedded",
    *,
    repeats: int = 1,
    concurrency: int = CONCURRENCY,
    **how: Unpack[How],
) -> list[Verdict]:
    """The same, to be awaited."""
    from oyer.judges import JudgePool
    from oyer.judges.options import Options

    if repeats < 1 or concurrency < 1:
        raise UsageError("repeats and concurrency are at least 1")
    chosen = _protocol(protocol, how.get("protocol_path", ()))
    subjects = [_case(case, chosen) for case in cases]
    asking = _asking(chosen, how)
    options = Options(**{"in_flight": concurrency, **(how.get("options") or {})})
    several = list(judges) if isinstance(judges, list | tuple) else [judges]
    places = asyncio.Semaphore(concurrency)

    async def hear_within_limit(case: Case, judge: Judge, repeat: int) -> Verdict:
        async with places:
            return (await hear(case, chosen, judge, asking=asking, repeat=repeat)).verdict

    async with JudgePool(options) as pool:
        opened = [_judge(pool, named, how, asking.attempts) for named in several]
        questions = product(subjects, opened, range(repeats))
        return list(await asyncio.gather(*(hear_within_limit(*each) for each in questions)))


def _judge(pool: Any, named: Any, how: How, attempts: int) -> Judge:
    from oyer.judges.names import in_exam_mode

    exam = how.get("mode") == "exam"
    if isinstance(named, str):
        return open_judge(pool, in_exam_mode(named) if exam else named, attempts=attempts)
    if exam:
        from oyer.engine import open_exam

        return open_exam(named, attempts=attempts)
    judge: Judge = named
    return judge


def _asking(protocol: AnyProtocol, how: How) -> Asking:
    known = How.__annotations__.keys()
    if unknown := [name for name in how if name not in known]:
        raise UsageError(f"there is no option '{unknown[0]}'; there are {', '.join(known)}")
    check_language(protocol, how.get("language", ""))
    attempts = how.get("attempts", Asking().attempts)
    if attempts < 1:
        raise UsageError("attempts are at least 1")
    return Asking(
        language=how.get("language", ""),
        template=how.get("template"),
        with_arithmetic=how.get("with_arithmetic", False),
        attempts=attempts,
        without_self=how.get("without_self", False),
    )


def _protocol(protocol: ProtocolOrName, paths: Sequence[str] = ()) -> AnyProtocol:
    from oyer.protocols.catalogue import find_protocol

    return find_protocol(protocol, list(paths)) if isinstance(protocol, str) else protocol


def _case(case: CaseOrRow, protocol: AnyProtocol) -> Case:
    """The case, with every field that its protocol needs; InputError names one that is missing."""
    from oyer.cases import case_of

    if isinstance(case, Case):
        values = {**case.meta, **case.fields, "id": case.id}
        case_of(values, protocol)
        return case
    if isinstance(case, Mapping):
        return case_of(case, protocol)
    raise UsageError(f"a case is a mapping or an oyer.Case, not {type(case).__name__}")


def _run(work: Coroutine[object, object, T]) -> T:
    """Wait for it: in this thread, or in one of its own where a loop runs already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1, thread_name_prefix="oyer") as thread:
        return thread.submit(asyncio.run, work).result()

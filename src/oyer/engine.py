"""The whole way of one case, on one screen: case -> prompt -> judge -> reply -> audit -> verdict.

An unreadable or incomplete reply is asked for again, at most twice, saying what was wrong. Every
attempt is handed to `on_reply` before anyone reads it, kept, and paid for in the verdict's usage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from oyer.errors import InputError, ProviderError, UsageError
from oyer.judges.exam import Exam, Shelf
from oyer.judges.names import is_exam, members, without_exam
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import Panel, open_panel
from oyer.text.fence import fresh_nonce, leaks
from oyer.text.seal import SEAL
from oyer.text.vendors import judges_itself
from oyer.types import Ask, Case, Judge, Prompt, Protocol, Reply, Usage, Verdict, Violation
from oyer.verdicts.core import audit, digest, verdict_id
from oyer.verdicts.panel import Member, combine
from oyer.verdicts.reader import read_reply

#: Awaited with (attempt, reply) before the reply is read: where a run stores it.
OnReply = Callable[[int, Reply], Awaitable[None]]
T = TypeVar("T")
#: Reads all replies so far: what was made of them, and what is wrong with the last one (or None).
Read: TypeAlias = Callable[[Sequence[Reply]], Awaitable[tuple[T, str | None]]]

ATTEMPTS = 3  # the first, and two more
AGAIN = ("unreadable", "missing_metric")  # a refusal is an answer; it is not asked for again
COMPLAINT_LIMIT = 400  # characters: a complaint names the fault, it does not repeat the reply


@dataclass(frozen=True, slots=True)
class Asking:
    """How cases are put to a judge: the user's options, the same for every case of a run."""

    language: str = ""
    template: str | None = None
    with_arithmetic: bool = False
    attempts: int = ATTEMPTS
    without_self: bool = False  # leave a panel's members of the candidate's own family out
    nonce: Callable[[], str] = fresh_nonce  # fresh for each prompt; a test may fix it


PLAINLY = Asking()


@dataclass(frozen=True, slots=True)
class Hearing:
    """One case heard: its verdict, every reply on the way, and the members' hearings of a panel."""

    verdict: Verdict
    replies: tuple[Reply, ...] = ()
    members: tuple[Hearing, ...] = ()


def check_language(protocol: Protocol[Any], language: str) -> None:
    """A language that no prompt of the protocol is written in would be ignored: say so instead."""
    if language and protocol.languages and language not in protocol.languages:
        choices = " or ".join(protocol.languages)
        raise UsageError(f"the prompt of {protocol.id} is not written in '{language}': {choices}")


def examined(judge: Judge, shelf: Shelf | None = None, attempts: int = ATTEMPTS) -> Judge:
    """The same judge in exam mode; a panel's members each sit their own exams."""
    if isinstance(judge, Panel):
        members = tuple(examined(member, shelf, attempts) for member in judge.members)
        return replace(judge, members=members)
    if not judge.needs_prompt:
        raise UsageError(f"{judge.name} reads the case itself: exam mode is for language models")
    return Exam(judge, read_reply, shelf, attempts=attempts)


def opened(
    pool: JudgePool, name: str, shelf: Shelf | None = None, attempts: int = ATTEMPTS
) -> Judge:
    """The judge of that name; `exam:NAME` is the same judge in exam mode, also within a panel."""
    bench = [
        examined(pool.open(without_exam(one)), shelf, attempts) if is_exam(one) else pool.open(one)
        for one in members(name)
    ]
    return bench[0] if len(bench) == 1 else open_panel(bench)


async def hear(
    case: Case,
    protocol: Protocol[Any],
    judge: Judge,
    *,
    asking: Asking = PLAINLY,
    on_reply: OnReply | None = None,
    repeat: int = 0,
) -> Hearing:
    """One case through one judge (or a panel). Raises only for wrong usage; `repeat` numbers it."""
    if isinstance(judge, Panel):
        return await _convene(case, protocol, judge, asking, on_reply, repeat)
    replies: list[Reply] = []

    async def read(attempts: Sequence[Reply]) -> tuple[Verdict, str | None]:
        verdict = decided(case, protocol, attempts, repeat)
        return verdict, complaint(verdict, attempts[-1])

    async def kept(attempt: int, reply: Reply) -> None:
        if on_reply is not None:
            await on_reply(attempt, reply)
        replies.append(reply)

    verdict = unasked(case, protocol, judge.name, repeat)
    if verdict is None:
        try:
            verdict = await questioned(case, protocol, judge, asking, read, kept)
        except ProviderError as failure:
            verdict = unanswered(case, protocol, judge.name, failure, replies, repeat)
    return Hearing(verdict, tuple(replies))


def unasked(case: Case, protocol: Protocol[Any], judge: str, repeat: int = 0) -> Verdict | None:
    """The verdict when nobody needs asking: a bad case, or one that code alone decides."""
    try:
        if protocol.validate is not None:
            protocol.validate(case)
        settled = protocol.settle is not None and protocol.settle(case) is not None
    except InputError:
        settled = True  # audit finds the same and says so in the verdict
    if not settled:
        return None
    verdict = audit(case, protocol, Reply("", judge=judge))
    return _recorded(verdict, case, repeat, Usage())


async def questioned(
    case: Case,
    protocol: Protocol[Any],
    judge: Judge,
    asking: Asking,
    read: Read[T],
    on_reply: OnReply | None = None,
) -> T:
    """Ask until whoever reads the replies has no complaint, or all attempts are used up."""
    replies: list[Reply] = []
    wrong: str | None = None
    while True:
        reply = await _asked(case, protocol, judge, asking, wrong)
        if on_reply is not None:
            await on_reply(len(replies), reply)
        replies.append(reply)
        made, wrong = await read(replies)
        if wrong is None or len(replies) >= asking.attempts:
            return made


async def _asked(
    case: Case, protocol: Protocol[Any], judge: Judge, asking: Asking, wrong: str | None
) -> Reply:
    """One question and its answer; the prompt is let go of before the reply waits to be read."""
    prompt = prompt_of(case, protocol, judge, asking, wrong)
    return marked(await judge.ask(prompt), prompt)


def decided(
    case: Case, protocol: Protocol[Any], replies: Sequence[Reply], repeat: int = 0
) -> Verdict:
    """The verdict on what a judge answered: its last reply counts, all are paid for. Pure."""
    reply = replies[-1]
    verdict = audit(case, protocol, reply)
    extra = verdict.extra
    if "final" in extra or len(replies) > 1:
        # `final` was a word to whoever asks; how often was asked is for the record.
        extra = {name: value for name, value in extra.items() if name != "final"}
        if len(replies) > 1:
            extra["attempts"] = len(replies)
        verdict = replace(verdict, extra=extra)
    spent = sum((one.usage for one in replies), Usage())
    return _recorded(_suspected(verdict, reply), case, repeat, spent)


def complaint(verdict: Verdict, reply: Reply) -> str | None:
    """What is wrong with the reply, if it is worth asking again."""
    if verdict.error not in AGAIN or reply.about.get("final"):
        return None
    faults = "; ".join(f"{v.where}: {v.detail}" for v in verdict.violations)
    return (faults or str(verdict.error))[:COMPLAINT_LIMIT]


def unanswered(
    case: Case,
    protocol: Protocol[Any],
    judge: str,
    failure: ProviderError,
    replies: Sequence[Reply] = (),
    repeat: int = 0,
) -> Verdict:
    """The verdict when the judge failed, perhaps after replies that were no good."""
    verdict = failed(case, protocol, judge, failure)
    spent = sum((one.usage for one in replies), verdict.usage)
    return _recorded(verdict, case, repeat, spent)


def _recorded(verdict: Verdict, case: Case, repeat: int, spent: Usage) -> Verdict:
    """The verdict under its own name, with what it cost, and whether a judge judged itself."""
    if judges_itself(verdict.judge, case.candidate):
        verdict = replace(verdict, extra={**verdict.extra, "self_judging": True})
    name = verdict_id(verdict.sha, verdict.judge, repeat)
    return replace(verdict, id=name, repeat=repeat, usage=spent)


def prompt_of(
    case: Case,
    protocol: Protocol[Any],
    judge: Judge,
    asking: Asking,
    complaint: str | None = None,
) -> Prompt:
    """What the judge is asked about this case. A judge that reads the case itself gets no words."""
    if not judge.needs_prompt:
        return Prompt(
            "", "", protocol=protocol.id, case=case, version=protocol.version, asked_by=protocol
        )
    if protocol.prompt is None:
        raise UsageError(f"{protocol.id} has no prompt: it cannot be put to {judge.name}")
    ask = Ask(asking.nonce(), asking.language, asking.template, asking.with_arithmetic, complaint)
    return replace(protocol.prompt(case, ask), protocol=protocol.id, case=case)


def marked(reply: Reply, prompt: Prompt) -> Reply:
    """The reply with what must stay on its record: the prompt's hash and seal, a leaked nonce."""
    if prompt.sha and reply.about.get("prompt") == prompt.sha:
        return reply  # marked before it was kept
    marks: dict[str, Any] = {"prompt": prompt.sha} if prompt.sha else {}
    if prompt.seal:
        marks[SEAL] = prompt.seal
    if leaks(reply.text, prompt.nonce):
        marks["fence"] = "leaked"
    return Reply(reply.text, reply.judge, reply.usage, {**reply.about, **marks}) if marks else reply


def _suspected(verdict: Verdict, reply: Reply) -> Verdict:
    """A reply that carries the nonce repeats the fence itself: no honest answer needs it."""
    if reply.about.get("fence") != "leaked":
        return verdict
    warning = Violation("fence.leaked", "reply", "the reply repeats the code of the fence")
    return replace(verdict, violations=(*verdict.violations, warning))


def failed(case: Case, protocol: Protocol[Any], judge: str, failure: ProviderError) -> Verdict:
    """A judge that could not be asked: unscored, with the reason; never a zero."""
    sha = digest(case, protocol, "")
    return Verdict(
        id=verdict_id(sha, judge, 0),
        case=case.id,
        candidate=case.candidate,
        protocol=protocol.name,
        judge=judge,
        status="unscored",
        sha=sha,
        error=failure.kind,
        violations=(Violation(f"judge.{failure.kind}", "judge", str(failure)),),
        output={"error": failure.kind},
        usage=failure.usage or Usage(),
    )


async def _convene(
    case: Case,
    protocol: Protocol[Any],
    panel: Panel,
    asking: Asking,
    on_reply: OnReply | None,
    repeat: int,
) -> Hearing:
    """Every member hears the case on its own; code combines their findings."""
    heard = await asyncio.gather(
        *(
            hear(case, protocol, member, asking=asking, on_reply=on_reply, repeat=repeat)
            for member in panel.members
        )
    )
    # The last reply is the one that the verdict was made from.
    members = [Member(h.verdict, h.replies[-1] if h.replies else None) for h in heard]
    verdict = combine(case, protocol, members, panel.name, without_self=asking.without_self)
    named = replace(verdict, id=verdict_id(verdict.sha, panel.name, repeat), repeat=repeat)
    return Hearing(named, tuple(r for h in heard for r in h.replies), tuple(heard))

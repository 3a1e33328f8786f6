"""The only loop that asks, reads and decides: `hear`, `decide` and `replay`.

    hear     puts a case to a judge or a panel, and decides on what it answers
    decide   the verdict on what is there: replies, a judge that failed, a row that is broken
    replay   the verdict that `hear` would give today on replies that were stored

`oyer judge`, `run`, `audit`, `rescore`, the Python API and the pytest plugin all call these, so a
case gets the same verdict, under the same id, whichever way it came.

A reply that cannot be used is asked for again, at most twice, saying what was wrong; what was
complete in it is kept (`verdicts.again`). Every attempt is stored, and paid for in the verdict's
usage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from oyer.errors import InputError, OyerError, ProtocolError, ProviderError, UsageError
from oyer.judges.exam import Exam, ExamStore
from oyer.judges.names import is_exam, members, without_exam
from oyer.judges.open_judges import JudgePool
from oyer.judges.panel import Panel, open_panel
from oyer.records import ANSWER, JsonObject
from oyer.text.fence import fresh_nonce, leaks
from oyer.text.seal import SEAL, WANTED
from oyer.text.vendors import judges_itself
from oyer.types import AnyProtocol, Ask, Case, Judge, Prompt, Reply, Usage, Verdict, Violation
from oyer.verdicts.again import Again, complain, merge_replies
from oyer.verdicts.core import audit, digest, model_of, reject_row, ruling_by_code, verdict_id
from oyer.verdicts.panel import Member, combine
from oyer.verdicts.protocol_errors import blame_protocol
from oyer.verdicts.selection import choose_object

ATTEMPTS = 3  # the first, and two more
AGAIN = ("unreadable", "missing_metric")  # a refusal is an answer; it is not asked for again


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
class Answers:
    """What one judge gave on one case: its replies in order, or why there is none."""

    case: Case
    judge: str
    replies: tuple[Reply, ...] = ()
    failure: ProviderError | None = None  # the judge could not be asked, perhaps after replies
    problem: InputError | None = None  # the row is broken: nobody was asked
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Hearing:
    """One case heard: its verdict, every reply on the way, and the members' hearings of a panel."""

    verdict: Verdict
    replies: tuple[Reply, ...] = ()
    members: tuple[Hearing, ...] = ()


T = TypeVar("T")
#: Makes something of the answers so far, and says what is wrong with the last reply (or None).
Decider: TypeAlias = Callable[[Answers], Awaitable[tuple[T, str | None]]]


# ── ask and decide ────────────────────────────────────────────────────────────────────────────


async def hear(
    case: Case,
    protocol: AnyProtocol,
    judge: Judge,
    *,
    asking: Asking = PLAINLY,
    repeat: int = 0,
) -> Hearing:
    """One case through one judge or a panel. Raises only for wrong usage; `repeat` numbers it."""
    if isinstance(judge, Panel):
        return await _hear_panel(case, protocol, judge, asking, repeat)

    async def decide_here(answers: Answers) -> tuple[Hearing, str | None]:
        verdict = decide(answers, protocol)
        return Hearing(verdict, answers.replies), complaint(verdict, answers.replies)

    return await ask_and_decide(case, protocol, judge, decide_here, asking=asking, repeat=repeat)


async def ask_and_decide(
    case: Case,
    protocol: AnyProtocol,
    judge: Judge,
    decider: Decider[T],
    *,
    asking: Asking = PLAINLY,
    repeat: int = 0,
) -> T:
    """Ask one judge until whoever decides has no complaint, or all attempts are used up.

    `decider` is `hear`'s own, or that of a run, which decides in other processes.
    """
    answers = Answers(case, judge.name, repeat=repeat)
    if decided_by_code(case, protocol):
        result, _ = await decider(answers)
        return result
    wrong: str | None = None
    while True:
        try:
            reply = await _ask(answers, protocol, judge, asking, wrong)
        except ProviderError as failure:
            result, _ = await decider(replace(answers, failure=failure))
            return result
        except ProtocolError as bug:
            result, _ = await decider(replace(answers, problem=bug))
            return result
        answers = replace(answers, replies=(*answers.replies, reply))
        result, wrong = await decider(answers)
        if wrong is None or len(answers.replies) >= asking.attempts:
            return result


async def _ask(
    answers: Answers, protocol: AnyProtocol, judge: Judge, asking: Asking, wrong: str | None
) -> Reply:
    """One question and its answer; the prompt is let go of before the reply waits to be read."""
    try:
        again = None
        if wrong is not None:
            again = Again.of(answers.case, protocol, answers.replies, wrong)
        prompt = prompt_of(answers.case, protocol, judge, asking, again)
    except OyerError:
        raise
    except Exception as bug:  # of the protocol's own `prompt`
        raise blame_protocol(bug, protocol, answers.case) from bug
    prompt = replace(prompt, repeat=answers.repeat)
    return mark_reply(await judge.ask(prompt), prompt)


async def _hear_panel(
    case: Case, protocol: AnyProtocol, panel: Panel, asking: Asking, repeat: int
) -> Hearing:
    """Every member hears the case on its own; code combines their findings."""
    questions = [
        hear(case, protocol, member, asking=asking, repeat=repeat) for member in panel.members
    ]
    hearings = await asyncio.gather(*questions)
    answered = [(hearing.verdict, hearing.replies) for hearing in hearings]
    verdict = decide_panel(case, protocol, answered, panel.name, without_self=asking.without_self)
    replies = tuple(chain.from_iterable(hearing.replies for hearing in hearings))
    return Hearing(verdict, replies, tuple(hearings))


# ── decide what is there ──────────────────────────────────────────────────────────────────────


def decide(answers: Answers, protocol: AnyProtocol) -> Verdict:
    """The verdict on one judge's answers, merged; all replies are paid for. Pure and total: where
    the protocol's own code fails, the verdict says so."""
    try:
        return _decide(answers, protocol)
    except OyerError:
        raise
    except Exception as bug:
        problem = blame_protocol(bug, protocol, answers.case)
        return _decide(replace(answers, problem=problem), protocol)


def _decide(answers: Answers, protocol: AnyProtocol) -> Verdict:
    case, replies = answers.case, answers.replies
    spent = sum((reply.usage for reply in replies), Usage())
    if answers.problem is not None:
        last = replies[-1] if replies else None
        verdict = reject_row(case, protocol, answers.judge, answers.problem, last)
    elif not replies and decided_by_code(case, protocol):
        verdict = audit(case, protocol, Reply("", judge=answers.judge))
    elif answers.failure is not None:
        verdict = without_reply(case, protocol, answers.judge, answers.failure)
        spent = spent + verdict.usage
    else:
        reply = Reply("", judge=answers.judge)
        if replies:
            merged = merge_replies(case, protocol, replies)
            reply = Reply(merged.text, merged.judge, spent, merged.about)
        verdict = _with_attempts(audit(case, protocol, reply), len(replies))
        verdict = _flag_leak(verdict, reply)
    if judges_itself(model_of(verdict), case.author):
        verdict = replace(verdict, extra={**verdict.extra, "self_judging": True})
    verdict = _number_answer(verdict, case)
    if not answers.repeat and verdict.usage is spent:  # as it was made: by far the most
        return verdict
    name = verdict_id(verdict.sha, verdict.judge, answers.repeat)
    return replace(verdict, id=name, repeat=answers.repeat, usage=spent)


def decide_panel(
    case: Case,
    protocol: AnyProtocol,
    answered: Sequence[tuple[Verdict, Sequence[Reply]]],
    name: str,
    *,
    without_self: bool = False,
) -> Verdict:
    """The panel's verdict, from each member's verdict and replies."""
    members = []
    for verdict, replies in answered:
        reply = merge_replies(case, protocol, replies) if replies else None
        members.append(Member(verdict, reply))
    verdict = combine(case, protocol, members, name, without_self=without_self)
    verdict = _number_answer(verdict, case)
    repeat = members[0].verdict.repeat
    return replace(verdict, id=verdict_id(verdict.sha, name, repeat), repeat=repeat)


def _number_answer(verdict: Verdict, case: Case) -> Verdict:
    """Which of a candidate's several texts was judged, on the record."""
    if ANSWER not in case.meta:
        return verdict
    return replace(verdict, extra={**verdict.extra, ANSWER: case.meta[ANSWER]})


def decided_by_code(case: Case, protocol: AnyProtocol) -> bool:
    """Whether nobody needs asking: a bad case, or one that code alone decides."""
    try:
        if protocol.validate is not None:
            protocol.validate(case)
        return ruling_by_code(case, protocol, asked=False) is not None
    except InputError:
        return True  # audit finds the same and says so in the verdict
    except OyerError:
        raise
    except Exception:
        return True  # so does `decide`


def complaint(verdict: Verdict, replies: Sequence[Reply]) -> str | None:
    """What is wrong with the last reply, if it is worth asking again."""
    if not replies or verdict.error not in AGAIN or replies[-1].about.get("final"):
        return None
    return complain(verdict)


def without_reply(case: Case, protocol: AnyProtocol, judge: str, failure: ProviderError) -> Verdict:
    """The verdict on a judge that could not be asked: unscored, with the reason; never a zero."""
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


def _with_attempts(verdict: Verdict, attempts: int) -> Verdict:
    """`final` was a word to whoever asks; how often was asked is for the record."""
    if "final" not in verdict.extra and attempts < 2:
        return verdict
    extra = {name: value for name, value in verdict.extra.items() if name != "final"}
    if attempts > 1:
        extra["attempts"] = attempts
    return replace(verdict, extra=extra)


def _flag_leak(verdict: Verdict, reply: Reply) -> Verdict:
    """A reply that carries the nonce repeats the fence itself: no honest answer needs it."""
    if reply.about.get("fence") != "leaked":
        return verdict
    warning = Violation("fence.leaked", "reply", "the reply repeats the code of the fence")
    return replace(verdict, violations=(*verdict.violations, warning))


# ── replay what is stored ─────────────────────────────────────────────────────────────────────


def replay(answers: Answers, protocol: AnyProtocol) -> Verdict:
    """Stored replies decided again, up to the first that needs no other after it."""
    for count in range(1, len(answers.replies)):
        some = replace(answers, replies=answers.replies[:count], failure=None)
        verdict = decide(some, protocol)
        if complaint(verdict, some.replies) is None:
            return verdict
    return decide(answers, protocol)


def replay_panel(
    members: Sequence[Answers],
    protocol: AnyProtocol,
    name: str,
    *,
    without_self: bool = False,
) -> Verdict:
    """The same for the members of a panel."""
    case = members[0].case
    answered = [(replay(member, protocol), member.replies) for member in members]
    return decide_panel(case, protocol, answered, name, without_self=without_self)


# ── how judges are opened and asked ───────────────────────────────────────────────────────────


def check_language(protocol: AnyProtocol, language: str) -> None:
    """A language that no prompt of the protocol is written in would be ignored: say so instead."""
    if language and protocol.languages and language not in protocol.languages:
        choices = " or ".join(protocol.languages)
        raise UsageError(f"the prompt of {protocol.id} is not written in '{language}': {choices}")


def open_exam(judge: Judge, shelf: ExamStore | None = None, attempts: int = ATTEMPTS) -> Judge:
    """The same judge in exam mode; a panel's members each sit their own exams."""
    if isinstance(judge, Panel):
        members = tuple(open_exam(member, shelf, attempts) for member in judge.members)
        return replace(judge, members=members)
    if not judge.needs_prompt:
        raise UsageError(f"{judge.name} reads the case itself: exam mode is for language models")
    return Exam(judge, choose_object, shelf, attempts=attempts)


def open_judge(
    pool: JudgePool,
    name: str,
    shelf: ExamStore | None = None,
    attempts: int = ATTEMPTS,
    own: JsonObject | None = None,
) -> Judge:
    """The judge of that name; `exam:NAME` is the same judge in exam mode, also within a panel.

    `own` are options of this judge alone.
    """
    bench = []
    for member in members(name):
        judge = pool.open(without_exam(member), own)
        bench.append(open_exam(judge, shelf, attempts) if is_exam(member) else judge)
    return bench[0] if len(bench) == 1 else open_panel(bench)


def prompt_of(
    case: Case,
    protocol: AnyProtocol,
    judge: Judge,
    asking: Asking,
    again: Again | None = None,
) -> Prompt:
    """What the judge is asked about this case. A judge that reads the case itself gets no words."""
    if not judge.needs_prompt:
        return Prompt(
            "", "", protocol=protocol.id, case=case, version=protocol.version, asked_by=protocol
        )
    if protocol.prompt is None:
        raise UsageError(f"{protocol.id} has no prompt: it cannot be put to {judge.name}")
    template = asking.template if judge.template is None else judge.template
    ask = Ask(asking.nonce(), asking.language, template, asking.with_arithmetic)
    if again is not None:
        ask = again.put(ask)
    return replace(protocol.prompt(case, ask), protocol=protocol.id, case=case)


def mark_reply(reply: Reply, prompt: Prompt) -> Reply:
    """The reply with what must stay on its record: the prompt's hash and seal, a leaked nonce."""
    if prompt.sha and reply.about.get("prompt") == prompt.sha:
        return reply  # marked before it was kept
    marks: dict[str, Any] = {"prompt": prompt.sha} if prompt.sha else {}
    if prompt.seal:
        marks[SEAL] = prompt.seal
    if prompt.wanted:
        marks[WANTED] = list(prompt.wanted)
    if leaks(reply.text, prompt.nonce):
        marks["fence"] = "leaked"
    return Reply(reply.text, reply.judge, reply.usage, {**reply.about, **marks}) if marks else reply

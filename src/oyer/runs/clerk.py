"""A clerk: a process that reads replies and writes verdicts' rows. It keeps nothing.

What it is handed was committed before; what it hands back can be made again from that. So a clerk
may die at any moment; and when its run dies its pipe ends, and it goes too.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pickle
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, BinaryIO

from oyer.engine import complaint, decided
from oyer.runs.garbage import collected_seldom
from oyer.store import Task
from oyer.store.codec import verdict_row
from oyer.types import Case, Protocol, Reply, Usage, Verdict

HEAD = 8  # bytes of a message's length
_PIPE = 1 << 20  # bytes a pipe holds, where the system allows it


def _values(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(one.name for one in fields(kind)))


_task, _case, _usage = _values(Task), _values(Case), _values(Usage)


@dataclass(frozen=True, slots=True)
class Matter:
    """What is to be decided: a case (under its sha), and what one judge said of it."""

    task: Task
    sha: str
    case: Case
    replies: Sequence[Reply]
    repeat: int = 0

    def plain(self) -> tuple[Any, ...]:
        """The same as tuples: records take pickle several times as long."""
        told = [(r.text, r.judge, _usage(r.usage), r.about) for r in self.replies]
        return _task(self.task), self.sha, _case(self.case), told, self.repeat

    @classmethod
    def of(cls, plain: tuple[Any, ...]) -> Matter:
        task, sha, case, told, repeat = plain
        replies = [Reply(text, judge, Usage(*usage), about) for text, judge, usage, about in told]
        return cls(Task(*task), sha, Case(*case), replies, repeat)


@dataclass(frozen=True, slots=True)
class Minute:
    """What was decided: the verdict's row, ready to be kept."""

    row: dict[str, Any]
    status: str
    wrong: str | None = None  # what to tell the judge when it is asked again


def read(protocol: Protocol[Any], matter: Matter) -> Minute:
    """Decide one matter. Pure: the same here and in any other process."""
    replies = matter.replies
    verdict = decided(matter.case, protocol, replies, matter.repeat)
    wrong = complaint(verdict, replies[-1])
    return minute_of(matter.task, matter.sha, verdict, len(replies), wrong)


def minute_of(
    task: Task, sha: str, verdict: Verdict, attempts: int, wrong: str | None = None
) -> Minute:
    """The verdict as it will be kept; `attempts` is how many replies led here."""
    return Minute(verdict_row(task, sha, verdict, attempts), verdict.status, wrong)


@dataclass(frozen=True, slots=True)
class Clerk:
    """A clerk as its run sees it: a process, and the ends of two pipes."""

    process: int
    give: int
    take: int

    def dismiss(self) -> None:
        """End it at once: it has nothing to lose."""
        for end in (self.give, self.take):
            with contextlib.suppress(OSError):  # the event loop may have closed it
                os.close(end)
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def hire(protocol: Protocol[Any], before: Sequence[Clerk] = ()) -> Clerk:
    """A copy of this process that only reads. Before any thread, store or socket is opened!

    `before`: clerks hired already, whose pipes the new one must not hold open.
    """
    given, give = os.pipe()
    take, taken = os.pipe()
    for end in (give, taken):
        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _PIPE)
    process = os.fork()
    if process:
        os.close(given)
        os.close(taken)
        return Clerk(process, give, take)
    status = 1
    try:
        for end in (give, take, *(e for clerk in before for e in (clerk.give, clerk.take))):
            os.close(end)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the run's: it ends its clerks
        with os.fdopen(given, "rb") as questions, os.fdopen(taken, "wb") as answers:
            _serve(protocol, questions, answers)
        status = 0
    finally:
        os._exit(status)  # nothing of the run's may be tidied up here


def _serve(protocol: Protocol[Any], questions: BinaryIO, answers: BinaryIO) -> None:
    """Read what comes until nothing comes any more."""
    with collected_seldom():
        while len(head := questions.read(HEAD)) == HEAD:
            matters = unpacked(questions.read(int.from_bytes(head, "big")))
            answers.write(packed([read(protocol, Matter.of(plain)) for plain in matters]))
            answers.flush()


def packed(message: object) -> bytes:
    """A message between a run and its clerks, its length first."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(HEAD, "big") + body


def unpacked(body: bytes) -> Any:
    """Only ever what a process of ours packed, through a pipe that nobody else has."""
    return pickle.loads(body)  # noqa: S301

"""Replies that somebody else recorded: what `oyer audit` decides, and each one counted once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from oyer.cases import BadRow, RecordedReply, Row, split_reply
from oyer.engine import Answers
from oyer.errors import InputError
from oyer.store.records import digest
from oyer.types import Reply

UNKNOWN = "unknown"  # who gave a reply that names no judge


def answers_of(row: Row, judge: str | None = None) -> Answers:
    """The row as answers to be decided; `judge` says whose they are, else the row does."""
    if isinstance(row, BadRow):
        who = judge or row.subject.judge or UNKNOWN
        return Answers(row.subject, who, problem=row.error)
    try:
        case, reply = split_reply(row)
    except InputError as error:
        error.file, error.line = row.place or (None, None)
        return answers_of(BadRow(row.id, error, row), judge)
    who = judge or reply.judge
    return Answers(case, who, (Reply(reply.text, judge=who),), repeat=reply.repeat or 0)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A reply that some judge gave before, and which repeat of the question it answered."""

    judge: str
    text: str
    repeat: int

    @property
    def sha(self) -> str:
        return digest([self.judge, self.repeat, self.text])


class ReplyLog:
    """The replies that an audit has seen: each counts once, under a repeat of its own."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], dict[int, bytes]] = {}

    def take(self, case_sha: str, reply: RecordedReply) -> int | None:
        """The reply's repeat, by default the next free one; None: this reply is there already."""
        seen = self._seen.setdefault((case_sha, reply.judge), {})
        text = hashlib.sha256(reply.text.encode("utf-8", "surrogatepass")).digest()
        repeat = reply.repeat
        if repeat is None:
            repeat = self.next_repeat(case_sha, reply.judge)
        elif repeat in seen:
            if seen[repeat] == text:
                return None
            message = f"{reply.judge} has another reply as repeat {repeat} of the same case"
            raise InputError(message, field="repeat")
        seen[repeat] = text
        return repeat

    def next_repeat(self, case_sha: str, judge: str) -> int:
        """A number that no reply has; it is taken."""
        seen = self._seen.setdefault((case_sha, judge), {})
        repeat = len(seen)
        while repeat in seen:
            repeat += 1
        seen[repeat] = b""
        return repeat

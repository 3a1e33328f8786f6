"""People's labels as plain frozen records: a label, a queue, an item of a queue."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, get_args

from oyer.errors import UsageError
from oyer.records import JsonObject

#: label: one of the unit's choices. score: a number on its scale. agree: yes or no to a judge's
#: finding. note: free text. skip: cannot tell. withdrawn: takes back the row it supersedes.
LabelKind = Literal["label", "score", "agree", "note", "skip", "withdrawn"]
Role = Literal["opinion", "adjudication"]
Mode = Literal["blind", "review"]
Split = Literal["dev", "test"]
Subject = tuple[str, str | None]  # a judged text, and in a review the verdict on it


def new_label_id() -> str:
    """An id that nobody else has. A page makes it before it sends: sent twice, it is kept once."""
    return uuid.uuid4().hex


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Label:
    """What one person said of one unit. Never changed: a correction supersedes it."""

    case_sha: str
    protocol: str  # id@version
    metric: str
    value: str | None
    reviewer: str
    unit: str = ""  # Unit.where; of a review: the finding ("hallucination.claims_checked[2]")
    kind: LabelKind = "label"
    role: Role = "opinion"
    blind: bool = True
    case_id: str = ""
    candidate: str | None = None
    shown_sha: str | None = None  # sha256 of what the person saw
    verdict: str | None = None  # of a review: the verdict whose finding it is
    queue: int | None = None
    prob: float | None = None  # inclusion probability of the item; None: nobody knows
    split: Split | None = None
    seconds: float | None = None
    note: str | None = None
    supersedes: str | None = None
    id: str = field(default_factory=new_label_id)
    created: str = field(default_factory=now)
    row: int = 0  # set by the store; grows in the order in which labels were kept

    def __post_init__(self) -> None:
        _refuse(self.kind not in get_args(LabelKind), f"a label's kind is not '{self.kind}'")
        _refuse(self.role not in get_args(Role), f"a label's role is not '{self.role}'")
        _refuse(self.split not in (None, "dev", "test"), f"a split is not '{self.split}'")
        _refuse(not self.reviewer.strip(), "a label needs its reviewer's name")
        _refuse(
            self.prob is not None and not 0 < self.prob <= 1,
            f"an inclusion probability lies above 0 and up to 1, not at {self.prob}",
        )
        if self.kind == "score":
            _refuse(self.number is None, f"a score must be a number, not '{self.value}'")
        if self.kind in ("label", "agree"):
            _refuse(not self.value, "a label needs a value")

    @property
    def number(self) -> float | None:
        """The value as a number, if it is one."""
        try:
            number = float(self.value or "")
        except ValueError:
            return None
        return number if math.isfinite(number) else None

    @property
    def subject(self) -> tuple[str, str, str, str | None]:
        """What it is about; two labels with one subject are opinions on the same thing."""
        return self.case_sha, self.unit, self.metric, self.verdict


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One judged text to be labelled, with the probability that the draw had of taking it."""

    case_sha: str
    case_id: str
    candidate: str | None
    units: tuple[tuple[str, str], ...]  # (where, metric) of each thing to be labelled
    prob: float
    stratum: str = ""
    split: Split = "test"
    people: int = 1
    verdict: str | None = None
    position: int = 0
    id: int = 0
    queue: int = 0

    @property
    def subject(self) -> Subject:
        """What its labels are on: two judges' verdicts on one text are two things to review."""
        return self.case_sha, self.verdict


@dataclass(frozen=True, slots=True)
class Queue:
    """A drawn sample. `drawn` says how: n, by, second, dev, seed, population."""

    id: int
    run: int
    mode: Mode
    protocol: str
    drawn: JsonObject
    created: str


@dataclass(frozen=True, slots=True)
class LabelProgress:
    """How far a queue is: items times people, and who did how many."""

    wanted: int
    done: int
    by_reviewer: Mapping[str, int]
    disagreements: int  # units with two opinions that differ and no adjudication yet


def _refuse(wrong: bool, message: str) -> None:
    if wrong:
        raise UsageError(message)

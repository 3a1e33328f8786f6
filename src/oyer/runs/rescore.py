"""Stored replies through today's rules, on all cores, then the differences. No model is called."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Any

from oyer import __version__
from oyer.engine import Answers, replay, replay_panel
from oyer.errors import ProviderError
from oyer.judges.named import rename
from oyer.records import MemberRecord, UsageRecord
from oyer.runs.parallel import (
    ProtocolRef,
    available_cores,
    gc_relaxed,
    load_protocol,
)
from oyer.runs.workers import HERE, map_in_order, open_workers
from oyer.store import Manifest, Run, open_store, rules_sha, shown_store
from oyer.store.codec import verdict_row
from oyer.store.records import RawVerdict
from oyer.store.store import Store
from oyer.types import AnyProtocol, Case, JsonObject, Reply, Usage, Verdict
from oyer.verdicts import as_bytes

PAGE = 250  # verdicts whose cases and replies are fetched together
SHARES = 8  # pieces of work for each core, so that all end at about the same time
SMALLEST, LARGEST = 500, 4000  # rows of a piece: each opens the store
SHOWN = 50  # changes kept a piece, the largest; all are counted
_NOT_AGAIN = ("provider", "budget")  # nobody answered: there is nothing to read again


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker process needs to know."""

    where: str
    run: int
    protocol: str
    paths: tuple[str, ...]
    weights: dict[str, float]
    without_self: bool = False  # a panel's members of the candidate's family were left out
    #: Judges that have names -> the name of each who answered; "": it signs for itself.
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    keep: int = 0  # send the new verdicts back, as rows of this run


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict that today's rules give otherwise."""

    verdict: str
    case: str
    candidate: str | None
    judge: str
    before: float | None
    after: float | None
    what: str

    @property
    def size(self) -> float:
        if self.before is None or self.after is None:
            return float("inf")
        return abs(self.after - self.before)


@dataclass(slots=True)
class Difference:
    """What came of rescoring: counts of everything, the largest changes."""

    same: int = 0
    silent: int = 0  # nobody had answered; left as they were
    counts: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def changed(self) -> int:
        return sum(self.counts.values())

    def add(self, change: Change) -> None:
        self.counts[change.what] = self.counts.get(change.what, 0) + 1
        self.changes.append(change)
        if len(self.changes) > 4 * SHOWN:
            self.trim()

    def trim(self) -> None:
        self.changes.sort(key=lambda change: change.size, reverse=True)
        del self.changes[SHOWN:]

    def merge(self, other: Difference) -> None:
        self.same += other.same
        self.silent += other.silent
        for what, n in other.counts.items():
            self.counts[what] = self.counts.get(what, 0) + n
        self.changes += other.changes
        self.trim()


def rescore(
    job: Job, run: Run, workers: int = 0, share: int = 0, on: str = HERE
) -> Iterator[Difference]:
    """The differences piece by piece: merge them, and store their `rows` if they were asked for.

    `share`: rows of a piece; 0: by their number.
    """
    with open_store(job.where, create=False, write=False) as store:
        low, high = store.span(run.id)
    cores = workers or available_cores()
    rows = share or min(max((high - low) // (SHARES * cores), SMALLEST), LARGEST)
    shares = [(at - 1, min(at + rows - 1, high)) for at in range(low, high + 1, rows)]
    count = min(cores, len(shares) or 1)
    if count == 1 and on == HERE:
        for span in shares:
            yield piece(job, *span)
        return
    if on != HERE:  # a password is the business of each node (docs/scale.md)
        job = replace(job, where=shown_store(job.where))
    with open_workers(on, count) as (pool, many):
        yield from map_in_order(pool, partial(rescore_span, job), shares, 2 * many)


def rescored_manifest(run: Run, protocol: AnyProtocol) -> Manifest:
    """The manifest under which rescored verdicts are stored."""
    return replace(
        run.manifest,
        protocol=protocol.name,
        rules_sha=rules_sha(protocol),
        kind="rescore",
        parent=run.id,
        code=__version__,
    )


def protocol_of(job: Job) -> AnyProtocol:
    """Today's protocol, with the run's weights."""
    return load_protocol(ProtocolRef.of(job.protocol, job.paths, job.weights))


def rescore_span(job: Job, span: tuple[int, int]) -> Difference:
    """What a worker does."""
    return piece(job, *span)


def piece(job: Job, after: int, until: int) -> Difference:
    """Rescore the verdicts in a span of rows."""
    protocol = protocol_of(job)
    difference = Difference()
    with gc_relaxed(), open_store(job.where, create=False, write=False) as store:
        stored = store.raw_verdicts(job.run, after, until)
        while page := list(islice(stored, PAGE)):
            _rescore_page(job, store, protocol, page, difference)
    difference.trim()
    return difference


def _rescore_page(
    job: Job,
    store: Store,
    protocol: AnyProtocol,
    page: Sequence[RawVerdict],
    difference: Difference,
) -> None:
    cases = store.cases({old.case_sha for old in page})
    replies = store.replies(chain.from_iterable(old.task.asks for old in page))
    for old in page:
        row = cases.get(old.case_sha)
        asks = old.task.asks
        names = job.names.get(old.judge, [""] * len(asks))
        voices = []
        for ask, name in zip(asks, names, strict=True):
            voices.append(tuple(rename(stored.reply, name) for stored in replies.get(ask, ())))
        if row is None or old.error in _NOT_AGAIN or not _has_answers(old, voices):
            difference.silent += 1
            continue
        verdict = replay_stored(row.case, protocol, old, voices, job.without_self)
        raw = as_bytes(verdict)
        _compare(difference, old, raw)
        if job.keep:
            task = replace(old.task, run=job.keep)
            new = verdict_row(task, old.case_sha, verdict, old.attempts, raw)
            difference.rows.append(new)


def _has_answers(stored: RawVerdict, voices: Sequence[Sequence[Reply]]) -> bool:
    """Whether there is something to judge: replies, or a case that code alone decided."""
    if not stored.attempts:
        return stored.error is None
    return any(voices)  # a panel is heard without the members that could not be asked


def replay_stored(
    case: Case,
    protocol: AnyProtocol,
    old: RawVerdict,
    voices: Sequence[tuple[Reply, ...]],
    without_self: bool = False,
) -> Verdict:
    """The verdict that today's code gives on the same replies."""
    if len(voices) > 1:
        answers = list(_members(case, old, voices))
        return replay_panel(answers, protocol, old.judge, without_self=without_self)
    nothing = None if voices[0] else ProviderError(f"{old.judge} gave only 0 replies")
    return replay(Answers(case, old.judge, voices[0], nothing, repeat=old.repeat), protocol)


def _members(case: Case, old: RawVerdict, voices: Sequence[tuple[Reply, ...]]) -> Iterator[Answers]:
    """A panel's members as they were: those that answered, and those that could not be asked."""
    seats: Sequence[MemberRecord] = ()
    details: dict[str, str] = {}
    lost = Usage()
    if not all(voices):
        record = old.record()
        seats = record["panel"]["members"] if "panel" in record else ()
        details = {v["where"]: v["detail"] for v in record["violations"]}
        lost = _usage_without_reply(record["usage"], list(chain.from_iterable(voices)))
    for place, voice in enumerate(voices):
        if voice:
            yield Answers(case, voice[0].judge, voice, repeat=old.repeat)
            continue
        seat = seats[place] if place < len(seats) else None
        judge = "unknown" if seat is None else seat["judge"]
        kind = "provider" if seat is None or seat["error"] is None else seat["error"]
        why = details.get(f"{judge}: judge", "no stored reply")
        failure = ProviderError(why, kind=kind, usage=lost)
        lost = Usage()  # counted once
        yield Answers(case, judge.partition("#")[0], failure=failure, repeat=old.repeat)


def _usage_without_reply(whole: UsageRecord, replies: Sequence[Reply]) -> Usage:
    """What calls cost that brought no reply: the whole without the replies' part."""
    part = sum((reply.usage for reply in replies), Usage())
    return Usage(
        whole["input_tokens"] - part.input_tokens,
        whole["output_tokens"] - part.output_tokens,
        _less(whole["cost_usd"], part.cost_usd),
        whole["calls"] - part.calls,
        whole["seconds"] - part.seconds,
    )


def _less(whole: float | None, part: float | None) -> float | None:
    """What is left of a price; unknown if either is."""
    return None if whole is None or part is None else whole - part


def _compare(difference: Difference, stored: RawVerdict, body: bytes) -> None:
    if body == stored.body:
        difference.same += 1
        return
    old, new = stored.record(), json.loads(body)
    difference.add(
        Change(
            verdict=old["id"],
            case=old["case"],
            candidate=old["candidate"],
            judge=old["judge"],
            before=old["total"],
            after=new["total"],
            what=_what(old, new),
        )
    )


def _what(old: JsonObject, new: JsonObject) -> str:
    """The gravest thing that changed, in a word."""
    if old["status"] != new["status"]:
        return "lost its score" if new["status"] == "unscored" else "gained a score"
    for key, word in (
        ("total", "total"),
        ("scores", "scores"),
        ("error", "error"),
        ("violations", "violations"),
        ("evidence", "evidence"),
        ("trace", "derivation"),
        ("output", "output"),
    ):
        if old[key] != new[key]:
            return word
    return "wording"

"""What the store hands out: plain frozen records, no database in sight."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from oyer.records import VerdictRecord
from oyer.types import AnyProtocol, Case, JsonObject, Reply, Usage

#: planned -> running -> done | stopped (by the user) | budget | failed (the store or the program)
#: A deleted run keeps its number, so that no other run ever gets it; its verdicts are gone.
RunState = Literal["running", "done", "stopped", "budget", "failed", "deleted"]
#: How its verdicts came: asked for, made again from stored replies, from recorded replies, or as
#: they are, from a file.
RunKind = Literal["run", "rescore", "judge", "audit", "import"]


#: Fields that came later: at their defaults they are left out, so that runs which were kept
#: before are the same runs.
_LATER: dict[str, object] = {"verdicts": None, "answers": 1, "protocols": (), "named": {}}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a run is. Two runs with the same `identity` are the same run: the second resumes it.

    Budget, concurrency and the code's version are not part of what a run is.
    """

    suite: str
    protocol: str  # id@version
    rules_sha: str
    prompt_sha: str
    judges: tuple[str, ...]
    cases_sha: str
    cases: int
    repeats: int = 1
    candidates: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    params: JsonObject = field(default_factory=dict)
    code: str = ""
    kind: RunKind = "run"
    parent: int | None = None  # of a rescore: the run whose replies were read again
    verdicts: int | None = None  # of an audit: one for each recorded reply
    answers: int = 1  # that a candidate writes to each case
    protocols: tuple[str, ...] = ()  # of a suite with several, of which this run is one
    #: "judges" and "candidates" that have names: name -> model, options, members of a panel.
    named: Mapping[str, JsonObject] = field(default_factory=dict)

    @property
    def tasks(self) -> int:
        """How many verdicts the run will have when it is done."""
        if self.verdicts is not None:
            return self.verdicts
        texts = self.cases * max(1, len(self.candidates)) * self.answers
        return texts * len(self.judges) * self.repeats

    @property
    def panels(self) -> dict[str, tuple[str, ...]]:
        """The members of panels that have a name of their own."""
        judges = self.named.get("judges", {})
        return {name: tuple(j["members"]) for name, j in judges.items() if "members" in j}

    @property
    def protocol_id(self) -> str:
        """The protocol without its version."""
        return self.protocol.partition("@")[0]

    def is_beside(self, other: Manifest) -> bool:
        """Whether both are of one suite with several protocols: the same texts, judges, options."""
        return bool(self.protocols) and self._suite_values() == other._suite_values()

    def _suite_values(self) -> list[object]:
        suite = self.suite.removesuffix(f":{self.protocol_id}")
        return [suite, self.protocols, self.judges, self.candidates, self.cases_sha, self.repeats,
                self.answers, self.params, self.named, self.kind]  # fmt: skip

    def uses_of(self, model: str) -> tuple[str, ...]:
        """What a model was asked for: the protocol's verdicts, "" for the texts that it wrote."""
        asked: list[str] = []
        for kind, names in (("", self.candidates), (self.protocol_id, self.judges)):
            entries = self.named.get("judges" if kind else "candidates", {})
            models = [str(entries.get(name, {}).get("model", name)) for name in names]
            if any(model in name.split("+") or model == name for name in models):
                asked.append(kind)
        return tuple(asked)

    @property
    def voices(self) -> dict[str, list[str]]:
        """Judges that have names -> who answers for each; "" where it signs for itself."""
        judges = self.named.get("judges", {})
        names = {name for name, judge in judges.items() if judge["model"] != name}
        voices = {}
        for name in judges:
            seats = judges[name].get("members", [name])
            voices[name] = [seat if seat in names else "" for seat in seats]
        return voices

    @property
    def identity(self) -> str:
        values = self.as_json()
        del values["code"]
        return digest(values)

    def as_json(self) -> dict[str, object]:
        values = dataclasses.asdict(self)
        for name, default in _LATER.items():
            if values[name] == default:
                del values[name]
        return values

    @classmethod
    def from_json(cls, stored: JsonObject) -> Manifest:
        known = {f.name for f in dataclasses.fields(cls)}
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in stored.items()
            if key in known
        }
        return cls(**values)


@dataclass(frozen=True, slots=True)
class JudgingCost:
    """What one judge's verdicts on one candidate's texts cost in a run; None: unknown."""

    candidate: str | None
    judge: str
    verdicts: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class ReplyLength:
    """How long a model's replies were in one run, and what it was asked for there."""

    judge: str
    asked_for: tuple[str, ...]  # a protocol's id; "" where it wrote the judged texts
    replies: int
    output_tokens: float  # their mean


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run: its number, its manifest, how far it is."""

    id: int
    name: str
    identity: str
    manifest: Manifest
    state: RunState
    started: str  # ISO 8601, UTC
    updated: str


@dataclass(frozen=True, slots=True)
class Task:
    """One verdict to be made: where it stands in the run, and whose replies it may use.

    `key` is unique within a run; `ask` names the question put to the judge, so that a reply once
    paid for is found again by any run that asks the same.
    """

    run: int
    key: str
    ask: str
    seq: int = 0

    @property
    def asks(self) -> tuple[str, ...]:
        """The question to each member of a panel; of one judge, the question."""
        return tuple(self.ask.split("+"))


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A stored case under the hash of its content."""

    sha: str
    case: Case


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict without its derivation: what leaderboards and comparisons read, by the million.

    `violations` counts by code; `facts` are the short plain values of `extra` and `output`
    (critical_fail, a verdict's name, counts …).
    """

    row: int  # grows in the order in which verdicts were kept
    seq: int  # the place of the case in its file
    verdict: str  # Verdict.id
    case: str
    case_sha: str
    candidate: str | None
    judge: str
    repeat: int
    status: str
    error: str | None
    total: float | None
    scores: Mapping[str, float] | None
    stated: JsonObject
    violations: Mapping[str, int]
    facts: JsonObject
    usage: Usage


#: Characters of a text that a listing still shows as a fact.
FACT = 40


def is_fact(value: object) -> bool:
    """Whether a value is short and plain enough for listings."""
    return isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= FACT)


def outcome_of(record: VerdictRecord, row: int) -> Outcome:
    """A record from a file (`oyer export`), as the store would list it."""
    violations: dict[str, int] = {}
    for violation in record.get("violations") or ():
        code = violation["code"]
        violations[code] = violations.get(code, 0) + 1
    output = record.get("output")
    plain = {**record, **(output if isinstance(output, Mapping) else {})}
    return Outcome(
        row=row,
        seq=-1,
        verdict=record["id"],
        case=record["case"],
        case_sha="",
        candidate=record.get("candidate"),
        judge=record["judge"],
        repeat=record["repeat"],
        status=record["status"],
        error=record["error"],
        total=record["total"],
        scores=record["scores"],
        stated=record.get("stated") or {},
        violations=violations,
        facts={key: value for key, value in plain.items() if is_fact(value)},
        usage=Usage(**record["usage"]),
    )


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A stored verdict whole: `record` is the JSON record of spec/interface.md."""

    row: int
    run: int
    task: Task
    case_sha: str
    attempts: int  # replies the verdict was made from; the last one counted. 0: decided by code
    record: VerdictRecord


@dataclass(frozen=True, slots=True)
class RawVerdict:
    """A stored verdict whose record is not parsed yet: rescoring compares most of them as bytes."""

    row: int
    task: Task
    case_sha: str
    attempts: int
    judge: str
    repeat: int
    error: str | None  # None: it is scored
    body: bytes  # the JSON record

    def record(self) -> VerdictRecord:
        parsed: VerdictRecord = json.loads(self.body)
        return parsed


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A stored raw reply: `attempt` 0 is the first answer to that ask."""

    ask: str
    attempt: int
    run: int  # which run paid for it
    reply: Reply


def canonical(value: object) -> bytes:
    """The same value, the same bytes: keys sorted, ASCII, so that any text survives."""
    return _CANONICAL.encode(value).encode("ascii")


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_plain)


def digest(value: object) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def case_json(case: Case) -> dict[str, object]:
    """A case as it is stored; `reply` and `judge` belong to audit and are kept with it."""
    return {
        "id": case.id,
        "fields": case.fields,
        "candidate": case.candidate,
        "reply": case.reply,
        "judge": case.judge,
        "meta": case.meta,
    }


def case_body(case: Case) -> bytes:
    """A case's content: equal cases have equal bytes, on any machine."""
    return canonical(case_json(case))


def case_sha(case: Case) -> str:
    """The name of a case's content."""
    return hashlib.sha256(case_body(case)).hexdigest()


def rules_sha(protocol: AnyProtocol) -> str:
    """Of the rule table: it changes when a formula, a threshold or a label's value changes."""
    rules = [[r.id, r.formula, r.text, _as_texts(r.values)] for r in protocol.rules.values()]
    weights = {key: str(value) for key, value in protocol.weights.items()}
    return digest([protocol.name, rules, weights])


def prompt_sha(protocol: AnyProtocol, case: Case) -> str:
    """Of the prompt template, as the protocol itself states it."""
    from oyer.types import Ask

    if protocol.prompt is None:
        return ""
    return protocol.prompt(case, Ask(nonce="0" * 16)).sha


def _as_texts(values: JsonObject) -> dict[str, str]:
    return {key: str(value) for key, value in values.items()}

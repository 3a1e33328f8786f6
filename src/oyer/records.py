"""The verdict record of docs/interface.md, typed: what `--json` prints, the store keeps and reports
read. In code a verdict is `oyer.types.Verdict`; after the store it is this.

`Any` stands where the protocol or the judge decides: what went into a rule, what a member said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from oyer.errors import UnscoredKind

#: A JSON object as it was parsed. What its values are, whoever reads it must look.
JsonObject: TypeAlias = Mapping[str, Any]
Status = Literal["scored", "unscored"]
#: Keys of a record's own, where a suite gives names or wants several answers: the model that
#: answered under a judge's name; which of a candidate's texts it is (1 …).
JUDGE_MODEL, ANSWER = "judge_model", "answer_number"
#: Of a case's `meta`: the model behind a candidate's name.
CANDIDATE_MODEL = "candidate_model"


def as_text(value: Any) -> str | None:
    """A reply that some export already parsed is JSON again, not Python's way of printing it."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


class UsageRecord(TypedDict):
    """What asking cost; `cost_usd` None: the price is unknown."""

    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    calls: int
    seconds: float


class ViolationRecord(TypedDict):
    """A rule that the judge broke."""

    code: str
    where: str
    detail: str


class EvidenceRecord(TypedDict):
    """A quote that was found: `text_at(fields, source)[start:end]`, in code points."""

    where: str
    source: str
    start: int
    end: int
    match: Literal["verbatim", "folded"]
    quote: str


_STEP = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")


def text_at(fields: JsonObject, source: str) -> str | None:
    """The text that evidence names: a field, or a text inside one ("contexts[2].text")."""
    value = fields.get(source)
    if isinstance(value, str):
        return value
    value = fields
    for index, name in _STEP.findall(source):
        if index and isinstance(value, list | tuple) and int(index) < len(value):
            value = value[int(index)]
        elif name and isinstance(value, Mapping):
            value = value.get(name)
        else:
            return None
    return value if isinstance(value, str) else None


def texts_in(name: str, value: object) -> Iterator[tuple[str, str]]:
    """The texts of a field, by the names that evidence has for them; none if it is other JSON."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list | tuple) and all(isinstance(text, str) for text in value):
        for index, text in enumerate(value):
            yield f"{name}[{index}]", text


def output_objects(output: object) -> Iterator[tuple[str, JsonObject]]:
    """The objects of a verdict's output, each after what its places begin with ("coverage.")."""
    for holder in output if isinstance(output, list) else [output]:
        if isinstance(holder, Mapping):
            yield (f"{holder['metric']}." if "metric" in holder else ""), holder


class StepRecord(TypedDict):
    """One rule applied; `exact` has the fractions that two decimals cannot show."""

    rule: str
    formula: str
    inputs: JsonObject
    value: Any
    exact: NotRequired[Any]
    exact_inputs: NotRequired[JsonObject]


class ScoreRecord(TypedDict):
    """What a judge came to: its scores, or why there are none."""

    judge: str
    status: Status
    error: UnscoredKind | None
    scores: Mapping[str, float] | None
    total: float | None


class MemberRecord(ScoreRecord):
    """One judge of a panel; `violations` is their number."""

    verdict: str
    violations: int
    self_judging: bool
    counted: bool


class FindingRecord(TypedDict):
    """One finding before a panel: what each member said, what counts."""

    finding: str
    where: str
    rule: str
    said: JsonObject
    value: Any
    agree: NotRequired[float]
    range: NotRequired[float]
    tie: NotRequired[bool]


class SpreadRecord(TypedDict):
    """How far the members' scores are apart."""

    median: float
    mean: float
    range: float
    sd: float


class PanelRecord(TypedDict):
    """What a panel's verdict was made of."""

    members: Sequence[MemberRecord]
    scores: Mapping[str, SpreadRecord]
    flags: Sequence[str]
    combined: NotRequired[Literal["findings", "scores"]]
    agreement: NotRequired[JsonObject]
    findings: NotRequired[Sequence[FindingRecord]]


class VerdictRecord(ScoreRecord):
    """The record; the keys after `sha` stand there only where they apply.

    A protocol may add keys of its own: `oyer.verdicts.record.extra_of` gives them all.
    """

    id: str
    case: str
    candidate: str | None
    protocol: str
    repeat: int
    stated: JsonObject
    violations: Sequence[ViolationRecord]
    evidence: Sequence[EvidenceRecord]
    trace: Sequence[StepRecord]
    output: object  # what the protocol prints: see its `output.py`
    usage: UsageRecord
    sha: str
    panel: NotRequired[PanelRecord]
    attempts: NotRequired[int]
    self_judging: NotRequired[bool]
    critical_fail: NotRequired[bool]
    too_short: NotRequired[str]
    copied: NotRequired[str]
    reliability: NotRequired[JsonObject]
    judged_by: NotRequired[str]  # where `judge` left it to another one
    notes: NotRequired[Sequence[str]]
    weights: NotRequired[JsonObject]
    checks: NotRequired[Sequence[JsonObject]]
    issues: NotRequired[Sequence[JsonObject]]

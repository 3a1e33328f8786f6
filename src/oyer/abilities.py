"""What a protocol says of itself besides its rules: its fields, what candidates write, its form;
and how it is asked.

`oyer.types` has the names that protocols need: import them from there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from oyer.errors import InputError

if TYPE_CHECKING:
    from random import Random

    from oyer.types import Case
from oyer.records import JsonObject, VerdictRecord


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a text of the user's, where, and what to do."""

    message: str
    line: int | None = None
    column: int | None = None
    hint: str = ""
    severity: Literal["error", "warning"] = "error"

    @property
    def sentence(self) -> str:
        """Message and hint in one sentence."""
        return f"{self.message}; {self.hint}" if self.hint else self.message


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was understood of a text, as rows of (what, value), and all that is wrong with it."""

    understood: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """How a prompt is to be put: fresh nonce, language, the user's own template, arithmetic."""

    nonce: str
    language: str = "en"
    template: str | None = None
    with_arithmetic: bool = False
    complaint: str | None = None  # what was wrong with the previous reply, when asking again
    previous: str = ""  # that reply, to be shown
    wanted: tuple[str, ...] = ()  # the objects that are asked for again; (): all of them
    room: int = 1  # how many times the usual number of tokens the answer may take


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a protocol's cases: its name, whether text or JSON, and what it holds."""

    name: str
    kind: Literal["text", "json"] = "text"
    help: str = ""
    file: bool = False  # in a cases file, it may be a path relative to that file
    flags: tuple[str, ...] = ()  # of `oyer judge` for a single case; (): --field NAME=FILE
    literal: bool = False  # its flag takes the value itself, not a file
    folder: str = ""  # where a folder of tasks keeps this field: prompts/NN.md
    required: bool = True  # False: a case may go without it, and then `fields` does not have it
    inspect: Callable[[str], Inspection] | None = None  # for `oyer check`: a text with a form


@dataclass(frozen=True, slots=True)
class Writing:
    """How candidates write the judged text: from which template into which field."""

    field: str
    template: str  # {{name}} stands for a field of the case
    system: str = ""
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class SummaryFindings:
    """What was found of a summary, object by object, before it is a reply of some protocol."""

    points: Sequence[JsonObject]
    claims: Sequence[JsonObject]
    coverage_pairs: Sequence[JsonObject]  # the article's questions, answered from the summary
    hallucination_pairs: Sequence[JsonObject]  # the summary's questions, put to the article
    alignment: JsonObject
    relevance: JsonObject
    bias_toxicity: JsonObject


@dataclass(frozen=True, slots=True)
class SummaryForm:
    """A protocol that judges a summary against its article, and the form of its replies.

    Such a protocol can be judged in exam mode and by the embedded judge.
    """

    questions: bool  # whether it has a question loop
    compose: Callable[[SummaryFindings], list[dict[str, Any]]]


# ── in words ──────────────────────────────────────────────────────────────────────────────────

Tone: TypeAlias = Literal["bad", "partial", "plain"]


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that a verdict says, and the stretches of the case that it is about.

    `where` is its place in the record ("hallucination.claims_checked[3]"): what evidence shares.
    """

    text: str
    note: str = ""  # why, in the judge's words
    where: str = ""
    spans: tuple[tuple[str, int, int], ...] = ()  # field, start, end
    doubt: float = 0.0  # how sure the judge is of a fault: the greatest makes the best example


@dataclass(frozen=True, slots=True)
class Section:
    """Remarks of one kind under one title. `key` names the kind for programs: invented, missed."""

    key: str
    title: str
    remarks: tuple[Remark, ...]
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a protocol says of a scored record: what decided its total, and what was found."""

    cause: str  # half a sentence, after the total: "4.1 of 10: …"
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """How a protocol's verdicts are told to people; pure functions of the stored record."""

    explain: Callable[[VerdictRecord], Reasons]
    good: str  # what a good score is, in a sentence
    judged: str = ""  # the field whose text is judged
    names: Mapping[str, str] = field(default_factory=dict)  # of scores, where _ for a blank is poor
    caveats: Mapping[str, str] = field(default_factory=dict)  # score -> what it does not measure
    places: Mapping[str, str] = field(default_factory=dict)  # list of the output -> one of it
    #: What a judge measured of single findings, in two words: place in the record -> "support .31".
    measured: Callable[[VerdictRecord], Mapping[str, str]] | None = None
    #: What a listing of many shows of a record beside its scores: heading -> words.
    columns: Callable[[JsonObject], Mapping[str, str]] | None = None
    #: The highest value of each score of a record, where it is not the protocol's scale.
    tops: Callable[[JsonObject], Mapping[str, float]] | None = None


@dataclass(frozen=True, slots=True)
class LabelSite:
    """Where the verdict objects of a protocol carry a label, and what it could be instead.

    `items` names the list of objects that have the label under `key`; "" when the verdict object
    itself has it. `read` gives one of the choices for whatever a judge wrote there, or None.
    """

    metric: str  # as `Protocol.is_verdict` names the object
    items: str
    key: str
    choices: tuple[Any, ...]
    read: Callable[[Any], Any]
    noun: str  # what is labelled, for people: "claim"
    text: str = ""  # the key of the labelled words


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a case that code cuts, the same for every judge: what a person labels blind.

    `where` is the stretch of a field ("summary[120:155]"), or "" for the case as a whole. A unit
    has `choices`, ordered from the worst to the best, or a `scale` that a number lies on.
    """

    metric: str  # what is asked of it: "supported", "told", or the key of a score
    where: str = ""
    text: str = ""
    question: str = ""
    choices: tuple[str, ...] = ()
    scale: tuple[int, int] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Its name among the units of a case."""
        return self.where, self.metric


# ── a change whose right answer is known ──────────────────────────────────────────────────────

Relation: TypeAlias = Literal["falls", "does not rise", "stays"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A change of a case after which it is known what a right judge does to a score.

    `change` returns None where it does not apply. `insert` puts the known finding into the judge's
    own findings of the unchanged case (the objects of `Verdict.output`): scored again, they give
    the size of the right answer, not only its direction.
    """

    name: str
    metric: str  # the key of a score, or "total"
    relation: Relation
    change: Callable[[Case, Random], Case | None]
    insert: Callable[[Case, Case, list[JsonObject]], list[JsonObject] | None] | None = None
    slack: float = 0.0  # part of the scale that "does not rise" and "stays" allow

    @property
    def promise(self) -> str:
        near = f" (within {self.slack:.0%} of the scale)" if self.slack else ""
        return f"{self.metric} {self.relation}{near}"


def exact_weights(
    protocol: str, known: Container[str], weights: Mapping[str, Fraction | float | str]
) -> dict[str, Fraction]:
    """A user's weights as they are written; InputError names the one that is wrong."""
    own: dict[str, Fraction] = {}
    for name, value in weights.items():
        place = f"weights.{name}"
        if name not in known:
            raise InputError(f"{protocol} has no weight of that name", field=place)
        try:
            own[name] = Fraction(str(value))  # 0.35 as it is written, not as a float holds it
        except (ValueError, ZeroDivisionError) as error:
            raise InputError(f"not a number: {value}", field=place) from error
        if own[name] < 0:
            raise InputError(f"below 0: {value}", field=place)
    return own

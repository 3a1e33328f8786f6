"""The records that cross walls, on one page.

They carry the two promises: a judge can return only text (`Reply`), and a score is only ever
made by code from findings (`Ruling` -> `Verdict`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from oyer.abilities import Ask as Ask
from oyer.abilities import Field as Field
from oyer.abilities import Inspection as Inspection
from oyer.abilities import LabelSite as LabelSite
from oyer.abilities import Probe as Probe
from oyer.abilities import Problem as Problem
from oyer.abilities import SummaryFindings as SummaryFindings
from oyer.abilities import SummaryForm as SummaryForm
from oyer.abilities import Unit as Unit
from oyer.abilities import Wording as Wording
from oyer.abilities import Writing as Writing
from oyer.abilities import exact_weights
from oyer.errors import InputError, UnscoredKind
from oyer.records import CANDIDATE_MODEL, as_text
from oyer.records import JsonObject as JsonObject
from oyer.records import VerdictRecord as VerdictRecord
from oyer.usage import NOTHING_SPENT
from oyer.usage import Usage as Usage

#: An exact number: what rules compute with. Only `oyer.arith` turns it into something shown.
Number: TypeAlias = int | Fraction

# ── 1 · what is judged ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to be judged: the fields of its protocol, and who wrote the judged text."""

    id: str
    fields: JsonObject
    candidate: str | None = None
    reply: str | None = None  # an existing judge's reply, for `audit`
    judge: str | None = None  # whose reply that is
    meta: JsonObject = field(default_factory=dict)
    #: File and line it came from, for messages; not part of what the case is.
    place: tuple[str, int | None] | None = field(default=None, compare=False, repr=False)
    #: Whether its row had no id, and it is called by its number.
    numbered: bool = field(default=False, compare=False, repr=False)

    def text(self, name: str) -> str:
        """A text field; protocols validate presence before they read."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def author(self) -> str | None:
        """The model that wrote the judged text; `candidate` may be a name that its user gave it."""
        model = self.meta.get(CANDIDATE_MODEL)
        return model if isinstance(model, str) and model else self.candidate

    @classmethod
    def of(cls, row: JsonObject, fields: Sequence[str], *, id: str = "1") -> Case:
        """A case from a plain mapping: the protocol's fields, the known keys, the rest is meta."""
        known = {"id", "candidate", "reply", "judge", *fields}
        numbered = row.get("id") in (None, "")
        return cls(
            id=id if numbered else str(row["id"]),
            fields={name: row[name] for name in fields if name in row},
            candidate=as_text(row.get("candidate")),
            reply=as_text(row.get("reply")),
            judge=as_text(row.get("judge")),
            meta={k: v for k, v in row.items() if k not in known},
            numbered=numbered,
        )


# ── 2 · what is asked and what comes back ─────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a judge is asked. Untrusted text stands in `user`, fenced with `nonce`."""

    system: str
    user: str
    schema: JsonObject | None = None
    nonce: str = ""
    sha: str = ""  # of the prompt template, not of the case
    max_tokens: int = 4096
    protocol: str = ""  # for judges that run here and need no words: embedded, replay
    case: Case | None = None
    version: str = ""  # of the protocol; "": its current one
    repeat: int = 0  # which repeat of the same question this is; a model is not told
    seal: str = ""  # the code that each verdict object is asked to carry; "": none was asked for
    wanted: tuple[str, ...] = ()  # the objects that are asked for; (): all of them
    before_retry: Callable[[Usage], None] | None = field(default=None, repr=False)  # the budget's
    #: The protocol itself, for judges that write no words: what it can do stands there.
    asked_by: AnyProtocol | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """A judge's answer, raw: stored before anyone reads it."""

    text: str
    judge: str = "unknown"
    usage: Usage = NOTHING_SPENT
    about: JsonObject = field(default_factory=dict)  # the judge on itself: reliability …


class Judge(ABC):
    """Whoever answers: a name and one method. What else it can do has a default here."""

    @property
    @abstractmethod
    def name(self) -> str: ...  # stored and printed: never a secret

    @abstractmethod
    async def ask(self, prompt: Prompt) -> Reply: ...

    @property
    def needs_prompt(self) -> bool:
        """Whether it is asked in words. False: it reads `prompt.case`, and no words are written."""
        return True

    @property
    def template(self) -> str | None:
        """A prompt of its own, which it is asked with instead of everybody's."""
        return None

    @property
    def varies(self) -> bool:
        """Whether the same question may bring another answer the next time."""
        return True

    def for_question(self, question: str) -> Judge:
        """The judge for one question, by a name that outlives the program (batches need it)."""
        return self

    async def close(self) -> None:
        """Let go of what it holds; nobody asks it after that."""
        return None


class Found(NamedTuple):
    """One JSON object found in a reply, and where.

    `complete` is False when the reply was cut inside it: `value` then holds its finished members.
    `flaws` names what a strict parser would have refused ("trailing comma", "duplicate key 'x'").
    """

    value: JsonObject
    start: int
    end: int
    complete: bool = True
    flaws: tuple[str, ...] = ()


class Reading(NamedTuple):
    """What the one reply reader makes of a reply: its objects, in order; no meaning yet."""

    objects: tuple[Found, ...]
    truncated: bool = False
    prompt: str = ""  # the hash of the template that it answers, when that is known


# ── 3 · what code makes of it ─────────────────────────────────────────────────────────────────

Match = Literal["verbatim", "folded"]


class Span(NamedTuple):
    """A stretch of a case's field: `case.fields[source][start:end]` in code points.

    `match` is "verbatim" when the characters are the quote's own, "folded" when they agree only
    after JL-FOLD (curly quotes, no-break blanks, soft hyphens …).
    """

    source: str
    start: int
    end: int
    match: Match = "verbatim"


class Evidence(NamedTuple):
    """A quote that was looked up and found: where the judge gave it, where it stands.

    `quote` is the slice itself; audit fills it in, so that a stored verdict reads on its own.
    """

    where: str
    span: Span
    quote: str = ""


class Violation(NamedTuple):
    """A rule of the protocol that the judge broke."""

    code: str
    where: str
    detail: str


@dataclass(frozen=True, slots=True)
class Step:
    """One rule applied: its id, formula, what went in, what came out."""

    rule: str
    formula: str
    inputs: JsonObject
    value: Any


#: A "cap" holds a score down; reports mark its steps. Everything else is a "rule".
RuleKind = Literal["rule", "cap"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of a protocol's rule table: what traces, docs and `oyer protocols` print."""

    id: str
    formula: str
    text: str
    values: JsonObject = field(default_factory=dict)  # thresholds, caps, label values
    kind: RuleKind = "rule"


F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Checked(Generic[F]):
    """Findings after code looked every quote up and measured what can be measured."""

    findings: F
    violations: tuple[Violation, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Vote:
    """One finding before a panel: what each member said, what counts, by which PANEL rule.

    `finding` names its kind, the same over all cases; a member missing in `said` was silent on it.
    """

    finding: str
    where: str
    rule: str
    said: JsonObject
    value: Any
    tie: bool = False


@dataclass(frozen=True, slots=True)
class Pooled:
    """A panel's findings as one reply: objects that are read, checked and scored like any reply."""

    objects: tuple[JsonObject, ...]
    votes: tuple[Vote, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Scores made from checked findings, exact, with every step that led there.

    `violations` and `evidence` are what scoring adds to those of `Checked`; audit joins them.
    """

    scores: Mapping[str, Number]
    total: Number
    trace: tuple[Step, ...]
    stated: JsonObject = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    output: Any = None  # what `--format protocol` prints, as JSON
    extra: JsonObject = field(default_factory=dict)  # e.g. critical_fail, notes


@dataclass(frozen=True, slots=True)
class Verdict:
    """The record of spec/interface.md; `oyer.verdicts.record` prints it, byte for byte the same."""

    id: str
    case: str
    candidate: str | None
    protocol: str
    judge: str
    status: Literal["scored", "unscored"]
    sha: str
    repeat: int = 0
    error: UnscoredKind | None = None
    scores: Mapping[str, float] | None = None
    total: float | None = None
    stated: JsonObject = field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    trace: tuple[Step, ...] = ()
    output: Any = None
    usage: Usage = NOTHING_SPENT
    extra: JsonObject = field(default_factory=dict)

    def _repr_html_(self) -> str:
        """For notebooks. The words are of an outer room, looked up only when one asks."""
        notebook = import_module("oyer.report.notebook")
        return str(notebook.as_html(self))


# ── 4 · a protocol is a value ─────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Protocol(Generic[F]):
    """What is asked, what a reply must be, how it is checked and scored: data and pure functions.

    audit(case, protocol, reply) = score(case, check(case, read(case, reading))).
    `read` raises `Unscored` for a reply that cannot be used; nothing else may raise.
    """

    id: str
    version: str
    title: str
    fields: tuple[Field, ...]
    rules: Mapping[str, Rule]
    scale: Mapping[str, tuple[int, int]]  # score key -> (lowest, highest), in the order shown
    is_verdict: Callable[[JsonObject], str | None]  # the metric an object is the verdict of
    read: Callable[[Case, Reading], F]
    check: Callable[[Case, F], Checked[F]]
    score: Callable[[Case, Checked[F]], Ruling]
    render: Callable[[Any], str]  # Verdict.output -> what `--format protocol` prints
    prompt: Callable[[Case, Ask], Prompt] | None = None  # None: no model is ever asked
    describe_template: Callable[[str], str] | None = None  # how a user's own is understood
    validate: Callable[[Case], None] | None = None  # raises InputError naming the field
    settle: Callable[[Case], Ruling | None] | None = None  # decided by code alone, no reply needed
    without_judge: Callable[[Case], Ruling | None] | None = None  # no reply could change it
    observe: Callable[[Case], JsonObject] | None = None  # what code sees; in every verdict
    weights: Mapping[str, Fraction] = field(default_factory=dict)  # of the total
    tally: Callable[[Verdict], Any] | None = None  # what one verdict adds to a report on many,
    digest: Callable[[Iterable[Any]], str] | None = None  # ... and that report, for people
    figures: Callable[[Iterable[Any]], JsonObject] | None = None  # the same as numbers, for --json
    #: A panel's members (by name) as one reply; None: the median of their scores is taken.
    pool: Callable[[Case, Mapping[str, Checked[F]]], Pooled] | None = None
    languages: tuple[str, ...] = ()  # its prompt is written in; (): it takes any, or none
    writing: Writing | None = None  # how candidates write for it; None: the suite must say
    summary: SummaryForm | None = None  # it judges summaries: exam mode, the embedded judge
    answer: Callable[[Case], str] | None = None  # the reply that code alone can give to a case
    #: The score function under a user's own weights; None: it has no weights to set.
    weigh: Callable[[Mapping[str, Fraction]], Callable[[Case, Checked[F]], Ruling]] | None = None
    #: Words of its verdicts that a gate may fail on (PASS, FAIL, critical_fail …), the best first.
    labels: tuple[str, ...] = ()
    #: Pieces of a case that people label without seeing a judge; scores need not be among them.
    units: Callable[[Case], tuple[Unit, ...]] | None = None
    #: What a stored record says of these pieces: unit key -> choice; where it is silent, nothing.
    unit_labels: Callable[[Case, VerdictRecord], Mapping[tuple[str, str], str]] | None = None
    #: The metrics whose objects make up a reply, asked again one by one; (): it is one object.
    parts: tuple[str, ...] = ()
    wording: Wording | None = None  # how its verdicts are told to people
    #: The labels of its replies: what `verdicts.what_if` changes one by one.
    label_sites: tuple[LabelSite, ...] = ()
    probes: tuple[Probe, ...] = ()  # changes of a case whose right answer is known

    @property
    def name(self) -> str:
        return f"{self.id}@{self.version}"

    @property
    def judged(self) -> str:
        """The field that candidates write; "" where the protocol does not say."""
        if self.wording is not None and self.wording.judged:
            return self.wording.judged
        return self.writing.field if self.writing is not None else ""

    def with_weights(self, weights: Mapping[str, Fraction | float | str]) -> Protocol[F]:
        """The protocol with a user's weights of its total; a score left out weighs nothing."""
        own = exact_weights(self.id, self.weights if self.weigh else (), weights)
        if self.weigh is None or not sum(own.values()):
            raise InputError("at least one score must weigh more than 0", field="weights")
        return replace(self, weights=own, score=self.weigh(own))

    def is_cap(self, rule: str) -> bool:
        """Whether a step of the trace is one that holds a score down."""
        return rule in self.rules and self.rules[rule].kind == "cap"


AnyProtocol: TypeAlias = Protocol[Any]  # outside its folder the type of findings does not matter

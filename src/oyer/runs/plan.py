"""What a run will do: its cases in order, their tasks, its manifest. Reads, spends nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, product
from typing import Any

from oyer import __version__
from oyer.cases import ProblemSummary
from oyer.engine import check_language
from oyer.errors import InputError, OyerError, UsageError
from oyer.judges.names import is_known, provider_of
from oyer.protocols.catalogue import find_protocol
from oyer.runs.models import NamedModel
from oyer.runs.parallel import ProtocolRef
from oyer.runs.sources import ReadRows, Source, WorkUnit, read_sources, suite_rows, units_of
from oyer.runs.suite import Suite, by_protocol
from oyer.store import Manifest, Task, case_sha, prompt_sha, rules_sha
from oyer.store.records import RunKind, digest
from oyer.types import AnyProtocol, Case, Writing
from oyer.verdicts.protocol_errors import blame_protocol

CHUNK = 64  # cases looked up in the store at a time
SHA = 32  # bytes of a hash


@dataclass(frozen=True)
class Plan:
    """A suite with its protocol found and its cases counted."""

    suite: Suite
    protocol: AnyProtocol
    writing: Writing | None
    manifest: Manifest
    rows: ReadRows = field(repr=False)
    shas: bytes = field(repr=False)  # of all sources in order: what was planned
    problems: tuple[str, ...] = field(default=(), repr=False)  # bad rows, told kind by kind
    bad: int = 0

    def units(self) -> Iterator[WorkUnit]:
        """Everything to be judged, in the order of the cases; read anew each time.

        A run is its manifest: rows that were added since it was planned are left for another run,
        and a row that has changed is an error.
        """
        planned = len(self.shas) // SHA
        seen = 0
        rows = read_sources(self.rows, self.protocol, self.writing, recorded=self.is_audit)
        for source in islice(rows, planned):
            at = seen * SHA
            if _source_sha(source) != self.shas[at : at + SHA]:
                raise self._changed_error(f"case '{source.case.id}' is not as it was")
            yield from units_of(source, self.suite)
            seen += 1
        if seen < planned:
            raise self._changed_error(f"{seen:,} of {planned:,} cases are left")

    def _changed_error(self, what: str) -> InputError:
        message = f"the cases have changed since the run was planned: {what}; run it again"
        return InputError(message, file=str(self.suite.file), field="cases")

    @property
    def is_audit(self) -> bool:
        """Whether its replies were recorded by somebody else: no judge is asked."""
        return self.manifest.kind == "audit"

    @property
    def protocol_ref(self) -> ProtocolRef:
        """The protocol by name, for other processes."""
        suite = self.suite
        return ProtocolRef.of(suite.protocol, suite.protocol_path, suite.weights)

    def questions(self, unit: WorkUnit) -> list[tuple[str, int]]:
        """Who judges this unit: (judge, repeat). Of an audit: whoever gave the reply."""
        recorded = unit.source.recorded
        if recorded is not None:
            return [(recorded.judge, recorded.repeat)]
        return list(product(self.suite.judges, range(self.suite.repeats)))

    def chunks(self) -> Iterator[list[WorkUnit]]:
        units = self.units()
        while chunk := list(islice(units, CHUNK)):
            yield chunk

    def task(self, run: int, unit: WorkUnit, judge: str, repeat: int) -> Task:
        """The name of one verdict within the run."""
        source = unit.source
        named = [source.seq, source.sha, unit.candidate, judge, repeat, *_later(unit.answer)]
        return Task(run, digest(named)[:32], "+".join(self.asks(unit, judge, repeat)), source.seq)

    def asks(self, unit: WorkUnit, judge: str, repeat: int) -> list[str]:
        """The questions behind a verdict: one, or one for each member of a panel.

        A member that sits twice is asked twice.
        """
        if unit.source.recorded is not None:
            return [digest(["recorded", unit.source.sha, unit.source.recorded.sha])[:32]]
        seats = self.suite.judge_models.seats(judge)
        keys = []
        for place, seat in enumerate(seats):
            before = seats[:place].count(seat)
            model = f"{seat.model}#{before}" if before else seat.model
            keys.append(self._ask(unit, replace(seat, model=model), repeat))
        return keys

    def _ask(self, unit: WorkUnit, seat: NamedModel, repeat: int) -> str:
        """The name of one question to one judge: who asks the same again finds the reply, also
        under another name.

        Judges that run here cost nothing and change with the code or a file, so their replies
        are found again by the same run only.
        """
        local = self._identity if is_local(seat.model) else ""
        question = [
            unit.source.sha,
            self._writing_key(unit),
            self.protocol.id,
            self.manifest.prompt_sha,
            seat.model,
            self._params(seat),
            repeat,
        ]
        return digest([question, local])[:32]

    def _writing_key(self, unit: WorkUnit) -> list[Any]:
        """How the judged text comes about, where a candidate writes it."""
        if unit.candidate is None:
            return []
        candidate = self.suite.candidate_models.find(unit.candidate)
        own = [dict(candidate.options)] if candidate.options else []
        writing = self._writing_shas[candidate.name]
        return [candidate.model, writing, *own, *_later(unit.answer)]

    def _params(self, seat: NamedModel) -> dict[str, Any]:
        """How a judge is asked, as far as it changes the answer."""
        params = {name: value for name, value in self.manifest.params.items() if name != "panel"}
        if seat.options:
            params["options"] = {**params["options"], **seat.options}
        if seat.prompt is not None:
            params["asking"] = {**params["asking"], "template": digest(seat.prompt)}
        return params

    def ask_writing(self, sha: str, candidate: str, answer: int = 0) -> str:
        """The name of the question "write the text" to a candidate."""
        entry = self.suite.candidate_models.find(candidate)
        local = self._identity if is_local(entry.model) else ""
        options = {**self.manifest.params.get("options", {}), **entry.options}
        writing = self._writing_shas[entry.name]
        question = ["write", sha, entry.model, writing, options, local, *_later(answer)]
        return digest(question)[:32]

    def writing_of(self, candidate: NamedModel) -> Writing:
        """What a candidate is asked to write: with the suite's prompt, or one of its own."""
        assert self.writing is not None
        if candidate.prompt is None:
            return self.writing
        return replace(self.writing, template=candidate.prompt)

    def sha_of(self, unit: WorkUnit, case: Case) -> str:
        """The name of the case as it is judged."""
        return unit.source.sha if case is unit.source.case else case_sha(case)

    @cached_property
    def _identity(self) -> str:
        return self.manifest.identity

    @cached_property
    def _writing_shas(self) -> dict[str, str]:
        """What each candidate is asked to write, by its name."""
        shas = {}
        for name in self.suite.candidates:
            writing = self.writing_of(self.suite.candidate_models.find(name))
            values = [writing.field, writing.template, writing.system, writing.max_tokens]
            shas[name] = digest(values)
        return shas


def _later(answer: int) -> list[int]:
    """The first answer has the name that it has where a candidate writes only one."""
    return [answer] if answer else []


def is_local(name: str) -> bool:
    """Whether a judge runs here, and changes with the code or a file."""
    return is_known(name) and provider_of(name).local


def make_plan(suite: Suite, rows: ReadRows | None = None, kind: RunKind = "run") -> Plan:
    """Find the protocol, read all cases once, and write the manifest.

    `rows` reads the cases where they are not the suite's files: standard input, or an audit's.
    """
    protocol = find_protocol(suite.protocol, suite.protocol_path)
    protocol = _apply_weights(protocol, suite)
    check_language(protocol, suite.asking.get("language", ""))
    _check_prompts(suite, protocol)
    writing = _writing(suite, protocol)
    read = rows or suite_rows(suite)
    count = _Count()
    for source in read_sources(read, protocol, writing, recorded=kind == "audit"):
        count.take(source, writing)
    if not count.cases:
        raise InputError("there is no case to judge", file=str(suite.file), field="cases")
    if kind == "audit":
        suite = replace(suite, judges=tuple(count.judges), repeats=count.repeats)
    params = {"asking": _hash_template(suite.asking), "options": _sampling(suite)}
    if suite.asking.get("without_self"):  # changes the verdicts, not the questions
        params["panel"] = {"without_self": True}
    if writing is not None:
        params["writing"] = {"field": writing.field, "sha": digest([writing.template])}
    manifest = Manifest(
        suite=suite.name,
        protocol=protocol.name,
        rules_sha=rules_sha(protocol),
        prompt_sha="" if count.first is None else _prompt_sha(protocol, count.first),
        judges=suite.judges,
        cases_sha=count.hasher.hexdigest(),
        cases=count.cases,
        repeats=suite.repeats,
        candidates=suite.candidates,
        weights=dict(suite.weights),
        params=params,
        code=__version__,
        kind=kind,
        verdicts=count.cases if kind == "audit" else None,
        answers=suite.answers,
        protocols=suite.protocols if len(suite.protocols) > 1 else (),
        named=_named_models(suite),
    )
    problems = tuple(count.problems.messages())
    return Plan(suite, protocol, writing, manifest, read, bytes(count.shas), problems, count.bad)


@dataclass
class _Count:
    """What planning learns of the cases, one after the other."""

    cases: int = 0
    bad: int = 0
    first: Case | None = None  # the first that can be judged
    problems: ProblemSummary = field(default_factory=ProblemSummary)
    shas: bytearray = field(default_factory=bytearray)
    hasher: Any = field(default_factory=hashlib.sha256)
    judges: dict[str, None] = field(default_factory=dict)  # of an audit, in their order
    repeats: int = 1

    def take(self, source: Source, writing: Writing | None) -> None:
        self.cases += 1
        self.shas += _source_sha(source)
        self.hasher.update(source.sha.encode("ascii"))
        if source.recorded is not None:
            self.hasher.update(source.recorded.sha.encode("ascii"))
            self.judges[source.recorded.judge] = None
            self.repeats = max(self.repeats, source.recorded.repeat + 1)
        if source.problem is not None:
            self.bad += 1
            self.problems.take(str(source.problem))
        elif self.first is None:
            self.first = source.case if writing is None else _unwritten(source.case, writing)


def _source_sha(source: Source) -> bytes:
    """What was planned of a row: its case, and the reply of an audit."""
    if source.recorded is None:
        return bytes.fromhex(source.sha)
    return hashlib.sha256(f"{source.sha}{source.recorded.sha}".encode()).digest()


def _prompt_sha(protocol: AnyProtocol, case: Case) -> str:
    """A protocol that cannot even ask about the first case is told before anyone is asked."""
    try:
        return prompt_sha(protocol, case)
    except OyerError:
        raise
    except Exception as bug:
        raise UsageError(str(blame_protocol(bug, protocol, case))) from bug


def _apply_weights(protocol: AnyProtocol, suite: Suite) -> AnyProtocol:
    try:
        return protocol.with_weights(suite.weights) if suite.weights else protocol
    except InputError as wrong:
        wrong.file = str(suite.file)
        raise


def make_plans(suite: Suite) -> list[Plan]:
    """A plan for each protocol of the suite. They judge the same texts: a candidate writes once."""
    protocols = suite.protocols or (suite.protocol,)
    found = [find_protocol(name, suite.protocol_path) for name in protocols]
    first = {field.name for field in found[0].fields}
    for other in found[1:]:
        if {field.name for field in other.fields} != first:
            message = (
                f"{found[0].id} judges {_list_fields(found[0])}, {other.id} {_list_fields(other)}: "
                "protocols of one suite judge the same fields"
            )
            raise InputError(message, file=str(suite.file), field="protocols")
    return [make_plan(each) for each in by_protocol(suite)]


def _list_fields(protocol: AnyProtocol) -> str:
    return ", ".join(field.name for field in protocol.fields)


def _check_prompts(suite: Suite, protocol: AnyProtocol) -> None:
    """A judge's own prompt that has no place for the case is told before anything is spent."""
    for entry in suite.judge_models.entries:
        if entry.prompt is not None and protocol.describe_template is not None:
            protocol.describe_template(entry.prompt)


def _writing(suite: Suite, protocol: AnyProtocol) -> Writing | None:
    if not suite.candidates:
        return None
    usual = protocol.writing
    settings = dict(suite.writing)
    if usual is not None:
        return replace(usual, **settings)
    if not {"field", "template"} <= settings.keys():
        raise UsageError(
            f"{suite.file}: candidates cannot write for {protocol.id} by themselves; say in "
            "[writing] which field they write and with which template."
        )
    return Writing(**settings)


def _unwritten(case: Case, writing: Writing) -> Case:
    """A case to read the prompt's hash from, before anyone has written the judged text."""
    return replace(case, fields={**case.fields, writing.field: "-"})


def _named_models(suite: Suite) -> dict[str, Any]:
    """The judges and candidates that have names, or options of their own."""
    kinds = {"judges": suite.judge_models, "candidates": suite.candidate_models}
    named = {kind: models.as_json() for kind, models in kinds.items()}
    return {kind: entries for kind, entries in named.items() if entries}


def _hash_template(asking: Any) -> dict[str, Any]:
    """The asking as the manifest tells it: a template by its hash."""
    settings = {name: value for name, value in asking.items() if name != "without_self"}
    if "template" in settings:
        settings["template"] = digest(settings["template"])
    return settings


def _sampling(suite: Suite) -> dict[str, Any]:
    """Only what changes answers is part of what a run is; patience and rates are not."""
    return {k: v for k, v in suite.options.items() if k in ("temperature", "seed", "max_tokens")}

"""What a run will do: its cases in order, their tasks, its manifest. Reads, spends nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from oyer import __version__
from oyer.cases import BadRow, Gripes, load
from oyer.engine import check_language
from oyer.errors import InputError, UsageError
from oyer.judges.names import members, provider_of
from oyer.protocols.catalogue import find_protocol
from oyer.runs.suite import Suite
from oyer.store import Manifest, Task, case_sha, prompt_sha, rules_sha
from oyer.store.records import case_body, digest
from oyer.types import Case, Protocol, Writing

CHUNK = 64  # cases looked up in the store at a time


@dataclass(frozen=True, slots=True)
class Source:
    """One row of the cases: its place, its case, and why it cannot be judged, if so."""

    seq: int
    case: Case
    sha: str
    problem: InputError | None = None
    body: bytes = b""  # the case as it is stored; its sha is the hash of this


@dataclass(frozen=True, slots=True)
class Unit:
    """One text to be judged: a source, and the candidate who will write it (None: it is there)."""

    source: Source
    candidate: str | None = None


@dataclass(frozen=True)
class Plan:
    """A suite with its protocol found and its cases counted."""

    suite: Suite
    protocol: Protocol[Any]
    writing: Writing | None
    manifest: Manifest
    problems: tuple[str, ...] = field(default=(), repr=False)  # bad rows, told kind by kind
    bad: int = 0

    def units(self) -> Iterator[Unit]:
        """Everything to be judged, in the order of the cases; read anew each time."""
        for source in sources(self.suite, self.protocol, self.writing):
            yield from units_of(source, self.suite)

    def chunks(self) -> Iterator[list[Unit]]:
        units = self.units()
        while chunk := list(islice(units, CHUNK)):
            yield chunk

    def task(self, run: int, unit: Unit, judge: str, repeat: int) -> Task:
        """The name of one verdict within the run."""
        source = unit.source
        key = digest([source.seq, source.sha, unit.candidate, judge, repeat])[:32]
        return Task(run, key, "+".join(self.asks(unit, judge, repeat)), source.seq)

    def asks(self, unit: Unit, judge: str, repeat: int) -> list[str]:
        """The questions behind a verdict: one, or one for each member of a panel.

        A member that sits twice is asked twice.
        """
        several = members(judge)
        named = [
            f"{name}#{n}" if (n := several[:i].count(name)) else name
            for i, name in enumerate(several)
        ]
        return [self._ask(unit, name, repeat) for name in named]

    def _ask(self, unit: Unit, judge: str, repeat: int) -> str:
        """The name of one question to one judge: who asks the same again finds the reply.

        Judges that run here cost nothing and change with the code or a file, so their replies
        are found again by the same run only.
        """
        told = self.manifest
        local = self._identity if is_local(judge) else ""
        who = [unit.candidate, self._writing_sha] if unit.candidate is not None else []
        named = [
            unit.source.sha,
            who,
            self.protocol.id,
            told.prompt_sha,
            judge,
            {name: value for name, value in told.params.items() if name != "panel"},
            repeat,
        ]
        return digest([named, local])[:32]

    def ask_writing(self, sha: str, candidate: str) -> str:
        """The name of the question "write the text" to a candidate."""
        local = self._identity if is_local(candidate) else ""
        options = self.manifest.params.get("options", {})
        return digest(["write", sha, candidate, self._writing_sha, options, local])[:32]

    def sha_of(self, unit: Unit, case: Case) -> str:
        """The name of the case as it is judged."""
        return unit.source.sha if case is unit.source.case else case_sha(case)

    @cached_property
    def _identity(self) -> str:
        return self.manifest.identity

    @cached_property
    def _writing_sha(self) -> str:
        writing = self.writing
        assert writing is not None
        return digest([writing.field, writing.template, writing.system, writing.max_tokens])


def is_local(name: str) -> bool:
    """Whether a judge runs here, and changes with the code or a file."""
    return provider_of(name).local


def make_plan(suite: Suite) -> Plan:
    """Find the protocol, read all cases once, and write the manifest."""
    protocol = find_protocol(suite.protocol, suite.protocol_path)
    protocol = _weighted(protocol, suite)
    check_language(protocol, suite.asking.get("language", ""))
    writing = _writing(suite, protocol)
    hasher, count, bad, gripes = hashlib.sha256(), 0, 0, Gripes()
    first: Case | None = None
    for source in sources(suite, protocol, writing):
        count += 1
        hasher.update(source.sha.encode("ascii"))
        if source.problem is not None:
            bad += 1
            gripes.take(str(source.problem))
        elif first is None:
            first = source.case if writing is None else _unwritten(source.case, writing)
    if not count:
        raise InputError("there is no case to judge", file=str(suite.file), field="cases")
    params = {"asking": _hashed(suite.asking), "options": _sampling(suite)}
    if suite.asking.get("without_self"):  # changes the verdicts, not the questions
        params["panel"] = {"without_self": True}
    if writing is not None:
        params["writing"] = {"field": writing.field, "sha": digest([writing.template])}
    manifest = Manifest(
        suite=suite.name,
        protocol=protocol.name,
        rules_sha=rules_sha(protocol),
        prompt_sha="" if first is None else prompt_sha(protocol, first),
        judges=suite.judges,
        cases_sha=hasher.hexdigest(),
        cases=count,
        repeats=suite.repeats,
        candidates=suite.candidates,
        weights=dict(suite.weights),
        params=params,
        code=__version__,
    )
    return Plan(suite, protocol, writing, manifest, tuple(gripes.told()), bad)


def _weighted(protocol: Protocol[Any], suite: Suite) -> Protocol[Any]:
    try:
        return protocol.with_weights(suite.weights) if suite.weights else protocol
    except InputError as wrong:
        wrong.file = str(suite.file)
        raise


def sources(suite: Suite, protocol: Protocol[Any], writing: Writing | None) -> Iterator[Source]:
    """The rows of the suite's cases, in order; a bad one is a source with a problem."""
    wanted = protocol
    if writing is not None:  # what candidates will write is not there yet
        kept = tuple(f for f in protocol.fields if f.name != writing.field)
        wanted = replace(protocol, fields=kept)
    rows = (
        _tasks(suite.tasks, wanted)
        if suite.tasks is not None
        else (row for path in suite.sources for row in load(path, wanted))
    )
    for seq, row in enumerate(rows):
        if isinstance(row, BadRow):
            # The fault is part of the case's name: a mended row is another case.
            case = Case(row.id, {}, meta={"problem": str(row.error)})
            yield _source(seq, case, row.error)
        else:
            yield _source(seq, row)


def _source(seq: int, case: Case, problem: InputError | None = None) -> Source:
    body = case_body(case)
    return Source(seq, case, hashlib.sha256(body).hexdigest(), problem, body)


def units_of(source: Source, suite: Suite) -> list[Unit]:
    """A source once for each candidate; a row nobody can write about stands once for each too."""
    if not suite.candidates:
        return [Unit(source)]
    return [Unit(source, name) for name in suite.candidates]


def _tasks(folder: Path, protocol: Protocol[Any]) -> Iterator[Case | BadRow]:
    """A folder of tasks: each field in a folder of its own, one file a task (prompts/NN.md)."""
    kept = {field.name: folder / field.folder for field in protocol.fields if field.folder}
    if not kept:
        message = f"{protocol.id} does not take a folder of tasks; give cases"
        raise InputError(message, file=str(folder), field="tasks")
    names = {file.name for place in kept.values() for file in place.glob("*.md")}
    if not names:
        first = next(iter(kept.values())).name
        raise InputError(f"the folder has no {first}/*.md", file=str(folder), field="tasks")
    for name in sorted(names):
        yield _task(name, kept)


def _task(name: str, kept: Mapping[str, Path]) -> Case | BadRow:
    fields = {}
    for field_name, place in kept.items():
        file = place / name
        try:
            fields[field_name] = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as cannot:
            why = cannot.strerror if isinstance(cannot, OSError) else cannot
            return BadRow(file.stem, InputError(f"cannot be read: {why}", file=str(file)))
    return Case(Path(name).stem, fields)


def _writing(suite: Suite, protocol: Protocol[Any]) -> Writing | None:
    if not suite.candidates:
        return None
    usual = protocol.writing
    told = dict(suite.writing)
    if usual is not None:
        return replace(usual, **told)
    if not {"field", "template"} <= told.keys():
        raise UsageError(
            f"{suite.file}: candidates cannot write for {protocol.id} by themselves; say in "
            "[writing] which field they write and with which template."
        )
    return Writing(**told)


def _unwritten(case: Case, writing: Writing) -> Case:
    """A case to read the prompt's hash from, before anyone has written the judged text."""
    return replace(case, fields={**case.fields, writing.field: "-"})


def _hashed(asking: Any) -> dict[str, Any]:
    """The asking as the manifest tells it: a template by its hash."""
    told = {name: value for name, value in asking.items() if name != "without_self"}
    if "template" in told:
        told["template"] = digest(told["template"])
    return told


def _sampling(suite: Suite) -> dict[str, Any]:
    """Only what changes answers is part of what a run is; patience and rates are not."""
    return {k: v for k, v in suite.options.items() if k in ("temperature", "seed", "max_tokens")}

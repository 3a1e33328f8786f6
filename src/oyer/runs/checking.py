"""`oyer check`: everything that is wrong with a user's file, and what was understood of it.

Nothing is asked and nothing is spent. `oyer run` looks at the same things before its first call.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from oyer.cases import BadRow, Mapper, ProblemSummary, Row, load
from oyer.cases.mapping import suggest_map
from oyer.cases.sources import is_row_file
from oyer.errors import FormatError, InputError, OyerError
from oyer.protocols.catalogue import find_protocol, names
from oyer.runs.suite import Suite, inspect_suite
from oyer.types import Case, Field, Problem, Protocol

TEXTS = (".md", ".txt", ".markdown")
_SHOWN = 60  # characters of a value in a preview


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A problem, with the file it is in."""

    file: str
    problem: Problem

    def __str__(self) -> str:
        place = [self.file]
        if self.problem.line is not None:
            place.append(str(self.problem.line))
            if self.problem.column is not None:
                place.append(str(self.problem.column))
        return f"{':'.join(place)}: {self.problem.severity}: {self.problem.told}"


@dataclass(slots=True)
class Check:
    """One file, checked."""

    file: str
    kind: str  # suite, rubric, cases, tasks, protocol, prompt
    understood: list[tuple[str, str]] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return not any(found.problem.severity == "error" for found in self.problems)

    def add(self, error: OyerError, file: str | None = None) -> None:
        """Something that must be mended."""
        if isinstance(error, FormatError):
            inside = Problem(error.message, error.text_line)
            self.problems.append(FileProblem(file or error.file or self.file, inside))
        elif isinstance(error, InputError):
            named = f"'{error.field}' " if error.field else ""
            told = Problem(f"{named}{error.message}", error.line, hint=error.hint)
            self.problems.append(FileProblem(error.file or file or self.file, told))
        else:
            self.problems.append(FileProblem(file or self.file, Problem(str(error))))


def check_path(path: str, protocol: str | None, mapper: Mapping[str, str]) -> Check:
    """Look at one file or folder, whatever it is."""
    place = Path(path)
    try:
        is_folder, exists = place.is_dir(), place.exists()
    except (OSError, ValueError) as bad:
        return _unreadable(path, str(bad))
    if not exists and not any(mark in path for mark in "*?["):
        return _unreadable(path, "there is no such file or folder")
    if is_folder:
        return _check_folder(place, protocol, mapper)
    if place.suffix == ".toml":
        return check_suite(path)
    if place.suffix in TEXTS:
        return _check_text(place, protocol)
    return _check_cases(path, protocol, mapper)


def _unreadable(path: str, why: str) -> Check:
    check = Check(path, "file")
    check.add(InputError(why))
    return check


# ── texts: rubrics, prompts ───────────────────────────────────────────────────────────────────


def _check_text(path: Path, protocol: str | None) -> Check:
    """A field with a form of its own (a rubric), else a judge's prompt."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cannot:
        return _unreadable(str(path), str(getattr(cannot, "strerror", None) or cannot))
    if protocol is None:
        return check_field_text(str(path), text, _formed_field())
    found = find_protocol(protocol)
    formed = next((f for f in found.fields if f.inspect is not None), None)
    if formed is not None and formed.file:
        check = check_field_text(str(path), text, formed)
        if check.is_good:
            return check
    return _check_prompt(str(path), text, found)


def _formed_field() -> Field:
    for name in names():
        for known in find_protocol(name).fields:
            if known.inspect is not None:
                return known
    raise InputError("no protocol has a field that can be checked")


def check_field_text(file: str, text: str, formed: Field) -> Check:
    """A text that has a form: what was understood of it."""
    assert formed.inspect is not None
    inspection = formed.inspect(text)
    problems = [FileProblem(file, problem) for problem in inspection.problems]
    return Check(file, formed.name, list(inspection.understood), problems)


def _check_prompt(file: str, text: str, protocol: Protocol[Any]) -> Check:
    check = Check(file, f"prompt for {protocol.id}")
    try:
        if protocol.describe_template is not None:
            places = protocol.describe_template(text) or "as our own headings say"
            check.understood.append(("places", places))
    except OyerError as error:
        check.add(error, file)
    return check


# ── cases ─────────────────────────────────────────────────────────────────────────────────────


def _check_cases(path: str, protocol: str | None, columns: Mapping[str, str]) -> Check:
    check = Check(path, "cases")
    try:
        found = find_protocol(protocol) if protocol else guess_protocol(path, columns)
        rows = load(path, found, Mapper(dict(columns)))
        _look_at_rows(check, rows, found)
    except OyerError as error:
        check.add(error, path)
    return check


def guess_protocol(path: str, columns: Mapping[str, str]) -> Protocol[Any]:
    """The protocol whose fields the first row has; InputError says what it has instead."""
    first: Row | None = None
    candidates = [find_protocol(name) for name in names()]
    for protocol in candidates:
        first = next(iter(load(path, protocol, Mapper(dict(columns)))), None)
        if isinstance(first, Case):
            return protocol
    row = first.subject if isinstance(first, BadRow) else None
    has = list(row.meta) + list(row.fields) if row is not None else []
    if isinstance(first, BadRow) and not has:
        raise first.error  # not even its columns can be read
    nearest = max(candidates, key=lambda protocol: _shared_fields(protocol, has))
    if _shared_fields(nearest, has):
        return nearest
    for protocol in candidates:
        wanted = [f.name for f in protocol.fields]
        if suggestion := suggest_map(has, [name for name in wanted if name not in has]):
            told = f"the columns are {', '.join(has[:12])}"
            raise InputError(told, hint=f"try --protocol {protocol.id} {suggestion}")
    told = f"no protocol has these fields: {', '.join(has[:12]) or 'none'}"
    raise InputError(told, hint="name one with --protocol, and columns with --map")


def _shared_fields(protocol: Protocol[Any], columns: Sequence[str]) -> int:
    return sum(1 for known in protocol.fields if known.name in columns)


def _look_at_rows(check: Check, rows: Iterable[Row], protocol: Protocol[Any]) -> None:
    """Count, measure, validate; show the first case as it was understood."""
    sizes: dict[str, list[int]] = {}
    candidates: set[str] = set()
    first: Case | None = None
    good = bad = 0
    summary = ProblemSummary()
    for row in rows:
        problem = row.error if isinstance(row, BadRow) else _validate(row, protocol)
        if problem is not None:
            bad += 1
            if summary.take(str(problem)):
                check.add(problem)
            continue
        assert isinstance(row, Case)
        good += 1
        first = first or row
        if row.candidate:
            candidates.add(row.candidate)
        for name in row.fields:
            sizes.setdefault(name, []).append(len(row.text(name)))
    if check.kind == "cases":
        check.understood.append(("protocol", protocol.name))
    check.understood.append(("cases", f"{good:,} good, {bad:,} bad"))
    if candidates:
        check.understood.append(("candidates", ", ".join(sorted(candidates)[:8])))
    for name, lengths in sizes.items():
        if any(lengths):
            median = int(statistics.median(lengths))
            check.understood.append((name, f"{median:,} characters, at most {max(lengths):,}"))
    if first is not None:
        check.understood.extend(_preview(first))


def _validate(case: Case, protocol: Protocol[Any]) -> InputError | None:
    try:
        if protocol.validate is not None:
            protocol.validate(case)
    except InputError as error:
        if case.place is not None:
            error.file, error.line = error.file or case.place[0], error.line or case.place[1]
        return error
    return None


def _preview(case: Case) -> Iterator[tuple[str, str]]:
    yield "first case", case.id
    for name, value in case.fields.items():
        shown = " ".join(str(value).split())
        yield f"  {name}", shown[:_SHOWN] + ("…" if len(shown) > _SHOWN else "")


# ── folders ───────────────────────────────────────────────────────────────────────────────────


def _check_folder(folder: Path, protocol: str | None, columns: Mapping[str, str]) -> Check:
    tasks = _task_protocol(folder)
    if tasks is not None:
        return check_tasks(folder, tasks)
    if (folder / "__init__.py").is_file():
        return _check_protocol(folder)
    if any(is_row_file(file.name) for file in folder.rglob("*")) or protocol:
        return _check_cases(str(folder), protocol, columns)
    check = Check(str(folder), "folder")
    check.add(InputError("holds no cases, no tasks and no protocol"))
    return check


def _task_protocol(folder: Path) -> Protocol[Any] | None:
    """The protocol whose fields have folders here (prompts/, rubrics/)."""
    for name in names():
        protocol = find_protocol(name)
        written = protocol.writing.field if protocol.writing else ""
        places = [f.folder for f in protocol.fields if f.folder and f.name != written]
        if places and all((folder / place).is_dir() for place in places):
            return protocol
    return None


def check_tasks(folder: Path, protocol: Protocol[Any]) -> Check:
    """A folder of tasks: each text with a form is looked at, by its own file name."""
    check = Check(str(folder), f"tasks for {protocol.id}")
    written = protocol.writing.field if protocol.writing else ""
    fields = [f for f in protocol.fields if f.folder]
    fields = [f for f in fields if f.name != written or (folder / f.folder).is_dir()]
    files = {f.name: {p.name for p in (folder / f.folder).glob("*.md")} for f in fields}
    every = sorted(set().union(*files.values()))
    for name in every:
        for field_ in fields:
            if name not in files[field_.name]:
                missing = str(folder / field_.folder / name)
                check.add(InputError("is missing: its task has the other files", file=missing))
    check.understood.append(("tasks", f"{len(every):,}"))
    for field_ in fields:
        for name in sorted(files[field_.name]):
            if field_.inspect is None:
                continue
            file = folder / field_.folder / name
            inner = _check_text_of(file, field_)
            check.problems.extend(inner.problems)
            check.understood.extend((f"{name} {what}", value) for what, value in inner.understood)
    return check


def _check_text_of(file: Path, formed: Field) -> Check:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cannot:
        return _unreadable(str(file), str(getattr(cannot, "strerror", None) or cannot))
    return check_field_text(str(file), text, formed)


def _check_protocol(folder: Path) -> Check:
    from oyer.protocols.catalogue import load_folder

    check = Check(str(folder), "protocol")
    try:
        protocol = load_folder(folder)
    except OyerError as error:
        check.add(error)
        return check
    check.understood.append(("protocol", f"{protocol.name}: {protocol.title}"))
    check.understood.append(("fields", ", ".join(f.name for f in protocol.fields)))
    scale = ", ".join(f"{key} {low} to {high}" for key, (low, high) in protocol.scale.items())
    check.understood.append(("scores", scale))
    check.understood.append(("rules", ", ".join(protocol.rules) or "none"))
    asked = "yes" if protocol.prompt is not None else "no: only `oyer audit` can use it"
    check.understood.append(("asks judges", asked))
    return check


# ── suites ────────────────────────────────────────────────────────────────────────────────────


def check_suite(path: str) -> Check:
    """A suite, its protocol, its judges, its cases with their texts, and what it would cost."""
    check = Check(path, "suite")
    suite, errors = inspect_suite(path)
    for error in errors:
        check.add(error, path)
    if suite is None:
        return check
    try:
        protocol = find_protocol(suite.protocol, suite.protocol_path)
    except OyerError as error:
        check.add(error, path)
        return check
    check.understood.append(("protocol", protocol.name))
    _look_at_models(check, suite)
    check_rows_of(check, suite, protocol)
    if check.is_good:
        _look_at_cost(check, suite)
    return check


def _look_at_models(check: Check, suite: Suite) -> None:
    from oyer.engine import open_judge
    from oyer.judges.open_judges import JudgePool
    from oyer.judges.options import Options

    for kind, models in (("judge", suite.judges), ("candidate", suite.candidates)):
        for name in models:
            try:
                open_judge(JudgePool(Options()), name)
                check.understood.append((kind, f"{name}: usable"))
            except OyerError as error:
                check.understood.append((kind, f"{name}: not usable"))
                check.add(error)


def check_rows_of(check: Check, suite: Suite, protocol: Protocol[Any]) -> None:
    """The cases of a suite, before anyone is paid for them."""
    from oyer.runs.sources import suite_rows

    if suite.tasks is not None:
        tasks = check_tasks(suite.tasks, protocol)
        check.problems.extend(tasks.problems)
        check.understood.extend(tasks.understood)
        if not suite.candidates and not _has_answers(suite.tasks, protocol):
            told = "tasks need candidates = [ … ] to write the answers, or answers/*.md"
            check.add(InputError(told, file=str(suite.file), field="tasks"))
        return
    wanted = protocol
    if suite.candidates and protocol.writing is not None:
        kept = tuple(f for f in protocol.fields if f.name != protocol.writing.field)
        wanted = replace(protocol, fields=kept, validate=None)
    try:
        _look_at_rows(check, suite_rows(suite)(wanted), wanted)
    except OyerError as error:
        check.add(error)


def _has_answers(folder: Path, protocol: Protocol[Any]) -> bool:
    """Whether the text that candidates would write lies there already."""
    written = protocol.writing.field if protocol.writing else ""
    places = [f.folder for f in protocol.fields if f.name == written]
    return bool(places) and (folder / places[0]).is_dir()


def _look_at_cost(check: Check, suite: Suite) -> None:
    from oyer.runs.estimate import forecast
    from oyer.runs.plan import make_plan

    try:
        told = forecast(make_plan(suite), None)
    except OyerError as error:
        check.add(error)
        return
    for model in told["models"]:
        cost = model["cost_usd"]
        price = "price unknown" if cost is None else f"${cost:,.2f}"
        most = "at most " if model["bound"] else ""
        value = f"{model['calls']:,} calls, {most}{price}"
        check.understood.append((f"cost of {model['model']}", value))

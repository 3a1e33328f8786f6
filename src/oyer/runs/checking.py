"""`oyer check`: everything that is wrong with a user's file, and what was understood of it.

Nothing is asked and nothing is spent. `oyer run` looks at the same things before its first call.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from oyer.cases.rows import RowReader
from oyer.cases.sources import is_row_file
from oyer.cases.texts import has_texts
from oyer.errors import InputError, OyerError, UsageError
from oyer.protocols.catalogue import find_protocol, load_folder, names
from oyer.protocols.soundness import describe_protocol
from oyer.runs.check_result import Check, CheckOptions, FileProblem
from oyer.runs.check_rows import check_cases, look_at_rows
from oyer.runs.suite import Suite, inspect_suite
from oyer.types import AnyProtocol, Field, Problem

TEXTS = (".md", ".txt", ".markdown")


def check_path(path: str, options: CheckOptions) -> Check:
    """Look at one file or folder, whatever it is."""
    place = Path(path)
    try:
        is_folder, exists = place.is_dir(), place.exists()
    except (OSError, ValueError) as bad:
        return _unreadable(path, str(bad))
    if not exists and not any(mark in path for mark in "*?["):
        message = "there is no such file or folder"
        if str(path) in names(options.protocol_path):
            message += f"; for cases of that protocol: oyer check FILE --protocol {path}"
        return _unreadable(path, message)
    if is_folder:
        return _check_folder(place, options)
    return _check_file(place, path, options)


def _check_file(place: Path, path: str, options: CheckOptions) -> Check:
    """By its ending; what is nothing else is a file of cases."""
    if place.suffix == ".py":
        return _check_code(place)
    if place.suffix == ".toml":
        return check_suite(path)
    if place.suffix in TEXTS:
        return _check_text(place, options)
    return check_cases(path, options)


def _unreadable(path: str, why: str) -> Check:
    check = Check(path, "file")
    check.add(InputError(why))
    return check


# ── texts: rubrics, prompts ───────────────────────────────────────────────────────────────────


def _check_text(path: Path, options: CheckOptions) -> Check:
    """A field with a form of its own (a rubric), else a judge's prompt."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cannot:
        return _unreadable(str(path), str(getattr(cannot, "strerror", None) or cannot))
    found = options.find()
    if found is None:
        return check_field_text(str(path), text, _formed_field(options))
    formed = next((f for f in found.fields if f.inspect is not None), None)
    if formed is not None and formed.file:
        check = check_field_text(str(path), text, formed)
        if check.is_good:
            return check
    return _check_prompt(str(path), text, found)


def _formed_field(options: CheckOptions) -> Field:
    for protocol in options.all_protocols():
        for field in protocol.fields:
            if field.inspect is not None:
                return field
    raise InputError("no protocol has a field that can be checked")


def check_field_text(file: str, text: str, formed: Field) -> Check:
    """A text that has a form: what was understood of it."""
    assert formed.inspect is not None
    inspection = formed.inspect(text)
    problems = [FileProblem(file, problem) for problem in inspection.problems]
    return Check(file, formed.name, list(inspection.understood), problems)


def _check_prompt(file: str, text: str, protocol: AnyProtocol) -> Check:
    check = Check(file, f"prompt for {protocol.id}")
    try:
        if protocol.describe_template is not None:
            places = protocol.describe_template(text) or "as our own headings say"
            check.understood.append(("places", places))
    except OyerError as error:
        check.add(error, file)
    return check


# ── folders ───────────────────────────────────────────────────────────────────────────────────


def _check_folder(folder: Path, options: CheckOptions) -> Check:
    tasks = _task_protocol(folder, options)
    if tasks is not None:
        return check_tasks(folder, tasks)
    if (folder / "__init__.py").is_file():
        return _check_protocol(folder)
    rows = any(is_row_file(file.name) for file in folder.rglob("*"))
    if rows or options.protocol:
        return check_cases(str(folder), options)
    for protocol in options.all_protocols():
        if has_texts(folder, RowReader(protocol)):
            return check_cases(str(folder), replace(options, protocol=protocol.id))
    check = Check(str(folder), "folder")
    check.add(InputError("holds no cases, no tasks and no protocol"))
    return check


def _task_protocol(folder: Path, options: CheckOptions) -> AnyProtocol | None:
    """The protocol whose fields have folders here (prompts/, rubrics/)."""
    for protocol in options.all_protocols():
        written = protocol.writing.field if protocol.writing else ""
        places = [f.folder for f in protocol.fields if f.folder and f.name != written]
        if places and all((folder / place).is_dir() for place in places):
            return protocol
    return None


def check_tasks(folder: Path, protocol: AnyProtocol) -> Check:
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


def _check_code(file: Path) -> Check:
    """The file of a protocol stands for its folder."""
    if file.name == "__init__.py":
        return _check_protocol(file.absolute().parent)
    hint = "a protocol is a folder with __init__.py: check the folder"
    return _unreadable(str(file), f"is Python code and no file of cases; {hint}")


def _check_protocol(folder: Path) -> Check:
    check = Check(str(folder), "protocol")
    try:
        check.understood.extend(describe_protocol(load_folder(folder)))
    except OyerError as error:
        check.add(UsageError(str(error).removeprefix(f"{folder}: ")))
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
        protocols = [find_protocol(name, suite.protocol_path) for name in suite.protocols]
    except OyerError as error:
        check.add(error, path)
        return check
    check.understood.append(("protocol", ", ".join(protocol.name for protocol in protocols)))
    _look_at_models(check, suite)
    check_rows_of(check, suite, protocols[0])
    if check.is_good:
        _look_at_cost(check, suite)
    return check


def _look_at_models(check: Check, suite: Suite) -> None:
    from oyer.engine import open_judge
    from oyer.judges.open_judges import JudgePool
    from oyer.judges.options import Options
    from oyer.runs.opening import open_named

    pool = JudgePool(Options())
    for kind, models in (("judge", suite.judges), ("candidate", suite.candidates)):
        for name in models:
            try:
                if kind == "judge":
                    open_named(pool, suite, name)
                else:
                    open_judge(pool, suite.candidate_models.find(name).model)
                check.understood.append((kind, f"{name}: usable"))
            except OyerError as error:
                check.understood.append((kind, f"{name}: not usable"))
                check.add(error)


def check_rows_of(check: Check, suite: Suite, protocol: AnyProtocol) -> None:
    """The cases of a suite, before anyone is paid for them."""
    from oyer.runs.sources import suite_rows

    if suite.tasks is not None and not suite.tasks.is_dir():
        places = [f"{field.folder}/NAME.md" for field in protocol.fields if field.folder]
        hint = f"a folder with {', '.join(places)}; or candidates write the answers"
        missing = "is missing: there is no such folder"
        check.add(InputError(missing, file=str(suite.tasks), hint=hint))
        return
    if suite.tasks is not None:
        tasks = check_tasks(suite.tasks, protocol)
        check.problems.extend(tasks.problems)
        check.understood.extend(tasks.understood)
        if not suite.candidates and not _has_answers(suite.tasks, protocol):
            message = "need candidates = [ … ] to write the answers, or answers/*.md in the folder"
            check.add(InputError(message, file=str(suite.file), field="tasks"))
        return
    wanted = protocol
    if suite.candidates and protocol.writing is not None:
        kept = tuple(f for f in protocol.fields if f.name != protocol.writing.field)
        wanted = replace(protocol, fields=kept, validate=None)
    try:
        look_at_rows(check, suite_rows(suite)(wanted), wanted)
    except OyerError as error:
        check.add(error)


def _has_answers(folder: Path, protocol: AnyProtocol) -> bool:
    """Whether the text that candidates would write lies there already."""
    written = protocol.writing.field if protocol.writing else ""
    places = [f.folder for f in protocol.fields if f.name == written]
    return bool(places) and (folder / places[0]).is_dir()


def _look_at_cost(check: Check, suite: Suite) -> None:
    from oyer.runs.estimate import forecast
    from oyer.runs.plan import make_plans

    try:
        plans = make_plans(suite)
        estimate = forecast(plans, None)
    except OyerError as error:
        check.add(error)
        return
    for plan in plans:
        if plan.protocol.prompt is None or plan.manifest.prompt_sha:
            continue
        warning = Problem(
            f"the prompt of {plan.protocol.id} has no sha",
            hint="set Prompt.sha, or a changed prompt is answered by replies to the old one",
            severity="warning",
        )
        check.problems.append(FileProblem(check.file, warning))
    for model in estimate["models"]:
        cost = model["cost_usd"]
        price = "price unknown" if cost is None else f"${cost:,.2f}"
        most = "at most " if model["bound"] else ""
        value = f"{model['calls']:,} calls, {most}{price}"
        check.understood.append((f"cost of {model['model']}", value))

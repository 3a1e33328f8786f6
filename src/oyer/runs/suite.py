"""A suite: what one `oyer run` does, read from TOML and checked before anything is spent.

name = "summaries"             # else the file's name
protocol = "judge-lock"
cases = "cases.jsonl"          # relative to this file; or tasks = "folder" for rubric
judges = ["openai:gpt-5", "embedded"]
repeats = 3
concurrency = 16
batch = true                   # OpenAI's and Anthropic's batch APIs: half the price, within a day
candidates = ["openai:gpt-5-mini", "ollama:llama3"]   # models that write the judged text first

[budget]                       # of the whole run, over all its sessions
calls = 1000
tokens = 2_000_000
dollars = 5.0
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from oyer.errors import InputError
from oyer.runs.budget import Budget


@dataclass(frozen=True, slots=True)
class Suite:
    """A checked suite; paths are resolved, nothing has been opened."""

    file: Path
    name: str
    protocol: str
    judges: tuple[str, ...]
    sources: tuple[Path, ...] = ()
    tasks: Path | None = None
    candidates: tuple[str, ...] = ()
    repeats: int = 1
    concurrency: int = 8
    batch: bool = False  # through the judges' batch APIs
    budget: Budget = field(default_factory=Budget)
    store: str | None = None
    protocol_path: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    asking: Mapping[str, Any] = field(default_factory=dict)  # language, with_arithmetic, template …
    options: Mapping[str, Any] = field(default_factory=dict)  # of judges: temperature, retries …
    writing: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)  # [map]: our field -> their column


MOST_CHARS = 1_000_000
MOST = 1_000_000  # repeats, calls at a time
BATCH = 2_000  # questions waiting at a time
_ASKING = {"language": str, "with_arithmetic": bool, "template": str, "attempts": int,
           "without_self": bool}  # fmt: skip
_OPTIONS = {
    "timeout": float,
    "deadline": float,
    "retries": int,
    "patience": float,
    "requests_per_minute": float,
    "tokens_per_minute": float,
    "temperature": float,
    "seed": int,
    "max_tokens": int,
    "poll": float,
    "prices": str,
}
_WRITING = {"field": str, "template": str, "system": str, "max_tokens": int}
_BUDGET = {"calls": int, "tokens": int, "dollars": float}
_KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_FROM_ZERO = ("retries", "patience", "temperature")  # other numbers are more than 0
_SIGNED = ("seed",)
_TOP = {
    "name", "protocol", "cases", "tasks", "judges", "candidates", "repeats", "concurrency", "store",
    "protocol_path", "batch", "budget", "weights", "asking", "options", "writing", "map",
}  # fmt: skip


def read_suite(path: str | Path) -> Suite:
    """The suite in a TOML file; InputError names the first field that is wrong."""
    suite, errors = inspect_suite(path)
    if suite is None:
        raise errors[0]
    return suite


def inspect_suite(path: str | Path) -> tuple[Suite | None, list[InputError]]:
    """The suite, or everything that is wrong with its settings."""
    try:
        table = _parse(Path(path))
    except InputError as error:
        return None, [error]
    return table.suite(Path(path))


def _parse(file: Path) -> _Table:
    try:
        text = _read_text(file)
        told = tomllib.loads(text)
    except RecursionError:
        raise InputError("nested too deep", file=str(file)) from None
    except OSError as cannot:
        raise InputError(f"cannot be read: {cannot.strerror}", file=str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as bad:
        at = re.search(r"at line (\d+)", str(bad))
        line = int(at[1]) if at else None
        raise InputError(f"not TOML: {bad}", file=str(file), line=line) from None
    return _Table(str(file), told, text)


def _read_text(file: Path) -> str:
    """A suite's text. Settings are short: whatever is longer is another file, or an attack."""
    with file.open(encoding="utf-8-sig") as handle:
        text = handle.read(MOST_CHARS + 1)
    if len(text) > MOST_CHARS:
        raise InputError(f"a suite has at most {MOST_CHARS:,} characters", file=str(file))
    for number, line in enumerate(text.splitlines(), 1):
        if line.partition("=")[0].count(".") > 100 or line.count("[") + line.count("{") > 1000:
            raise InputError("nested too deep", file=str(file), line=number)
    return text


def _line(text: str, name: str) -> int | None:
    """The line of a setting, `calls` of [budget] being `budget.calls`; else that of its table."""
    table, found = "", None
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[([^\[\]]+)\]", line):
            written = table = head[1].strip()
        elif key := re.match(r"\s*([^\s=#]+)\s*=", line):
            written = f"{table}.{key[1]}" if table else key[1]
        else:
            continue
        written = re.sub("[\"' ]", "", written)
        if written == name:
            return number
        if name.startswith(f"{written}."):
            found = number
    return found


def suite_schema() -> dict[str, Any]:
    """A JSON schema of suites, for editors; made from the tables that suites are checked by."""
    names = {"type": ["string", "array"], "items": {"type": "string"}}
    texts = {name: {"type": "string"} for name in ("name", "protocol", "tasks", "store")}
    lists = dict.fromkeys(("cases", "judges", "candidates", "protocol_path"), names)
    count = {"type": "integer", "minimum": 1, "maximum": MOST}
    tables = {"budget": _BUDGET, "asking": _ASKING, "options": _OPTIONS, "writing": _WRITING}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a suite of oyer run",
        "type": "object",
        "required": ["protocol"],
        "additionalProperties": False,
        "properties": {
            **texts,
            **lists,
            "repeats": count,
            "concurrency": count,
            "batch": {"type": "boolean"},
            "weights": {"type": "object", "additionalProperties": {"type": "number"}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            **{name: _table_schema(known) for name, known in tables.items()},
        },
    }


def _table_schema(known: Mapping[str, type]) -> dict[str, Any]:
    kinds = {str: "string", int: "integer", float: "number", bool: "boolean"}
    fields = {name: {"type": kinds[kind]} for name, kind in known.items()}
    return {"type": "object", "additionalProperties": False, "properties": fields}


def in_batches(suite: Suite) -> Suite:
    """The suite through batch APIs: as many questions at a time as make a batch worth it."""
    return replace(suite, batch=True, concurrency=max(suite.concurrency, BATCH))


@dataclass(frozen=True, slots=True)
class _Table:
    """The parsed file, with checks that name it."""

    file: str
    told: Mapping[str, Any]
    text: str

    def wrong(self, name: str, message: str) -> InputError:
        return InputError(message, file=self.file, line=_line(self.text, name), field=name)

    def suite(self, file: Path) -> tuple[Suite | None, list[InputError]]:
        """All settings, each read for itself: what is wrong with one hides no other."""
        base = file.parent
        errors = list(self._unknown("", self.told, _TOP))
        values: dict[str, Any] = {"file": file}
        for name, read in self._readers(base).items():
            try:
                values[name] = read()
            except InputError as error:
                errors.append(error)
        if not errors:
            return Suite(**values), []
        return None, sorted(errors, key=lambda error: error.line or 0)

    def _readers(self, base: Path) -> dict[str, Callable[[], Any]]:
        """Each field of a suite, and how it is read."""
        return {
            "name": lambda: self._one("name", str, "") or Path(self.file).stem,
            "protocol": lambda: self._one("protocol", str, None),
            "judges": lambda: self._models("judges") or ("embedded",),
            "sources": lambda: self._sources(base),
            "tasks": lambda: self._tasks(base),
            "candidates": lambda: self._models("candidates"),
            "repeats": lambda: self._count("repeats", 1),
            "concurrency": lambda: self._count("concurrency", 8),
            "batch": lambda: self._one("batch", bool, False),
            "budget": lambda: Budget(**self._section("budget", _BUDGET)),
            "store": lambda: self._store(base),
            "protocol_path": lambda: self._paths(base),
            "weights": self._weights,
            "asking": lambda: self._template(base, "asking", _ASKING),
            "options": lambda: self._options(base),
            "writing": lambda: self._template(base, "writing", _WRITING),
            "columns": self._columns,
        }

    def _sources(self, base: Path) -> tuple[Path, ...]:
        names = self._names("cases")
        if bool(names) == bool(self.told.get("tasks")):
            raise self.wrong("cases", 'give either cases = "file" or tasks = "folder"')
        return tuple(base / name for name in names)

    def _tasks(self, base: Path) -> Path | None:
        named: str = self._one("tasks", str, "")
        return base / named if named else None

    def _models(self, name: str) -> tuple[str, ...]:
        given = self._names(name)
        if len(set(given)) != len(given):
            raise self.wrong(name, "names one model twice; use repeats to ask it several times")
        return given

    def _paths(self, base: Path) -> tuple[str, ...]:
        return tuple(str(base / name) for name in self._names("protocol_path"))

    def _unknown(self, where: str, given: Mapping[str, Any], known: Any) -> Iterator[InputError]:
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                yield self.wrong(f"{where}{name}", f"is not a setting of a suite{hint}")

    def _one(self, name: str, kind: type, default: Any) -> Any:
        value = self.told.get(name, default)
        if value is None:
            raise self.wrong(name, f"is missing: add {name} = … (docs/runs.md)")
        if not isinstance(value, kind):
            raise self.wrong(name, f"must be {_KINDS[kind]}")
        return value

    def _names(self, name: str) -> tuple[str, ...]:
        value = self.told.get(name, [])
        many = [value] if isinstance(value, str) else value
        if not isinstance(many, list) or not all(isinstance(one, str) and one for one in many):
            raise self.wrong(name, "must be a text or a list of texts")
        return tuple(many)

    def _count(self, name: str, default: int) -> int:
        value = self.told.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
            raise self.wrong(name, f"must be a whole number from 1 to {MOST:,}")
        return value

    def _section(self, name: str, known: Mapping[str, type]) -> dict[str, Any]:
        given = self.told.get(name, {})
        if not isinstance(given, dict):
            raise self.wrong(name, f"must be a table: [{name}]")
        for unknown in self._unknown(f"{name}.", given, known):
            raise unknown
        for key, value in given.items():
            kind = known[key]
            fits = isinstance(value, (int, float) if kind is float else kind)
            if not fits or (isinstance(value, bool) and kind is not bool):
                raise self.wrong(f"{name}.{key}", f"must be {_KINDS[kind]}")
            if kind in (int, float) and key not in _SIGNED:
                least = "0 or more" if key in _FROM_ZERO else "more than 0"
                if not math.isfinite(value) or value < 0 or (not value and key not in _FROM_ZERO):
                    raise self.wrong(f"{name}.{key}", f"must be {least}")
        return dict(given)

    def _store(self, base: Path) -> str | None:
        named: str = self._one("store", str, "")
        return str(base / named) if named and "://" not in named else named or None

    def _columns(self) -> dict[str, str]:
        given = self.told.get("map", {})
        if not isinstance(given, dict):
            raise self.wrong("map", 'must be a table: [map], with lines like article = "document"')
        for key, value in given.items():
            if not isinstance(value, str) or not value:
                raise self.wrong(f"map.{key}", "must be the name of a column, or a path: a.0.b")
        return dict(given)

    def _weights(self) -> dict[str, float]:
        given = self.told.get("weights", {})
        if not isinstance(given, dict):
            raise self.wrong("weights", "must be a table: [weights]")
        for key, value in given.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not 0 <= value < float("inf"):
                raise self.wrong(f"weights.{key}", "must be a number from 0")
        return dict(given)

    def _options(self, base: Path) -> dict[str, Any]:
        given = self._section("options", _OPTIONS)
        if "prices" in given:
            given["prices"] = base / given["prices"]
        return given

    def _template(self, base: Path, section: str, known: Mapping[str, type]) -> dict[str, Any]:
        """A template is a file beside the suite; what runs is its text."""
        given = self._section(section, known)
        if "template" in given:
            path = base / given["template"]
            try:
                given["template"] = path.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as cannot:
                why = getattr(cannot, "strerror", None) or cannot
                raise self.wrong(f"{section}.template", f"{path} cannot be read: {why}") from None
        return given

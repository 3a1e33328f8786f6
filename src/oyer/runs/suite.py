"""A suite: what one `oyer run` does, read from TOML and checked before anything is spent.

name = "summaries"             # else the file's name
protocol = "judge-lock"        # or protocols = ["judge-lock", "twin-lock"]: side by side
cases = "cases.jsonl"          # relative to this file; or tasks = "folder" for rubric
judges = ["openai:gpt-5", "embedded"]
repeats = 3
concurrency = 16
batch = true                   # OpenAI's and Anthropic's batch APIs: half the price, within a day
candidates = ["openai:gpt-5-mini", "ollama:llama3"]   # models that write the judged text first
answers = 3                    # so many texts each; [[judges]] and [[candidates]]: see models.py

[budget]                       # of the whole run, over all its sessions
calls = 1000
tokens = 2_000_000
dollars = 5.0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from oyer.errors import InputError
from oyer.records import JsonObject
from oyer.runs.budget import Budget
from oyer.runs.models import ENTRY, OPTIONS, Models, NamedModel, read_models
from oyer.runs.settings import MOST, Settings, read_settings
from oyer.runs.workers import HERE, PLACES


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
    judge_models: Models = field(default_factory=Models)  # what stands behind the names
    candidate_models: Models = field(default_factory=Models)
    protocols: tuple[str, ...] = ()  # all that the suite names; `protocol` is one of them
    answers: int = 1  # that a candidate writes to each case
    repeats: int = 1
    concurrency: int = 8
    batch: bool = False  # through the judges' batch APIs
    on: str = HERE  # where judges that need a core are asked: this machine, or a Ray cluster
    budget: Budget = field(default_factory=Budget)
    store: str | None = None
    protocol_path: tuple[str, ...] = ()
    weights: JsonObject = field(default_factory=dict)  # metric -> weight
    asking: JsonObject = field(default_factory=dict)  # language, with_arithmetic, template …
    options: JsonObject = field(default_factory=dict)  # of judges: temperature, retries …
    writing: JsonObject = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)  # [map]: our field -> their column

    @property
    def has_panel(self) -> bool:
        """Whether a judge of it is a panel."""
        return any(len(self.judge_models.seats(name)) > 1 for name in self.judges)

    @property
    def models(self) -> list[NamedModel]:
        """Every model that is asked, the candidates first; the members of panels one by one."""
        asked = [self.candidate_models.find(name) for name in self.candidates]
        for name in self.judges:
            asked += self.judge_models.seats(name)
        return asked


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
    **OPTIONS,
    "poll": float,
    "prices": str,
}
_WRITING = {"field": str, "template": str, "system": str, "max_tokens": int}
_BUDGET = {"calls": int, "tokens": int, "dollars": float}
_TOP = {
    "name", "protocol", "protocols", "cases", "tasks", "judges", "candidates", "answers",
    "repeats", "concurrency", "store", "protocol_path", "batch", "on", "budget", "weights",
    "asking", "options", "writing", "map",
}  # fmt: skip


def read_suite(path: str | Path) -> Suite:
    """The suite in a TOML file; InputError names the first field that is wrong."""
    suite, errors = inspect_suite(path)
    if suite is None:
        raise errors[0]
    return suite


def inspect_suite(path: str | Path) -> tuple[Suite | None, list[InputError]]:
    """The suite, or everything that is wrong with its settings."""
    file = Path(path)
    try:
        settings = read_settings(file)
    except InputError as error:
        return None, [error]
    return _Reader(settings, file.parent).suite(file)


def suite_schema() -> dict[str, Any]:
    """A JSON schema of suites, for editors; made from the tables that suites are checked by."""
    text = {"type": "string"}
    names = {"type": ["string", "array"], "items": text}
    entry = {**_table_schema(ENTRY), "required": ["model"]}
    models = {"type": ["string", "array"], "items": {"anyOf": [text, entry]}}
    texts = dict.fromkeys(("name", "protocol", "tasks", "store"), text)
    lists = dict.fromkeys(("cases", "protocols", "protocol_path"), names)
    count = {"type": "integer", "minimum": 1, "maximum": MOST}
    tables = {"budget": _BUDGET, "asking": _ASKING, "options": _OPTIONS, "writing": _WRITING}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "a suite of oyer run",
        "type": "object",
        "anyOf": [{"required": ["protocol"]}, {"required": ["protocols"]}],
        "additionalProperties": False,
        "properties": {
            **texts,
            **lists,
            "judges": models,
            "candidates": models,
            "answers": count,
            "repeats": count,
            "concurrency": count,
            "batch": {"type": "boolean"},
            "on": {"enum": list(PLACES)},
            "weights": {"type": "object", "additionalProperties": {"type": ["number", "object"]}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            **{name: _table_schema(known) for name, known in tables.items()},
        },
    }


def _table_schema(known: Mapping[str, type]) -> dict[str, Any]:
    kinds = {str: "string", int: "integer", float: "number", bool: "boolean"}
    fields = {name: {"type": kinds[kind]} for name, kind in known.items()}
    return {"type": "object", "additionalProperties": False, "properties": fields}


def by_protocol(suite: Suite) -> list[Suite]:
    """The suite once for each of its protocols: each is a run of its own, and none is averaged
    with another. Weights of a protocol's own come before those for all."""
    protocols = suite.protocols or (suite.protocol,)
    shared = {key: value for key, value in suite.weights.items() if key not in protocols}
    suites = []
    for protocol in protocols:
        name = f"{suite.name}:{protocol}" if len(protocols) > 1 else suite.name
        weights = suite.weights.get(protocol, shared)
        suites.append(replace(suite, name=name, protocol=protocol, weights=weights))
    return suites


def in_batches(suite: Suite) -> Suite:
    """The suite through batch APIs: as many questions at a time as make a batch worth it."""
    return replace(suite, batch=True, concurrency=max(suite.concurrency, BATCH))


@dataclass(frozen=True, slots=True)
class _Reader:
    """The settings of a suite, each read for itself: what is wrong with one hides no other."""

    settings: Settings
    base: Path

    def suite(self, file: Path) -> tuple[Suite | None, list[InputError]]:
        """The suite, or everything that is wrong with it."""
        errors = list(self.settings.unknown("", self.settings.values, _TOP))
        values: dict[str, Any] = {"file": file}
        for name, read in self._readers().items():
            try:
                values[name] = read()
            except InputError as error:
                errors.append(error)
        if not errors:
            protocols, judges = values["protocols"], values["judge_models"]
            return Suite(
                protocol=protocols[0],
                judges=judges.names or ("embedded",),
                candidates=values["candidate_models"].names,
                **values,
            ), []
        return None, sorted(errors, key=lambda error: error.line or 0)

    def _readers(self) -> dict[str, Callable[[], Any]]:
        """Each field of a suite, and how it is read."""
        settings = self.settings
        return {
            "name": lambda: settings.value("name", str, "") or Path(settings.file).stem,
            "protocols": self._protocols,
            "judge_models": lambda: self._models("judges"),
            "sources": self._sources,
            "tasks": self._tasks,
            "candidate_models": lambda: self._models("candidates"),
            "answers": self._answers,
            "repeats": lambda: settings.count("repeats", 1),
            "concurrency": lambda: settings.count("concurrency", 8),
            "batch": lambda: settings.value("batch", bool, False),
            "on": self._place,
            "budget": lambda: Budget(**settings.section("budget", _BUDGET)),
            "store": self._store,
            "protocol_path": self._paths,
            "weights": self._weights,
            "asking": lambda: self._template("asking", _ASKING),
            "options": self._options,
            "writing": lambda: self._template("writing", _WRITING),
            "columns": self._columns,
        }

    def _protocols(self) -> tuple[str, ...]:
        """`protocol`, or several: `protocols`."""
        settings = self.settings
        if "protocols" not in settings.values:
            return (settings.value("protocol", str, None),)
        names = settings.names("protocols")
        if "protocol" in settings.values:
            raise settings.wrong("protocols", "give either protocol = … or protocols = [ … ]")
        if not names or len(set(names)) != len(names):
            raise settings.wrong("protocols", "must name one or more protocols, each once")
        return names

    def _place(self) -> str:
        place: str = self.settings.value("on", str, HERE)
        if place not in PLACES:
            raise self.settings.wrong("on", f"must be one of {', '.join(PLACES)}")
        return place

    def _models(self, name: str) -> Models:
        return read_models(self.settings, name, self.base)

    def _sources(self) -> tuple[Path, ...]:
        names = self.settings.names("cases")
        if bool(names) == bool(self.settings.values.get("tasks")):
            raise self.settings.wrong("cases", 'give either cases = "file" or tasks = "folder"')
        return tuple(self.base / name for name in names)

    def _tasks(self) -> Path | None:
        named: str = self.settings.value("tasks", str, "")
        return self.base / named if named else None

    def _answers(self) -> int:
        count = self.settings.count("answers", 1)
        if count > 1 and not self.settings.values.get("candidates"):
            message = "are written by candidates: add candidates = [ … ], or leave it out"
            raise self.settings.wrong("answers", message)
        return count

    def _paths(self) -> tuple[str, ...]:
        return tuple(str(self.base / name) for name in self.settings.names("protocol_path"))

    def _store(self) -> str | None:
        named: str = self.settings.value("store", str, "")
        return str(self.base / named) if named and "://" not in named else named or None

    def _columns(self) -> dict[str, str]:
        given = self.settings.values.get("map", {})
        if not isinstance(given, dict):
            message = 'must be a table: [map], with lines like article = "document"'
            raise self.settings.wrong("map", message)
        for key, value in given.items():
            if not isinstance(value, str) or not value:
                message = "must be the name of a column, or a path: a.0.b"
                raise self.settings.wrong(f"map.{key}", message)
        return dict(given)

    def _weights(self) -> dict[str, Any]:
        """Weights of the total; of each protocol its own, where a table is called like it."""
        given = self.settings.table("weights")
        protocols = self.settings.values.get("protocols", ())
        for key, value in given.items():
            if isinstance(value, dict) and key in protocols:
                for metric, weight in value.items():
                    self._check_weight(f"{key}.{metric}", weight)
            else:
                self._check_weight(key, value)
        return given

    def _check_weight(self, name: str, value: Any) -> None:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value < float("inf"):
            raise self.settings.wrong(f"weights.{name}", "must be a number from 0")

    def _options(self) -> dict[str, Any]:
        given = self.settings.section("options", _OPTIONS)
        if "prices" in given:
            given["prices"] = self.base / given["prices"]
        return given

    def _template(self, section: str, known: Mapping[str, type]) -> dict[str, Any]:
        """A template is a file beside the suite; what runs is its text."""
        given = self.settings.section(section, known)
        if "template" in given:
            path = self.base / given["template"]
            given["template"] = self.settings.read_file(f"{section}.template", path)
        return given

"""Judges and candidates of a suite: a model, or a short name with a model and options of its own.

judges = ["embedded", "openai:gpt-5"]      # shown as they are

[[judges]]
name = "strict"                            # everything shown uses this
model = "openai:gpt-5"
prompt = "strict.md"                       # a prompt of its own
temperature = 0.5                          # over [options]

[[judges]]
name = "jury"
model = "strict+embedded"                  # a panel: of models, or of names above
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oyer.judges.names import members
from oyer.records import JsonObject
from oyer.runs.settings import Settings
from oyer.store.records import digest

OPTIONS = {"temperature": float, "seed": int, "max_tokens": int}  # that change answers
ENTRY = {"name": str, "model": str, "prompt": str, **OPTIONS}
LONGEST = 60  # characters of a name
_NAME = re.compile(r"[^\x00-\x1f\x7f+]+")


@dataclass(frozen=True, slots=True)
class NamedModel:
    """One judge or candidate: what it is called, who it is, and how it alone is asked."""

    name: str
    model: str
    options: JsonObject = field(default_factory=dict)  # over the suite's
    prompt: str | None = None  # instead of the suite's; its text, not its file

    @classmethod
    def plain(cls, model: str) -> NamedModel:
        """A model without a name of its own."""
        return cls(model, model)

    @property
    def is_plain(self) -> bool:
        return self == NamedModel.plain(self.model)

    @property
    def label(self) -> str:
        """The name that verdicts carry; "": the judge signs for itself."""
        return "" if self.name == self.model else self.name

    def as_json(self) -> dict[str, Any]:
        """For the manifest: a prompt by its hash."""
        prompt = {} if self.prompt is None else {"prompt": digest(self.prompt)}
        return {"model": self.model, **self.options, **prompt}


@dataclass(frozen=True, slots=True)
class Models:
    """The judges, or the candidates, of a suite, in its order."""

    entries: tuple[NamedModel, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    def find(self, name: str) -> NamedModel:
        """The entry of that name. A model that is not listed is itself: an audit's judge."""
        for entry in self.entries:
            if entry.name == name:
                return entry
        return NamedModel.plain(name)

    def seats(self, name: str) -> tuple[NamedModel, ...]:
        """Who answers for a judge: itself, or the members of a panel."""
        entry = self.find(name)
        parts = entry.model.split("+")
        if len(parts) > 1 and any(self.find(part).label for part in parts):
            return tuple(self.find(part) for part in parts)
        several = members(entry.model)
        if len(several) == 1:
            return (entry,)
        return tuple(NamedModel(model, model, entry.options, entry.prompt) for model in several)

    def as_json(self) -> dict[str, Any]:
        """The entries that are more than a model's name, for the manifest."""
        named = {}
        for entry in self.entries:
            if not entry.is_plain:
                seats = self.seats(entry.name)
                panel = {"members": [seat.name for seat in seats]} if len(seats) > 1 else {}
                named[entry.name] = {**entry.as_json(), **panel}
        return named


def read_models(settings: Settings, name: str, base: Path) -> Models:
    """The judges or candidates of a suite: texts, tables, or some of both."""
    given = settings.values.get(name, [])
    several = given if isinstance(given, list) else [given]
    entries = list(_entries(settings, name, several, base))
    _refuse_doubles(settings, name, entries)
    return Models(tuple(entries))


def _entries(
    settings: Settings, name: str, several: Sequence[Any], base: Path
) -> Iterator[NamedModel]:
    for number, given in enumerate(several, 1):
        if isinstance(given, str) and given:
            yield NamedModel.plain(given)
        elif isinstance(given, dict):
            yield _entry(settings, f"{name}.{number}", given, base)
        else:
            message = f"must be a text, a list of texts, or tables: [[{name}]]"
            raise settings.wrong(name, message)


def _entry(settings: Settings, where: str, given: JsonObject, base: Path) -> NamedModel:
    settings.check(where, given, ENTRY)
    model = given.get("model", "")
    if not model:
        raise settings.wrong(f"{where}.model", 'is missing: add model = "openai:gpt-5"')
    name = given.get("name", model)
    if "name" in given and (not _NAME.fullmatch(name) or len(name) > LONGEST):
        message = f"must be 1 to {LONGEST} characters on one line, without +"
        raise settings.wrong(f"{where}.name", message)
    prompt = None
    if "prompt" in given:
        prompt = settings.read_file(f"{where}.prompt", base / given["prompt"])
    options = {key: value for key, value in given.items() if key in OPTIONS}
    return NamedModel(name, model, options, prompt)


def _refuse_doubles(settings: Settings, where: str, entries: Sequence[NamedModel]) -> None:
    """Two entries of one name could not be told apart, and two that ask the same are one."""
    for place, entry in enumerate(entries):
        for other in entries[:place]:
            if entry.name == other.name:
                message = f"names one model twice ('{entry.name}'); "
                message += "use repeats to ask it several times, or give each a name of its own"
                raise settings.wrong(where, message)
            if entry.as_json() == other.as_json():
                message = f"'{entry.name}' and '{other.name}' are one model, asked the same"
                raise settings.wrong(where, message)

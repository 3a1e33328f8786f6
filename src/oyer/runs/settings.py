"""A file of settings (TOML), read with checks that name its file, line and field."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oyer.errors import InputError
from oyer.records import JsonObject

MOST_CHARS = 1_000_000
MOST = 1_000_000  # repeats, calls at a time
_KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_FROM_ZERO = ("retries", "patience", "temperature")  # other numbers are more than 0
_SIGNED = ("seed",)
CASES = (".json", ".jsonl", ".csv", ".parquet", ".gz")  # what files of cases are called
_HINTS = {"protocol": 'protocol = "NAME" (`oyer protocols` lists the names)'}


@dataclass(frozen=True, slots=True)
class Settings:
    """The parsed file."""

    file: str
    values: JsonObject
    text: str

    def wrong(self, name: str, message: str) -> InputError:
        """What is wrong with a setting, to be raised."""
        return InputError(message, file=self.file, line=_line(self.text, name), field=name)

    def unknown(self, where: str, given: JsonObject, known: Any) -> Iterator[InputError]:
        """An error for each setting that does not exist, with the nearest one that does."""
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                yield self.wrong(f"{where}{name}", f"is not a setting of a suite{hint}")

    def value(self, name: str, kind: type, default: Any) -> Any:
        """One setting; without a default it must be there."""
        value = self.values.get(name, default)
        if value is None:
            hint = _HINTS.get(name, f"{name} = … (docs/runs.md)")
            raise self.wrong(name, f"is missing: add {hint}")
        if not isinstance(value, kind):
            raise self.wrong(name, f"must be {_KINDS[kind]}")
        return value

    def names(self, name: str) -> tuple[str, ...]:
        """A text, or a list of them."""
        value = self.values.get(name, [])
        many = [value] if isinstance(value, str) else value
        if not isinstance(many, list) or not all(isinstance(text, str) and text for text in many):
            raise self.wrong(name, "must be a text or a list of texts")
        return tuple(many)

    def count(self, name: str, default: int) -> int:
        """A whole number from 1."""
        value = self.values.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
            raise self.wrong(name, f"must be a whole number from 1 to {MOST:,}")
        return value

    def table(self, name: str) -> dict[str, Any]:
        """A table of settings, unchecked."""
        given = self.values.get(name, {})
        if not isinstance(given, dict):
            raise self.wrong(name, f"must be a table: [{name}]")
        return dict(given)

    def section(self, name: str, known: Mapping[str, type]) -> dict[str, Any]:
        """A table of settings, each of its kind."""
        given = self.table(name)
        self.check(name, given, known)
        return given

    def check(self, where: str, given: JsonObject, known: Mapping[str, type]) -> None:
        """Raise what is wrong with the settings of a table."""
        for unknown in self.unknown(f"{where}.", given, known):
            raise unknown
        for key, value in given.items():
            kind, place = known[key], f"{where}.{key}"
            fits = isinstance(value, (int, float) if kind is float else kind)
            if not fits or (isinstance(value, bool) and kind is not bool):
                raise self.wrong(place, f"must be {_KINDS[kind]}")
            if kind in (int, float) and key not in _SIGNED:
                least = "0 or more" if key in _FROM_ZERO else "more than 0"
                if not math.isfinite(value) or value < 0 or (not value and key not in _FROM_ZERO):
                    raise self.wrong(place, f"must be {least}")

    def read_file(self, name: str, path: Path) -> str:
        """The text of a file that a setting names: a prompt of the user's own."""
        try:
            return path.read_text("utf-8")
        except UnicodeDecodeError as bad:
            raise self.wrong(name, f"{path} cannot be read: {bad}") from None
        except OSError as cannot:
            why = cannot.strerror or cannot
            raise self.wrong(name, f"{path} cannot be read: {why}") from None


def read_settings(file: Path) -> Settings:
    """The file's settings; InputError names the line that is not TOML."""
    try:
        text = _read_text(file)
        values = tomllib.loads(text)
    except RecursionError:
        raise InputError("nested too deep", file=str(file)) from None
    except OSError as cannot:
        raise InputError(f"cannot be read: {cannot.strerror}", file=str(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as bad:
        at = re.search(r"at line (\d+)", str(bad))
        line = int(at[1]) if at else None
        hint = ""
        if file.suffix in CASES:
            hint = f"a suite is a .toml file; to judge cases: oyer judge PROTOCOL {file}"
        elif "Invalid value" in str(bad):
            hint = 'a text needs quotation marks: name = "demo"'
        raise InputError(f"not TOML: {bad}", file=str(file), line=line, hint=hint) from None
    return Settings(str(file), values, text)


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
    """The line of a setting, `calls` of [budget] being `budget.calls`, `name` of the second
    [[judges]] `judges.2.name`; else that of its table."""
    table, found = "", None
    tables: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\[([^\[\]]+)\]\]", line):
            array = head[1].strip()
            tables[array] = tables.get(array, 0) + 1
            written = table = f"{array}.{tables[array]}"
        elif head := re.match(r"\s*\[([^\[\]]+)\]", line):
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

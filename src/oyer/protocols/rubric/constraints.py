"""The `## checks` of a rubric: constraints that code can decide, so no judge has to.

The block is TOML, one `[[check]]` each, with exactly one kind of constraint. The rubric is the
user's; the response is a stranger's: patterns run in linear time, schemas fetch nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from oyer.errors import FormatError
from oyer.protocols.rubric.rules import AXES
from oyer.text.pattern import Pattern, PatternError
from oyer.text.words import LANGUAGES, count, detect

_FENCE = re.compile(r"\s*(```|~~~)")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")

_SIZES: Final = {"min_chars": int, "max_chars": int, "min_words": int, "max_words": int}
_WORDS: Final = ("contains", "excludes")
_KINDS: Final[Mapping[str, str]] = {
    "min_chars": "chars", "max_chars": "chars", "min_words": "words", "max_words": "words",
    "contains": "contains", "excludes": "excludes", "matches": "matches", "json": "json",
    "schema": "schema", "language": "language",
}  # fmt: skip
_OTHERS: Final = ("id", "axis", "points", "critical", "ignore_case")


@dataclass(frozen=True, slots=True)
class Constraint:
    """One check: what is asked of the response, and what a failure costs."""

    id: str
    kind: str
    wanted: Mapping[str, Any]
    axis: str | None = None
    points: int = 0
    critical: str | None = None
    pattern: Pattern | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A check as it came out, with what was seen."""

    constraint: Constraint
    passed: bool
    seen: str

    def record(self) -> dict[str, Any]:
        """As the verdict shows it, under `checks`."""
        check = self.constraint
        shown: dict[str, Any] = {"id": check.id, "passed": self.passed, "seen": self.seen}
        if check.axis:
            shown |= {"axis": check.axis, "points": check.points}
        return shown | ({"critical": check.critical} if check.critical else {})


def decide(constraints: Sequence[Constraint], response: str) -> tuple[Outcome, ...]:
    """Every check of a rubric on a response."""
    return tuple(Outcome(c, *_DECIDERS[c.kind](c, response)) for c in constraints)


# ── reading the block ────────────────────────────────────────────────────────────────────────


def read_constraints(
    body: Sequence[tuple[int, str]], conditions: Mapping[str, str]
) -> tuple[Constraint, ...]:
    """The checks of the section; raises `FormatError` with the line."""
    first, source = _block(body)
    try:
        table = tomllib.loads(source)
    except tomllib.TOMLDecodeError as wrong:
        at = _AT_LINE.search(str(wrong))
        line = first + (int(at[1]) - 1 if at else source.count("\n"))
        _refuse(line, f"checks: not TOML: {wrong}")
    rows = table.get("check")
    if set(table) != {"check"} or not isinstance(rows, list):
        _refuse(first, "checks: write each one as a table [[check]]")
    lines = [n for n, line in body if line.strip().replace(" ", "").startswith("[[check]]")]
    found: list[Constraint] = []
    for row, line in zip(rows, lines or [first] * len(rows), strict=False):
        check = _constraint(row, line, conditions, f"check-{len(found) + 1}")
        if any(check.id == other.id for other in found):
            _refuse(line, f"the check id '{check.id}' stands twice")
        found.append(check)
    return tuple(found)


def _block(body: Sequence[tuple[int, str]]) -> tuple[int, str]:
    """The fenced block of the section, else its whole body, and the line where it begins."""
    fences = [i for i, (_, line) in enumerate(body) if _FENCE.match(line)]
    inside = body[fences[0] + 1 : fences[1]] if len(fences) > 1 else body
    if len(fences) == 1 or not any(line.strip() for _, line in inside):
        _refuse(body[0][0] - 1 if body else 1, "checks: no TOML block, or one that never ends")
    return inside[0][0], "\n".join(line for _, line in inside)


def _refuse(line: int, message: str) -> NoReturn:
    raise FormatError(message, field="rubric", text_line=line)


def _constraint(
    row: Mapping[str, Any], line: int, conditions: Mapping[str, str], default: str
) -> Constraint:
    if unknown := [key for key in row if key not in _KINDS and key not in _OTHERS]:
        known = ", ".join((*_KINDS, *_OTHERS))
        _refuse(line, f"checks: unknown key '{unknown[0]}'; there are {known}")
    wanted = {key: row[key] for key in row if key in _KINDS}
    kinds = {_KINDS[key] for key in wanted}
    if len(kinds) != 1:
        _refuse(line, "checks: one kind of constraint a check, such as max_chars or contains")
    name, axis, points = row.get("id", default), row.get("axis"), row.get("points", 0)
    critical = row.get("critical")
    if not isinstance(name, str) or not name.strip():
        _refuse(line, "checks: the id must be a word")
    if axis is not None and axis not in AXES:
        _refuse(line, f"checks: unknown axis '{axis}'; use {', '.join(AXES)}")
    if type(points) is not int or not 0 <= points <= 100 or bool(points) != (axis is not None):
        _refuse(line, "checks: an axis and the points it costs (1 to 100) go together")
    if critical is not None and str(critical).upper() not in conditions:
        _refuse(line, f"checks: '{critical}' is not an id of the Critical Fail Conditions")
    pattern = _wanted(wanted, line, row.get("ignore_case", False))
    if row.get("ignore_case"):
        wanted["ignore_case"] = True
    critical = str(critical).upper() if critical is not None else None
    return Constraint(name, next(iter(kinds)), wanted, axis, points, critical, pattern)


def _wanted(wanted: dict[str, Any], line: int, ignore_case: Any) -> Pattern | None:
    """Check the values of the constraint; the pattern, when it is one."""
    for key, value in wanted.items():
        if key in _SIZES and (type(value) is not int or value < 0):
            _refuse(line, f"checks: {key} must be a whole number")
        if key in _WORDS:
            words = [value] if isinstance(value, str) else value
            if not isinstance(words, list) or not all(isinstance(w, str) and w for w in words):
                _refuse(line, f"checks: {key} must be a text or a list of texts")
            wanted[key] = words
        if key == "json" and value is not True:
            _refuse(line, "checks: json = true asks for valid JSON")
        if key == "language" and value not in LANGUAGES:
            _refuse(line, f"checks: language must be one of {', '.join(LANGUAGES)}")
        if key == "schema":
            _check_schema(value, line)
    if "matches" not in wanted:
        return None
    try:
        return Pattern(("(?i)" if ignore_case else "") + str(wanted["matches"]))
    except PatternError as wrong:
        _refuse(line, f"checks: matches: {wrong}")


def _check_schema(schema: Any, line: int) -> None:
    """A schema may not reach outside itself, nor run patterns that `re` could choke on."""
    try:
        import jsonschema
    except ImportError:
        _refuse(line, "checks: schema needs the extra: pip install 'oyer[schema]'")
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if not str(part.get("$ref", "#")).startswith("#"):
                _refuse(line, f"checks: schema: '{part['$ref']}' lies outside the schema")
            if "pattern" in part or "patternProperties" in part:
                _refuse(line, "checks: schema: no patterns; use a check with matches")
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as wrong:
        _refuse(line, f"checks: schema: {wrong.message}")


# ── deciding ─────────────────────────────────────────────────────────────────────────────────

Decision = tuple[bool, str]


def _size(unit: str, measure: Callable[[str], int]) -> Callable[[Constraint, str], Decision]:
    def decided(check: Constraint, response: str) -> Decision:
        size = measure(response)
        least, most = check.wanted.get(f"min_{unit}", 0), check.wanted.get(f"max_{unit}")
        return least <= size and (most is None or size <= most), f"{size} {unit}"

    return decided


def _plain(check: Constraint, text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    return text.casefold() if check.wanted.get("ignore_case") else text


def _contains(check: Constraint, response: str) -> Decision:
    text = _plain(check, response)
    absent = [word for word in check.wanted["contains"] if _plain(check, word) not in text]
    return not absent, f"absent: {', '.join(absent)}" if absent else "all there"


def _excludes(check: Constraint, response: str) -> Decision:
    text = _plain(check, response)
    there = [word for word in check.wanted["excludes"] if _plain(check, word) in text]
    return not there, f"there: {', '.join(there)}" if there else "none there"


def _matches(check: Constraint, response: str) -> Decision:
    assert check.pattern is not None
    found = check.pattern.occurs_in(response)
    return found, "matches" if found else "does not match"


def _reject(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _parsed(response: str) -> tuple[Any, str | None]:
    try:
        return json.loads(response, parse_constant=_reject), None
    except RecursionError:
        return None, "nested too deep"
    except ValueError as wrong:
        return None, f"not JSON: {wrong}"


def _json(check: Constraint, response: str) -> Decision:
    _, wrong = _parsed(response)
    return wrong is None, wrong or "valid JSON"


def _schema(check: Constraint, response: str) -> Decision:
    import jsonschema

    value, wrong = _parsed(response)
    if wrong is None:
        try:
            errors = jsonschema.Draft202012Validator(check.wanted["schema"]).iter_errors(value)
            first = next(iter(errors), None)
        except RecursionError:
            return False, "nested too deep"
        wrong = f"{first.json_path}: {first.message[:200]}" if first else None
    return wrong is None, wrong or "fits the schema"


def _language(check: Constraint, response: str) -> Decision:
    seen = detect(response)
    return seen == check.wanted["language"], f"language {seen}"


_DECIDERS: Final[Mapping[str, Callable[[Constraint, str], Decision]]] = {
    "chars": _size("chars", len),
    "words": _size("words", count),
    "contains": _contains,
    "excludes": _excludes,
    "matches": _matches,
    "json": _json,
    "schema": _schema,
    "language": _language,
}

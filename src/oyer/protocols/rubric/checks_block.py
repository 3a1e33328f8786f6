"""The `## checks` block of a rubric: TOML, one `[[check]]` and one kind of constraint each."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from oyer.protocols.rubric.constraints import LANGUAGES, UNITS, Constraint, has_segmenter
from oyer.protocols.rubric.markdown import RubricSection
from oyer.protocols.rubric.problems import Problems
from oyer.protocols.rubric.rules import AXES
from oyer.records import JsonObject
from oyer.text.pattern import Pattern, PatternError

_FENCE = re.compile(r"\s*(```|~~~)")
_AT = re.compile(r"\(at line (\d+), column (\d+)\)")

_SIZES: Final = {f"{end}_{unit}": unit for unit, end in product(UNITS, ("min", "max"))}
_TEXTS: Final = ("contains", "excludes", "any_of")
_PATTERNS: Final = ("matches", "not_matches")
#: Each key that asks for something, and the kind of constraint that it belongs to.
_KINDS: Final[Mapping[str, str]] = {
    **_SIZES,
    **{key: key for key in (*_TEXTS, *_PATTERNS, "json", "schema", "language")},
    "occurs": "occurs", "min_times": "occurs", "max_times": "occurs",
}  # fmt: skip
_OTHERS: Final = ("id", "axis", "points", "critical", "ignore_case", "segmenter")


class _Wrong(Exception):
    """A check that cannot be used."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What a check must fit: the rubric's critical-fail ids, and the maxima of its axes."""

    conditions: Mapping[str, str]
    limits: Mapping[str, int] | None


def read_constraints(
    section: RubricSection,
    conditions: Mapping[str, str],
    limits: Mapping[str, int] | None,
    problems: Problems,
) -> tuple[Constraint, ...]:
    """The checks of the section, in order; what is wrong goes to `problems`."""
    block = _block(section, problems)
    if block is None:
        return ()
    first, source = block
    try:
        table = tomllib.loads(source)
    except tomllib.TOMLDecodeError as wrong:
        at = _AT.search(str(wrong))
        line = first + (int(at[1]) - 1 if at else source.count("\n"))
        hint = "a check is a line [[check]] and below it a line such as max_chars = 400"
        problems.add(line, f"checks: not TOML: {wrong}", hint, int(at[2]) if at else None)
        return ()
    except RecursionError:
        problems.add(first, "checks: nested too deep")
        return ()
    rows = table.get("check")
    if set(table) != {"check"} or not isinstance(rows, list):
        problems.add(first, "checks: write each one as a table [[check]]")
        return ()
    starts = [
        n for n, line in section.body if line.strip().replace(" ", "").startswith("[[check]]")
    ]
    lines = starts if len(starts) == len(rows) else [first] * len(rows)
    return tuple(_read_all(rows, lines, _Around(conditions, limits), problems))


def _read_all(
    rows: Sequence[object], lines: Sequence[int], around: _Around, problems: Problems
) -> list[Constraint]:
    found: list[Constraint] = []
    for at, (row, line) in enumerate(zip(rows, lines, strict=True), 1):
        try:
            check = _constraint(row, f"check-{at}", around)
        except _Wrong as wrong:
            problems.add(line, f"checks: {wrong}")
            continue
        if any(check.id == other.id for other in found):
            problems.add(line, f"the check id '{check.id}' stands twice")
            continue
        _warn_of_contradiction(check, found, line, problems)
        found.append(check)
    _warn_of_cost(found, lines, around.limits, problems)
    return found


def _warn_of_contradiction(
    check: Constraint, before: Sequence[Constraint], line: int, problems: Problems
) -> None:
    """Two sizes in two checks that no response has at once."""
    for other in before:
        if check.kind != other.kind or check.kind not in UNITS:
            continue
        for lower, upper in ((check, other), (other, check)):
            least = lower.wanted.get(f"min_{check.kind}")
            most = upper.wanted.get(f"max_{check.kind}")
            if least is not None and most is not None and least > most:
                message = f"checks: no response passes both '{other.id}' and '{check.id}'"
                problems.warn(line, message, f"{least} {check.kind} at least, {most} at most")


def _warn_of_cost(
    checks: Sequence[Constraint],
    lines: Sequence[int],
    limits: Mapping[str, int] | None,
    problems: Problems,
) -> None:
    """Checks that cost more than their axis has; it then stops at 0."""
    for axis, most in (limits or {}).items():
        cost = sum(check.points for check in checks if check.axis == axis)
        if cost > most:
            problems.warn(
                lines[-1], f"checks: together they cost {cost} points, but {axis} has {most}"
            )


def _block(section: RubricSection, problems: Problems) -> tuple[int, str] | None:
    """The one fenced block of the section, else its whole body, and the line where it begins."""
    body = section.body
    fences = [i for i, (_, line) in enumerate(body) if _FENCE.match(line)]
    inside = body[fences[0] + 1 : fences[1]] if len(fences) > 1 else body
    if len(fences) == 1 or not any(line.strip() for _, line in inside):
        problems.add(section.line, "checks: no TOML block, or one that never ends")
        return None
    around = (*body[: fences[0]], *body[fences[1] + 1 :]) if len(fences) == 2 else ()
    for line, text in around:
        if text.strip(" \t-*_>"):
            problems.warn(line, "checks: text beside the block is not read", "the judge sees it")
            break
    if len(fences) > 2:
        line = body[fences[2]][0]
        problems.add(line, "checks: a second block", "write all checks into the first")
    return inside[0][0], "\n".join(line for _, line in inside)


def _constraint(row: object, default: str, around: _Around) -> Constraint:
    if not isinstance(row, dict):
        raise _Wrong("write each one as a table [[check]]")
    _refuse_unknown(row)
    wanted = {key: row[key] for key in row if key in _KINDS}
    kinds = {_KINDS[key] for key in wanted}
    if len(kinds) != 1:
        raise _Wrong(
            "each check has one kind of constraint, such as max_chars or contains: "
            f"this one has {', '.join(wanted) or 'none'}; write another [[check]]"
        )
    kind = next(iter(kinds))
    name = row.get("id", default)
    if not isinstance(name, str) or not name.strip():
        raise _Wrong("the id must be a word")
    axis, points = _cost(row, around.limits)
    ignore_case = row.get("ignore_case", False)
    if not isinstance(ignore_case, bool):
        raise _Wrong("ignore_case is true or false")
    _check_values(wanted)
    if ignore_case:
        wanted["ignore_case"] = True
    if "segmenter" in row:
        wanted["segmenter"] = _segmenter(row["segmenter"], kind)
    pattern = _pattern(wanted, ignore_case)
    return Constraint(name, kind, wanted, axis, points, _critical(row, around), pattern)


def _refuse_unknown(row: JsonObject) -> None:
    known = (*_KINDS, *_OTHERS)
    for key in row:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(known)}"
            raise _Wrong(f"unknown key '{key}'{hint}")


def _cost(row: JsonObject, limits: Mapping[str, int] | None) -> tuple[str | None, int]:
    axis, points = row.get("axis"), row.get("points", 0)
    if axis is not None and axis not in AXES:
        raise _Wrong(f"unknown axis '{axis}'; use {', '.join(AXES)}")
    if type(points) is not int or not 0 <= points <= 100 or bool(points) != (axis is not None):
        raise _Wrong("axis and points go together: where a failure costs, and how much (1 to 100)")
    if axis is not None and limits is not None and points > limits[axis]:
        raise _Wrong(f"it costs {points} points, but {axis} has at most {limits[axis]}")
    return axis, points


def _critical(row: JsonObject, around: _Around) -> str | None:
    critical = row.get("critical")
    if critical is None:
        return None
    if str(critical).upper() not in around.conditions:
        known = ", ".join(around.conditions) or "there are none"
        raise _Wrong(f"'{critical}' is not an id of the Critical Fail Conditions ({known})")
    return str(critical).upper()


def _segmenter(name: object, kind: str) -> str:
    if kind != "words" or name != "sudachi":
        raise _Wrong("segmenter = 'sudachi' goes with min_words or max_words")
    if not has_segmenter():
        raise _Wrong("segmenter needs the extra: pip install 'oyer[japanese]'")
    return "sudachi"


def _check_values(wanted: dict[str, object]) -> None:
    """The values of the constraint; a single text becomes a list of one."""
    for key, value in wanted.items():
        if key in _SIZES or key in ("min_times", "max_times"):
            if type(value) is not int or value < 0:
                raise _Wrong(f"{key} must be a whole number")
        elif key in _TEXTS:
            wanted[key] = _texts(key, value)
        elif key == "occurs" and not (isinstance(value, str) and value.strip()):
            raise _Wrong("occurs must be a text; min_times and max_times say how often")
        elif key == "json" and value is not True:
            raise _Wrong("json = true asks for valid JSON")
        elif key == "language" and value not in LANGUAGES:
            raise _Wrong(f"language must be one of {', '.join(LANGUAGES)}")
        elif key == "schema":
            _check_schema(value)
    _check_bounds(wanted)


def _texts(key: str, value: object) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts:
        raise _Wrong(f"{key} must be a text or a list of texts")
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise _Wrong(f"{key} must be a text or a list of texts, none of them empty")
    return texts


def _check_bounds(wanted: JsonObject) -> None:
    for unit in (*UNITS, "times"):
        least, most = wanted.get(f"min_{unit}"), wanted.get(f"max_{unit}")
        if least is not None and most is not None and least > most:
            raise _Wrong(f"min_{unit} = {least} is more than max_{unit} = {most}: nothing passes")
    if "occurs" in wanted and not {"min_times", "max_times"} & wanted.keys():
        raise _Wrong("occurs needs min_times or max_times")
    if {"min_times", "max_times"} & wanted.keys() and "occurs" not in wanted:
        raise _Wrong("min_times and max_times need occurs = 'the text that is counted'")


def _pattern(wanted: JsonObject, ignore_case: bool) -> Pattern | None:
    key = next((key for key in _PATTERNS if key in wanted), None)
    if key is None:
        return None
    if not isinstance(wanted[key], str) or not wanted[key]:
        raise _Wrong(f"{key} must be a regular expression")
    try:
        return Pattern(("(?i)" if ignore_case else "") + wanted[key])
    except PatternError as wrong:
        raise _Wrong(f"{key}: {wrong}") from wrong


def _check_schema(schema: object) -> None:
    """A schema may not reach outside itself, nor run patterns that `re` could choke on."""
    try:
        import jsonschema
    except ImportError:
        raise _Wrong("schema needs the extra: pip install 'oyer[schema]'") from None
    pending = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            if not str(part.get("$ref", "#")).startswith("#"):
                raise _Wrong(f"schema: '{part['$ref']}' lies outside the schema")
            if "pattern" in part or "patternProperties" in part:
                raise _Wrong("schema: no patterns; use a check with matches")
            pending += part.values()
        elif isinstance(part, list):
            pending += part
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as wrong:
        raise _Wrong(f"schema: {wrong.message}") from wrong

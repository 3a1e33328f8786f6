"""A rubric file -> what code needs of it. Headings decide, never a word somewhere in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NoReturn

from oyer.errors import FormatError
from oyer.protocols.rubric.constraints import Constraint, read_constraints
from oyer.protocols.rubric.rules import AXES, RULES, TYPES
from oyer.text.values import metric_name

MAX_CHARS: Final = 200_000

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_SUFFIX = r"(?=$|[\s(（:：\-–—])"
_TASK = re.compile(r"(?:タスク|task)\s*[:：]\s*(.*)", re.IGNORECASE)
_TYPE = re.compile(r"task[_ ]type\s*[:：]\s*(.*)", re.IGNORECASE)
_WEIGHTS = re.compile(r"weights\s*[:：]\s*(.*)", re.IGNORECASE)
_FACTS = re.compile(rf"(?:採点者向け事実情報|facts for the judge){_SUFFIX}", re.IGNORECASE)
_CRITICAL = re.compile(rf"critical fail conditions{_SUFFIX}", re.IGNORECASE)
_CHECKS = re.compile(r"checks\s*[:：]?\s*(?:[(（].*)?$", re.IGNORECASE)
_AXIS = re.compile(
    r"(?:\d+[.)．]\s*)?(?:(logic(?:\s*[&＆]\s*|[\s_]+and[\s_]+)fact)|(constraint[\s_]+adherence)"
    r"|(helpfulness(?:\s*[&＆]\s*|[\s_]+and[\s_]+)creativity))(?![\w])(.*)",
    re.IGNORECASE,
)
_MAXIMUM = re.compile(r"(?<!\d)[0０]\s*[〜～~\-–—−－]\s*(\d{1,3})(?!\d)")
_ID = r"[A-Za-z]{1,8}-?\d{1,4}[A-Za-z]?"
_ITEM = re.compile(rf"\s*(?:[-*+]|\d+[.)])\s+[*_`]*({_ID})(?![\w-])[*_`]*\s*[:：.)\-–—]*\s*(.*)")
_RULER = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
_NONE = frozenset({"none", "なし", "無し"})
_WEIGHT = re.compile(r"\s*(\w+)\s*[=＝]\s*(\S+)\s*")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the lines under it, up to the next heading of its level or above."""

    line: int
    level: int
    title: str
    body: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a rubric says that code acts on. `weights` are None when the task type decides."""

    task: str
    task_type: str | None
    weights: Mapping[str, int] | None
    facts: str | None
    conditions: Mapping[str, str]
    constraints: tuple[Constraint, ...]
    language: str = "en"  # that of its task heading, so that no word in the text can change it

    def weights_for(self, task_type: str) -> Mapping[str, int]:
        """RB-WEIGHTS: the rubric's own, else those of the type."""
        return self.weights or TYPES[task_type]


@lru_cache(maxsize=256)
def parse_rubric(text: str) -> Rubric:
    """The rubric of a Markdown text; raises `FormatError` with the line that is wrong."""
    if len(text) > MAX_CHARS:
        _refuse(1, f"the rubric has {len(text)} characters; at most {MAX_CHARS} are read")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    sections = tuple(_sections(lines))
    task = _only(sections, _TASK, "task name")
    named = _only(sections, _TYPE, "task_type")
    weighed = _only(sections, _WEIGHTS, "weights")
    critical = _only(sections, _CRITICAL, "Critical Fail Conditions")
    facts = _only(sections, _FACTS, "facts for the judge")
    checks = _only(sections, _CHECKS, "checks")
    axes = [s for s in sections if _AXIS.fullmatch(s.title)]
    if not any((task, named, weighed, critical, axes)):
        _refuse(1, "this is no rubric: it has none of the headings, such as '## Task: <name>'")
    task_type = _task_type(named) if named else None
    weights = _weights(weighed) if weighed else None
    maxima = _maxima(axes, weights or (TYPES[task_type] if task_type else None))
    conditions = _conditions(_without_axes(critical, sections)) if critical else {}
    return Rubric(
        task=_after_colon(task.title) if task else "",
        task_type=task_type,
        weights=weights or (maxima if task_type is None else None),
        facts=_text(_without_axes(facts, sections)) if facts else None,
        conditions=conditions,
        constraints=_checks(_without_axes(checks, sections), conditions) if checks else (),
        language="ja" if task and task.title.startswith("タスク") else "en",
    )


def _refuse(line: int, message: str) -> NoReturn:
    raise FormatError(message, field="rubric", text_line=line)


def _sections(lines: Sequence[str]) -> Iterator[Section]:
    """Every heading outside code blocks, with its body."""
    heads: list[tuple[int, int, str]] = []
    fence = ""
    for number, line in enumerate(lines, 1):
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = ""
        elif not fence and (head := _HEADING.match(line)):
            heads.append((number, len(head[1]), head[2]))
    for at, (number, level, title) in enumerate(heads):
        after = (later[0] for later in heads[at + 1 :] if later[1] <= level)
        end = next(after, len(lines) + 1)
        body = tuple((n, lines[n - 1]) for n in range(number + 1, end))
        yield Section(number, level, title, body)


def _only(sections: Sequence[Section], title: re.Pattern[str], name: str) -> Section | None:
    """The one `##` section of that title; two of them, or only one of another level: an error."""
    named = [section for section in sections if title.match(section.title)]
    found = [section for section in named if section.level == 2]
    for again in found[1:]:
        _refuse(again.line, f"a second heading for {name}; the first is in line {found[0].line}")
    if named and not found:
        _refuse(named[0].line, f"write the heading for {name} with '## '")
    return found[0] if found else None


def _without_axes(section: Section, sections: Sequence[Section]) -> Section:
    """An axis may stand at any level, so also within a section that it is no part of: axes are
    left out there, and headings under which there is nothing but axes."""
    own = {number for number, _ in section.body}
    strange: set[int] = set()
    for one in reversed([s for s in sections if s.line in own]):  # what is inside comes first
        inside = {number for number, line in one.body if line.strip()}
        if _AXIS.fullmatch(one.title) or (inside and inside <= strange):
            strange |= {one.line, *(number for number, _ in one.body)}
    return replace(section, body=tuple(row for row in section.body if row[0] not in strange))


def _text(section: Section) -> str:
    return "\n".join(line for _, line in section.body).strip()


def _checks(section: Section, conditions: Mapping[str, str]) -> tuple[Constraint, ...]:
    return read_constraints(section.body, conditions)


def _after_colon(title: str) -> str:
    return re.split(r"[:：]", title, maxsplit=1)[-1].strip()


def _task_type(section: Section) -> str:
    written = _after_colon(section.title).strip("`")
    if metric_name(written) not in TYPES:
        _refuse(section.line, f"unknown task_type '{written[:40]}'; use {', '.join(TYPES)}")
    return metric_name(written)


def _weights(section: Section) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in re.split(r"[,、，]", _after_colon(section.title)):
        match = _WEIGHT.fullmatch(part)
        if match is None or match[1] not in AXES:
            _refuse(section.line, f"weights: '{part.strip()[:60]}' is not <axis>=<points>")
        if match[1] in found:
            _refuse(section.line, f"weights: {match[1]} stands twice")
        if not (match[2].isascii() and match[2].isdigit()) or len(match[2]) > 3:
            _refuse(section.line, f"weights: '{match[2][:20]}' is not a whole number")
        found[match[1]] = int(match[2])
    if missing := [axis for axis in AXES if axis not in found]:
        _refuse(section.line, f"weights: {', '.join(missing)} missing")
    _sum_up(found, section.line, "the weights")
    return {axis: found[axis] for axis in AXES}


def _sum_up(points: Mapping[str, int], line: int, what: str) -> None:
    wanted, total = RULES["RB-WEIGHTS"].values["sum"], sum(points.values())
    if total != wanted:
        _refuse(line, f"{what} sum to {total}, not to {wanted}")


def _maxima(axes: Sequence[Section], weights: Mapping[str, int] | None) -> Mapping[str, int] | None:
    """The maxima in the axis headings, which must be the weights where there are any."""
    found: dict[str, int] = {}
    for section in axes:
        match = _AXIS.fullmatch(section.title)
        assert match is not None
        axis = AXES[next(i for i in range(3) if match[i + 1])]
        if axis in found:
            _refuse(section.line, f"a second section for {axis}")
        maximum = _MAXIMUM.search(match[4])
        if maximum is None:
            _refuse(section.line, f"the heading of {axis} lacks its maximum, such as '(0-60)'")
        found[axis] = int(maximum[1])
        if weights and found[axis] != weights[axis]:
            told = f"its weight is {weights[axis]}"
            _refuse(section.line, f"the maximum of {axis} is {found[axis]}, but {told}")
    if len(found) < len(AXES):
        return None
    _sum_up(found, axes[-1].line, "the maxima of the axes")
    return {axis: found[axis] for axis in AXES}


def _conditions(section: Section) -> dict[str, str]:
    """The ids and conditions of a table or list; nothing for "none" or なし."""
    found: dict[str, str] = {}
    for line, name, condition in _rows(section):
        key = name.upper()
        if key in found:
            _refuse(line, f"the critical-fail id {name} stands twice")
        found[key] = condition
    if found:
        return found
    words = "".join(line for _, line in section.body if line.strip() != "---")
    said = words.strip(" \t>*_`-.。").casefold()
    if said not in _NONE:
        _refuse(
            section.line,
            "Critical Fail Conditions has neither a table or list of ids (CF-1 …) nor 'none'",
        )
    return {}


def _rows(section: Section) -> Iterator[tuple[int, str, str]]:
    """List items that begin with an id, and the rows of tables that have ids."""
    table: list[tuple[int, str, str]] = []
    behind_ruler = False
    for number, line in (*section.body, (0, "")):
        if not line.lstrip().startswith("|"):
            yield from _with_ids(table)
            table, behind_ruler = [], False
            if item := _ITEM.fullmatch(line):
                yield number, item[1], item[2].strip()
        elif _RULER.fullmatch(line):
            behind_ruler = True
        elif behind_ruler:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            table.append((number, cells[0].strip("*_` "), " ".join(cells[1:])))


def _with_ids(table: Sequence[tuple[int, str, str]]) -> Sequence[tuple[int, str, str]]:
    """All rows of a table of conditions; none of one that has no ids, such as examples."""
    named = [row for row in table if re.fullmatch(_ID, row[1])]
    for number, name, _ in table:
        if named and not re.fullmatch(_ID, name):
            _refuse(number, f"a critical-fail condition without an id such as CF-1: '{name}'")
    return named

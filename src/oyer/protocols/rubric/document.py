"""A rubric file -> what code needs of it. Headings decide, never a word somewhere in the text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from oyer.protocols.rubric.checks_block import read_constraints
from oyer.protocols.rubric.conditions import read_conditions
from oyer.protocols.rubric.constraints import Constraint
from oyer.protocols.rubric.markdown import Outline, RubricSection, read_outline
from oyer.protocols.rubric.problems import Problems
from oyer.protocols.rubric.rules import AXES, HOLISTIC, RULES, TYPE_NAMES, TYPES
from oyer.text.values import metric_name

MAX_CHARS: Final = 200_000

_SUFFIX = r"(?=$|[\s(（:：\-–—])"
_TASK = re.compile(r"(?:タスク|task)\s*[:：]\s*(.*)", re.IGNORECASE)
_TYPE = re.compile(r"task[_ ]type\s*[:：]\s*(.*)", re.IGNORECASE)
_WEIGHTS = re.compile(r"weights\s*[:：]\s*(.*)", re.IGNORECASE)
_FACTS = re.compile(
    rf"(?:採点者向け事実情報|採点者向け前提|facts for the judge){_SUFFIX}", re.IGNORECASE
)
_CRITICAL = re.compile(rf"critical fail conditions{_SUFFIX}", re.IGNORECASE)
_CHECKS = re.compile(r"checks\s*[:：]?\s*(?:[(（].*)?$", re.IGNORECASE)
_AXIS = re.compile(
    r"(?:\d+[.)．]\s*)?(?:(logic(?:\s*[&＆]\s*|[\s_]+and[\s_]+)fact)|(constraint[\s_]+adherence)"
    r"|(helpfulness(?:\s*[&＆]\s*|[\s_]+and[\s_]+)creativity))(?![\w])(.*)",
    re.IGNORECASE,
)
_MAXIMUM = re.compile(r"(?<!\d)[0０]\s*[〜～~\-–—−－]\s*(\d{1,3})(?!\d)")
#: A setting written as a plain line, perhaps bold or in a list: `**task_type**: fact`.
_SETTING = re.compile(
    r"[\s>*_`+-]*(task[_\- ]type|weights)[*_`]*\s*[:：][*_`]*\s*\S.*", re.IGNORECASE
)
_WITH_ID = re.compile(r"[\s|>*_`+-]*(?:\d+[.)]\s+)?[*_`]*CF-?\d+\b.*")
_WEIGHT = re.compile(r"\s*(\w+)\s*[=＝]\s*(\S+)\s*")

_EXAMPLE: Final = "logic_and_fact=60, constraint_adherence=30, helpfulness_and_creativity=10"
_TITLES: Final = dict(
    zip(AXES, ("Logic & Fact", "Constraint Adherence", "Helpfulness & Creativity"), strict=True)
)
#: Every heading that code reads, as an author writes it. What comes near to one was meant.
_HEADINGS: Final = (
    "Task", "タスク", "task_type", "weights", "Facts for the judge", "採点者向け事実情報",
    "採点者向け前提", "Critical Fail Conditions", "checks", "Logic & Fact",
    "Constraint Adherence", "Helpfulness & Creativity",
)  # fmt: skip
_NEAR = 0.8  # likeness from which a heading is taken for a slip
_ALIASES: Final = {"critical fail": "Critical Fail Conditions",
                   "critical failures": "Critical Fail Conditions",
                   "critical failure conditions": "Critical Fail Conditions"}  # fmt: skip


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
    sections: tuple[str, ...] = ()  # the headings of its axes
    unread: tuple[str, ...] = ()  # headings that only the judge reads

    def weights_for(self, task_type: str) -> Mapping[str, int]:
        """RB-WEIGHTS: the rubric's own, else those of the type."""
        return self.weights or TYPES[task_type]


@lru_cache(maxsize=256)
def parse_rubric(text: str) -> Rubric:
    """The rubric of a Markdown text; raises `FormatError` with the first line that is wrong."""
    rubric, problems = read_rubric(text)
    problems.raise_first()
    return rubric


def read_rubric(text: str) -> tuple[Rubric, Problems]:
    """What was understood, and everything that is wrong."""
    problems = Problems()
    if len(text) > MAX_CHARS:
        message = f"the rubric has {len(text)} characters; at most {MAX_CHARS} are read"
        problems.add(1, message)
        text = text[:MAX_CHARS]
    outline = read_outline(text)
    sections = outline.sections
    task = _find(sections, _TASK, "task name", problems)
    named = _find(sections, _TYPE, "task_type", problems)
    weighed = _find(sections, _WEIGHTS, "weights", problems)
    critical = _find(sections, _CRITICAL, "Critical Fail Conditions", problems)
    facts = _find(sections, _FACTS, "facts for the judge", problems)
    checks = _find(sections, _CHECKS, "checks", problems)
    axes = [section for section in sections if _AXIS.fullmatch(section.title)]
    _tell_near_misses(outline, problems)
    _tell_loose_settings(outline, {"task_type": named, "weights": weighed}, problems)
    if critical is None:
        _tell_loose_conditions(sections, problems)
    if not any((task, named, weighed, critical, axes)) and not problems.errors:
        problems.add(1, "this is no rubric: it has none of the headings, such as '## Task: <name>'")
    task_type = _task_type(named, problems) if named else None
    weights = _weights(weighed, problems) if weighed else None
    maxima = _maxima(axes, weights or TYPES.get(task_type or ""), problems)
    if task_type == HOLISTIC and named and not (weights or maxima):
        problems.add(
            named.line, "the type holistic has no weights of its own", "add '## weights: …'"
        )
    own = weights or (maxima if task_type in (None, HOLISTIC) else None)
    conditions = read_conditions(_strip_axes(critical, sections), problems) if critical else {}
    limits = own or TYPES.get(task_type or "")
    rubric = Rubric(
        task=_after_colon(task.title) if task else "",
        task_type=task_type,
        weights=own,
        facts=_text(_strip_axes(facts, sections)) if facts else None,
        conditions=conditions,
        constraints=_constraints(checks, sections, conditions, limits, problems),
        language="ja" if task and task.title.startswith("タスク") else "en",
        sections=tuple(section.title for section in axes),
        unread=tuple(s.title for s in sections if s.level == 2 and not _is_known(s.title)),
    )
    return rubric, problems


def _find(
    sections: Sequence[RubricSection], title: re.Pattern[str], name: str, problems: Problems
) -> RubricSection | None:
    """The one `##` section of that title; two of them, or only one of another level: an error."""
    named = [section for section in sections if title.match(section.title)]
    found = [section for section in named if section.level == 2]
    for again in found[1:]:
        message = f"a second heading for {name}; the first is in line {found[0].line}"
        problems.add(again.line, message, "keep one of them")
    if named and not found:
        marks = "#" * named[0].level
        message = f"the heading for {name} begins with '{marks} '"
        problems.add(named[0].line, message, "it must begin with '## '")
    return found[0] if found else None


# ── what was meant as a heading ───────────────────────────────────────────────────────────────


def _tell_near_misses(outline: Outline, problems: Problems) -> None:
    """A heading that is nearly one that is read, where the right one stands nowhere."""
    right = {
        _near_heading(section.title) for section in outline.sections if _is_known(section.title)
    }
    for section in outline.sections:
        meant = "" if _is_known(section.title) else _near_heading(section.title)
        if meant and meant not in right:
            message = f"the heading '{section.title[:60]}' is not one that is read"
            problems.add(section.line, message, f"did you mean '## {meant}'?")
    for section in outline.loose:
        if _is_known(section.title) or _near_heading(section.title):
            message = f"'{section.title[:60]}' is no heading here"
            hint = f"write '{'#' * section.level} ', with ASCII marks and an ordinary blank"
            problems.add(section.line, message, hint)
    for section in outline.hidden:
        if _is_known(section.title):
            message = f"the heading '{section.title[:60]}' stands in a comment and is not read"
            problems.warn(section.line, message)


def _tell_loose_settings(
    outline: Outline, headings: Mapping[str, RubricSection | None], problems: Problems
) -> None:
    """`task_type: fact` as a plain line, where no heading says it."""
    for number, line in outline.prose:
        match = _SETTING.fullmatch(line)
        name = re.sub(r"[\- ]", "_", match[1].casefold()) if match else ""
        if match and headings.get(name) is None:
            message = f"'{line.strip()[:60]}' is no heading, so it is not read"
            problems.add(number, message, f"write '## {name}: …'")
    if outline.open_comment is not None:
        message = "a comment begins here and is never closed: the rest is not read"
        problems.add(outline.open_comment, message, "close it with '-->'")


def _tell_loose_conditions(sections: Sequence[RubricSection], problems: Problems) -> None:
    """Ids of critical fails under a heading that is not read."""
    for section in sections:
        if section.level != 2 or _is_known(section.title) or problems.on(section):
            continue
        if any(_WITH_ID.fullmatch(line) for _, line in section.body):
            message = f"the heading '{section.title[:60]}' is not read, but has ids such as CF-1"
            problems.add(section.line, message, "did you mean '## Critical Fail Conditions'?")


def _is_known(title: str) -> bool:
    patterns = (_TASK, _TYPE, _WEIGHTS, _FACTS, _CRITICAL, _CHECKS)
    return any(p.match(title) for p in patterns) or _AXIS.fullmatch(title) is not None


def _near_heading(title: str) -> str:
    """The heading that a title is nearly; "" when it is one of the author's own."""
    bare = re.sub(r"^\d+[.)．]\s*", "", title)
    bare = re.split(r"[:：(（]", bare, maxsplit=1)[0].strip().replace("＆", "&").casefold()
    if bare in _ALIASES:
        return _ALIASES[bare]
    known = {_plain(name): name for name in _HEADINGS}
    near = difflib.get_close_matches(_plain(bare), known, n=1, cutoff=_NEAR)
    # "Tasks" is a word of its own; "task:" alone, or "weights" without its colon, is a slip.
    return known[near[0]] if near else ""


def _plain(title: str) -> str:
    return re.sub(r"[\s_\-]+", " ", title.casefold()).replace(" and ", " & ")


# ── the parts ─────────────────────────────────────────────────────────────────────────────────


def _strip_axes(section: RubricSection, sections: Sequence[RubricSection]) -> RubricSection:
    """An axis may stand at any level, so also within a section that it is no part of: axes are
    left out there, and headings under which there is nothing but axes."""
    own = {number for number, _ in section.body}
    strange: set[int] = set()
    for inner in reversed([s for s in sections if s.line in own]):  # what is inside comes first
        inside = {number for number, line in inner.body if line.strip()}
        if _AXIS.fullmatch(inner.title) or (inside and inside <= strange):
            strange |= {inner.line, *(number for number, _ in inner.body)}
    return replace(section, body=tuple(row for row in section.body if row[0] not in strange))


def _text(section: RubricSection) -> str:
    return "\n".join(line for _, line in section.body).strip()


def _constraints(
    checks: RubricSection | None,
    sections: Sequence[RubricSection],
    conditions: Mapping[str, str],
    limits: Mapping[str, int] | None,
    problems: Problems,
) -> tuple[Constraint, ...]:
    if checks is None:
        return ()
    return read_constraints(_strip_axes(checks, sections), conditions, limits, problems)


def _after_colon(title: str) -> str:
    return re.split(r"[:：]", title, maxsplit=1)[-1].strip()


def _task_type(section: RubricSection, problems: Problems) -> str | None:
    written = _after_colon(section.title).strip("`")
    name = metric_name(written)
    if name in TYPE_NAMES:
        return name
    near = difflib.get_close_matches(name, TYPE_NAMES, n=1)
    hint = f"did you mean '{near[0]}'?" if near else ""
    message = f"unknown task_type '{written[:40]}'; use {', '.join(TYPE_NAMES)}"
    problems.add(section.line, message, hint)
    return None


def _weights(section: RubricSection, problems: Problems) -> dict[str, int] | None:
    found: dict[str, int] = {}
    before = len(problems.errors)
    for part in re.split(r"[,、，]", _after_colon(section.title)):
        match = _WEIGHT.fullmatch(part)
        if match is None or match[1] not in AXES:
            near = difflib.get_close_matches(match[1], AXES, n=1) if match else []
            hint = f"did you mean '{near[0]}'?" if near else f"write {_EXAMPLE}"
            message = f"weights: '{part.strip()[:60]}' is not <axis>=<points>"
            problems.add(section.line, message, hint)
        elif match[1] in found:
            problems.add(section.line, f"weights: {match[1]} stands twice")
        elif not (match[2].isascii() and match[2].isdigit()) or len(match[2]) > 3:
            problems.add(section.line, f"weights: '{match[2][:20]}' is not a whole number")
        else:
            found[match[1]] = int(match[2])
    if len(problems.errors) > before:
        return None
    if missing := [axis for axis in AXES if axis not in found]:
        problems.add(section.line, f"weights: {', '.join(missing)} missing", f"write {_EXAMPLE}")
        return None
    _sum_up(found, section.line, "the weights", problems)
    return {axis: found[axis] for axis in AXES}


def _sum_up(points: Mapping[str, int], line: int, what: str, problems: Problems) -> None:
    wanted = RULES["RB-WEIGHTS"].values["sum"]
    total = sum(points.values())
    if total != wanted:
        parts = " + ".join(str(value) for value in points.values())
        problems.add(line, f"{what} sum to {total}, not to {wanted}", f"change one of {parts}")


def _maxima(
    axes: Sequence[RubricSection], weights: Mapping[str, int] | None, problems: Problems
) -> Mapping[str, int] | None:
    """The maxima in the axis headings, which must be the weights where there are any.

    None where no heading has one: then the type decides, also a type that the judge infers.
    """
    lines: dict[str, int] = {}
    found: dict[str, int] = {}
    for section in axes:
        match = _AXIS.fullmatch(section.title)
        assert match is not None
        axis = AXES[next(i for i in range(3) if match[i + 1])]
        if axis in lines:
            problems.add(section.line, f"a second section for {axis}")
            continue
        lines[axis] = section.line
        maximum = _MAXIMUM.search(match[4])
        if maximum is None:
            continue
        found[axis] = int(maximum[1])
        if weights and found[axis] != weights[axis]:
            message = f"the maximum of {axis} is {found[axis]}, but its weight is {weights[axis]}"
            hint = f"write (0-{weights[axis]}), or all three maxima as '## weights: {_EXAMPLE}'"
            problems.add(section.line, message, hint)
    _tell_missing_axes(lines, found, weights is not None, problems)
    if weights is not None or len(found) < len(AXES):
        return None
    _sum_up(found, axes[-1].line, "the maxima of the axes", problems)
    return {axis: found[axis] for axis in AXES}


def _tell_missing_axes(
    lines: Mapping[str, int], maxima: Mapping[str, int], weighed: bool, problems: Problems
) -> None:
    """All axes or none; and of their maxima all or none, unless the weights are known."""
    if not lines:
        return
    last = max(lines.values())
    for axis in AXES:
        if axis not in lines:
            hint = f"each axis has one: add '## {_TITLES[axis]}' with its maximum, such as (0-30)"
            problems.add(last, f"there is no section for {axis}", hint)
        elif maxima and axis not in maxima and not weighed:
            message = f"the heading of {axis} lacks its maximum"
            hint = f"add what is left of 100, as in '## {_TITLES[axis]} (0-30)'"
            problems.add(lines[axis], message, hint)

"""The critical-fail conditions of a rubric: a list or a table of ids, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from oyer.protocols.rubric.markdown import RubricSection
from oyer.protocols.rubric.problems import Problems

_ID = r"[A-Za-z]{1,8}-?\d{1,4}[A-Za-z]?"
_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d+[.)])\s+(.*)")
_NAMED = re.compile(rf"[*_`]*({_ID})(?![\w-])[*_`]*\s*[:：.)\-–—]*\s*(.*)")
_RULER = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
_NONE = frozenset({"none", "なし", "無し"})


@dataclass(frozen=True, slots=True)
class _Row:
    """A list item, or a row of a table."""

    line: int
    name: str  # "": without an id
    text: str
    table: int = 0  # which table of the section; 0: a list item


def read_conditions(section: RubricSection, problems: Problems) -> dict[str, str]:
    """Ids and conditions; nothing for "none" or なし."""
    rows = [*_items(section), *_table_rows(section)]
    with_ids = {row.table for row in rows if row.name}
    found: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: row.line):
        if not row.name:
            if row.table in with_ids:  # a table or list without any id is prose: examples …
                message = f"a critical-fail condition without an id such as CF-1: '{row.text[:40]}'"
                problems.add(row.line, message, "give it an id of its own")
        elif row.name.upper() in found:
            problems.add(row.line, f"the critical-fail id {row.name} stands twice")
        else:
            found[row.name.upper()] = row.text
    if not found and not _says_none(section) and not problems.on(section):
        problems.add(
            section.line,
            "Critical Fail Conditions has neither a table or list of ids (CF-1 …) nor 'none'",
            "write each condition as '- CF-1: …'",
        )
    return found


def _says_none(section: RubricSection) -> bool:
    words = "".join(line for _, line in section.body if line.strip() != "---")
    return words.strip(" \t>*_`-.。").casefold() in _NONE


def _items(section: RubricSection) -> Iterator[_Row]:
    """List items that begin with an id, and those without one at the outermost level."""
    bullets = [
        (number, len(bullet[1].expandtabs(4)), bullet[2])
        for number, line in section.body
        if (bullet := _BULLET.fullmatch(line)) and not line.lstrip().startswith("|")
    ]
    outermost = min((indent for _, indent, _ in bullets), default=0)
    for number, indent, text in bullets:
        if named := _NAMED.fullmatch(text):
            yield _Row(number, named[1], named[2].strip())
        elif indent == outermost:  # a deeper one explains the condition above it
            yield _Row(number, "", text.strip())


def _table_rows(section: RubricSection) -> Iterator[_Row]:
    """The rows of all tables. One that a blank line has cut off from its table belongs to it."""
    table = 0
    inside = False
    lines = [*section.body, (0, "")]
    for (number, line), (_, following) in pairwise(lines):
        if not line.lstrip().startswith("|"):
            inside = False
        elif _RULER.fullmatch(line):
            inside = True
        elif _RULER.fullmatch(following) and following.strip():
            table += 1  # the head of a new table
        elif inside or table:
            yield _row(number, line, table)


def _row(number: int, line: str, table: int) -> _Row:
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
    name = cells[0].strip("*_` ")
    if re.fullmatch(_ID, name):
        return _Row(number, name, " ".join(cells[1:]), table)
    return _Row(number, "", name, table)

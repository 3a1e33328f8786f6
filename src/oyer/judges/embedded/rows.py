"""Rows of a table: a row says something only with the headings of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

CELLS = re.compile(r"\||\t| {2,}")
RULE = re.compile(r"[\s|:+=-]*")  # the line under the headings
FEWEST = 3  # cells of a row


def spoken(text: str, span: tuple[int, int]) -> str:
    """The words of a stretch in one line; of a row, each cell after the heading of its column:
    "North: Units 1,240, Change +13.7%"."""
    line = text[slice(*span)]
    row = _cells(line)
    heads = _heads(text, span[0], row) if len(row) >= FEWEST else []
    if not heads:
        return " ".join(line.split())
    told = [f"{head} {cell}" for head, cell in zip(heads[1:], row[1:], strict=True)]
    return f"{row[0]}: {', '.join(told)}"


def is_head(line: str, below: str) -> bool:
    """Whether a line has the headings of the row below it: words above figures."""
    heads, row = _cells(line), _cells(below)
    same = len(heads) == len(row) >= FEWEST
    return same and all(map(_worded, heads[1:])) and not all(map(_worded, row[1:]))


def _heads(text: str, start: int, row: Sequence[str]) -> list[str]:
    """The first line above a row, as far as lines with as many cells go, if it is of headings."""
    top: list[str] = []
    for line in reversed(text[:start].split("\n")[:-1]):
        if line.strip() and RULE.fullmatch(line):
            continue
        if len(_cells(line)) != len(row):
            break
        top = _cells(line)
    worded = all(map(_worded, top[1:])) and not all(map(_worded, row[1:]))
    return top if top and worded else []


def _cells(line: str) -> list[str]:
    return [" ".join(cell.split()) for cell in CELLS.split(line.strip().strip("|"))]


def _worded(cell: str) -> bool:
    return any(letter.isalpha() for letter in cell)

"""Rows of a table: a row says something only with the headings of its columns.

Two forms leave no doubt which line has the headings: Markdown, by the rule under it, and CSV
(grids.py). Of other tables, set with blanks, tabs or bars, the first line is taken for headings
where it has words and the rows have figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from oyer.judges.embedded.grids import BAR, Row, find_rows

CELLS = re.compile(r"\||\t| {2,}")  # what stands between cells
BLANKS = re.compile(r"\t| {2,}")
RULE = re.compile(r"[\s|:+=-]*")  # the line under the headings
FEWEST = 3  # cells of a row


def spoken(text: str, span: tuple[int, int]) -> str:
    """The words of a stretch in one line; of a row, each cell after the heading of its column:
    "North: Units 1,240, Change +13.7%"."""
    told = _tell_rows(text, span)
    if told:
        return told
    heads, row = _read_plain_row(text, span)
    return tell(heads, row) if heads else " ".join(text[slice(*span)].split())


def read_row(text: str, span: tuple[int, int]) -> tuple[Sequence[str], Sequence[str]]:
    """The headings and cells of a row that is a sentence of its own; of other sentences none."""
    row = row_at(text, span[0])
    return (row.heads, row.words(text)[: len(row.heads)]) if row else _read_plain_row(text, span)


def _read_plain_row(text: str, span: tuple[int, int]) -> tuple[Sequence[str], Sequence[str]]:
    """The headings and cells of a row set with blanks, tabs or bars; of other lines none."""
    row = split_cells(text[slice(*span)])
    heads = _heads(text, span[0], row)
    return (heads, row) if heads else ((), ())


def tell(heads: Sequence[str], row: Sequence[str]) -> str:
    """Each cell after its heading, and all after the first, which says what the row is about;
    cells that are empty are left out."""
    pairs = zip(heads[1:], row[1:], strict=True)
    told = ", ".join(f"{head} {cell}".strip() for head, cell in pairs if cell)
    return ": ".join(part for part in (row[0], told) if part)


def row_at(text: str, start: int) -> Row | None:
    """The row of Markdown or CSV in whose line a place is."""
    rows = find_rows(text)
    return rows.get(text.rfind("\n", 0, start) + 1) if rows else None


def is_head(line: str, below: str) -> bool:
    """Whether a line has the headings of the row below it: words above figures."""
    heads, row = split_cells(line), split_cells(below)
    same = len(heads) == len(row) >= FEWEST
    return same and all(map(_worded, heads[1:])) and not all(map(_worded, row[1:]))


def split_cells(line: str) -> list[str]:
    """The cells of a line: between bars, if it has some, else where tabs or several blanks are."""
    line = line.strip()
    cells = BAR.split(line.strip("|")) if "|" in line else BLANKS.split(line)
    return [" ".join(cell.split()) for cell in cells]


def _tell_rows(text: str, span: tuple[int, int]) -> str:
    """The lines of a stretch that has whole rows of Markdown or CSV; else nothing."""
    parts, rows = [], 0
    for line in re.compile(r"[^\n]+").finditer(text, *span) if find_rows(text) else ():
        row = row_at(text, line.start())
        whole = row and line.start() <= row.start and row.end <= line.end()
        if row and row.heads and whole:
            rows += 1
            parts.append(tell(row.heads, row.words(text)))
        else:
            parts.append(" ".join(line.group().split()))
    return "; ".join(part for part in parts if part) if rows else ""


def _heads(text: str, start: int, row: Sequence[str]) -> Sequence[str]:
    """The headings of a row: what stands at the top of its lines, if it is words above figures."""
    top = _find_tops(text).get(text.rfind("\n", 0, start) + 1, ())
    worded = all(map(_worded, top[1:])) and not all(map(_worded, row[1:]))
    return top if len(top) == len(row) and worded else ()


@lru_cache(maxsize=16)
def _find_tops(text: str) -> dict[int, tuple[str, ...]]:
    """Where a line begins -> the first line above it, as far as lines with as many cells go. Each
    line is read once, or long tables would take for ever."""
    tops: dict[int, tuple[str, ...]] = {}
    top: tuple[str, ...] = ()
    start = 0
    for line in text.split("\n"):
        if not line.strip() or not RULE.fullmatch(line):
            cells = tuple(split_cells(line))
            if len(cells) == len(top) >= FEWEST:
                tops[start] = top
            else:
                top = cells
        start += len(line) + 1
    return tops


def _worded(cell: str) -> bool:
    return any(letter.isalpha() for letter in cell)

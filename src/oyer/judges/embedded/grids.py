"""Tables whose form leaves no doubt, also where all cells are words: Markdown and CSV.

Markdown has a rule under its headings. CSV has at least three columns and two rows, as many cells
in each line, and headings that are short and stand nowhere below. Prose has commas, too: it has
blanks after them, and so lines with such blanks are a table only with a column of figures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

Span = tuple[int, int]
Splitter = Callable[[str, Span], list[Span]]
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
BAR = re.compile(r"(?<!\\)\|")
RULE = re.compile(r"(?=[^-=]*[-=])[\s|:+=-]*")
#: A number with its sign, its currency and a short unit.
FIGURE = re.compile(r"[-+−±~<>€$£]?\s?\d[\d.,:/\s-]*(?:%|€|[^\W\d_]{1,12})?")
MARKS = (",", ";")
COLUMNS, ROWS = 3, 2  # of a table of CSV, at least
LONG, TITLE = 6, 4  # words of a cell where blanks stand after the marks, and of a heading
NO_HEADING = frozenset("!?:<>@|")
STOPS = (".", "!", "?", ",", ";", ":")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: its place, the places of its cells and the headings of its columns; the
    line of the headings itself has none."""

    start: int
    end: int
    cells: tuple[Span, ...]
    heads: tuple[str, ...]

    def words(self, text: str) -> list[str]:
        return [read_cell(text, cell) for cell in self.cells]


@lru_cache(maxsize=16)
def find_rows(text: str) -> dict[int, Row]:
    """The lines of the tables of a text, by the places where they begin."""
    lines = _find_lines(text)
    found: dict[int, Row] = {}
    looked = dict.fromkeys(MARKS, 0)  # a run of lines is looked at once, or it would take for ever
    for at, (start, end) in enumerate(lines):
        if start in found:
            continue
        if "|" in text[start:end]:
            found |= _read_table(text, _find_markdown(text, lines, at), _split_bars)
        for mark in MARKS:
            if start not in found and looked[mark] <= at:
                run = _find_run(text, lines, at, mark)
                looked[mark] = at + len(run)
                split = partial(_split_marks, mark=mark)
                found |= _read_table(text, run if _is_csv(text, run, split) else [], split)
    return found


def _find_lines(text: str) -> list[Span]:
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append((start, start + len(line)))
        start += len(line) + 1
    return lines


def separate_cells(text: str) -> str:
    """The text with bars between the cells of its tables, as long as it was: 1240,13.7 are two
    numbers there."""
    letters = list(text)
    for row in find_rows(text).values():
        for (_, end), (start, _) in pairwise(row.cells):
            letters[end:start] = "|" * (start - end)
    return "".join(letters)


def read_cell(text: str, cell: Span) -> str:
    """The words of a cell, without the marks that set it."""
    words = " ".join(text[slice(*cell)].split())
    quoted = QUOTED.fullmatch(words)
    words = quoted[1].replace('""', '"') if quoted else words
    return words.replace("\\|", "|").strip("*`")


def _find_markdown(text: str, lines: Sequence[Span], at: int) -> list[Span]:
    """The headings and rows of a table that begins at a line: below it is a rule with as many
    columns."""
    columns = len(_split_bars(text, lines[at]))
    rule = text[slice(*lines[at + 1])].strip() if at + 1 < len(lines) else ""
    if columns < 2 or not RULE.fullmatch(rule):
        return []
    if len(re.split(r"[|+]", rule.strip("|+"))) != columns:
        return []
    below = [lines[at]]
    for n in range(at + 2, len(lines)):
        line = lines[n]
        ruled = RULE.fullmatch(text, *line)
        if not ruled and "|" not in text[slice(*line)]:
            break
        below += [] if ruled else [line]
    return below if len(below) > 1 else []


def _find_run(text: str, lines: Sequence[Span], at: int, mark: str) -> list[Span]:
    """A line that may be of headings, and those below it that are cut as it is."""
    if text.count(mark, *lines[at]) < COLUMNS - 1:
        return []
    top = _split_marks(text, lines[at], mark)
    if len(top) < COLUMNS or not _are_headings(text, top):
        return []
    spaced, run = _is_spaced(text, top), [lines[at]]
    for n in range(at + 1, len(lines)):
        cells = _split_marks(text, lines[n], mark)
        if len(cells) != len(top) or _is_spaced(text, cells) != spaced:
            break
        run.append(lines[n])
    return run


def _is_csv(text: str, run: Sequence[Span], split: Splitter) -> bool:
    """Whether lines that are cut alike are a table: no heading stands below itself, as a value
    does, and where they look like prose with commas, figures do."""
    if len(run) <= ROWS:
        return False
    columns = [
        [read_cell(text, cell) for cell in column]
        for column in zip(*(split(text, line) for line in run), strict=True)
    ]
    if any(column[0] in column[1:] for column in columns):
        return False
    return _is_spaced(text, split(text, run[0])) is False or (
        not any(text[slice(*line)].rstrip().endswith(STOPS) for line in run)
        and not any(letter.isdigit() for letter in text[slice(*run[0])])
        and all(len(cell.split()) <= LONG for column in columns for cell in column)
        and any(all(map(FIGURE.fullmatch, column[1:])) for column in columns)
    )


def _read_table(text: str, lines: Sequence[Span], split: Splitter) -> dict[int, Row]:
    """The headings and rows, each with as many cells as there are headings."""
    found: dict[int, Row] = {}
    heads: tuple[str, ...] = ()
    for line in lines:
        start, end = _trim(text, line)
        cells = [_trim(text, cell) for cell in split(text, line)]
        if found:
            cells = [*cells, *[(end, end)] * len(heads)][: len(heads)]
        found[line[0]] = Row(start, end, tuple(cells), heads)
        heads = heads or tuple(read_cell(text, cell) for cell in cells)
    return found


def _split_bars(text: str, line: Span) -> list[Span]:
    """The places between bars; those at the ends of a line stand around it."""
    start, end = _trim(text, line)
    start += text.startswith("|", start, end)
    end -= text.endswith("|", start, end) and not text.endswith("\\|", start, end)
    bars = [bar.start() for bar in BAR.finditer(text, start, end)]
    return [(a + 1, b) for a, b in pairwise([start - 1, *bars, end])]


def _split_marks(text: str, line: Span, mark: str) -> list[Span]:
    """The places between commas or semicolons that stand in no quoted cell."""
    start, end = line[0], _trim(text, line)[1]
    form = re.compile(rf'\s*"(?:[^"\n]|"")*"\s*(?={mark}|$)|[^{mark}\n]*', re.MULTILINE)
    cells: list[Span] = []
    while start <= end:
        cell = form.match(text, start, end)
        stop = cell.end() if cell else end
        cells.append((start, stop))
        start = stop + 1
    return cells


def _trim(text: str, span: Span) -> Span:
    """Without blanks around it."""
    piece = text[slice(*span)]
    start = span[0] + len(piece) - len(piece.lstrip())
    return start, max(start, span[0] + len(piece.rstrip()))


def _is_spaced(text: str, cells: Sequence[Span]) -> bool | None:
    """Whether a blank stands after each mark, as in prose; None: after some."""
    blanks = {text[start : start + 1].isspace() for start, end in cells[1:] if start < end}
    return None if len(blanks) > 1 else True in blanks


def _are_headings(text: str, cells: Sequence[Span]) -> bool:
    """Whether a line may be of headings: short ones with letters, each once; the first may be
    missing."""
    heads = [read_cell(text, cell) for cell in cells]
    worded = all(any(letter.isalpha() for letter in head) for head in heads[1:])
    short = all(len(head.split()) <= TITLE and not NO_HEADING & set(head) for head in heads)
    return worded and short and len({head.lower() for head in heads}) == len(heads)

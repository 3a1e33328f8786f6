"""A report's sheet on a terminal, however narrow: no column is lost, no name is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from oyer.report.tables import Sheet
from oyer.text.printable import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

GAP = 2  # blanks between columns
WORDS = 40  # places that a column of words gets, if it wants them; longer ones are folded
INDENT = 4  # of the values under a long name


def draw(sheet: Sheet, title: str | None = None) -> None:
    """Print the sheet; numbers to the right, names to the left, notes dim."""
    from rich.text import Text

    from oyer.report.screen import Screen

    console = Screen()
    if title:
        console.print(Text(plain(title), style="bold"))
    if is_stacked(sheet, console.width):
        _draw_stacked(sheet, console)
    else:
        for block in blocks(sheet, console.width):
            table = _table(sheet, block)
            for row in sheet.rows:
                _add_row(table, row, block)
            console.print(table)
    for note in sheet.notes:
        console.print(Text(plain(note), style="dim"))


def is_stacked(sheet: Sheet, width: int) -> bool:
    """Whether names are too long to stand beside their values: then they stand above them."""
    sizes = _sizes(sheet)
    names = sum(sizes[: sheet.names])
    return names > width // 2 and sum(sizes) - GAP > width


def blocks(sheet: Sheet, width: int) -> list[list[int]]:
    """Which columns go side by side; each block begins with the columns that name the row."""
    return _blocks(sheet, width, list(range(sheet.names)))


def _blocks(sheet: Sheet, width: int, names: list[int]) -> list[list[int]]:
    sizes = _sizes(sheet)
    blocks = [list(names)]
    fits = sum(sizes[n] for n in (*names, *range(sheet.names, len(sizes)))) - GAP <= width
    breaks = () if fits else sheet.breaks
    for at in range(sheet.names, len(sizes)):
        block = blocks[-1]
        full = sum(sizes[n] for n in (*block, at)) - GAP > width or at in breaks
        if len(block) > len(names) and full:
            blocks.append([*names, at])
        else:
            block.append(at)
    return blocks


def _sizes(sheet: Sheet) -> list[int]:
    """The places that each column takes, with the gap after it."""
    sizes = []
    for at, name in enumerate(sheet.header):
        rooms = [_room(sheet, at, row[at]) for row in sheet.rows]
        sizes.append(max(len(name), *rooms, 0) + GAP)
    return sizes


def _room(sheet: Sheet, at: int, text: str) -> int:
    """A cell's places. Words may be folded between them, never inside one: it may be a name."""
    from rich.cells import cell_len  # Japanese takes two places a character

    length = cell_len(text)
    if at not in sheet.words or at < sheet.names or length <= WORDS:
        return length
    longest = max(map(cell_len, text.split()), default=0)
    return max(longest, WORDS) if text.isascii() else WORDS


def _table(sheet: Sheet, columns: Sequence[int], widths: Sequence[int] | None = None) -> Table:
    """The header of these columns; rows are added."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for place, at in enumerate(columns):
        words = not sheet.is_number(at) or any(
            not row[at][:1].isdigit() and row[at][:1] not in "$—+-" for row in sheet.rows
        )
        table.add_column(
            Text(sheet.header[at]),
            justify="left" if words else "right",
            overflow="fold",
            no_wrap=sheet.is_number(at),
            width=None if widths is None else widths[place],
        )
    return table


def _add_row(table: Table, row: Sequence[str], columns: Sequence[int]) -> None:
    from rich.text import Text

    table.add_row(*(Text(plain(row[at])) for at in columns))


def _draw_stacked(sheet: Sheet, console: Console) -> None:
    """Each row's names on lines of their own, its values under them."""
    from rich.padding import Padding
    from rich.text import Text

    room = console.width - INDENT
    console.print(Text("  ".join(sheet.header[: sheet.names]), style="bold"))
    for block in _blocks(sheet, room, []):
        widths = _widths(sheet, block, room)
        console.print(Padding(_table(sheet, block, widths), (0, 0, 0, INDENT)))
        for row in sheet.rows:
            for line in _name_lines(row[: sheet.names], console.width):
                console.print(Text(line), overflow="fold")
            table = _table(sheet, block, widths)
            table.show_header = False
            _add_row(table, row, block)
            console.print(Padding(table, (0, 0, 0, INDENT)))


def _widths(sheet: Sheet, block: Sequence[int], room: int) -> list[int]:
    """Of the columns of a block; words at its end get what is left of the line."""
    sizes = _sizes(sheet)
    widths = [min(sizes[at], room) - GAP for at in block]
    if block and block[-1] in sheet.words:
        widths[-1] += max(room - sum(width + GAP for width in widths), 0)
    return widths


def _name_lines(names: Sequence[str], width: int) -> Iterator[str]:
    """The names of a row, side by side as far as they fit."""
    from rich.cells import cell_len

    line = ""
    for name in map(plain, names):
        longer = f"{line}  {name}" if line else name
        if line and cell_len(longer) > width:
            yield line
            longer = f"    {name}"
        line = longer
    yield line

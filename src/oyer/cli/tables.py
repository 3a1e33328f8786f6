"""A report's sheet on a terminal, however narrow: no column is ever lost or broken."""

from __future__ import annotations

from oyer.report.tables import Sheet
from oyer.text.printable import plain

GAP = 2  # blanks between columns
WORDS = 40  # places that a column of words gets, if it wants them; longer ones are folded


def draw(sheet: Sheet, title: str | None = None) -> None:
    """Print the sheet; numbers to the right, names to the left, notes dim."""
    from rich.text import Text

    from oyer.report.screen import Screen

    console = Screen()
    if title:
        console.print(Text(title, style="bold"))
    for block in blocks(sheet, console.width):
        console.print(_table(sheet, block))
    for note in sheet.notes:
        console.print(Text(plain(note), style="dim"))


def blocks(sheet: Sheet, width: int) -> list[list[int]]:
    """Which columns go side by side; each block begins with the columns that name the row."""
    from rich.cells import cell_len  # Japanese takes two places a character

    sizes = [
        max(len(name), *(_room(sheet, at, cell_len(row[at])) for row in sheet.rows), 0) + GAP
        for at, name in enumerate(sheet.header)
    ]
    names = [at for at in range(len(sizes)) if at < sheet.names]
    made = [list(names)]
    for at in range(sheet.names, len(sizes)):
        block = made[-1]
        if len(block) > len(names) and sum(sizes[n] for n in (*block, at)) - GAP > width:
            made.append([*names, at])
        else:
            block.append(at)
    return made


def _room(sheet: Sheet, at: int, length: int) -> int:
    return min(length, WORDS) if at in sheet.words and at >= sheet.names else length


def _table(sheet: Sheet, columns: list[int]) -> object:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for at in columns:
        words = at in sheet.words or any(
            not row[at][:1].isdigit() and row[at][:1] not in "$—+-" for row in sheet.rows
        )
        table.add_column(
            Text(sheet.header[at]),
            justify="left" if words else "right",
            overflow="fold",
            no_wrap=sheet.is_number(at),
        )
    for row in sheet.rows:
        table.add_row(*(Text(plain(row[at])) for at in columns))
    return table

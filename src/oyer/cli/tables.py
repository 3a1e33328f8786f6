"""A report's sheet on a terminal."""

from __future__ import annotations

from oyer.cli.output import plain
from oyer.report.tables import Sheet

FOLDED = ("candidate", "case")  # names may be long; numbers are never broken


def draw(sheet: Sheet, title: str | None = None) -> None:
    """Print the sheet; numbers to the right, names to the left, notes dim."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if title:
        console.print(Text(title, style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, name in enumerate(sheet.header):
        words = any(not row[at][:1].isdigit() and row[at][:1] not in "$—+-" for row in sheet.rows)
        table.add_column(
            name, justify="left" if words else "right", overflow="fold", no_wrap=name not in FOLDED
        )
    for row in sheet.rows:
        table.add_row(*(Text(plain(cell)) for cell in row))
    console.print(table)
    for note in sheet.notes:
        console.print(Text(plain(note), style="dim"))

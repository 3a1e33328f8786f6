"""`oyer judges`: who can be asked here, and why not."""

from __future__ import annotations

import argparse
import json


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("judges", help="the judges usable here, and why not")
    parser.add_argument("--json", action="store_true", help="one kind of judge a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the kinds of judges; no judge is asked anything, no key is shown."""
    import asyncio

    from oyer.judges.availability import survey

    found = asyncio.run(survey())
    if args.json:
        for row in found:
            line = {"judge": row.name, "usable": row.usable, "why": row.why, "models": row.models}
            print(json.dumps(line, ensure_ascii=False))
        return 0
    from rich.table import Table
    from rich.text import Text

    from oyer.report.screen import Screen

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("judge", "usable", "why"):
        table.add_column(column, overflow="fold")
    for row in found:
        models = f": {', '.join(row.models)}" if row.models else ""
        usable = Text("yes", "green") if row.usable else Text("no", "red")
        table.add_row(row.name, usable, Text(f"{row.why}{models}"))
    Screen().print(table)
    return 0

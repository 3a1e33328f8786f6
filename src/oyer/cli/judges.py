"""`oyer judges`: list available judges and what is missing for the others."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oyer.store.cards import KeptCard


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "judges", help="list available judges and what is missing for the others"
    )
    parser.add_argument("--store", metavar="FILE",
                        help="whose judge cards are shown (oyer.db)")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one kind of judge a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the kinds of judges; no judge is asked anything, no key is shown."""
    import asyncio

    from oyer.judges.availability import survey

    found = asyncio.run(survey())
    cards = _cards(args.store)
    if args.json:
        for row in found:
            line: dict[str, object] = {
                "judge": row.name,
                "usable": row.usable,
                "why": row.why,
                "models": row.models,
            }
            own = [card for card in cards if _kind(card.judge) == _kind(row.name)]
            line["cards"] = [
                {
                    "judge": card.judge,
                    "protocol": card.protocol,
                    "sentence": card.sentence,
                    "source": card.source,
                }
                for card in own
            ]
            print(json.dumps(line, ensure_ascii=False))
        return 0
    from rich.table import Table
    from rich.text import Text

    from oyer.report.screen import Screen
    from oyer.text.printable import plain

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("judge", "usable", "why"):
        table.add_column(column, overflow="fold")
    for row in found:
        models = f": {', '.join(row.models)}" if row.models else ""
        usable = Text("yes", "green") if row.usable else Text("no", "red")
        table.add_row(row.name, usable, Text(f"{row.why}{models}"))
    screen = Screen()
    screen.print(table)
    for card in cards:
        screen.print(Text(f"\n{plain(card.sentence)} ({card.protocol}; {card.source})"))
    return 0


def _cards(where: str | None) -> list[KeptCard]:
    """The cards of the store, if there is one."""
    from oyer.errors import StoreError
    from oyer.store import open_store
    from oyer.store.cards import read_cards

    try:
        with open_store(where, create=False, write=False) as store:
            return read_cards(store)
    except StoreError:
        if where is not None:
            raise
        return []


def _kind(judge: str) -> str:
    """What stands before the model in a judge's name."""
    return judge.partition(":")[0].partition("@")[0]

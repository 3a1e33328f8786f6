"""`oyer protocols [NAME]`: what there is; the rules of one as a table."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oyer.types import AnyProtocol


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("protocols", help="the protocols, and the rules of one")
    parser.add_argument("name", nargs="?", help="show the rules of this one")
    parser.add_argument(
        "--json", action="store_true", help="one protocol a line; with NAME one object"
    )
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the protocols, or print one's rules."""
    return _rules(args) if args.name else _list(args)


def _list(args: argparse.Namespace) -> int:
    from oyer.protocols.catalogue import find_protocol, names

    found = [find_protocol(name, args.protocol_path) for name in names(args.protocol_path)]
    if args.json:
        for p in found:
            print(json.dumps(_as_json(p), ensure_ascii=False))
        return 0
    from rich.table import Table

    from oyer.report.screen import Screen

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("protocol", "what it judges", "fields of a case", "scores"):
        table.add_column(column, overflow="fold")
    for p in found:
        named = ", ".join(f.name if f.required else f"{f.name} (optional)" for f in p.fields)
        table.add_row(p.name, p.title, named, ", ".join(p.scale))
    Screen().print(table)
    return 0


def _as_json(protocol: AnyProtocol) -> dict[str, object]:
    return {
        "id": protocol.id,
        "version": protocol.version,
        "title": protocol.title,
        "fields": [field.name for field in protocol.fields],
        "scores": list(protocol.scale),
    }


def _rules(args: argparse.Namespace) -> int:
    from oyer.arith import show
    from oyer.protocols.catalogue import find_protocol

    protocol = find_protocol(args.name, args.protocol_path)
    if args.json:
        rules = [
            {"id": rule.id, "formula": rule.formula, "text": rule.text,
             "values": show(dict(rule.values))}
            for rule in protocol.rules.values()
        ]  # fmt: skip
        print(json.dumps({**_as_json(protocol), "rules": rules}, ensure_ascii=False))
        return 0
    from rich.table import Table
    from rich.text import Text

    from oyer.report.screen import Screen

    console = Screen()
    console.print(Text(f"{protocol.name} · {protocol.title}", style="bold"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule", no_wrap=True, style="cyan")
    table.add_column("formula", overflow="fold")
    table.add_column("meaning", overflow="fold")
    for rule in protocol.rules.values():
        table.add_row(Text(rule.id), Text(rule.formula), Text(rule.text))
    console.print(table)
    return 0

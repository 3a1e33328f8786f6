"""`oyer leaderboard RUN`: candidates in order, with honest intervals."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("leaderboard", help="candidates in order, with honest intervals")
    parser.add_argument("reference", nargs="?", default="latest", metavar="RUN",
                        help="a run's number or name (default: latest)")  # fmt: skip
    add_reading(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one candidate a line")
    how.add_argument("--markdown", action="store_true", help="for a pull request")
    parser.set_defaults(run=run)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """--store and --protocol-path, for commands that read runs."""
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")


def finite(value: Any) -> Any:
    """JSON has no NaN: a mean of nothing is null."""
    if isinstance(value, dict):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, float) and math.isnan(value):
        return None
    return value


def run(args: argparse.Namespace) -> int:
    """Print the standings of a run."""
    from dataclasses import asdict

    from oyer.cli.output import plain
    from oyer.cli.tables import draw
    from oyer.report.board import standings
    from oyer.report.panels import panel_sheet
    from oyer.report.source import digest_of, open_run, panels_of
    from oyer.report.tables import leaderboard, markdown, parts

    with open_run(args.store, args.reference, args.protocol_path) as opened:
        rows = standings(opened.gathered, opened.protocol.scale)
        if args.json:
            for row in rows:
                print(json.dumps(finite(asdict(row)), ensure_ascii=False))
            return 0
        sheet = leaderboard(opened.gathered, rows)
        if args.markdown:
            print(markdown(sheet))
        else:
            draw(sheet, f"run {opened.run.id} · {opened.run.name} · {opened.protocol.name}")
        for name, panel in panels_of(opened).items():
            beside = panel_sheet(name, panel)
            print()
            if args.markdown:
                print(markdown(beside))
            else:
                draw(beside, f"panel {name}")
        told = digest_of(opened)
        if told:
            for part in parts(told):
                print()
                if isinstance(part, str):
                    print(part if args.markdown else plain(part))
                elif args.markdown:
                    print(markdown(part))
                else:
                    draw(part)
    return 0

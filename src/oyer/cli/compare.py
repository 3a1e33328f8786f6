"""`oyer compare BEFORE AFTER`: two runs, paired."""

from __future__ import annotations

import argparse
import json
import sys

from oyer.cli.leaderboard import add_reading

PAIRED = (
    "Compare two runs: results are paired by case id and candidate (where each run has a single "
    "candidate, by case id alone), and what has no partner is named."
)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("compare", help="two runs, paired", description=PAIRED)
    parser.add_argument("before", metavar="RUN")
    parser.add_argument("after", metavar="RUN")
    add_reading(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one object")
    how.add_argument("--markdown", action="store_true", help="for a pull request")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the differences, the cases that moved most, what changed between the manifests."""
    from dataclasses import asdict

    from oyer.cli.tables import draw
    from oyer.report import tables
    from oyer.report.open_run import compare_runs
    from oyer.report.prompts import prompt_sheet
    from oyer.text.printable import plain

    comparison = compare_runs(args.store, args.before, args.after, args.protocol_path)
    if comparison.itself:
        print(f"oyer: {tables.ITSELF}", file=sys.stderr)
    if comparison.warning:
        print(f"oyer: {plain(comparison.warning)}", file=sys.stderr)
    if args.json:
        print(json.dumps(asdict(comparison), ensure_ascii=False))
    elif args.markdown:
        print(f"**{tables.cell(tables.conclude_comparison(comparison))}**\n")
        print(tables.markdown(tables.comparison(comparison)))
        print(tables.markdown(tables.moves(comparison)))
        if comparison.prompts:
            print(tables.markdown(prompt_sheet(comparison.prompts)))
    else:
        print(f"{plain(tables.conclude_comparison(comparison))}\n")
        draw(tables.comparison(comparison), f"{args.before} → {args.after}")
        if comparison.moved:
            print()
            draw(tables.moves(comparison), "moved most")
        if comparison.prompts:
            print()
            draw(prompt_sheet(comparison.prompts), "prompts side by side")
    return 0

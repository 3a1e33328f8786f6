"""`oyer export`: a run as JSON Lines, CSV or Parquet."""

from __future__ import annotations

import argparse
import sys


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("export", help="a run as JSONL, CSV or Parquet")
    parser.add_argument("which", metavar="RUN", help="its number, its suite's name, or latest")
    parser.add_argument("-o", "--out", "--to", required=True, dest="out", metavar="FILE",
                        help="ends in .jsonl, .csv or .parquet")  # fmt: skip
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file, whole or not at all."""
    from oyer.runs.export import export
    from oyer.store import open_store

    with open_store(args.store, create=False, write=False) as store:
        count = export(store, store.find_run(args.which), args.out)
    print(f"{count:,} verdicts in {args.out}", file=sys.stderr)
    return 0

"""`oyer export`: a run as JSON Lines, CSV or Parquet, or whole, for `oyer import`."""

from __future__ import annotations

import argparse
import sys


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("export", help="write a run as JSONL, CSV, Parquet, or whole")
    parser.add_argument("which", metavar="RUN", help="its number, its suite's name, or latest")
    parser.add_argument(
        "-o", "--out", "--to", required=True, dest="out", metavar="FILE",
        help="ends in .jsonl, .csv, .parquet or .oyer (whole); with --partition-by a folder",
    )  # fmt: skip
    parser.add_argument(
        "--partition-by", metavar="COLUMNS",
        help="a folder of Parquet files by run,judge,candidate,status: any of them",
    )  # fmt: skip
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file, whole or not at all."""
    from oyer.runs.export import export
    from oyer.runs.partitions import export_partitions
    from oyer.store import open_store

    with open_store(args.store, create=False, write=False) as store:
        found = store.find_run(args.which)
        if args.partition_by:
            by = [name.strip() for name in args.partition_by.split(",")]
            count = export_partitions(store, found, args.out, by)
        else:
            count = export(store, found, args.out)
    print(f"{count:,} verdicts in {args.out}", file=sys.stderr)
    return 0

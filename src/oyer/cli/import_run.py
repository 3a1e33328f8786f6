"""`oyer import`: a run that `oyer export` wrote, into this store."""

from __future__ import annotations

import argparse
import sys


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("import", help="keep an exported run in this store")
    parser.add_argument("file", metavar="FILE",
                        help="FILE.oyer (a whole run) or FILE.jsonl (its verdicts)")  # fmt: skip
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Keep the run, and say what can be done with it."""
    from oyer.runs.archive import import_run
    from oyer.store import open_store

    with open_store(args.store) as store:
        done = import_run(store, args.file)
    where = f" --store {args.store}" if args.store else ""
    print(f"run {done.run.id} ({done.run.name}): {done.verdicts:,} verdicts", file=sys.stderr)
    if not done.whole:
        print("without texts and replies: it cannot be rescored; export a .oyer file for that",
              file=sys.stderr)  # fmt: skip
    print(f"next: oyer leaderboard {done.run.id}{where}", file=sys.stderr)
    return 0

"""`oyer doctor`: is the store well? Reads every row."""

from __future__ import annotations

import argparse


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("doctor", help="check the store's file")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument(
        "--accept-loss",
        action="store_true",
        help="go on with a store whose last commits were lost; they will be asked again",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say what was looked at; 1 when something is not well."""
    from oyer.store import DEFAULT
    from oyer.store.doctor import examine

    well = True
    for finding in examine(args.store or DEFAULT, accept_loss=args.accept_loss):
        print(f"{'ok ' if finding.well else 'BAD'}  {finding.what:<11} {finding.detail}")
        well = well and finding.well
    print("the store is well" if well else "the store is damaged; what is ok above can be trusted")
    return 0 if well else 1

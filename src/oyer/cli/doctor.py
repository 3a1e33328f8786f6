"""`oyer doctor`: check the store's integrity, row by row."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("doctor", help="check the store's file")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument(
        "--accept-loss",
        action="store_true",
        help="go on with a store whose last commits were lost; they will be asked again",
    )
    parser.add_argument("--json", action="store_true", help="one object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say what was looked at; 1 when something is not well."""
    from oyer.store import DEFAULT
    from oyer.store.doctor import examine

    found = examine(args.store or DEFAULT, accept_loss=args.accept_loss)
    if args.json:
        seen = [asdict(finding) for finding in found]
        well = all(finding["well"] for finding in seen)
        print(json.dumps({"well": well, "findings": seen}, ensure_ascii=False))
        return 0 if well else 1
    well = True
    for finding in found:
        print(f"{'ok ' if finding.well else 'BAD'}  {finding.what:<11} {finding.detail}")
        well = well and finding.well
    print("the store is well" if well else "the store is damaged; what is ok above can be trusted")
    return 0 if well else 1

"""The options that choose verdicts of a run, alike in every command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from oyer.errors import UsageError

if TYPE_CHECKING:
    from oyer.report.filters import Filter


def add_filters(parser: argparse.ArgumentParser) -> None:
    """--case, --candidate, --judge, --violation, --worst, --unscored."""
    group = parser.add_argument_group("which verdicts")
    group.add_argument("--case", metavar="ID", help="of this case")
    group.add_argument("--candidate", metavar="NAME", help="on texts of this candidate")
    group.add_argument("--judge", metavar="NAME", help="by this judge")
    group.add_argument("--violation", metavar="CODE",
                       help="in which the judge broke this rule; evidence: evidence.*")  # fmt: skip
    group.add_argument("--unscored", action="store_true", help="without a score")
    group.add_argument("--worst", type=int, metavar="N", help="the N lowest totals")


def filter_of(args: argparse.Namespace) -> Filter:
    """What the user asked for."""
    from oyer.report.filters import Filter

    if args.worst is not None and args.worst < 1:
        raise UsageError("--worst takes a number from 1: how many of the lowest totals.")
    if args.worst is not None and args.unscored:
        raise UsageError("--worst is of verdicts with a score, --unscored of those without.")
    return Filter(args.case, args.candidate, args.judge, args.violation, args.unscored, args.worst)

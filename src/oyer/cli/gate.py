"""`oyer gate RUN --baseline RUN`: fail only on a significant drop, or under a bar."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from oyer.cli.leaderboard import add_reading
from oyer.errors import UsageError

if TYPE_CHECKING:
    from oyer.report.gate import Test


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "gate", help="fail when a run is significantly worse than its baseline"
    )
    parser.add_argument("reference", metavar="RUN")
    parser.add_argument("--baseline", metavar="RUN", help="the run it must not fall behind")
    parser.add_argument("--margin", type=float, default=0.0, metavar="X",
                        help="a drop up to X is allowed (default 0)")  # fmt: skip
    parser.add_argument("--fail-under", action="append", default=[], metavar="METRIC=X",
                        help="an absolute bar for the mean")  # fmt: skip
    parser.add_argument("--max-unscored", type=float, metavar="SHARE",
                        help="fail when more than this share has no score (0 … 1)")  # fmt: skip
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--github", action="store_true", help="print GitHub annotations")
    add_reading(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at every test of the gate; exit 1 when one fails."""
    from oyer.cli.output import bars_of
    from oyer.report import gate
    from oyer.report.open_run import compared, open_run

    if args.baseline is None and not args.fail_under and args.max_unscored is None:
        raise UsageError("A gate needs --baseline RUN, --fail-under METRIC=X or --max-unscored X.")
    if args.max_unscored is not None and not 0 <= args.max_unscored <= 1:
        raise UsageError("--max-unscored takes a share from 0 to 1: 0.05 for 5 %.")
    if not 0 <= args.margin < math.inf:
        raise UsageError("--margin takes a number from 0: how far a metric may fall.")
    tests = []
    if args.baseline is not None:
        made = compared(args.store, args.baseline, args.reference, args.protocol_path)
        tests += gate.drops(made, args.margin)
        if made.itself:
            print("oyer: the run is its own baseline: nothing can have fallen", file=sys.stderr)
        if made.lost:
            print(f"oyer: {made.lost:,} cases had a score in the baseline and have none now; "
                  "--max-unscored makes that fail", file=sys.stderr)  # fmt: skip
    with open_run(args.store, args.reference, args.protocol_path) as opened:
        tests += gate.heard(opened.gathered)
        tests += gate.bars(opened.gathered, bars_of(args.fail_under, opened.protocol))
        if args.max_unscored is not None:
            tests.append(gate.unscored(opened.gathered, args.max_unscored))
    _tell(tests, args)
    return 0 if all(test.passed for test in tests) else 1


def _tell(tests: Sequence[Test], args: argparse.Namespace) -> None:
    from oyer.report import gate
    from oyer.text.printable import plain

    if args.json:
        passed = all(test.passed for test in tests)
        told = {"passed": passed, "tests": [asdict(test) for test in tests]}
        print(json.dumps(told, ensure_ascii=False))
    else:
        for test in tests:
            print(f"{'pass' if test.passed else 'FAIL'}  {plain(test.name)}  {plain(test.told)}")
    if args.junit:
        Path(args.junit).write_text(gate.junit(tests), encoding="utf-8")
    if args.github or (os.environ.get("GITHUB_ACTIONS") == "true" and not args.json):
        for line in gate.github(tests):
            print(line, file=sys.stderr if args.json else sys.stdout)

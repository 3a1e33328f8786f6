"""`oyer report RUN`: one self-contained HTML file, or Markdown for a pull request."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from oyer.cli.leaderboard import add_reading
from oyer.errors import InputError, UsageError
from oyer.files import write_whole


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("report", help="one self-contained HTML file")
    parser.add_argument("reference", nargs="?", default="latest", metavar="RUN",
                        help="a run's number or name (default: latest)")  # fmt: skip
    parser.add_argument("-o", "--out", "--output", default="report.html", metavar="FILE",
                        help=".html, or .md for a pull request (default: report.html)")  # fmt: skip
    parser.add_argument("--cases", type=int, default=200, metavar="N",
                        help="how many verdicts can be opened (default: 200)")  # fmt: skip
    add_reading(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the report."""
    from oyer.report.open_run import open_run

    if args.cases < 0:
        raise UsageError("--cases takes a number from 0: how many verdicts can be opened.")
    out = Path(args.out)
    if out.suffix not in (".html", ".htm", ".md"):
        raise UsageError(f"a report is a page (.html) or Markdown (.md), not '{args.out}'.")
    if not out.absolute().parent.is_dir():  # before the work, not after it
        raise InputError(f"the folder {out.absolute().parent} is missing", file=args.out)
    with open_run(args.store, args.reference, args.protocol_path) as opened:
        if out.suffix == ".md":
            from oyer.report import markdown

            text = markdown.render(opened)
        else:
            from oyer.report.html import render

            text = render(opened, args.cases)
    write_whole(out, text.encode("utf-8", "replace"))
    print(f"wrote {args.out} ({len(text) / 1e6:.1f} MB)", file=sys.stderr)
    return 0

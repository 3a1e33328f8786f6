"""`oyer audit`: check replies that some judge already gave. No model is called."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from oyer.cli.sources import add_cases, add_protocol, mapper_of, protocol_of, rows_of

if TYPE_CHECKING:
    from oyer.cases import Line, Row


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "audit", help="check replies that some judge already gave; calls no model"
    )
    add_protocol(parser)
    add_cases(parser)
    parser.add_argument(
        "--reply", metavar="FILE",
        help="the reply (text), or JSONL of {id, reply}; those of other cases are passed over",
    )  # fmt: skip
    parser.add_argument("--judge", metavar="NAME", help="who gave the reply, for the record")
    add_output(parser)
    parser.add_argument("--store", metavar="FILE", help="keep cases, replies and verdicts here")
    parser.add_argument("--on", choices=("ray",), help="on the cores of a Ray cluster")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="0: all cores")
    parser.set_defaults(run=run)


def add_output(parser: argparse.ArgumentParser) -> None:
    """--json, --format protocol, --fail-under: shared with `judge`."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one verdict a line (JSON Lines)")
    how.add_argument(
        "--format", choices=["protocol"], help="exactly what the original protocol prescribes"
    )
    parser.add_argument(
        "--fail-under", action="append", default=[], metavar="[METRIC=]X",
        help="exit 1 when the mean of METRIC (else of the total) is under X",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Audit every row, in order, on all cores when there are many."""
    from oyer.cases import attach, is_lines, lines
    from oyer.cli.audit_work import AuditWork, audit_rows
    from oyer.cli.output import Printer, how_of
    from oyer.runs.parallel import ProtocolRef
    from oyer.runs.workers import HERE

    protocol = protocol_of(args)
    if args.store:
        from oyer.cli.judge_store import audit_stored

        printer = Printer(protocol, how_of(args), args.fail_under)
        audit_stored(args, protocol, printer)
        return printer.close()
    if isinstance(args.cases, str) and is_lines(args.cases) and args.reply is None:
        # Workers parse: the reading process only hands lines on.
        items: Iterator[Row | Line] = lines(args.cases, mapper_of(args, protocol))
    else:
        items = iter(attach(rows_of(args, protocol), args.reply))
    how = how_of(args)
    ref = ProtocolRef(args.protocol, tuple(args.protocol_path))
    work = AuditWork(ref, args.judge, how, args.workers, args.on or HERE)
    printer = Printer(protocol, how, args.fail_under)
    for verdict in audit_rows(items, protocol, work):
        printer.take(verdict)
    return printer.close()

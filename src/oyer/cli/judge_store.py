"""`judge --store` and `audit --store`: the cases as a run: kept, resumed, never paid twice."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from oyer.cases import BadRow, attach, load, load_copy
from oyer.cli.agreement import Agreement
from oyer.cli.judge import options_of
from oyer.cli.judge_work import format_judged
from oyer.cli.output import Printer
from oyer.cli.sources import mapper_of, rows_of
from oyer.runs.plan import Plan, make_plan
from oyer.runs.session import run_session
from oyer.runs.suite import Suite
from oyer.store import open_store, shown_store
from oyer.types import AnyProtocol
from oyer.verdicts.record import restored

if TYPE_CHECKING:
    from oyer.cases import Row
    from oyer.runs.sources import ReadRows
    from oyer.store.records import StoredVerdict

RECORDED_AT_ONCE = 256  # recorded replies in work at a time


def judge_stored(
    args: argparse.Namespace,
    protocol: AnyProtocol,
    judges: Sequence[str],
    asking: dict[str, object],
    printer: Printer,
) -> Agreement:
    """Run the cases into the store, then print their verdicts, in the order of the input."""
    suite = replace(
        _suite(args, f"judge {protocol.id}"),
        judges=tuple(judges),
        repeats=args.repeat,
        concurrency=args.concurrency,
        asking=asking,
        options=options_of(args),
    )
    with tempfile.TemporaryDirectory(prefix="oyer-") as folder:
        rows = _rows(args, protocol, Path(folder))
        plan = make_plan(suite, lambda wanted: printer.watch(rows(wanted)))
        return _run(plan, args.store, printer)


def audit_stored(args: argparse.Namespace, protocol: AnyProtocol, printer: Printer) -> Agreement:
    """Keep recorded replies and their verdicts, as a run of the judges who gave them."""
    suite = replace(
        _suite(args, f"audit {protocol.id}"),
        concurrency=RECORDED_AT_ONCE,
        asking={"attempts": 1},
    )
    with tempfile.TemporaryDirectory(prefix="oyer-") as folder:
        rows = _rows(args, protocol, Path(folder))

        def recorded_rows(wanted: AnyProtocol) -> Iterator[Row]:
            for row in printer.watch(attach(rows(wanted), args.reply)):
                yield _with_judge(row, args.judge) if args.judge else row

        return _run(make_plan(suite, recorded_rows, "audit"), args.store, printer)


def _with_judge(row: Row, judge: str) -> Row:
    if isinstance(row, BadRow):
        return replace(row, case=replace(row.subject, judge=judge))
    return replace(row, judge=judge)


def _suite(args: argparse.Namespace, name: str) -> Suite:
    return Suite(
        file=Path(_first_of(args.cases)),
        name=name,
        protocol=args.protocol,
        judges=(),
        protocol_path=tuple(args.protocol_path),
    )


def _first_of(cases: str | list[str] | None) -> str:
    """What a run is called after: its first source."""
    several = [cases] if isinstance(cases, str) else cases
    return several[0] if several else "flags"


def _rows(args: argparse.Namespace, protocol: AnyProtocol, folder: Path) -> ReadRows:
    """The rows, to be read twice: standard input is copied to a file first."""
    mapper = mapper_of(args, protocol)
    if args.cases == "-":
        copy = folder / "stdin"
        with copy.open("wb") as out:
            shutil.copyfileobj(sys.stdin.buffer, out)
        return lambda wanted: load_copy(copy, wanted, mapper)
    if args.cases is not None:
        rows_of(args, protocol)  # refuses flags beside a file
        return lambda wanted: load(args.cases, wanted, mapper)
    single = list(rows_of(args, protocol))
    return lambda _: single


def _run(plan: Plan, where: str, printer: Printer) -> Agreement:
    """Run the plan as far as it goes and print its verdicts."""
    protocol = plan.protocol
    agreement = Agreement(protocol)
    order = {name: place for place, name in enumerate(plan.suite.judges)}
    with open_store(where) as store:
        session = run_session(plan, store)
        stored = store.verdicts_in_order(session.run.id)
        for _, group in groupby(stored, key=lambda verdict: verdict.task.seq):
            ordered = sorted(group, key=lambda verdict: _place(verdict, order))
            verdicts = [restored(verdict.record) for verdict in ordered]
            agreement.take(verdicts)
            for verdict in verdicts:
                printer.take(format_judged(verdict, protocol, printer.how, len(verdicts) > 1))
    for note in session.notes:
        print(f"oyer: {note}", file=sys.stderr)
    number = session.run.id
    following = f"oyer leaderboard {number} --store {shown_store(where)}"
    print(f"oyer: kept as run {number}; next: {following}", file=sys.stderr)
    return agreement


def _place(stored: StoredVerdict, order: dict[str, int]) -> tuple[int, int]:
    judge = stored.record["judge"]  # `embedded` signs with its version: embedded@N-light
    place = order.get(judge, order.get(judge.partition("@")[0], len(order)))
    return (place, stored.record["repeat"])

"""`oyer judge --store`: the cases as a run, so that they are kept, resumed, never paid twice."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oyer.cases import BadRow
from oyer.cli.agreement import Agreement
from oyer.cli.judge_work import made
from oyer.cli.output import Printer
from oyer.cli.sources import rows_of
from oyer.runs.plan import make_plan
from oyer.runs.session import sit
from oyer.runs.suite import Suite
from oyer.store import open_store
from oyer.types import Protocol
from oyer.verdicts.record import restored

if TYPE_CHECKING:
    from oyer.store.records import Kept


def judge_stored(
    args: argparse.Namespace,
    protocol: Protocol[Any],
    judges: Sequence[str],
    asking: dict[str, Any],
    printer: Printer,
) -> Agreement:
    """Run the cases into the store, then print their verdicts, in the order of the input."""
    with tempfile.TemporaryDirectory(prefix="oyer-") as folder:
        suite = Suite(
            file=Path(args.cases or "flags"),
            name=f"judge {protocol.id}",
            protocol=args.protocol,
            judges=tuple(judges),
            sources=(_source(args, protocol, Path(folder)),),
            repeats=args.repeat,
            concurrency=args.concurrency,
            protocol_path=tuple(args.protocol_path),
            asking=asking,
        )
        plan = make_plan(suite)
        with open_store(args.store) as store:
            run = sit(plan, store).run
            kept = list(store.verdicts(run.id))
    agreement = Agreement(protocol)
    order = {name: place for place, name in enumerate(judges)}
    kept.sort(key=lambda one: _place(one, order))
    for _, group in groupby(kept, key=lambda one: one.task.seq):
        verdicts = [restored(one.record) for one in group]
        agreement.take(verdicts)
        for verdict in verdicts:
            printer.take(made(verdict, protocol, printer.how, len(verdicts) > 1))
    return agreement


def _source(args: argparse.Namespace, protocol: Protocol[Any], folder: Path) -> Path:
    """The cases file; a case made of flags, or standard input, becomes a file for a moment."""
    if args.cases not in (None, "-"):
        return Path(args.cases)
    file = folder / "cases.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for row in rows_of(args, protocol):
            if isinstance(row, BadRow):
                raise row.error
            plain = {"id": row.id, "candidate": row.candidate, **row.meta, **row.fields}
            out.write(json.dumps(plain, ensure_ascii=False) + "\n")
    return file


def _place(kept: Kept, order: dict[str, int]) -> tuple[int, int, int]:
    told = kept.record
    judge = told["judge"]  # `embedded` signs with its version: embedded@2-light
    place = order.get(judge, order.get(judge.partition("@")[0], len(order)))
    return (kept.task.seq, place, told["repeat"])

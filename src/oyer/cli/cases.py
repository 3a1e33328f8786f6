"""`oyer cases RUN`: the verdicts of a run, filtered, each with what decided it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from oyer.cli.filters import add_filters, filter_of
from oyer.cli.leaderboard import add_reading

if TYPE_CHECKING:
    from oyer.store.records import Outcome
    from oyer.store.store import Store
    from oyer.types import Protocol

MOST = 30  # lines on a terminal


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "cases",
        help="the verdicts of a run, and why each is what it is",
        epilog="Then: oyer explain ID, or oyer explain RUN --case X --candidate Y.",
    )
    parser.add_argument("reference", nargs="?", default="latest", metavar="RUN",
                        help="a run's number or name (default: latest)")  # fmt: skip
    add_filters(parser)
    parser.add_argument("--all", action="store_true", help=f"more than {MOST} lines, too")
    parser.add_argument("--json", action="store_true", help="one verdict a line, in short")
    add_reading(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the verdicts that the filters let through."""
    from oyer.protocols.catalogue import find_protocol
    from oyer.store import open_store

    with open_store(args.store, create=False, write=False) as store:
        found = store.find_run(args.reference)
        protocol = find_protocol(found.manifest.protocol.partition("@")[0], args.protocol_path)
        chosen = filter_of(args).choose(store.outcomes(found.id))
        if args.json:
            for line in _lines(store, found.id, chosen, protocol):
                print(json.dumps(line, ensure_ascii=False))
            return 0
        shown = chosen if args.all else chosen[:MOST]
        _print(list(_lines(store, found.id, shown, protocol)), len(chosen), args.reference)
    return 0


def _lines(
    store: Store, run: int, chosen: list[Outcome], protocol: Protocol[Any]
) -> Iterator[dict[str, Any]]:
    from oyer.report.explain import cause

    for outcome in chosen:
        (kept,) = store.verdicts(run, outcome.row - 1, outcome.row)
        yield {
            "id": outcome.verdict,
            "case": outcome.case,
            "candidate": outcome.candidate,
            "judge": outcome.judge,
            "repeat": outcome.repeat,
            "status": outcome.status,
            "error": outcome.error,
            "total": outcome.total,
            "scores": outcome.scores,
            "violations": dict(outcome.violations),
            "why": cause(kept.record, protocol),
        }


def _print(lines: list[dict[str, Any]], count: int, reference: str) -> None:
    from oyer.cli.tables import draw
    from oyer.report.tables import Sheet

    judges = {line["judge"] for line in lines}
    several = len(judges) > 1
    head = ["id", "case", "candidate", *(["judge"] if several else []), "total", "why"]
    rows = []
    for line in lines:
        total = "—" if line["total"] is None else f"{line['total']:.2f}"
        cells = [line["id"][:8], line["case"], line["candidate"] or ""]
        if several:
            cells.append(line["judge"])
        rows.append((*cells, total, line["why"]))
    notes = [f"{count:,} verdicts."]
    if count > len(lines):
        notes = [f"{len(lines)} of {count:,} verdicts; --all shows the others."]
    if lines:
        notes.append(f"Why one is what it is: oyer explain {lines[0]['id'][:8]}")
    else:
        notes.append(f"None is like that; `oyer leaderboard {reference}` shows what there is.")
    words = tuple(at for at, name in enumerate(head) if name != "total")
    draw(Sheet(tuple(head), tuple(rows), tuple(notes), names=1, words=words))

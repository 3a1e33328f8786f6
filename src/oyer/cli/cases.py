"""`oyer cases RUN`: the verdicts of a run, filtered, each with what decided it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from oyer.cli.filters import add_filters, filter_of
from oyer.cli.leaderboard import add_reading

if TYPE_CHECKING:
    from oyer.store.records import Outcome, Run
    from oyer.store.store import Store
    from oyer.types import AnyProtocol

MOST = 30  # lines on a terminal


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "cases",
        help="list the verdicts of a run, and what decided each",
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
    from oyer.store import open_store
    from oyer.store.run_protocol import protocol_of_run

    with open_store(args.store, create=False, write=False) as store:
        found = store.find_run(args.reference)
        protocol = protocol_of_run(store, found, args.protocol_path)
        chosen = filter_of(args).choose(store.outcomes(found.id))
        if args.json:
            for line in list_cases(store, found.id, chosen, protocol):
                print(json.dumps(line, ensure_ascii=False))
            return 0
        shown = chosen if args.all else chosen[:MOST]
        print_cases(
            list(list_cases(store, found.id, shown, protocol)), len(chosen), found, args.store
        )
    return 0


def list_cases(
    store: Store, run: int, chosen: list[Outcome], protocol: AnyProtocol
) -> Iterator[dict[str, object]]:
    """Each verdict in short, with what decided it."""
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


def print_cases(
    lines: list[dict[str, Any]], count: int, found: Run, where: str | None = None
) -> None:
    """The verdicts as a table, and how to see one of them."""
    from oyer.cli.tables import draw
    from oyer.report.tables import Sheet
    from oyer.store import store_option

    option = store_option(where)
    named = [name for name in ("candidate", "judge") if _is_told(lines, name)]
    head = ["id", "case", *named, "total", "why"]
    rows = []
    for line in lines:
        total = "—" if line["total"] is None else f"{line['total']:.2f}"
        names = [line[name] or "" for name in named]
        rows.append((line["id"][:8], line["case"], *names, total, line["why"]))
    notes = ["1 verdict." if count == 1 else f"{count:,} verdicts."]
    if count > len(lines):
        notes = [f"{len(lines)} of {count:,} verdicts; --all shows the others."]
    if lines:
        notes.append(f"Why one is what it is: oyer explain {lines[0]['id'][:8]}{option}")
    else:
        what = f"`oyer leaderboard {found.id}{option}` shows what there is"
        notes.append(f"None of run {found.id} ({found.name}) is like that; {what}.")
    last = len(head) - 1
    draw(Sheet(tuple(head), tuple(rows), tuple(notes), names=last - 1, words=(last,)))


def _is_told(lines: list[dict[str, object]], name: str) -> bool:
    """Whether a column says anything: who wrote the texts, or which of several judges judged."""
    values = {line[name] for line in lines}
    return len(values) > 1 if name == "judge" else values != {None}

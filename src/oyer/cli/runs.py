"""`oyer runs`: what is stored."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oyer.store import Run
    from oyer.store.store import Store


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("runs", help="what is stored")
    parser.add_argument("which", nargs="?", metavar="RUN", help="one run: its manifest")
    parser.add_argument("--json", action="store_true", help="one run a line")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the runs, or tell one."""
    from oyer.store import open_store

    with open_store(args.store, create=False, write=False) as store:
        chosen = store.runs() if args.which is None else [store.find_run(args.which)]
        told = [_told(store, one) for one in chosen]
    if args.json:
        for one in told:
            print(json.dumps(one, ensure_ascii=False))
    elif args.which is not None:
        print(json.dumps(told[0], ensure_ascii=False, indent=2))
    else:
        _print(told)
    return 0


def _told(store: Store, run: Run) -> dict[str, Any]:
    counts = store.counts(run.id)
    spent = store.spent(run.id)
    return {
        "run": run.id,
        "name": run.name,
        "state": run.state,
        "started": run.started,
        "updated": run.updated,
        "verdicts": sum(counts.values()),
        "unscored": sum(n for (_, error), n in counts.items() if error is not None),
        "calls": spent.calls,
        "tokens": spent.input_tokens + spent.output_tokens,
        "cost_usd": spent.cost_usd,
        "manifest": run.manifest.as_json() | {"tasks": run.manifest.tasks},
    }


def _print(told: list[dict[str, Any]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from oyer.report.screen import Screen
    from oyer.text.printable import plain

    table = Table(box=None, pad_edge=False)
    for name in ("run", "name", "protocol", "judges", "state", "verdicts", "unscored", "cost"):
        right = name in ("run", "verdicts", "unscored", "cost")
        folds = name in ("name", "judges")
        table.add_column(
            name, justify="right" if right else "left", overflow="fold", no_wrap=not folds
        )
    for one in told:
        manifest = one["manifest"]
        cost = "unknown" if one["cost_usd"] is None else f"${one['cost_usd']:,.4f}"
        cells = (
            str(one["run"]),
            plain(one["name"]),
            manifest["protocol"],
            "\n".join(map(plain, manifest["judges"])),
            one["state"],
            f"{one['verdicts']:,}/{manifest['tasks']:,}",
            f"{one['unscored']:,}",
            cost,
        )
        table.add_row(*(Text(cell) for cell in cells))
    Screen().print(table)

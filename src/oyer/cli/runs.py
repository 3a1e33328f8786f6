"""`oyer runs`: what is stored, and how to be rid of it."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from oyer.errors import UsageError

if TYPE_CHECKING:
    from oyer.report.tables import Sheet
    from oyer.store import Run
    from oyer.store.store import Store
    from oyer.store.workers import Worker


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("runs", help="what is stored")
    parser.add_argument("which", nargs="?", metavar="RUN", help="one run: its manifest")
    parser.add_argument("--delete", action="store_true",
                        help="delete RUN's verdicts; replies that were paid for stay")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one run a line")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the runs, tell one, or delete one."""
    from oyer.store import open_store

    if args.delete and args.which is None:
        raise UsageError("--delete needs the run: oyer runs RUN --delete")
    with open_store(args.store, create=False, write=args.delete) as store:
        if args.delete:
            _delete(store, args)
            return 0
        chosen = store.runs() if args.which is None else [store.find_run(args.which)]
        rows = [_describe(store, run) for run in chosen]
    if args.json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
    elif args.which is not None:
        print(json.dumps(rows[0], ensure_ascii=False, indent=2))
    else:
        from oyer.cli.tables import draw

        draw(_sheet(rows))
    return 0


def _delete(store: Store, args: argparse.Namespace) -> None:
    found = store.find_run(args.which)
    gone = store.delete_run(found)
    answer = {"run": found.id, "name": found.name, "deleted": gone}
    message = (
        f"run {found.id} ({found.name}): {gone:,} verdicts deleted. Its replies stay: "
        "a run that asks the same uses them again."
    )
    print(json.dumps(answer, ensure_ascii=False) if args.json else message)


def _worker(worker: Worker) -> dict[str, object]:
    """Who works on a run now, since when, and how much it has done."""
    since = datetime.fromtimestamp(worker.started, UTC).isoformat(timespec="seconds")
    return {
        "host": worker.host,
        "pid": worker.pid,
        "since": since,
        "verdicts": worker.verdicts,
        "calls": worker.spent.calls,
        "cost_usd": worker.spent.cost_usd,
    }


def _describe(store: Store, run: Run) -> dict[str, object]:
    from oyer.store.run_worker import working_now

    counts = store.counts(run.id)
    spent = store.spent(run.id)
    best = store.best_candidate(run.id)
    return {
        "run": run.id,
        "name": run.name,
        "state": run.state,
        "started": run.started,
        "updated": run.updated,
        "verdicts": sum(counts.values()),
        "unscored": sum(n for (_, error), n in counts.items() if error is not None),
        "best": None if best is None else {"candidate": best[0], "total": round(best[1], 4)},
        "calls": spent.calls,
        "tokens": spent.input_tokens + spent.output_tokens,
        "cost_usd": spent.cost_usd,
        "workers": [_worker(worker) for worker in working_now(store, run.id)],
        "manifest": run.manifest.as_json() | {"tasks": run.manifest.tasks},
    }


def _sheet(runs: list[dict[str, Any]]) -> Sheet:
    from oyer.report.tables import Sheet

    head = ("run", "name", "when", "state", "verdicts", "unscored", "best candidate", "cost",
            "protocol", "judges")  # fmt: skip
    rows = []
    for run in runs:
        manifest = run["manifest"]
        rows.append(
            (
                str(run["run"]),
                run["name"],
                run["updated"][:16].replace("T", " "),
                run["state"],
                f"{run['verdicts']:,}/{manifest['tasks']:,}",
                f"{run['unscored']:,}",
                _best(run["best"]),
                "unknown" if run["cost_usd"] is None else f"${run['cost_usd']:,.4f}",
                manifest["protocol"],
                ", ".join(manifest["judges"]),
            )
        )
    notes = tuple(_who_works(run) for run in runs if run["workers"])
    if not runs:
        notes = ("No run is stored yet: oyer run suite.toml",)
    return Sheet(head, tuple(rows), notes, names=2, words=(3, 6, 8, 9))


def _who_works(run: dict[str, Any]) -> str:
    workers = [
        f"{worker['host']} (process {worker['pid']}) since {worker['since'][11:16]}, "
        f"{worker['verdicts']:,} verdicts"
        for worker in run["workers"]
    ]
    return f"run {run['run']} is worked on by {'; '.join(workers)}"


def _best(best: dict[str, object] | None) -> str:
    if best is None:
        return "—"
    mean = f"mean {best['total']:.2f}"
    return f"{best['candidate']} ({mean})" if best["candidate"] else mean

"""`oyer rescore`: recompute stored verdicts with the current rules; no model is called."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oyer.runs.rescore import Difference


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "rescore", help="recompute stored verdicts with the current rules; no model is called"
    )
    parser.add_argument("which", metavar="RUN", help="its number, its suite's name, or latest")
    parser.add_argument("--save", action="store_true", help="keep the new verdicts as a new run")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="0: all cores")
    parser.add_argument("--on", choices=("ray",), help="on the cores of a Ray cluster")
    parser.add_argument("--show", type=int, default=20, metavar="N", help="the largest changes")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rescore, store if wanted, tell the differences."""
    from oyer.runs.rescore import Difference, Job, protocol_of, rescore, rescored_manifest
    from oyer.runs.workers import HERE
    from oyer.store import DEFAULT, open_store
    from oyer.store.kept_columns import keep_new_columns
    from oyer.store.run_protocol import keep_protocol_paths, protocol_of_run, protocol_paths
    from oyer.store.schema import CHUNK

    where = args.store or DEFAULT
    with open_store(where, create=False, write=args.save) as store:
        run = store.find_run(args.which)
        manifest = run.manifest
        job = Job(
            where,
            run.id,
            manifest.protocol.partition("@")[0],
            protocol_paths(store, run, args.protocol_path),
            dict(manifest.weights),
            without_self=bool(manifest.params.get("panel", {}).get("without_self")),
            names=manifest.voices,
        )
        protocol_of_run(store, run, args.protocol_path)  # says what to do if it is not there
        protocol = protocol_of(job)
        kept = store.begin_run(rescored_manifest(run, protocol)) if args.save else None
        if kept is not None:
            job = replace(job, keep=kept.id)
        difference = Difference()
        for part in rescore(job, run, args.workers, on=args.on or HERE):
            difference.merge(part)
            if kept is not None:
                store.keep_verdicts(part.rows).result()
                keep_new_columns(store, kept.id, CHUNK)
        if kept is not None:
            keep_protocol_paths(store, kept, job.paths)
            store.end_run(kept, "done")
            keep_new_columns(store, kept.id)
    if args.json:
        named = {"run": run.id, "name": run.name, "kept": None if kept is None else kept.id}
        versions = {"before": manifest.protocol, "after": protocol.name}
        print(
            json.dumps({**named, **versions, **_plain(difference, args.show)}, ensure_ascii=False)
        )
    else:
        print(f"run {run.id} ({run.name}): {manifest.protocol} then, {protocol.name} now")
        _tell(difference, args.show)
    if kept is not None:
        print(f"kept as run {kept.id}; next: oyer compare {run.id} {kept.id}", file=sys.stderr)
    return 0


def _plain(difference: Difference, show: int) -> dict[str, object]:
    """What came of it, for programs."""
    return {
        "same": difference.same,
        "changed": difference.changed,
        "silent": difference.silent,
        "counts": difference.counts,
        "changes": [asdict(change) for change in difference.changes[:show]],
    }


def _tell(difference: Difference, show: int) -> None:
    from oyer.text.printable import plain

    print(f"{difference.same:,} verdicts are the same, {difference.changed:,} are not", end="")
    print(f", {difference.silent:,} had no reply" if difference.silent else "")
    for what, n in sorted(difference.counts.items(), key=lambda item: -item[1]):
        print(f"  {n:>9,}  {what}")
    if difference.changes:
        print(f"the largest changes (of {difference.changed:,}):")
    for change in difference.changes[:show]:
        before = "—" if change.before is None else f"{change.before:.2f}"
        after = "—" if change.after is None else f"{change.after:.2f}"
        who = f"{change.case} {change.candidate or ''} {change.judge}"
        print(f"  {change.verdict}  {before:>6} → {after:<6}  {plain(who)}  {change.what}")

"""`oyer label RUN`: draw a sample for people to label; labels in and out as files."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from oyer.errors import UsageError

if TYPE_CHECKING:
    from oyer.store import Run
    from oyer.store.labels import Queue
    from oyer.store.store import Store


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "label",
        help="draw a sample for people to label",
        epilog="At a terminal the page opens with the queue. What people said: oyer trust RUN.",
    )
    parser.add_argument("reference", metavar="RUN", help="a run's number or name, or latest")
    parser.add_argument("--n", type=int, default=60, help="judged texts to draw (default: 60)")
    parser.add_argument("--second", type=float, default=0.2, metavar="SHARE",
                        help="share that two people label (default: 0.2)")  # fmt: skip
    parser.add_argument("--by", default="", metavar="NAMES",
                        help="strata: candidate, score, or both: candidate,score")  # fmt: skip
    parser.add_argument("--metrics", default="", metavar="NAMES",
                        help="what is labelled (default: everything there is)")  # fmt: skip
    parser.add_argument("--dev", type=float, default=0.0, metavar="SHARE",
                        help="share of cases kept for tuning (default: 0)")  # fmt: skip
    parser.add_argument("--review", action="store_true",
                        help="agree or not with a judge's findings (default: blind)")  # fmt: skip
    parser.add_argument("--no-open", action="store_true", help="draw only, do not open the page")
    parser.add_argument("--seed", type=int, help="draw the same sample again")
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--export", metavar="FILE", help="write the run's labels: .jsonl or .csv")
    files.add_argument("--import", metavar="FILE", dest="import_", help="keep labels of a file")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw a queue, or move labels in or out."""
    from oyer.store import open_store

    with open_store(args.store, create=False) as store:
        found = store.find_run(args.reference)
        if args.export:
            answer = _export(store, found, args.export)
        elif args.import_:
            answer = _import(store, found, args.import_)
        else:
            answer = _draw(store, found, args)
    if args.json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print(answer["message"], file=sys.stderr if args.export else sys.stdout)
    if "queue" in answer and not (args.json or args.no_open) and sys.stdin.isatty():
        return _open_queue(answer["queue"], args)
    return 0


def _open_queue(queue: int, args: argparse.Namespace) -> int:
    """The page of the queue, until Ctrl-C: for people at a terminal."""
    from oyer.web.serve import Serving, serve

    paths = tuple(args.protocol_path)
    return serve(Serving(where=args.store, path=f"/review/{queue}", paths=paths))


def _draw(store: Store, found: Run, args: argparse.Namespace) -> dict[str, object]:
    from oyer.store.run_protocol import protocol_of_run
    from oyer.trust.queues import Draw, draw_queue

    chosen = {} if args.seed is None else {"seed": args.seed}
    draw = Draw(
        n=args.n,
        second=args.second,
        by=_names(args.by),
        dev=args.dev,
        mode="review" if args.review else "blind",
        metrics=_names(args.metrics),
        **chosen,
    )
    if args.review and draw.metrics:
        raise UsageError("--metrics is for blind labels; a review shows all findings of a verdict.")
    protocol = protocol_of_run(store, found, args.protocol_path)
    queue = draw_queue(store, found, protocol, draw)
    return _about(store, queue, args.store)


def _about(store: Store, queue: Queue, where: str | None) -> dict[str, object]:
    from oyer.store import shown_store
    from oyer.store.labels import LabelStore

    items = LabelStore(store).items(queue.id)
    units = sum(len(item.units) for item in items)
    twice = sum(item.people == 2 for item in items)
    option = f" --store {shown_store(where)}" if where else ""
    message = (
        f"queue {queue.id} of run {queue.run} ({queue.mode}): {len(items)} of "
        f"{queue.drawn['population']:,} judged texts, {units:,} labels to give; "
        f"{twice} of the texts go to two people.\n"
        f"Open it: oyer view{option}"
    )
    return {
        "queue": queue.id,
        "run": queue.run,
        "mode": queue.mode,
        "items": len(items),
        "units": units,
        "twice": twice,
        "seed": queue.drawn["seed"],
        "message": message,
    }


def _export(store: Store, found: Run, path: str) -> dict[str, Any]:
    from oyer.store.labels import LabelStore
    from oyer.trust.label_files import write_labels

    shas = {outcome.case_sha for outcome in store.outcomes(found.id)}
    count = write_labels(LabelStore(store).history(case_shas=sorted(shas)), path)
    return {"labels": count, "message": f"{count:,} labels in {path}"}


def _import(store: Store, found: Run, path: str) -> dict[str, object]:
    from oyer.store.labels import LabelStore
    from oyer.trust.label_files import read_labels
    from oyer.trust.people import cases_of

    labels = read_labels(path, partial(cases_of, store, found), found.manifest.protocol)
    LabelStore(store).add(labels)
    return {"labels": len(labels), "message": f"{len(labels):,} labels of {path} kept"}


def _names(given: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in given.split(",") if name.strip())

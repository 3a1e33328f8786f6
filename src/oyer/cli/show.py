"""`oyer show`: one stored verdict, as the record it is; with its case and raw replies if wanted."""

from __future__ import annotations

import argparse
import json
from itertools import chain


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("show", help="one stored verdict")
    parser.add_argument("verdict", metavar="ID", help="a verdict's id, or the beginning of it")
    parser.add_argument("--case", action="store_true", help="its case too")
    parser.add_argument("--replies", action="store_true", help="the raw replies it was made from")
    parser.add_argument("--json", action="store_true", help="one object, on one line")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the record."""
    from oyer.store import open_store
    from oyer.store.records import case_json
    from oyer.verdicts import as_json

    with open_store(args.store, create=False, write=False) as store:
        kept = store.verdict(args.verdict)
        shown: dict[str, object] = dict(kept.record)
        if args.case:
            found = store.cases([kept.case_sha]).get(kept.case_sha)
            shown["case_content"] = None if found is None else case_json(found.case)
        if args.replies:
            asks = kept.task.ask.split("+")
            replies = store.replies(asks)
            stored = chain.from_iterable(replies.get(ask, ()) for ask in asks)
            shown["replies"] = [
                {"judge": each.reply.judge, "attempt": each.attempt, "text": each.reply.text}
                for each in stored
            ]
    print(as_json(shown) if args.json else _legible(shown))
    return 0


def _legible(value: object) -> str:
    """Japanese as Japanese; what a terminal may obey is escaped, so it cannot move the cursor."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return "".join(ch if ch.isprintable() or ch == "\n" else _escape(ch) for ch in text)


def _escape(ch: str) -> str:
    return json.dumps(ch)[1:-1]

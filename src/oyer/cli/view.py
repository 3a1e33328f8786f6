"""`oyer view`: the local page of a store."""

from __future__ import annotations

import argparse
import os

PASSWORD = "OYER_VIEW_PASSWORD"  # noqa: S105 - a variable's name
TOKEN = "OYER_VIEW_TOKEN"  # noqa: S105 - a variable's name


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "view",
        help="the local web page: runs, verdicts with their evidence, people's labels",
        epilog=f"The token in the address is new each time; {TOKEN} sets one that stays.",
    )
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--port", type=int, default=7117,
                        help="default: 7117, or the next free one")  # fmt: skip
    parser.add_argument("--no-open", action="store_true", help="print the address, open no browser")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS",
                        help=f"beyond this machine; needs a password in {PASSWORD}")  # fmt: skip
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from oyer.web.serve import Serving, serve

    return serve(
        Serving(
            where=args.store,
            host=args.host,
            port=args.port,
            opens=not args.no_open,
            paths=tuple(args.protocol_path),
            path="/",
            password=os.environ.get(PASSWORD, ""),
            token=os.environ.get(TOKEN, ""),
        )
    )

"""`oyer init`: a new suite, or a protocol of your own, that runs at once."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    from oyer.runs.starting import starter_names

    parser = commands.add_parser(
        "init", help="a new suite, or a protocol of your own, that runs at once"
    )
    parser.add_argument("what", metavar="WHAT", help=", ".join(starter_names()))
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help="where; else here")
    parser.add_argument("--json", action="store_true", help="the files, as one object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the files, and say what to type next."""
    from oyer.runs.starting import write_starter

    folder = Path(args.folder)
    files = write_starter(args.what, folder)
    if args.json:
        print(json.dumps({"files": [str(file) for file in files]}, ensure_ascii=False))
        return 0
    for file in files:
        print(f"wrote {file}")
    go = "" if args.folder == "." else f"cd {shlex.quote(args.folder)} && "
    print(f"next: {go}oyer check oyer.toml, then oyer run")
    return 0

"""`oyer explain`: a verdict as a readable derivation, from a file, standard input or the store."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from oyer.errors import InputError, UsageError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("explain", help="a verdict's arithmetic, step by step")
    parser.add_argument("verdict", help="an id in the store, a file of verdicts (JSONL), or -")
    parser.add_argument("--case", help="only this case of the file")
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain every verdict that was named."""

    from oyer.protocols.catalogue import find_protocol
    from oyer.report.derivation import explain
    from oyer.report.screen import Screen

    console = Screen()
    shown = 0
    for record in _records(args):
        if args.case is not None and record["case"] != args.case:
            continue
        if shown:
            console.rule(style="dim")
        name = record["protocol"].partition("@")[0]
        explain(record, find_protocol(name, args.protocol_path), console)
        shown += 1
    if not shown:
        raise UsageError(f"There is no verdict of case '{args.case}' in {args.verdict}.")
    return 0


def _records(args: argparse.Namespace) -> Iterator[Mapping[str, Any]]:
    if args.verdict == "-":
        from oyer.cases import stdin

        return _parsed(stdin(), "<stdin>")
    if Path(args.verdict).is_dir():
        raise InputError("is a folder; name a file of verdicts", file=args.verdict)
    if Path(args.verdict).is_file():
        return _file(args.verdict)
    if not args.verdict.isalnum():  # a verdict's id is: this is the name of a file
        raise InputError("there is no such file", file=args.verdict)
    return _stored(args)


def _stored(args: argparse.Namespace) -> Iterator[Mapping[str, Any]]:
    from oyer.store import open_store

    with open_store(args.store, create=False, write=False) as store:
        yield store.verdict(args.verdict).record


def _file(name: str) -> Iterator[Mapping[str, Any]]:
    with open(name, encoding="utf-8-sig", errors="surrogateescape") as handle:
        yield from _parsed(handle, name)


def _parsed(handle: Iterable[str], name: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(handle, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as cause:
            raise InputError(f"not JSON: {cause}", file=name, line=number) from None
        if not isinstance(record, dict) or not {"protocol", "trace", "status"} <= record.keys():
            raise InputError(
                "not a verdict; make one with `oyer audit … --json`", file=name, line=number
            )
        yield record

"""`oyer explain`: why a verdict is what it is, from a run, an id, a file or standard input."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from oyer.arith import round_to_show
from oyer.cli.filters import add_filters, filter_of
from oyer.errors import InputError, StoreError, Unscored, UsageError
from oyer.records import VerdictRecord
from oyer.text.printable import flat

if TYPE_CHECKING:
    from oyer.report.filters import Filter
    from oyer.store.records import StoredVerdict
    from oyer.store.store import Store
    from oyer.types import AnyProtocol, Case, Reply
    from oyer.verdicts.what_if import Effect

LABELS = 3  # whose effect is told
MOST = 3  # verdicts of a run that are explained at once; more are listed


class FoundVerdict(NamedTuple):
    """A record; its case and what the judge answered where they are known."""

    record: VerdictRecord
    case: Case | None = None
    replies: tuple[Reply, ...] = ()
    protocol: AnyProtocol | None = None  # of its run; None: a file says only its name


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("explain", help="why a verdict is what it is")
    parser.add_argument("verdict", metavar="RUN|ID|FILE",
                        help="a run (with --case …), a verdict's id, a file of verdicts (JSONL), "
                        "or - for standard input")  # fmt: skip
    add_filters(parser)
    parser.add_argument("--full", action="store_true",
                        help="every step, quote and broken rule, too")  # fmt: skip
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain every verdict that was named."""
    from rich.text import Text

    from oyer.protocols.catalogue import find_protocol
    from oyer.report.derivation import derive
    from oyer.report.screen import Screen
    from oyer.report.speak import speak

    if _list_run(args):
        return 0
    console = Screen()
    count = 0
    for record, case, replies, known in _find_verdicts(args):
        if count:
            console.rule(style="dim")
        name = record["protocol"].partition("@")[0]
        protocol = known or find_protocol(name, args.protocol_path)
        speak(record, protocol, console, case.fields if case else None)
        for line in _one_label(record, protocol, case, replies):
            console.print(Text(line, style="dim"))
        if args.full:
            derive(record, protocol, console)
        count += 1
    if not count:
        wanted = " and ".join(filter_of(args).words()) or "anything"
        near = " and ".join(f"'{name}'" for name in _find_near(args))
        end = f"; did you mean {near}?" if near else "."
        raise UsageError(f"{args.verdict} has no verdict of {wanted}{end}")
    return 0


def _find_near(args: argparse.Namespace) -> list[str]:
    """What the user probably meant, where a run was named."""
    from oyer.report.filters import find_near
    from oyer.store import open_store

    try:
        with open_store(args.store, create=False, write=False) as store:
            return find_near(filter_of(args), store.outcomes(store.find_run(args.verdict).id))
    except StoreError:
        return []


def _one_label(
    record: VerdictRecord, protocol: AnyProtocol, case: Case | None, replies: tuple[Reply, ...]
) -> Iterator[str]:
    """What the labels that weigh most would do, were they others: one can be a cliff."""
    from oyer.verdicts.what_if import effects, rule_with, verdict_objects

    if case is None or not replies or record["status"] != "scored" or record.get("panel"):
        return
    try:
        objects = verdict_objects(case, protocol, *replies)
        same = round_to_show(rule_with(case, protocol, objects, {}).total) == record["total"]
        found = effects(case, protocol, objects) if same else ()
    except Unscored:  # its rules have changed since
        return
    weighty = [effect for effect in found if effect.change and not _is_plain(effect)]
    if weighty:
        yield ""
        yield "One label more or less:"
    for effect in weighty[:LABELS]:
        text = flat(effect.label.text)
        words = f" ({text[:60]}{'…' * (len(text) > 60)})" if text else ""
        yield f"  {effect}{words}"


def _is_plain(effect: Effect) -> bool:
    """Whether everybody knows it without being told: a critical fail makes any total 0."""
    return effect.value is True and not effect.total


def _list_run(args: argparse.Namespace) -> bool:
    """List the verdicts of a run where they are too many to read one after the other."""
    from oyer.cli.cases import MOST as LINES
    from oyer.cli.cases import list_cases, print_cases
    from oyer.store import open_store
    from oyer.store.run_protocol import protocol_of_run

    is_path = args.verdict == "-" or any(mark in args.verdict for mark in "./\\")
    if is_path or args.worst is not None or Path(args.verdict).is_file():
        return False
    with open_store(args.store, create=False, write=False) as store:
        try:
            found = store.find_run(args.verdict)
        except StoreError:
            return False
        chosen = filter_of(args).choose(store.outcomes(found.id))
        if len(chosen) <= MOST:
            return False
        protocol = protocol_of_run(store, found, args.protocol_path)
        lines = list(list_cases(store, found.id, chosen[:LINES], protocol))
        print_cases(lines, len(chosen), found, args.store)
    return True


def _find_verdicts(args: argparse.Namespace) -> Iterator[FoundVerdict]:
    from oyer.store.record_files import parse_records, read_records

    if args.verdict == "-":
        from oyer.cases import stdin

        return _choose(parse_records(stdin(), "<stdin>"), filter_of(args))
    is_path = any(mark in args.verdict for mark in "./\\")
    if is_path and Path(args.verdict).is_dir():  # else a run may have a folder's name: `demo`
        raise InputError("is a folder; name a file of verdicts", file=args.verdict)
    if Path(args.verdict).is_file():
        return _choose(read_records(args.verdict), filter_of(args))
    if is_path:
        raise InputError("there is no such file", file=args.verdict)
    return _read_stored(args)


def _choose(records: Iterable[tuple[int, VerdictRecord]], wanted: Filter) -> Iterator[FoundVerdict]:
    """Those of a file that the filters let through; all at once only where they are ordered."""
    from oyer.store.records import outcome_of

    if wanted.worst is None:
        for number, record in records:
            if wanted.matches(outcome_of(record, number)):
                yield FoundVerdict(record)
        return
    every = [record for _, record in records]
    for outcome in wanted.choose(outcome_of(record, at) for at, record in enumerate(every)):
        yield FoundVerdict(every[outcome.row])


def _read_stored(args: argparse.Namespace) -> Iterator[FoundVerdict]:
    from oyer.store import open_store
    from oyer.store.run_protocol import protocol_of_run

    with open_store(args.store, create=False, write=False) as store:
        wanted = filter_of(args)
        rows = _rows_of_run(store, args.verdict, wanted)
        if rows is None:
            verdicts = [_verdict_named(store, args.verdict)]
        else:
            number, chosen = rows
            verdicts = []
            for row in chosen:
                verdicts += store.verdicts(number, row - 1, row)
        for verdict in verdicts:
            case = store.cases([verdict.case_sha]).get(verdict.case_sha)
            stored_replies = store.replies([verdict.task.ask]).get(verdict.task.ask, [])
            replies = tuple(stored.reply for stored in stored_replies)
            run = store.find_run(str(verdict.run))
            protocol = protocol_of_run(store, run, args.protocol_path)
            yield FoundVerdict(verdict.record, case.case if case else None, replies, protocol)


def _verdict_named(store: Store, reference: str) -> StoredVerdict:
    try:
        return store.verdict(reference)
    except StoreError as error:
        if "several" in str(error):
            raise
        names = dict.fromkeys(run.name for run in store.runs())
        there = f"its runs: {', '.join(names)}" if names else "it has no run yet"
        message = f"no run or verdict '{reference}' in {store.where}; {there} (`oyer runs`)."
        raise StoreError(message) from None


def _rows_of_run(store: Store, reference: str, wanted: Filter) -> tuple[int, list[int]] | None:
    """The chosen verdicts of the run that is named so; None: it names no run."""
    try:
        found = store.find_run(reference)
    except StoreError:
        return None
    chosen = wanted.choose(store.outcomes(found.id))
    return found.id, [outcome.row for outcome in chosen]

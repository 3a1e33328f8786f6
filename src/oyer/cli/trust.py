"""`oyer trust RUN`: how far the judges of a run can be trusted."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from oyer.errors import UsageError
from oyer.files import write_whole

if TYPE_CHECKING:
    from oyer.store import Run
    from oyer.store.labels import Label
    from oyer.store.store import Store
    from oyer.trust.card import Card
    from oyer.types import AnyProtocol

FORMS = (".html", ".md", ".json")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "trust",
        help="how far the judges of a run can be trusted",
        epilog="Labels come from `oyer label RUN`, or from a file: case, candidate, "
        "unit or metric, value, reviewer.",
    )
    parser.add_argument("reference", nargs="?", metavar="RUN",
                        help="a run's number or name, or latest")  # fmt: skip
    parser.add_argument("--human", metavar="FILE", help="people's labels: .jsonl or .csv")
    parser.add_argument("--card", metavar="FILE", action="append", default=[],
                        help="write the card: .html, .md or .json")  # fmt: skip
    parser.add_argument("--probe", metavar="NAMES",
                        help="plant faults and see what the judges do: all, or names")  # fmt: skip
    parser.add_argument("--variants", metavar="FILE",
                        help="your own paraphrases and translations: case, candidate, "
                        "paraphrase, translation; .jsonl or .csv")  # fmt: skip
    parser.add_argument("--judge", action="append", default=[], metavar="NAME",
                        help="whom to probe")  # fmt: skip
    parser.add_argument("--n", type=int, default=30, help="cases to probe (default: 30)")
    parser.add_argument("--on", choices=("ray",), help="ask embedded judges on a Ray cluster")
    parser.add_argument("--dollars", type=float, help="stop probing at this cost")
    parser.add_argument("--demo", action="store_true",
                        help="twenty cases with labels, offline")  # fmt: skip
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")
    parser.add_argument("--full", action="store_true",
                        help="every statistic, not only a screenful")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the cards, keep them, print them."""
    for path in args.card:
        if not path.endswith(FORMS):
            raise UsageError(f"{path}: a card is written as {', '.join(FORMS)}")
    if args.demo:
        from oyer.trust.demo import demo_cards

        cards = demo_cards()
    elif args.reference is None:
        raise UsageError("name a RUN (`oyer runs` lists them), or --demo.")
    else:
        cards = _cards(args)
    for path in args.card:
        _write(cards, path)
    if args.json:
        print(json.dumps({"cards": [card.as_json() for card in cards]}, ensure_ascii=False))
    else:
        _print(cards, full=args.full)
    return 0


def _cards(args: argparse.Namespace) -> list[Card]:
    from oyer.store import open_store
    from oyer.store.run_protocol import protocol_of_run
    from oyer.trust.card import keep_cards, make_cards

    with open_store(args.store, create=False) as store:
        found = store.find_run(args.reference)
        protocol = protocol_of_run(store, found, args.protocol_path)
        labels = _labels(store, found, args.human)
        cards = make_cards(store, found, protocol, labels)
        if args.probe:
            cards = _with_probes(store, found, protocol, cards, args)
        keep_cards(store, cards)
    return cards


def _with_probes(
    store: Store, found: Run, protocol: AnyProtocol, cards: list[Card], args: argparse.Namespace
) -> list[Card]:
    """The cards with what probes show; a judge that the run does not have gets a card of its own,
    from the run of the probes."""
    from oyer.store.run_protocol import protocol_paths
    from oyer.trust.card import make_cards
    from oyer.trust.probe_run import ProbePlan, run_probes

    plan = ProbePlan(
        probes=args.probe,
        judges=tuple(args.judge),
        cases=args.n,
        dollars=args.dollars,
        variants=args.variants,
        protocol_paths=protocol_paths(store, found, args.protocol_path),
        on=args.on or "here",
    )
    probed, results = run_probes(store, found, protocol, plan)
    known = {card.judge for card in cards}
    if not set(results) <= known:
        others = make_cards(store, probed, protocol, ())
        cards = [*cards, *(card for card in others if card.judge not in known)]
    return [card.with_probes(probed.id, results.get(card.judge, ())) for card in cards]


def _labels(store: Store, found: Run, path: str | None) -> Sequence[Label]:
    """Labels of a file, or all that the store has; those on other texts are no use and no harm."""
    from oyer.store.labels import LabelStore
    from oyer.trust.label_files import read_labels
    from oyer.trust.people import cases_of

    if path is None:
        return list(LabelStore(store).current())
    return read_labels(path, partial(cases_of, store, found), found.manifest.protocol)


def _write(cards: Sequence[Card], path: str) -> None:
    from oyer.trust.card_files import html, markdown

    if path.endswith(".html"):
        text = html(cards)
    elif path.endswith(".md"):
        text = markdown(cards)
    else:
        bodies = {"cards": [card.as_json() for card in cards]}
        text = json.dumps(bodies, ensure_ascii=False, indent=1)
    write_whole(path, text.encode("utf-8", "backslashreplace"))
    print(f"card: {path}", file=sys.stderr)


def _print(cards: Sequence[Card], *, full: bool) -> None:
    from rich.text import Text

    from oyer.cli.tables import draw
    from oyer.report.screen import Screen
    from oyer.text.printable import plain
    from oyer.trust.best_value import best_value
    from oyer.trust.card_facts import facts_sheet
    from oyer.trust.card_sheets import sheets_of

    screen = Screen()
    for card in cards:
        screen.print(Text(plain(card.plain_words)))
    if value := best_value(cards):
        screen.print(Text(plain(value)))
    print()
    draw(facts_sheet(cards))
    for titled in sheets_of(cards) if full else ():
        print()
        draw(titled.sheet, titled.title)

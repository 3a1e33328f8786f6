"""`oyer leaderboard RUN`: candidates ranked, with 95 % confidence intervals."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oyer.report.open_run import Opened
    from oyer.report.standings import Standing
    from oyer.report.tables import Sheet


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser("leaderboard", help="rank candidates, with confidence intervals")
    parser.add_argument("reference", nargs="?", default="latest", metavar="RUN",
                        help="a run's number or name (default: latest)")  # fmt: skip
    parser.add_argument("--judge", metavar="NAME", help="by the verdicts of this judge alone")
    add_reading(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one object")
    how.add_argument("--markdown", action="store_true", help="for a pull request")
    parser.set_defaults(run=run)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """--store and --protocol-path, for commands that read runs."""
    parser.add_argument("--store", metavar="FILE", help="default: oyer.db")
    parser.add_argument("--protocol-path", action="append", default=[], metavar="DIR")


def run(args: argparse.Namespace) -> int:
    """Print the standings of a run."""
    from oyer.report.filters import Filter
    from oyer.report.open_run import open_run
    from oyer.report.standings import standings

    wanted = Filter(judge=args.judge) if args.judge else None
    with open_run(args.store, args.reference, args.protocol_path, wanted) as opened:
        rows = standings(opened.gathered, opened.protocol.scale)
        if args.json:
            from oyer.report.as_json import answer

            print(json.dumps(answer(opened, rows), ensure_ascii=False))
        else:
            _print(opened, rows, args.markdown)
    return 0


def _print(opened: Opened, rows: list[Standing], markdown: bool) -> None:
    """The board, the panels beside their members, the protocol's own report."""
    from oyer.report.costs import candidates_sheet, costs_of, judges_cost_sheet
    from oyer.report.explain import scale_of
    from oyer.report.found import FOUND_UP_TO, Findings, conclusions, findings_sheets, read_findings
    from oyer.report.judges import judges_sheet, side_by_side
    from oyer.report.open_run import digest_of, panels_of, reasons_of, trust_of
    from oyer.report.panels import panel_sheet
    from oyer.report.protocols import protocol_rows, protocols_sheet
    from oyer.report.tables import cell, leaderboard, parts
    from oyer.text.printable import plain

    unfinished = opened.unfinished
    if unfinished:
        print(f"**{unfinished}**\n" if markdown else unfinished)
    few = opened.gathered.verdicts <= FOUND_UP_TO
    found = read_findings(opened, FOUND_UP_TO) if few else Findings()
    sentences = conclusions(opened, rows, found)
    lines = "\n".join(map(plain, sentences))
    print(f"**{cell(' '.join(sentences))}**\n" if markdown else f"{lines}\n")
    sheet = leaderboard(opened.gathered, rows, reasons_of(opened), scale_of(opened.protocol))
    title = f"run {opened.run.id} · {opened.run.name} · {opened.protocol.name}"
    _sheet(sheet, title, markdown)
    beside = protocol_rows(opened)
    if beside:
        print()
        _sheet(protocols_sheet(beside), "protocols side by side", markdown)
    side = side_by_side(opened.gathered)
    if side is not None:
        print()
        _sheet(judges_sheet(side), "judges side by side", markdown)
    if opened.protocol.wording:
        for at, findings in enumerate(findings_sheets(found, rows)):
            print()
            _sheet(findings, None if at else "what was found", markdown)
    costs = costs_of(opened, rows)
    if not costs.is_free:
        print()
        _sheet(candidates_sheet(costs), "what it cost", markdown)
        print()
        _sheet(judges_cost_sheet(costs), None, markdown)
    for sentence in trust_of(opened):
        print(f"\n{cell(sentence)}" if markdown else f"\n{plain(sentence)}")
    for name, panel in panels_of(opened).items():
        print()
        _sheet(panel_sheet(name, panel), f"panel {name}", markdown)
    for part in parts(digest_of(opened) or ""):
        print()
        if isinstance(part, str):
            print(part if markdown else plain(part))
        else:
            _sheet(part, None, markdown)


def _sheet(sheet: Sheet, title: str | None, markdown: bool) -> None:
    from oyer.cli.tables import draw
    from oyer.report import tables

    if markdown:
        print(tables.markdown(sheet))
    else:
        draw(sheet, title)

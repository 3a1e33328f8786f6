"""`oyer run`: candidates × cases × judges × repeats, kept in a store; resumes by itself."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import TYPE_CHECKING

from oyer.cli import EXIT_BUG, EXIT_OK, EXIT_UNSCORED, EXIT_USAGE

if TYPE_CHECKING:
    from oyer.report.unscored import UnscoredGroup
    from oyer.runs.deciding import Workers
    from oyer.runs.plan import Plan
    from oyer.runs.session import Session
    from oyer.store.store import Store


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "run",
        help="candidates × cases × judges × repeats; resumes by itself",
        description="Judge a suite. The same command again goes on where it stopped.",
    )
    parser.add_argument("suite", nargs="?", metavar="SUITE.toml", help="what to run (docs/runs.md)")
    parser.add_argument(
        "--dry-run", action="store_true", help="calls, tokens and cost; nothing is spent"
    )
    parser.add_argument("--store", metavar="FILE", help="a file or postgresql://… (oyer.db)")
    parser.add_argument(
        "--batch",
        action="store_true",
        help="through the batch APIs of OpenAI and Anthropic: half the price, within a day",
    )
    parser.add_argument("--on", choices=("ray",), help="ask the embedded judge on a Ray cluster")
    parser.add_argument("--json", action="store_true", help="one object: how it ended")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plan, tell bad rows, then run: protocol by protocol, where there are several."""
    from oyer.runs.deciding import open_deciding_workers
    from oyer.runs.plan import make_plans
    from oyer.runs.starting import find_suite
    from oyer.runs.suite import in_batches, read_suite
    from oyer.store import open_store, store_option

    suite = read_suite(args.suite or find_suite())
    if args.on:
        suite = replace(suite, on=args.on)
    plans = make_plans(in_batches(suite) if args.batch or suite.batch else suite)
    for problem in dict.fromkeys(chain.from_iterable(plan.problems for plan in plans)):
        print(f"oyer: {problem}", file=sys.stderr)
    where = args.store or suite.store
    if args.dry_run:
        from oyer.cli.dry_run import print_forecast

        print_forecast(plans, where, as_json=args.json)
        return EXIT_USAGE if any(plan.bad for plan in plans) else EXIT_OK
    codes = []
    tasks = max(plan.manifest.tasks for plan in plans)
    with open_deciding_workers(tasks, forked=True) as workers, open_store(where) as store:
        for plan in plans:
            session = _run(plan, store, workers, args.json)
            codes.append(_code(plan, session))
            if session.state in ("stopped", "budget"):
                break
    print(f"next: oyer leaderboard {session.run.id}{store_option(where)}", file=sys.stderr)
    return max(codes)


def _run(plan: Plan, store: Store, workers: Workers | None, as_json: bool) -> Session:
    """One run, and how it ended."""
    from oyer.report.unscored import find_unscored
    from oyer.runs.session import run_session

    session = run_session(plan, store, workers)
    silence = find_unscored(store, session.run) if session.unscored else []
    missing = _missing(plan, store, session.run.id)
    summary = _summarise(plan, session)
    if as_json:
        print(_line({**summary, "errors": [asdict(s) for s in silence], "missing": missing}))
    else:
        print(_sentence(summary))
    _hints(session, silence, missing)
    return session


def _line(summary: dict[str, object]) -> str:
    return json.dumps(summary, ensure_ascii=False)


def _summarise(plan: Plan, session: Session) -> dict[str, object]:
    """How the session ended: what `--json` prints."""
    spent, tasks = session.spent, plan.manifest.tasks
    return {
        "run": session.run.id,
        "name": session.run.name,
        "state": session.state,
        "verdicts": tasks - session.left,
        "tasks": tasks,
        "unscored": session.unscored,
        "bad_rows": plan.bad,
        "calls_now": session.paid,
        "calls": spent.calls,
        "tokens": spent.input_tokens + spent.output_tokens,
        "cost_usd": spent.cost_usd,
    }


def _sentence(summary: dict[str, object]) -> str:
    cost = "price unknown" if summary["cost_usd"] is None else f"${summary['cost_usd']:,.4f}"
    done = (
        f"run {summary['run']} ({summary['name']}): {summary['state']}; "
        f"{summary['verdicts']:,} of {summary['tasks']:,} verdicts, "
        f"{summary['unscored']:,} without a score"
    )
    if not summary["calls"] and not summary["calls_now"]:  # nobody was asked who is paid
        return done
    return (
        f"{done}; {summary['calls_now']:,} calls now, {summary['calls']:,} in all, "
        f"{summary['tokens']:,} tokens, {cost}"
    )


def _hints(session: Session, silence: Sequence[UnscoredGroup], missing: Sequence[str]) -> None:
    """What went wrong and what to do, on standard error."""
    from oyer.text.printable import plain

    if session.why:
        print(f"oyer: {session.why}; raise it in [budget] and run again to go on", file=sys.stderr)
    elif session.left:
        print("oyer: the same command goes on from here", file=sys.stderr)
    for group in silence:
        by = f"by {group.judge}" if group.judge else f"because {group.who} wrote nothing"
        first = f"{'the first: ' if group.verdicts > 1 else ''}{group.first}"
        hint = f"{group.verdicts:,} without a score {by}: {group.error}, {first}"
        print(f"oyer: {plain(hint)}", file=sys.stderr)
    for note in session.notes:
        print(f"oyer: {note}", file=sys.stderr)
    for line in missing:
        print(f"oyer: {plain(line)}", file=sys.stderr)
    if session.broken:
        advice = "fix the protocol and run again: stored replies are read again, nobody is asked"
        print(f"oyer: {advice}", file=sys.stderr)


def _missing(plan: Plan, store: Store, run: int) -> list[str]:
    """Members of panels that were not heard; nothing is read where there is no panel."""
    if not plan.suite.has_panel:
        return []
    from oyer.report.panels import panel_stats

    panels = panel_stats(kept.record for kept in store.verdicts(run))
    lines: list[str] = []
    for name, panel in panels.items():
        lines += [f"panel {name}: {line}" for line in panel.describe_missing()]
    return lines


def _code(plan: Plan, session: Session) -> int:
    if session.state == "stopped":
        return 130
    if session.broken:
        return EXIT_BUG
    if plan.bad:
        return EXIT_USAGE
    return EXIT_UNSCORED if session.unscored or session.left else EXIT_OK

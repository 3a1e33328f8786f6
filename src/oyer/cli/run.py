"""`oyer run`: candidates × cases × judges × repeats, kept in a store; resumes by itself."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oyer.runs.plan import Plan
    from oyer.runs.sitting import Sitting
    from oyer.store.store import Store


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "run",
        help="candidates × cases × judges × repeats; resumes by itself",
        description="Judge a suite. The same command again goes on where it stopped.",
    )
    parser.add_argument("suite", metavar="SUITE.toml", help="what to run (docs/runs.md)")
    parser.add_argument(
        "--dry-run", action="store_true", help="calls, tokens and cost; nothing is spent"
    )
    parser.add_argument("--store", metavar="FILE", help="a file or postgresql://… (oyer.db)")
    parser.add_argument(
        "--batch",
        action="store_true",
        help="through the batch APIs of OpenAI and Anthropic: half the price, within a day",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plan, tell bad rows, then sit."""
    from oyer.runs.plan import make_plan
    from oyer.runs.suite import in_batches, read_suite
    from oyer.store import open_store

    suite = read_suite(args.suite)
    plan = make_plan(in_batches(suite) if args.batch or suite.batch else suite)
    for problem in plan.problems:
        print(f"oyer: {problem}", file=sys.stderr)
    if plan.bad > len(plan.problems):
        print(f"oyer: … and {plan.bad - len(plan.problems):,} more bad rows", file=sys.stderr)
    where = args.store or plan.suite.store
    if args.dry_run:
        from oyer.runs.estimate import estimate

        print(estimate(plan, where))
        return 2 if plan.bad else 0
    from oyer.audit.breaches import reason
    from oyer.runs.clerks import hired
    from oyer.runs.sitting import sit

    with hired(plan) as clerks, open_store(where) as store:
        sitting = sit(plan, store, clerks)
        unscored = store.unscored(sitting.run.id) if sitting.unscored else {}
        missing = _missing(plan, store, sitting.run.id)
    _tell(plan, sitting)
    _why(sitting, {key: reason(kept.record) for key, kept in unscored.items()})
    for line in missing:
        print(f"oyer: {line}", file=sys.stderr)
    option = f" --store {where}" if where else ""
    print(f"next: oyer leaderboard {sitting.run.id}{option}", file=sys.stderr)
    return _code(plan, sitting)


def _tell(plan: Plan, sitting: Sitting) -> None:
    spent = sitting.spent
    cost = "price unknown" if spent.cost_usd is None else f"${spent.cost_usd:,.4f}"
    tasks = plan.manifest.tasks
    print(
        f"run {sitting.run.id} ({sitting.run.name}): {sitting.state}; "
        f"{tasks - sitting.left:,} of {tasks:,} verdicts, "
        f"{sitting.unscored:,} without a score; "
        f"{sitting.paid:,} calls now, {spent.calls:,} in all, "
        f"{spent.input_tokens + spent.output_tokens:,} tokens, {cost}"
    )
    if sitting.why:
        print(f"oyer: {sitting.why}; raise it in [budget] and run again to go on", file=sys.stderr)
    elif sitting.left:
        print("oyer: the same command goes on from here", file=sys.stderr)


def _why(sitting: Sitting, reasons: Mapping[tuple[str, str], str]) -> None:
    """How many have no score, by judge and kind, and what the first of each says."""
    from oyer.text.printable import plain

    for (judge, error), count in sorted(sitting.errors.items()):
        told = f"{count:,} without a score by {plain(judge)}: {error}"
        first = reasons.get((judge, error))
        if first is not None:
            told += f", {'the first: ' if count > 1 else ''}{plain(first)}"
        print(f"oyer: {told}", file=sys.stderr)


def _missing(plan: Plan, store: Store, run: int) -> list[str]:
    """Members of panels that were not heard; nothing is read where there is no panel."""
    from oyer.judges.names import members
    from oyer.text.printable import plain

    if all(len(members(judge)) == 1 for judge in plan.suite.judges):
        return []
    from oyer.report.panels import sat

    panels = sat(kept.record for kept in store.verdicts(run))
    return [plain(f"panel {name}: {line}") for name, panel in panels.items()
            for line in panel.told()]  # fmt: skip


def _code(plan: Plan, sitting: Sitting) -> int:
    if sitting.state == "stopped":
        return 130
    if plan.bad:
        return 2
    return 3 if sitting.unscored or sitting.left else 0

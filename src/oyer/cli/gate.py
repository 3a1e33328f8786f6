"""`oyer gate RUN --baseline RUN|FILE`: fail on a significant drop, or under a bar."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from oyer.cli.leaderboard import add_reading
from oyer.errors import UsageError
from oyer.files import write_whole
from oyer.text.door import trusted_stream

if TYPE_CHECKING:
    from oyer.report.case_results import CaseResult
    from oyer.report.gate import GateCheck
    from oyer.report.open_run import Opened
    from oyer.types import AnyProtocol


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "gate",
        help="fail when a run is significantly worse than its baseline",
        epilog="Exit code 0: passed; 1: failed, or undecided (too few cases for any answer); "
        "2: wrong usage.",
    )
    parser.add_argument("reference", metavar="RUN")
    _add_baseline(parser)
    _add_bars(parser)
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--github", action="store_true", help="print GitHub annotations")
    add_reading(parser)
    parser.set_defaults(run=run)


def _add_baseline(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("against a baseline")
    group.add_argument("--baseline", metavar="RUN|FILE",
                       help="the run it must not fall behind, or an exported .jsonl")  # fmt: skip
    group.add_argument("--baseline-store", metavar="FILE", help="the store of that run")
    group.add_argument("--metric", action="append", default=[], metavar="NAME",
                       help="what must not fall (default: total); may be repeated")  # fmt: skip
    group.add_argument("--margin", type=float, default=0.0, metavar="X",
                       help="a drop up to X is allowed (default 0)")  # fmt: skip
    group.add_argument("--allow-undecided", action="store_true",
                       help="exit 0 where there are too few cases to decide")  # fmt: skip


def _add_bars(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("bars")
    group.add_argument("--fail-under", action="append", default=[], metavar="METRIC=X",
                       help="of each candidate's mean")  # fmt: skip
    group.add_argument("--fail-case-under", action="append", default=[], metavar="METRIC=X",
                       help="of every single case")  # fmt: skip
    group.add_argument("--fail-on", action="append", default=[], metavar="WORD[=SHARE]",
                       help="fail when more than SHARE of the cases (default 0) say WORD: a "
                       "verdict (FAIL), critical_fail, a violation's code, unscored")  # fmt: skip
    group.add_argument("--max-unscored", type=float, metavar="SHARE",
                       help="fail when more than this share of verdicts has no score")  # fmt: skip


@dataclass(frozen=True)
class _Bars:
    """What the user asked for besides a baseline."""

    means: dict[str, float]
    cases: dict[str, float]
    words: dict[str, float]


@dataclass(frozen=True)
class _Outcome:
    """What the gate found in one run."""

    checks: list[GateCheck]
    results: list[CaseResult]
    warnings: list[str]
    bars: _Bars


def run(args: argparse.Namespace) -> int:
    """Look at every check of the gate; exit 1 when one fails, or none could."""
    from oyer.report.gate import decide
    from oyer.report.open_run import find_beside, open_run

    _check_usage(args)
    runs = find_beside(args.store, args.reference)
    outcomes = []
    for each in runs:  # a suite with several protocols passes where each of them does
        with open_run(args.store, str(each.id), args.protocol_path) as opened:
            outcomes.append(_look(args, opened, several=len(runs) > 1))
    checks = [*chain.from_iterable(outcome.checks for outcome in outcomes)]
    warnings = chain.from_iterable(outcome.warnings for outcome in outcomes)
    _print(args, checks, list(dict.fromkeys(warnings)))
    if args.junit:
        from oyer.report.ci import junit

        results = [*chain.from_iterable(outcome.results for outcome in outcomes)]
        bars = outcomes[0].bars
        write_whole(args.junit, junit(checks, results, bars.cases, bars.words).encode())
    state = decide(checks)
    passed = state == "pass" or (state == "undecided" and args.allow_undecided)
    return 0 if passed else 1


def _look(args: argparse.Namespace, opened: Opened, *, several: bool) -> _Outcome:
    """One run's checks; of several protocols each is named."""
    from oyer.report.case_results import case_results

    bars = _bars(args, opened.protocol)
    by_case = bars.cases or bars.words or args.junit  # else nobody looks at single cases
    results = case_results(opened.columns()) if by_case else []
    warnings = list[str]()
    checks = _against_baseline(args, opened, warnings)
    checks += _against_bars(args, opened, bars, results, warnings)
    if several:
        name = opened.protocol.id
        checks = [replace(check, name=f"{name}: {check.name}") for check in checks]
        results = [replace(result, case=f"{name}: {result.case}") for result in results]
        warnings = [f"{name}: {warning}" for warning in warnings]
    return _Outcome(checks, results, warnings, bars)


def _check_usage(args: argparse.Namespace) -> None:
    bars = (args.fail_under, args.fail_case_under, args.fail_on)
    if args.baseline is None and not any(bars) and args.max_unscored is None:
        raise UsageError(
            "A gate needs --baseline RUN, --fail-under METRIC=X, --fail-case-under METRIC=X, "
            "--fail-on WORD or --max-unscored X."
        )
    if args.max_unscored is not None and not 0 <= args.max_unscored <= 1:
        raise UsageError("--max-unscored takes a share from 0 to 1: 0.05 for 5 %.")
    if not 0 <= args.margin < math.inf:
        raise UsageError("--margin takes a number from 0: how far a metric may fall.")
    if args.baseline is None and (args.metric or args.baseline_store):
        raise UsageError("--metric and --baseline-store go with --baseline RUN.")


def _bars(args: argparse.Namespace, protocol: AnyProtocol) -> _Bars:
    from oyer.cli.output import bars_of

    for metric in args.metric:
        if metric not in (*protocol.scale, "total"):
            known = ", ".join(dict.fromkeys([*protocol.scale, "total"]))
            raise UsageError(f"--metric: {protocol.id} has no '{metric}'; it has {known}.")
    return _Bars(
        bars_of(args.fail_under, protocol),
        bars_of(args.fail_case_under, protocol, "--fail-case-under"),
        dict(_word(given) for given in args.fail_on),
    )


def _word(given: str) -> tuple[str, float]:
    word, _, share = given.partition("=")
    try:
        most = float(share) if share else 0.0
    except ValueError:
        most = math.nan
    if not word or not 0 <= most <= 1:
        raise UsageError(f"--fail-on takes WORD or WORD=SHARE (0 … 1), not '{given}'.")
    return word, most


def _against_baseline(
    args: argparse.Namespace, opened: Opened, warnings: list[str]
) -> list[GateCheck]:
    from oyer.report import gate
    from oyer.report.baseline import open_baseline

    if args.baseline is None:
        return []
    store = args.baseline_store or args.store
    baseline = open_baseline(opened, args.baseline, store, args.protocol_path)
    if baseline.itself:
        warnings.append("the run is its own baseline: nothing can have fallen")
    if baseline.warning:
        warnings.append(baseline.warning)
    if baseline.lost:
        warnings.append(
            f"{baseline.lost:,} cases had a score in the baseline and have none now; "
            "--max-unscored makes that fail"
        )
    warnings += gate.warnings(baseline.changed)
    return gate.check_drops(baseline.pairing, args.metric or ["total"], args.margin)


def _against_bars(
    args: argparse.Namespace,
    opened: Opened,
    bars: _Bars,
    results: Sequence[CaseResult],
    warnings: list[str],
) -> list[GateCheck]:
    from oyer.report import gate

    checks = gate.check_verdicts(opened.gathered)
    checks += gate.check_means(opened.gathered, bars.means)
    checks += gate.check_cases(results, bars.cases)
    checks += gate.check_words(results, bars.words)
    if args.max_unscored is not None:
        checks.append(gate.check_unscored(opened.gathered, args.max_unscored))
    if opened.run.state != "done":
        warnings.append(f"the run is not finished (state {opened.run.state})")
    known = {*opened.protocol.labels, "unscored"}
    for word in bars.words:
        seen = any(word in result.words or word in result.violations for result in results)
        if word not in known and not seen:
            warnings.append(f"no verdict of the run says '{word}': is it spelt right?")
    return checks


def _print(args: argparse.Namespace, checks: Sequence[GateCheck], warnings: list[str]) -> None:
    from oyer.report import ci, gate
    from oyer.text.printable import plain

    state = gate.decide(checks)
    if args.json:
        answer = {
            "passed": state == "pass",
            "decision": state,
            "conclusion": gate.conclude(checks),
            "warnings": warnings,
            "tests": [asdict(check) for check in checks],
        }
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print(plain(gate.conclude(checks)))
        for check in checks:
            mark = "pass" if check.state == "pass" else check.state.upper()
            print(f"{mark}  {plain(check.name)}  {plain(check.message)}")
        if state == "undecided" and not args.allow_undecided:
            print("Undecided is exit code 1; --allow-undecided makes it 0.")
    for warning in warnings:
        print(f"oyer: {plain(warning)}", file=sys.stderr)
    if args.github or (os.environ.get("GITHUB_ACTIONS") == "true" and not args.json):
        for line in ci.github(checks):
            print(line, file=trusted_stream(sys.stderr if args.json else sys.stdout))

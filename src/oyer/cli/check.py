"""`oyer check`: everything that is wrong with a file, and what was understood of it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oyer.runs.check_result import Check


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "check", help="list everything wrong with a suite, its texts, a protocol or cases"
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE",
        help="a suite (.toml), a task's text or prompt (.md), cases, a folder of tasks or protocol",
    )  # fmt: skip
    parser.add_argument("--protocol", metavar="NAME", help="what cases or a prompt are for")
    parser.add_argument(
        "--map", action="append", default=[], metavar="FIELD=COLUMN,…",
        help="which column is which field: article=document",
    )  # fmt: skip
    parser.add_argument(
        "--protocol-path", action="append", default=[], metavar="DIR",
        help="a folder with a protocol of your own (may be repeated)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one object a file (JSON Lines)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check every file; 2 when one of them must be mended."""
    from oyer.runs.check_result import CheckOptions
    from oyer.runs.checking import check_path
    from oyer.runs.starting import find_suite

    options = CheckOptions(args.protocol, tuple(args.protocol_path), tuple(args.map))
    checks = [check_path(file, options) for file in args.files or [find_suite()]]
    for check in checks:
        if args.json:
            print(json.dumps(_as_object(check), ensure_ascii=False))
        else:
            print("\n".join(_as_lines(check)))
    return 0 if all(check.is_good for check in checks) else 2


def _as_lines(check: Check) -> Sequence[str]:
    from oyer.text.printable import plain

    errors = sum(1 for found in check.problems if found.problem.severity == "error")
    state = "ok" if check.is_good else f"{errors} to mend"
    lines = [f"{check.file}: {check.kind}, {state}"]
    width = max((len(what) for what, _ in check.understood), default=0)
    for what, value in check.understood:
        lines.append(f"  {what:<{width}}  {value}")
    lines.extend(str(found) for found in check.problems)
    return [plain(line) for line in lines]


def _as_object(check: Check) -> dict[str, object]:
    problems = [
        {
            "file": found.file,
            "line": found.problem.line,
            "column": found.problem.column,
            "severity": found.problem.severity,
            "message": found.problem.message,
            "hint": found.problem.hint,
        }
        for found in check.problems
    ]
    understood = [[what, value] for what, value in check.understood]
    return {
        "file": check.file,
        "kind": check.kind,
        "ok": check.is_good,
        "understood": understood,
        "problems": problems,
    }

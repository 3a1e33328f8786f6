"""How `judge` and `audit` print verdicts: JSON Lines, the protocol's own format, or for people."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from oyer.cases import BadRow, ProblemSummary
from oyer.cli import EXIT_BUG, EXIT_GATE, EXIT_OK, EXIT_UNSCORED, EXIT_USAGE
from oyer.cli.means import CaseMeans, VerdictName, name_of
from oyer.cli.rows import header, row
from oyer.errors import PROTOCOL_ERROR, UsageError
from oyer.text.door import trusted_stream
from oyer.text.printable import plain
from oyer.types import AnyProtocol, JsonObject, Verdict
from oyer.verdicts import as_json, record
from oyer.verdicts.panel import PANEL
from oyer.verdicts.violations import is_breach, without_rule

if TYPE_CHECKING:
    from oyer.cases import Row

How = Literal["json", "protocol", "row"]
REASONS = 5  # different ones that are told one by one


@dataclass(frozen=True, slots=True)
class PrintedVerdict:
    """A verdict ready to print, light enough to travel between processes."""

    text: str
    name: VerdictName
    error: str | None
    scores: Mapping[str, float] | None
    codes: tuple[str, ...]  # of the rules that the judge broke
    problem: str | None = None  # a bad row, as it is told on standard error
    verdict: Verdict | None = None
    tally: object = None  # what it adds to the protocol's own report on many
    why: tuple[str, ...] = ()  # why a judge, or members of a panel, did not answer
    fields: JsonObject | None = None  # of the case, for one that is shown in full
    broken: bool = False  # the protocol's own code failed on it

    def light(self) -> PrintedVerdict:
        """Without the verdict itself, whose trace is heavy to send, and without its case."""
        return replace(self, verdict=None, fields=None)


def how_of(args: argparse.Namespace) -> How:
    """Which of the three ways the user asked for."""
    if args.json:
        return "json"
    return "protocol" if args.format == "protocol" else "row"


def format_verdict(verdict: Verdict, protocol: AnyProtocol, how: How) -> PrintedVerdict:
    """The verdict, printed in one of the three ways; a bad row is told on standard error too."""
    if how == "json":
        text = as_json(verdict)
    elif how == "row":
        text = row(verdict, protocol)
    elif verdict.status == "unscored":
        text = json.dumps(verdict.output, ensure_ascii=False, separators=(",", ":"))
    else:
        text = render(record(verdict)["output"], protocol)
    scores = None if verdict.scores is None else {**verdict.scores, "total": verdict.total or 0.0}
    codes = tuple(v.code for v in verdict.violations if is_breach(v.code))
    problem = verdict.violations[0].detail if verdict.error == "input" else None
    tally = protocol.tally(verdict) if protocol.tally is not None and how == "row" else None
    broken = any(v.code == PROTOCOL_ERROR for v in verdict.violations)
    return PrintedVerdict(
        text, name_of(verdict), verdict.error, scores, codes, problem, verdict, tally,
        _why(verdict), broken=broken,
    )  # fmt: skip


def render(output: object, protocol: AnyProtocol) -> str:
    """What `--format protocol` prints. A panel whose numbers are no member's has only numbers."""
    if isinstance(output, Mapping) and [*output] == [PANEL]:
        return json.dumps(output, ensure_ascii=False)
    return protocol.render(output)


def _why(verdict: Verdict) -> tuple[str, ...]:
    """What each judge said that could not be asked or refused: of a panel, every such member."""
    reasons = tuple(v.detail for v in verdict.violations if not is_breach(v.code))
    if verdict.error in ("provider", "refused"):
        return reasons or tuple(v.detail for v in verdict.violations[:1])
    return reasons if "panel" in verdict.extra and verdict.error != "input" else ()


class Printer:
    """Takes verdicts one by one and knows the exit code in the end.

    Little memory, but for the tallies of a protocol with a report of its own.
    """

    def __init__(self, protocol: AnyProtocol, how: How, fail_under: list[str]) -> None:
        self.protocol, self.how = protocol, how
        self.bars = bars_of(fail_under, protocol)
        self.count = self.bad = self.broken = 0
        self.errors: Counter[str] = Counter()
        self.violations: Counter[str] = Counter()
        self.means = CaseMeans()
        self.first: PrintedVerdict | None = None
        self.tallies: list[object] = []
        self.hints: dict[str, None] = {}  # what to try about bad rows, each once
        self.reasons: set[str] = set()  # why judges did not answer, each reason once
        self.fields: JsonObject | None = None  # of the first case: its text is shown
        self.problems = ProblemSummary()
        self.bad_row: tuple[str | None, ...] | None = None  # the last that was told
        self.progress = Ticker()

    def watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The same rows. The first case is remembered, in case it stays the only one; and what to
        try about bad rows, which is in no verdict."""
        for case in rows:
            if isinstance(case, BadRow):
                self.hints.setdefault(case.error.hint)
            if self.fields is None:
                self.fields = {} if isinstance(case, BadRow) else case.fields
            yield case

    def take(self, printed: PrintedVerdict) -> None:
        """Print one verdict, and remember what the summary needs."""
        self.count += 1
        self.progress.tick(self.count)
        self.broken += printed.broken
        self.bad += printed.problem is not None
        if printed.error is not None:
            self.errors[printed.error] += 1
        self.violations.update(printed.codes)
        if printed.tally is not None:
            self.tallies.append(printed.tally)
        if printed.scores is not None:
            self.means.take(printed.name, printed.scores)
        if self.how == "row" and self.count == 1:
            self.first = printed  # one case is explained in full; from the second on, a row each
            return
        if self.first is not None:
            self._tell(self.first)
            print(header(self.protocol), self.first.text, sep="\n")
            self.first = None
        self._tell(printed)
        print(printed.text)

    def _tell(self, printed: PrintedVerdict) -> None:
        """A bad row, and judges that could not be asked: why, on standard error, a few times at
        most. Of one row that several judges got, once."""
        row = (*printed.name[:2], printed.problem)
        if printed.problem is not None and row != self.bad_row:
            self.bad_row = row
            if self.problems.take(printed.problem):
                print(f"oyer: {printed.problem}", file=sys.stderr)
        if len(self.reasons) >= REASONS:
            return
        for reason in printed.why:  # of all members, or it would seem that the others answered
            if reason not in self.reasons:
                self.reasons.add(reason)
                print(f"oyer: {plain(without_rule(reason))}", file=sys.stderr)

    def close(self) -> int:
        """The summary, and the exit code."""
        self.progress.done()
        alone = self.first if self.first is not None and self.first.verdict is not None else None
        explained = alone is not None and alone.error is not None and _is_one_place()
        if self.first is not None and not explained:  # why there is no score is explained below
            self._tell(self.first)
        for line in self.problems.rest():
            print(f"oyer: {line}", file=sys.stderr)
        if alone is None:
            self._tell_hints()
        if not self.count:
            print("oyer: there was no case to judge", file=sys.stderr)
            return EXIT_USAGE
        if self.how == "row":
            if alone is not None and alone.verdict is not None:
                from oyer.report.speak import speak

                fields = alone.fields or self.fields
                speak(record(alone.verdict), self.protocol, fields=fields)
                sys.stdout.flush()
                self._tell_hints()
                self._hint()
            else:
                self._summary()
        failed = self._under_bars()
        if self.broken:
            return EXIT_BUG
        if self.bad:
            return EXIT_USAGE
        if self.errors:
            return EXIT_UNSCORED
        return EXIT_GATE if failed else EXIT_OK

    def _tell_hints(self) -> None:
        for hint in [hint for hint in self.hints if hint][:REASONS]:
            print(f"oyer: {plain(hint)}", file=sys.stderr)

    def _hint(self) -> None:
        if sys.stderr.isatty():
            print("Every step: the same with --json | oyer explain - --full", file=sys.stderr)

    def _summary(self) -> None:
        print()
        for line in self.means.lines():
            print(line)
        for title, counts in (("unscored", self.errors), ("violations", self.violations)):
            if counts:
                print(f"{title}: {', '.join(f'{c} {n:,}' for c, n in counts.most_common(8))}")
        if self.tallies and self.protocol.digest is not None:
            print()
            print(plain(self.protocol.digest(self.tallies), keep="\n"))

    def _under_bars(self) -> bool:
        failed = False
        for key, bar in self.bars.items():
            mean = self.means.mean(key)
            if mean is None or round(mean, 9) < bar:
                found_mean = "there is no score" if mean is None else f"the mean is {mean:.2f}"
                print(f"oyer: --fail-under {key}={bar:g}: {found_mean}", file=sys.stderr)
                failed = True
        return failed


def _is_one_place() -> bool:
    """Whether standard output and standard error go to the same terminal, file or pipe: what one
    says in full, the other need not repeat."""
    try:
        return os.path.samestat(os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno()))
    except (OSError, ValueError):  # a stream without a file, or closed
        return False


class Ticker:
    """A line on standard error, only on a terminal, at most ten times a second."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty() and not sys.stdout.isatty()
        self.began = self.last = time.monotonic()

    def tick(self, count: int) -> None:
        """Say how far we are."""
        now = time.monotonic()
        if self.live and now - self.last > 0.1:
            self.last = now
            rate = count / max(now - self.began, 1e-9)
            print(
                f"\r\x1b[K{count:,} verdicts, {rate:,.0f}/s",
                end="",
                file=trusted_stream(sys.stderr),
                flush=True,
            )

    def done(self) -> None:
        """Clear the line."""
        if self.live:
            print("\r\x1b[K", end="", file=trusted_stream(sys.stderr), flush=True)


def bars_of(
    given: list[str], protocol: AnyProtocol, option: str = "--fail-under"
) -> dict[str, float]:
    """The bars of an option: METRIC=X, or X alone for the total."""
    bars = {}
    for pair in given:
        name, _, value = pair.rpartition("=")
        name = name or "total"
        if name not in (*protocol.scale, "total"):
            known = ", ".join(dict.fromkeys([*protocol.scale, "total"]))
            raise UsageError(f"{option}: {protocol.id} has no metric '{name}'; it has {known}.")
        try:
            bars[name] = float(value)
        except ValueError:
            bars[name] = math.nan
        if not math.isfinite(bars[name]):  # no mean is under NaN: such a bar would never fail
            raise UsageError(f"{option} takes METRIC=NUMBER, not '{pair}'.")
    return bars

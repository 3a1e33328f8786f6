"""How far a run is: a live line per judge on a terminal, plain lines otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from oyer.runs.budget import BudgetMeter
from oyer.store.workers import Worker
from oyer.text.door import harmless, trusted_stream

if TYPE_CHECKING:
    from rich.console import Group

EVERY = 10.0  # seconds between two plain lines


@dataclass(slots=True)
class JudgeProgress:
    """One judge: verdicts found from earlier sessions, made now, and without a score."""

    total: int
    found: int = 0
    new: int = 0
    unscored: int = 0

    @property
    def done(self) -> int:
        return self.found + self.new


class Progress:
    """Told of each verdict; shows itself. Use it in a `with`."""

    def __init__(
        self, judges: Sequence[str], tasks: int, budget: BudgetMeter, out: TextIO | None = None
    ) -> None:
        self.budget, self.out = budget, out or sys.stderr
        self.lines = {name: JudgeProgress(tasks // len(judges)) for name in judges}
        self.began = self.reported = time.monotonic()
        self._live: Any = None
        self._tasks = tasks
        self._workers = 0  # that work on the run, in this process or another
        self._done_by_all: list[tuple[float, int]] = []  # when we looked first and last

    def look_at(self, workers: Sequence[Worker]) -> None:
        """How far the run is over all processes."""
        self._workers = sum(worker.ended is None for worker in workers)
        look = (time.monotonic(), sum(worker.verdicts for worker in workers))
        self._done_by_all = [*self._done_by_all[:1], look]

    def count_found(self, judge: str) -> None:
        """A verdict of an earlier session."""
        self.lines[judge].found += 1

    def count_made(self, judge: str, status: str) -> None:
        """A verdict of this session, kept."""
        line = self.lines[judge]
        line.new += 1
        line.unscored += status == "unscored"
        if self._live is None and time.monotonic() - self.reported >= EVERY:
            self.tell()

    def verdicts(self) -> int:
        """How many verdicts this session has made."""
        return sum(line.new for line in self.lines.values())

    def tell(self) -> None:
        """A plain line per judge, and one of what was spent."""
        self.reported = time.monotonic()
        for name in self.lines:
            print("  ".join(cell for cell in self._cells(name) if cell), file=self.out)
        for line in (self._all_workers(), self._spent()):
            if line:
                print(line, file=self.out, flush=True)

    def note(self, text: str) -> None:
        """A line of its own, above the live ones."""
        if self._live is not None:
            self._live.console.print(harmless(text), markup=False, highlight=False)
        else:
            print(text, file=self.out, flush=True)

    def __enter__(self) -> Progress:
        if self.out.isatty():
            from rich.console import Console
            from rich.live import Live

            console = Console(file=trusted_stream(self.out))
            self._live = Live(get_renderable=self._table, console=console, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
        else:
            self.tell()

    def _cells(self, name: str) -> list[str]:
        line = self.lines[name]
        seconds = max(time.monotonic() - self.began, 1e-9)
        rate = line.new / seconds
        left = line.total - line.done
        eta = f"ETA {_clock(left / rate)}" if rate and left else ""
        share = f"{line.done:,}/{line.total:,}"
        unscored = f"{line.unscored:,} unscored" if line.unscored else ""
        again = f"{line.found:,} found" if line.found else ""
        return [harmless(name), share, f"{rate:,.1f}/s", eta, unscored, again]

    def _all_workers(self) -> str:
        """How far all are; "" for one alone."""
        if self._workers < 2:
            return ""
        (began, before), (now, done) = self._done_by_all[0], self._done_by_all[-1]
        rate = (done - before) / max(now - began, 1e-9)
        left = self._tasks - done
        eta = f"  ETA {_clock(left / rate)}" if rate and left > 0 else ""
        return f"all {self._workers} workers  {done:,}/{self._tasks:,}  {rate:,.1f}/s{eta}"

    def _spent(self) -> str:
        spent, now = self.budget.spent, self.budget.own.calls
        if not spent.calls and not now:
            return ""
        cost = "price unknown" if spent.cost_usd is None else f"${spent.cost_usd:,.4f}"
        tokens = spent.input_tokens + spent.output_tokens
        return f"spent: {now:,} calls now; in all {spent.calls:,}, {tokens:,} tokens, {cost}"

    def _table(self) -> Group:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2))
        for name in self.lines:
            # Text, not markup: a model's name is not ours to obey.
            table.add_row(*(Text(cell) for cell in self._cells(name)))
        foot = [Text(line) for line in (self._all_workers(), self._spent()) if line]
        return Group(table, *foot)


def _clock(seconds: float) -> str:
    minutes, left = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"

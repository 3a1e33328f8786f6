"""A stored run in Python: `oyer.open_run("oyer.db", "latest")`.

run = oyer.open_run("oyer.db", "latest")
run.standings()                # the leaderboard
for verdict in run.verdicts(candidate="gpt-5"): …
run.to_pandas()                # or to_polars(): a row for each verdict
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from oyer.errors import UsageError
from oyer.types import Verdict

if TYPE_CHECKING:
    from oyer.report.standings import Standing
    from oyer.store import Run


@dataclass(frozen=True, slots=True, repr=False)
class RunView:
    """A run as it was when it was opened; verdicts are read from the store when asked for."""

    store: str | None
    run: Run
    paths: tuple[str, ...] = ()

    @property
    def id(self) -> int:
        return self.run.id

    @property
    def name(self) -> str:
        return self.run.name

    @property
    def protocol(self) -> str:
        """Its name and version."""
        return self.run.manifest.protocol

    @property
    def state(self) -> str:
        """running, done, stopped, budget or failed."""
        return self.run.state

    def verdicts(
        self, *, case: str | None = None, candidate: str | None = None, judge: str | None = None
    ) -> Iterator[Verdict]:
        """The verdicts in the order of the cases, whole; all, or those of one case, …"""
        from oyer.store import open_store
        from oyer.verdicts.record import restored

        wanted = {"case": case, "candidate": candidate, "judge": judge}
        with open_store(self.store, create=False, write=False) as store:
            for stored in store.verdicts_in_order(self.run.id):
                verdict = restored(stored.record)
                if all(want in (None, getattr(verdict, name)) for name, want in wanted.items()):
                    yield verdict

    def standings(self) -> list[Standing]:
        """The leaderboard: means with 95 % intervals, ties where the order is not clear."""
        from oyer.report.open_run import open_run
        from oyer.report.standings import standings

        with open_run(self.store, str(self.run.id), self.paths) as opened:
            return standings(opened.gathered, opened.protocol.scale)

    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each verdict: who, what, every score, what it cost."""
        from oyer.store import open_store

        with open_store(self.store, create=False, write=False) as store:
            outcomes = list(store.outcomes(self.run.id))
        keys = dict.fromkeys(chain.from_iterable(outcome.scores or () for outcome in outcomes))
        rows = []
        for outcome in outcomes:
            scores = outcome.scores or {}
            rows.append({
                "verdict": outcome.verdict,
                "case": outcome.case,
                "candidate": outcome.candidate,
                "judge": outcome.judge,
                "repeat": outcome.repeat,
                "status": outcome.status,
                "error": outcome.error,
                "total": outcome.total,
                **{key: scores.get(key) for key in keys},
                "violations": sum(outcome.violations.values()),
                "cost_usd": outcome.usage.cost_usd,
                "calls": outcome.usage.calls,
                "seconds": outcome.usage.seconds,
            })  # fmt: skip
        return rows

    def to_pandas(self) -> object:
        """`rows` as a pandas DataFrame; needs pandas."""
        return _library("pandas").DataFrame(self.rows())

    def to_polars(self) -> object:
        """`rows` as a polars DataFrame; needs polars."""
        return _library("polars").DataFrame(self.rows(), infer_schema_length=None)

    def __repr__(self) -> str:
        return f"<run {self.id} {self.name!r}: {self.protocol}, {self.state}>"

    def _repr_html_(self) -> str:
        """The leaderboard, for notebooks. Names are escaped."""
        head = f"run {self.id} · {self.name} · {self.protocol} · {self.state}"
        rows = [f"<p>{escape(head)}</p>", "<table><tr><th>rank<th>candidate<th>total<th>cases</tr>"]
        for line in self.standings():
            rank = "—" if line.rank is None else str(line.rank)
            cells = (rank, line.candidate, line.total.text, line.cases)
            shown = "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
            rows.append(f"<tr>{shown}</tr>")
        return "".join([*rows, "</table>"])


def _library(name: str) -> Any:
    """A library that Oyer does not need: only who asks for it must have it."""
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"to_{name} needs {name}: pip install {name}") from None


def open_run(
    store: str | None = None, run: str | int = "latest", *, protocol_path: Sequence[str] = ()
) -> RunView:
    """A stored run: its number, its suite's name, or "latest". StoreError if there is none."""
    from oyer.store import open_store

    with open_store(store, create=False, write=False) as opened:
        return RunView(store, opened.find_run(str(run)), tuple(protocol_path))

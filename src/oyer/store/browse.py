"""A run's cases page by page, in constant time: what a page of a million verdicts shows.

    browse = Browser(store)
    page = browse.cases(run, Wanted(order="worst", judge="embedded"), size=50)
    page = browse.cases(run, wanted, start=page.next)

Pages follow keys of an index, never OFFSET (0.05 ms against 61). A case stands where its first
matching verdict stands, so it is shown once. Where a filter matches little, one call looks at a
bounded number of verdicts and says from where to go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import sqlalchemy as sa

from oyer.errors import StoreError, UsageError
from oyer.store import codec, schema
from oyer.store.records import Outcome
from oyer.store.store import Store

Order = Literal["kept", "worst", "best", "name"]
ORDERS: tuple[Order, ...] = ("kept", "worst", "best", "name")

WINDOWS = (400, 2000, 4000, 8000)  # verdicts looked at, statement by statement
_TABLE = schema.verdicts.c
_OUTCOME = sa.select(*(_TABLE[name] for name in (*codec.OUTCOME, "check")))
_LAST = "\U0010ffff"  # no id goes on with a greater character
_PLACE = (_TABLE.id, _TABLE.total, _TABLE.case_id, _TABLE.candidate, _TABLE.judge)
_TOGETHER = 100  # verdicts whose cases are fetched in one statement
Key = tuple[Any, ...]  # where a verdict stands in an order; its last part is the row
_Place = tuple[Key, str]  # with its case


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which verdicts count, and in which order their cases come."""

    order: Order = "kept"
    case: str = ""  # the beginning of the case's id
    candidate: str = ""
    judge: str = ""
    violation: str = ""
    unscored: bool = False

    def matches(self, outcome: Outcome) -> bool:
        """Whether a verdict counts."""
        return (
            outcome.case.startswith(self.case)
            and self.candidate in ("", outcome.candidate)
            and self.judge in ("", outcome.judge)
            and (not self.violation or self.violation in outcome.violations)
            and (not self.unscored or outcome.total is None)
            and (self.order not in ("worst", "best") or outcome.total is not None)
        )

    def key(self, row: int, total: float | None, case: str) -> Key:
        """Where a verdict stands in this order."""
        if self.order == "name":
            return case, row
        return (row,) if self.order == "kept" else (total, row)

    def first(self, outcomes: Sequence[Outcome]) -> Key | None:
        """Where a case stands: with its first verdict that counts."""
        keys = [self.key(o.row, o.total, o.case) for o in outcomes if self.matches(o)]
        if not keys:
            return None
        return max(keys) if self.order == "best" else min(keys)


@dataclass(frozen=True, slots=True)
class Start:
    """From where a page goes on: after a key, or before it."""

    key: Key
    before: bool = False

    def __str__(self) -> str:
        kind = "before" if self.before else "after"
        return f"{kind}~{'~'.join(str(part) for part in reversed(self.key))}"


def read_start(text: str, order: Order) -> Start | None:
    """A start as it stands in an address; raises UsageError for one that nobody made."""
    if not text:
        return None
    kind, _, rest = text.partition("~")
    row, _, first = rest.partition("~")
    if kind not in ("after", "before") or not row.isdigit():
        raise UsageError(f"'{text}' is no place in a list.")
    if order == "kept":
        return Start((int(row),), kind == "before")
    if order == "name":
        return Start((first, int(row)), kind == "before")
    try:
        return Start((float(first), int(row)), kind == "before")
    except ValueError:
        raise UsageError(f"'{text}' is no place in a list.") from None


@dataclass(frozen=True, slots=True)
class CaseOutcomes:
    """One case: everything that was said of it in a run, in the order kept."""

    case: str
    key: Key
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class CasePage:
    """Some cases in order. `next`, `previous`: None where the list ends."""

    cases: tuple[CaseOutcomes, ...]
    next: Start | None
    previous: Start | None
    looked_at: int  # verdicts


@dataclass(frozen=True, slots=True)
class News:
    """Verdicts that were kept lately, of one judge and one error (None: scored)."""

    judge: str
    error: str | None
    verdicts: int
    cost: float | None
    last: int  # row


class Browser:
    """The browsing side of an open store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def cases(
        self, run: int, wanted: Wanted, start: Start | None = None, size: int = 50
    ) -> CasePage:
        """The cases of a run from a place on."""
        back = start is not None and start.before
        walk = _Walk(size)
        at = start
        for window in WINDOWS:
            places, last, count = self._places(run, wanted, at, window)
            self._collect(run, wanted, places, walk)
            if walk.is_full:
                break
            walk.looked_at += count
            walk.last = last
            walk.ended = count < window
            if last is None or walk.ended:
                break
            at = Start(last, back)
        onward = None if walk.last is None or walk.ended else Start(walk.last, back)
        backward = None
        if start is not None:
            backward = Start(walk.found[0].key if walk.found else start.key, not back)
        if back:
            return CasePage(tuple(reversed(walk.found)), backward, onward, walk.looked_at)
        return CasePage(tuple(walk.found), onward, backward, walk.looked_at)

    def case(self, run: int, case_id: str) -> list[Outcome]:
        """Everything that was said of one case, in the order kept."""
        return self._outcomes(run, [case_id])

    def outcome(self, run: int, row: int) -> Outcome:
        """One verdict by its row."""
        asked = _OUTCOME.where(_TABLE.run == run, _TABLE.id == row)
        for found in self._store._fetch(asked):
            return codec.read_outcome(found)
        raise StoreError(f"{self._store.where} has no verdict in row {row} of run {run}.")

    def news(self, run: int, row: int) -> list[News]:
        """What came after a row, by judge and error."""
        grouped = (
            sa.select(
                _TABLE.judge,
                _TABLE.error,
                sa.func.count(),
                sa.func.sum(_TABLE.cost_usd),
                sa.func.max(_TABLE.id),
            )
            .where(_TABLE.run == run, _TABLE.id > row)
            .group_by(_TABLE.judge, _TABLE.error)
        )
        return [News(*found) for found in self._store._fetch(grouped)]

    def last_rows(self) -> dict[int, int]:
        """The last row of each run's verdicts: whoever has seen it has seen all."""
        last = sa.select(sa.func.max(_TABLE.id)).where(_TABLE.run == schema.runs.c.id)
        asked = sa.select(schema.runs.c.id, last.scalar_subquery())
        return {run: row or 0 for run, row in self._store._fetch(asked)}

    # ── how ───────────────────────────────────────────────────────────────────────────────────

    def _places(
        self, run: int, wanted: Wanted, start: Start | None, window: int
    ) -> tuple[list[_Place], Key | None, int]:
        """The next places in order that may match, the last one looked at, and how many were."""
        columns, descending = self._columns(wanted.order)
        if start is not None and start.before:
            descending = not descending
        asked = sa.select(*_PLACE, *([_TABLE.brief] if wanted.violation else []))
        asked = asked.where(_TABLE.run == run)
        if wanted.order in ("worst", "best"):
            asked = asked.where(_TABLE.total.is_not(None))
        elif wanted.unscored:
            asked = asked.where(_TABLE.total.is_(None))
        if wanted.case:
            name = self._case
            asked = asked.where(name >= wanted.case, name < wanted.case + _LAST)
        if start is not None:
            here, place = sa.tuple_(*columns), sa.tuple_(*(sa.literal(part) for part in start.key))
            asked = asked.where(here < place if descending else here > place)
        asked = asked.order_by(*(c.desc() if descending else c.asc() for c in columns))
        rows = self._store._fetch(asked.limit(window))
        last = wanted.key(*rows[-1][:3]) if rows else None
        return (
            [(wanted.key(*row[:3]), row[2]) for row in rows if _may(wanted, row)],
            last,
            len(rows),
        )

    @property
    def _case(self) -> Any:
        """The case's id, ordered by code point whatever the database's language is."""
        on_a_server = self._store._database.file is None
        if on_a_server:
            return sa.func.left(_TABLE.case_id, 500).collate("C")  # as the index has it
        return _TABLE.case_id

    def _columns(self, order: Order) -> tuple[list[Any], bool]:
        """The columns of an order's keys, and whether it goes down."""
        if order == "kept":
            return [_TABLE.id], False
        if order == "name":
            return [self._case, _TABLE.id], False
        return [_TABLE.total, _TABLE.id], order == "best"

    def _collect(self, run: int, wanted: Wanted, places: Sequence[_Place], walk: _Walk) -> None:
        """Take the cases whose first matching verdict stands at one of these places."""
        for begin in range(0, len(places), _TOGETHER):
            some = places[begin : begin + _TOGETHER]
            unknown = {case for _, case in some} - walk.known.keys()
            outcomes: dict[str, list[Outcome]] = {case: [] for case in unknown}
            for outcome in self._outcomes(run, sorted(unknown)):
                outcomes[outcome.case].append(outcome)
            for case, said in outcomes.items():
                walk.known[case] = CaseOutcomes(case, wanted.first(said) or (), tuple(said))
            for key, case in some:
                walk.last = key
                if walk.known[case].key == key:
                    walk.found.append(walk.known[case])
                if len(walk.found) >= walk.size:
                    walk.is_full = True
                    return

    def _outcomes(self, run: int, cases: Sequence[str]) -> list[Outcome]:
        if not cases:
            return []
        # By way of the rows' ids: else SQLite walks the whole run in an index that holds it all.
        ids = sa.select(_TABLE.id).where(_TABLE.run == run, self._case.in_(cases))
        rows = self._store._fetch(_OUTCOME.where(_TABLE.id.in_(ids)))
        return [codec.read_outcome(row) for row in sorted(rows, key=lambda row: int(row[0]))]


@dataclass(slots=True)
class _Walk:
    """How far a walk along the keys has come."""

    size: int
    found: list[CaseOutcomes] = field(default_factory=list)
    known: dict[str, CaseOutcomes] = field(default_factory=dict)
    last: Key | None = None
    looked_at: int = 0
    ended: bool = False  # there is nothing beyond
    is_full: bool = False


def _may(wanted: Wanted, row: Sequence[Any]) -> bool:
    """Whether a verdict may match, as far as its columns tell."""
    _, _, _, candidate, judge, *brief = row
    return (
        wanted.candidate in ("", candidate)
        and wanted.judge in ("", judge)
        and (not wanted.violation or wanted.violation in brief[0])
    )

"""A run's cases page by page, in constant time: what a page of a million verdicts shows.

    browse = Browser(store)
    page = browse.cases(run, Wanted(order="worst", judge="embedded"), size=50)
    page = browse.cases(run, wanted, start=page.next)

Pages follow keys of an index, never OFFSET (0.05 ms against 61). A case stands where its first
matching verdict stands, so it is shown once. Where a filter matches little, one call looks at a
bounded number of verdicts and says from where to go on; whoever knows the few rows that can match
names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Literal

import sqlalchemy as sa

from oyer.errors import StoreError, UsageError
from oyer.store import codec, schema
from oyer.store.records import Outcome
from oyer.store.store import Store
from oyer.types import Case

Order = Literal["kept", "worst", "best", "name"]
ORDERS: tuple[Order, ...] = ("kept", "worst", "best", "name")

SMALL = 20_000  # bytes of a case, packed
WINDOWS = (400, 800, 1600, 3200, 6400)  # verdicts looked at, statement by statement
_TABLE = schema.verdicts.c
_OUTCOME = sa.select(*(_TABLE[name] for name in (*codec.OUTCOME, "check")))
_LAST = "\U0010ffff"  # no id goes on with a greater character
_PLACE = (_TABLE.id, _TABLE.total, _TABLE.case_id, _TABLE.candidate, _TABLE.judge)
_OTHER = schema.verdicts.alias("other")  # another verdict on the same case
_TOGETHER = (8, 100)  # places, at least and at most, whose cases are looked at in one statement
Key = tuple[object, ...]  # where a verdict stands in an order; its last part is the row
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
        of = (outcome.case, outcome.candidate, outcome.judge, outcome.total)
        return self.takes(*of) and (not self.violation or self.violation in outcome.violations)

    def takes(self, case: str, candidate: str | None, judge: str, total: float | None) -> bool:
        """Whether a verdict counts, as far as this tells."""
        if self.order in ("worst", "best") and total is None:
            return False
        return (
            case.startswith(self.case)
            and self.candidate in ("", candidate)
            and self.judge in ("", judge)
            and (total is None or not self.unscored)
        )

    def names(self) -> list[tuple[str, str]]:
        """The columns that must have one value, with it."""
        wanted = [("candidate", self.candidate), ("judge", self.judge)]
        return [(column, name) for column, name in wanted if name]

    def key(self, row: int, total: float | None, case: str) -> Key:
        """Where a verdict stands in this order."""
        if self.order == "name":
            return case, row
        return (row,) if self.order == "kept" else (total, row)

    def first_of(self, keys: Sequence[Key]) -> Key:
        """Where a case stands: with its first verdict that counts."""
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
            if wanted.violation:  # only a verdict that was read says which rules were broken
                self._collect(run, wanted, places, walk)
            else:
                walk.choose(places)
            if walk.is_full:
                break
            walk.looked_at += count
            walk.last = last
            walk.ended = count < window
            if last is None or walk.ended:
                break
            at = Start(last, back)
        return self._page(run, walk, start)

    def cases_at(
        self, run: int, wanted: Wanted, rows: Sequence[int], start: Start | None = None,
        size: int = 50,
    ) -> CasePage:  # fmt: skip
        """The same where nothing but these rows can match, and they are few."""
        back = start is not None and start.before
        down = (wanted.order == "best") != back
        query = sa.select(*_PLACE).where(_TABLE.run == run, _TABLE.id.in_(rows))
        found = self._store._fetch(query)
        keys: dict[str, list[Key]] = {}
        for number, total, case, candidate, judge in found:
            if wanted.takes(case, candidate, judge, total):
                keys.setdefault(case, []).append(wanted.key(number, total, case))
        places = sorted([(wanted.first_of(own), case) for case, own in keys.items()], reverse=down)
        if start is not None:
            places = [place for place in places if _is_beyond(place[0], start.key, down)]
        walk = _Walk(size, looked_at=len(rows))
        walk.choose(places)
        walk.ended = not walk.is_full
        return self._page(run, walk, start)

    def _page(self, run: int, walk: _Walk, start: Start | None) -> CasePage:
        back = start is not None and start.before
        onward = None if walk.last is None or walk.ended else Start(walk.last, back)
        backward = None
        if start is not None:
            backward = Start(walk.chosen[0][0] if walk.chosen else start.key, not back)
        found = self._with_outcomes(run, walk.chosen)
        if back:
            return CasePage(tuple(reversed(found)), backward, onward, walk.looked_at)
        return CasePage(tuple(found), onward, backward, walk.looked_at)

    def case(self, run: int, case_id: str) -> list[Outcome]:
        """Everything that was said of one case, in the order kept."""
        return self._outcomes(run, [case_id])

    def small_cases(self, shas: Sequence[str]) -> dict[str, Case]:
        """Stored cases by their sha, but not those that take long to read."""
        table = schema.cases.c
        query = sa.select(table.sha, table.body).where(
            table.sha.in_(list(dict.fromkeys(shas))), sa.func.length(table.body) < SMALL
        )
        found = self._store._fetch(query)
        return {sha: codec.read_case(sha, body).case for sha, body in found}

    def outcome(self, run: int, row: int) -> Outcome:
        """One verdict by its row."""
        query = _OUTCOME.where(_TABLE.run == run, _TABLE.id == row)
        for found in self._store._fetch(query):
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
        query = sa.select(schema.runs.c.id, last.scalar_subquery())
        return {run: row or 0 for run, row in self._store._fetch(query)}

    # ── how ───────────────────────────────────────────────────────────────────────────────────

    def _places(
        self, run: int, wanted: Wanted, start: Start | None, window: int
    ) -> tuple[list[_Place], Key | None, int]:
        """The next places in order that may match, the last one looked at, and how many were."""
        columns, descending = self._columns(wanted.order)
        if start is not None and start.before:
            descending = not descending
        query = sa.select(*_PLACE, _TABLE.brief if wanted.violation else sa.null().label("brief"))
        query = query.where(_TABLE.run == run)
        if wanted.order in ("worst", "best"):
            query = query.where(_TABLE.total.is_not(None))
        elif wanted.unscored:
            query = query.where(_TABLE.total.is_(None))
        if wanted.case:
            name = self._case_of(_TABLE)
            query = query.where(name >= wanted.case, name < wanted.case + _LAST)
        if start is not None:
            here = sa.tuple_(*columns)
            place = sa.tuple_(*(sa.literal(part) for part in start.key))
            query = query.where(here < place if descending else here > place)
        query = query.order_by(*(c.desc() if descending else c.asc() for c in columns))
        query = query.add_columns(*(c.label(f"key{at}") for at, c in enumerate(columns)))
        rows = self._mark_first(run, wanted, query.limit(window), descending)
        last = wanted.key(*rows[-1][:3]) if rows else None
        return [(wanted.key(*row[:3]), row[2]) for row in rows if row.may], last, len(rows)

    def _mark_first(
        self, run: int, wanted: Wanted, window: sa.Select[object], descending: bool
    ) -> Sequence[Any]:
        """The verdicts of a window in order, each with `may`: whether it matches, as far as its
        columns tell, and no other one on its case comes before."""
        place = window.subquery("place").c
        may = [place[name] == word for name, word in wanted.names()]
        if wanted.violation:
            may.append(place.brief.contains(wanted.violation, autoescape=True))
        else:
            may.append(~self._earlier(run, wanted, place))
        keys = [column for column in place if column.name.startswith("key")]
        query = sa.select(*place, sa.and_(*may).label("may"))
        query = query.order_by(*(key.desc() if descending else key for key in keys))
        return self._store._fetch(query)

    def _earlier(self, run: int, wanted: Wanted, place: Any) -> Any:
        """Whether another verdict that matches comes before this place, on the same case."""
        other = _OTHER.c
        by_total = wanted.order in ("worst", "best")
        here = sa.tuple_(place.total, place.id) if by_total else place.id
        # "+ 0": else SQLite walks the run by its totals, not the case.
        there = sa.tuple_(other.total + 0, other.id) if by_total else other.id
        before = there > here if wanted.order == "best" else there < here
        query = sa.select(other.id).where(other.run == run, other.case_id == place.case_id, before)
        for name, word in wanted.names():
            query = query.where(other[name] == word)
        if wanted.unscored:
            query = query.where(other.total.is_(None))
        return sa.exists(query)

    def _case_of(self, table: Any) -> Any:
        """The case's id, ordered by code point whatever the database's language is."""
        on_a_server = self._store._database.file is None
        if on_a_server:
            return sa.func.left(table.case_id, 500).collate("C")  # as the index has it
        return table.case_id

    def _columns(self, order: Order) -> tuple[list[Any], bool]:
        """The columns of an order's keys, and whether it goes down."""
        if order == "kept":
            return [_TABLE.id], False
        if order == "name":
            return [self._case_of(_TABLE), _TABLE.id], False
        return [_TABLE.total, _TABLE.id], order == "best"

    def _collect(self, run: int, wanted: Wanted, places: Sequence[_Place], walk: _Walk) -> None:
        """Choose the cases whose first matching verdict stands at one of these places."""
        fewest, most = _TOGETHER
        together = max(fewest, min(most, 2 * walk.size))
        for begin in range(0, len(places), together):
            some = places[begin : begin + together]
            unknown = {case for _, case in some} - walk.first.keys()
            walk.first.update(self._first_keys(run, wanted, unknown))
            walk.choose(place for place in some if walk.first.get(place[1]) == place[0])
            if walk.is_full:
                return

    def _first_keys(self, run: int, wanted: Wanted, cases: Set[str]) -> dict[str, Key]:
        """Where each case stands."""
        keys: dict[str, list[Key]] = {}
        for outcome in self._outcomes(run, sorted(cases)):
            if wanted.matches(outcome):
                key = wanted.key(outcome.row, outcome.total, outcome.case)
                keys.setdefault(outcome.case, []).append(key)
        return {case: wanted.first_of(own) for case, own in keys.items()}

    def _with_outcomes(self, run: int, chosen: Sequence[_Place]) -> list[CaseOutcomes]:
        """The chosen cases with everything that was said of them."""
        outcomes: dict[str, list[Outcome]] = {}
        for outcome in self._outcomes(run, [case for _, case in chosen]):
            outcomes.setdefault(outcome.case, []).append(outcome)
        return [CaseOutcomes(case, key, tuple(outcomes[case])) for key, case in chosen]

    def _ids(self, run: int, cases: Sequence[str]) -> Any:
        """The rows of some cases. By way of their ids: else SQLite walks the whole run in an index
        that holds it all."""
        found = sa.select(_OTHER.c.id).where(_OTHER.c.run == run)
        return found.where(self._case_of(_OTHER.c).in_(cases))

    def _outcomes(self, run: int, cases: Sequence[str]) -> list[Outcome]:
        if not cases:
            return []
        rows = self._store._fetch(_OUTCOME.where(_TABLE.id.in_(self._ids(run, cases))))
        return [codec.read_outcome(row) for row in sorted(rows, key=lambda row: int(row[0]))]


@dataclass(slots=True)
class _Walk:
    """How far a walk along the keys has come."""

    size: int
    chosen: list[_Place] = field(default_factory=list)
    first: dict[str, Key] = field(default_factory=dict)  # case -> where it stands
    last: Key | None = None
    looked_at: int = 0
    ended: bool = False  # there is nothing beyond

    @property
    def is_full(self) -> bool:
        return len(self.chosen) >= self.size

    def choose(self, places: Iterable[_Place]) -> None:
        """Take these places in order, as long as there is room."""
        for place in places:
            if self.is_full:
                return
            self.chosen.append(place)
            self.last = place[0]


def _is_beyond(key: Key, start: Key, down: bool) -> bool:
    return key < start if down else key > start

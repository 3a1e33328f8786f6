"""Pages of a run's cases: whatever the order and the filter, every case once, in one order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain
from typing import get_args

import pytest

from oyer.store import open_store
from oyer.store.browse import Browser, CasePage, Order, Start, Wanted, read_start
from oyer.store.records import Outcome, case_sha
from oyer.store.store import Store
from oyer.types import Violation
from tests.store.made import case, manifest, task, verdict

WANTED = [
    Wanted(),
    Wanted(order="name"),
    Wanted(order="worst"),
    Wanted(order="best"),
    Wanted(order="worst", candidate="b"),
    Wanted(order="best", judge="k"),
    Wanted(order="name", case="c1"),
    Wanted(unscored=True),
    Wanted(violation="rare"),
    Wanted(order="worst", violation="rare", candidate="a"),
    Wanted(candidate="nobody"),
]


def fill(store: Store, cases: int = 40) -> int:
    """A run of two candidates and two judges, kept in no order; some verdicts without a total."""
    chance = random.Random(5)
    run = store.begin_run(manifest()).id
    every = [(n, who, judge) for n in range(cases) for who in "ab" for judge in "jk"]
    chance.shuffle(every)
    kept = []
    for number, (n, who, judge) in enumerate(every):
        total = None if chance.random() < 0.2 else chance.randrange(5) / 2
        broken = (Violation("rare", "x", "y"),) if chance.random() < 0.1 else ()
        made = verdict(
            number,
            total,
            case=f"c{n}",
            candidate=who,
            judge=judge,
            violations=broken,
            scores=None if total is None else {"marks": total},
            status="scored" if total is not None else "unscored",
            error=None if total is not None else "refused",
        )
        kept.append(store.keep_verdict(task(run, number), case_sha(case(n)), made, 1))
    for written in kept:
        written.result()
    return run


def pages(
    browser: Browser, run: int, wanted: Wanted, start: Start | None, rows: list[int] | None = None
) -> Iterator[CasePage]:
    """Page after page in the direction of the start, as addresses carry it."""
    back = start is not None and start.before
    while True:
        if rows is None:
            page = browser.cases(run, wanted, start, size=7)
        else:
            page = browser.cases_at(run, wanted, rows, start, size=7)
        yield page
        onward = page.previous if back else page.next
        if onward is None:
            return
        start = read_start(str(onward), wanted.order)


def expected(outcomes: list[Outcome], wanted: Wanted) -> list[str]:
    """The plain way: all verdicts that count, in order, each case where it comes first."""
    keyed = [
        (wanted.key(one.row, one.total, one.case), one.case)
        for one in outcomes
        if wanted.matches(one)
    ]
    ordered = sorted(keyed, reverse=wanted.order == "best")
    return list(dict.fromkeys(name for _, name in ordered))


@pytest.mark.parametrize("wanted", WANTED, ids=str)
def test_every_case_comes_once_in_order_and_back(wanted: Wanted, where: str) -> None:
    with open_store(where) as store:
        run = fill(store)
        browser, outcomes = Browser(store), list(store.outcomes(run))
        forth = [found for page in pages(browser, run, wanted, None) for found in page.cases]
        assert [found.case for found in forth] == expected(outcomes, wanted)
        for found in forth:
            own = [one for one in outcomes if one.case == found.case]
            assert list(found.outcomes) == own
        if forth:
            last = Start(forth[-1].key, before=True)
            back = [p.cases for p in pages(browser, run, wanted, last)]
            told = [found.case for page in reversed(back) for found in page]
            assert told == [found.case for found in forth[:-1]]


@pytest.mark.parametrize("order", get_args(Order))
def test_pages_of_known_rows_are_the_pages_that_looking_finds(order: Order, where: str) -> None:
    wanted = Wanted(order=order, violation="rare", judge="j")
    with open_store(where) as store:
        run = fill(store, 60)
        browser, outcomes = Browser(store), list(store.outcomes(run))
        rows = [outcome.row for outcome in outcomes if "rare" in outcome.violations]
        looked = [page.cases for page in pages(browser, run, wanted, None)]
        known = [page.cases for page in pages(browser, run, wanted, None, rows)]
        assert len(known) > 1
        assert list(chain(*known)) == list(chain(*looked))
        last = Start(known[-1][-1].key, before=True)
        back = [page.cases for page in pages(browser, run, wanted, last, rows)]
        assert list(chain(*reversed(back))) == list(chain(*known))[:-1]


def test_a_case_that_takes_long_to_read_is_left_out(where: str) -> None:
    noise = "".join(map(chr, random.Random(1).choices(range(0x4E00, 0x9FFF), k=30_000)))
    with open_store(where) as store:
        run = store.begin_run(manifest()).id
        for number, text in enumerate(("short", noise)):
            given = case(number, text)
            store.keep_cases([given]).result()
            store.keep_verdict(task(run, number), case_sha(given), verdict(number), 1).result()
        shas = [outcome.case_sha for outcome in store.outcomes(run)]
        assert list(Browser(store).small_cases(shas)) == shas[:1]

"""A run as columns and sums: the same from either database, and the same as row by row."""

from __future__ import annotations

import math
from dataclasses import replace

from oyer.store import open_store
from oyer.store.aggregates import outcomes_at, read_run, states_of, verdicts_at
from oyer.store.cards import keep_card, read_cards
from oyer.types import Usage, Violation
from tests.store.made import case, manifest, task, verdict


def test_columns_and_sums_are_those_of_the_rows(where: str) -> None:
    broken = (Violation("arithmetic", "x", "y"), Violation("arithmetic", "z", "y"))
    made = [
        replace(verdict(0), judge="a", violations=broken, usage=Usage(1, 1, 0.5, 1, 2.0)),
        replace(verdict(1), judge="a", usage=Usage(1, 1, 0.25, 1, 4.0)),
        replace(verdict(2), judge="b", usage=Usage(1, 1, None, 2, 1.0)),
        replace(verdict(3), judge="b", status="unscored", error="refused", scores=None, total=None),
    ]
    with open_store(where) as store:
        run = store.begin_run(manifest())
        for number, one in enumerate(made):
            store.keep_verdict(task(run.id, number), f"sha{number}", one, 1).result()
        totals, sums = read_run(store, run.id)
        rows = totals.row.tolist()
        outcomes = list(outcomes_at(store, rows))
        whole = list(verdicts_at(store, rows[1:3]))
    assert list(totals.judges) == ["a", "b"]
    assert totals.case.tolist() == [totals.cases[one.case] for one in made]
    assert [math.isnan(total) for total in totals.total] == [False, False, False, True]
    assert [one.verdict for one in outcomes] == [one.id for one in made]
    assert [one.record["judge"] for one in whole] == ["a", "b"]
    assert (sums["a"].scored, sums["a"].cost_usd, sums["a"].seconds) == (2, 0.75, 6.0)
    assert ({"arithmetic": 2}, 1) in sums["a"].violations
    assert (sums["b"].cost_usd, dict(sums["b"].errors)) == (None, {"refused": 1})


def test_an_empty_run_has_no_totals(where: str) -> None:
    with open_store(where) as store:
        totals, sums = read_run(store, store.begin_run(manifest()).id)
    assert (len(totals.row), dict(totals.judges), sums) == (0, {}, {})


def test_cards_are_found_by_protocol_and_judge(where: str) -> None:
    with open_store(where) as store:
        for judge in ("a", "b\u0000ü"):
            for sentence in ("old", "new"):
                body = {"judge": judge, "protocol": "toy@1", "run": 1, "sentence": sentence}
                keep_card(store, body)
        assert [card.sentence for card in read_cards(store)] == ["new", "new"]
        assert [card.judge for card in read_cards(store, "toy@1", {"a"})] == ["a"]
        assert read_cards(store, "toy@2") == []
        assert states_of(store, "other") == {}


def test_a_case_is_only_named(where: str) -> None:
    """Nothing of a case's text is read for columns."""
    with open_store(where) as store:
        run = store.begin_run(manifest())
        store.keep_cases([case()]).result()
        assert len(read_run(store, run.id)[0].row) == 0

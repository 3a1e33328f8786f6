"""Columns are what the rows say, whatever was kept before: on SQLite and PostgreSQL."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from oyer.errors import StoreDamaged
from oyer.store import Run, codec, open_store, schema
from oyer.store.columns import Columns, columns_of, pack, unpack
from oyer.store.kept_columns import keep_new_columns, read_columns
from oyer.store.store import Store
from oyer.store.versions import read_version
from tests.store.made import manifest, task, verdict

CHUNK = 4


def told_apart(value: Any) -> str:
    """NaN equals NaN here, and True is not 1."""
    return json.dumps(value, sort_keys=True)


def listed(chunks: Iterable[Columns]) -> list[str]:
    """Every verdict of the columns, with names for numbers; then what was stated."""
    rows, stated = [], dict[str, int]()
    for columns in chunks:
        for at in range(len(columns)):
            rows.append(
                told_apart([
                    int(columns.row[at]), int(columns.seq[at]), int(columns.repeat[at]),
                    columns.cases[columns.case[at]], columns.candidates[columns.candidate[at]],
                    columns.judges[columns.judge[at]], columns.errors[columns.error[at]],
                    columns.violation_counts[columns.violations[at]],
                    columns.fact_sets[columns.facts[at]],
                    int(columns.calls[at]), bool(columns.scored[at]), float(columns.total[at]),
                    float(columns.cost[at]), float(columns.seconds[at]),
                    {name: float(scores[at]) for name, scores in columns.scores.items()
                     if not math.isnan(scores[at])},
                ])
            )  # fmt: skip
        for pair in columns.stated:
            key = told_apart(pair[:-1])
            stated[key] = stated.get(key, 0) + pair.times
    return [*rows, told_apart(stated)]


def agree(store: Store, run: Run) -> None:
    """Twice: what was read anew is kept, and the second time it is what was kept."""
    wanted = listed(columns_of(store.outcomes(run.id)))
    assert listed(read_columns(store, run.id, CHUNK)) == wanted
    assert listed(read_columns(store, run.id, CHUNK)) == wanted


def keep(store: Store, run: Run, numbers: Iterable[int], **changed: object) -> None:
    rows = []
    for number in numbers:
        judged = verdict(number, total=number % 10, judge=f"j{number % 2}", **changed)
        rows.append(codec.verdict_row(task(run.id, number), f"sha{number}", judged, 1))
    store.keep_verdicts(rows).result()


def kept(store: Store) -> int:
    counted = sa.select(sa.func.count()).select_from(schema.columns)
    return int(store._fetch(counted)[0][0])


def test_columns_follow_the_rows(where: str) -> None:
    """New rows, replaced rows, other runs between, a run that is deleted and made again."""
    with open_store(where) as store:
        run, other = store.begin_run(manifest()), store.begin_run(manifest("other"))
        agree(store, run)
        keep(store, run, range(11))
        agree(store, run)
        assert kept(store) == 2
        keep(store, other, range(6))
        keep(store, run, range(11, 14))
        agree(store, run)
        before = read_version(store, run.id)
        keep(store, run, [2], error="refused", status="unscored", scores=None)
        assert read_version(store, run.id) != before
        agree(store, run)
        keep(store, run, [9], extra={"critical_fail": True})
        agree(store, run)
        agree(store, other)
        store.end_run(run, "done")
        store.end_run(other, "done")
        store.delete_run(run)
        run = store.begin_run(manifest())
        agree(store, run)
        keep(store, run, range(20, 33))
        agree(store, run)


def test_lost_and_damaged_columns_are_made_again(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        keep(store, run, range(13))
        agree(store, run)
        change = schema.columns.update().where(schema.columns.c.after == 0)
        store._write(lambda c: c.execute(change.values(body=b"nothing"))).result()
        agree(store, run)
        first = schema.columns.delete().where(schema.columns.c.after == 0)
        store._write(lambda c: c.execute(first)).result()
        agree(store, run)
        store._write(lambda c: c.execute(schema.columns.delete())).result()
        agree(store, run)
        assert kept(store) == 3


def test_who_writes_keeps_columns_for_the_readers(where: str) -> None:
    """Full chunks on the way, the rest at the end; a run that goes on adds to them."""
    with open_store(where) as store:
        run, other = store.begin_run(manifest()), store.begin_run(manifest("other"))
        keep(store, run, range(3))
        keep_new_columns(store, run.id, fewest=CHUNK, chunk=CHUNK)
        assert kept(store) == 0
        keep(store, other, range(5))
        keep(store, run, range(3, 9))
        keep_new_columns(store, run.id, fewest=CHUNK, chunk=CHUNK)
        assert kept(store) == 2
        keep_new_columns(store, run.id, fewest=1, chunk=CHUNK)
        assert kept(store) == 3
        agree(store, run)
        keep(store, run, range(9, 15))
        keep(store, run, [4], error="refused", status="unscored", scores=None)
        keep_new_columns(store, run.id, fewest=CHUNK, chunk=CHUNK)
        assert kept(store) == 4
        agree(store, run)
        agree(store, other)


def test_chunks_of_two_processes_that_overlap_count_once(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        keep(store, run, range(6))
        keep_new_columns(store, run.id, fewest=1, chunk=CHUNK)  # (0, 4] and (4, 6]
        keep(store, run, range(6, 20))
        keep_new_columns(store, run.id, fewest=1, chunk=CHUNK)  # (6, 10] and so on
        change = schema.columns.delete().where(schema.columns.c.after == 4)
        store._write(lambda c: c.execute(change)).result()
        agree(store, run)  # (4, 8] is made, and overlaps (6, 10]
        agree(store, run)


def test_a_damaged_row_does_not_end_a_run(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        keep(store, run, range(5))
        change = schema.verdicts.update().where(schema.verdicts.c.seq == 3).values(total=9.99)
        store._write(lambda c: c.execute(change)).result()
        keep_new_columns(store, run.id, fewest=1, chunk=CHUNK)
        assert kept(store) == 0


def test_a_row_that_shows_late_is_counted(where: str) -> None:
    """PostgreSQL hands out row numbers before they are committed: 3 may show after 4 and 5."""
    with open_store(where) as store:
        if not store.has_many_writers:
            pytest.skip("SQLite has one writer at a time")
        run = store.begin_run(manifest())
        keep(store, run, range(2))
        row = codec.verdict_row(task(run.id, 99), "sha99", verdict(99), 1)
        with store._database.engine.begin() as other_writer:
            other_writer.execute(schema.verdicts.insert().values(row))
            keep(store, run, range(3, 9))
            agree(store, run)
        assert kept(store) == 2
        agree(store, run)
        rows = [row for chunk in read_columns(store, run.id, CHUNK) for row in chunk.row.tolist()]
        assert rows == list(range(1, 10))


def test_a_damaged_row_is_an_error(where: str) -> None:
    with open_store(where) as store:
        run = store.begin_run(manifest())
        keep(store, run, range(5))
        change = schema.verdicts.update().where(schema.verdicts.c.seq == 3).values(total=9.99)
        store._write(lambda c: c.execute(change)).result()
        with pytest.raises(StoreDamaged):
            list(read_columns(store, run.id, CHUNK))


def test_who_may_only_read_keeps_columns_if_the_store_can_be_written(where: str) -> None:
    with open_store(where) as store:
        keep(store, store.begin_run(manifest()), range(9))
    with open_store(where, create=False, write=False) as store:
        agree(store, store.find_run("1"))
        assert kept(store) == 2


def test_a_store_that_cannot_be_written_is_read_all_the_same(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    file = tmp_path / "oyer.db"
    with open_store(str(file)) as store:
        keep(store, store.begin_run(manifest()), range(9))
    file.chmod(0o400)
    with open_store(str(file), create=False, write=False) as store:
        agree(store, store.find_run("1"))
        assert kept(store) == 0


names = st.text(st.characters(blacklist_categories=["Cs"]), max_size=5)


@given(st.lists(st.tuples(names, names, st.booleans(), st.floats(0, 10)), min_size=1, max_size=9))
def test_packed_columns_are_the_same_again(rows: list[tuple[str, str, bool, float]]) -> None:
    made = []
    for number, (case, judge, fails, total) in enumerate(rows):
        facts = {"critical_fail": fails, "count": int(fails)}
        made.append(replace(_outcome(number, total), case=case, judge=judge, facts=facts))
    (columns,) = columns_of(made)
    again = unpack(pack(columns))
    assert again is not None
    assert listed([again]) == listed([columns])
    alone = columns.of_judges(rows[0][1].__eq__)
    own = [outcome for outcome in made if outcome.judge == rows[0][1]]
    assert listed([alone]) == listed(columns_of(own))
    assert list(alone.cases) == list(dict.fromkeys(outcome.case for outcome in own))


def test_bytes_that_are_no_columns_are_none() -> None:
    (columns,) = columns_of([_outcome(0, 1.0)])
    assert unpack(b"") is None
    assert unpack(pack(columns)[:-3]) is None


def _outcome(number: int, total: float) -> Any:
    from oyer.store.records import outcome_of
    from oyer.verdicts.record import record

    return outcome_of(record(verdict(number, total=total)), number)

"""`oyer export --partition-by`: other tools read the folder, and find every verdict once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.dataset
import pytest

from oyer.cli import main
from oyer.store import open_store
from tests.runs.suites import Bed, marks
from tests.servers.provider import ProviderServer


@pytest.fixture
def bed(tmp_path: Path) -> Iterator[Bed]:
    """A run of two judges, whose names have slashes, colons and a percent sign in them."""
    with ProviderServer(reply=marks, key=None) as server:
        made = Bed(tmp_path, server)
        made.cases(12)
        made.write(judges=[made.judge("a"), made.judge("100%")])
        made.run()
        yield made


def export(bed: Bed, by: str = "run,judge") -> Path:
    out = bed.folder / "archive"
    words = ["export", "1", "-o", str(out), "--partition-by", by, "--store", bed.store]
    assert main(words) == 0
    return out


def means(bed: Bed) -> dict[str, tuple[int, float]]:
    totals: dict[str, list[float]] = {}
    with open_store(bed.store, write=False) as store:
        for outcome in store.outcomes(1):
            totals.setdefault(outcome.judge, []).append(outcome.total or 0.0)
    return {judge: (len(some), round(sum(some) / len(some), 9)) for judge, some in totals.items()}


def test_duckdb_finds_every_verdict_under_its_judge(bed: Bed) -> None:
    out = export(bed)
    files = f"read_parquet('{out}/**/*.parquet', hive_partitioning = true, union_by_name = true)"
    query = f"SELECT judge, count(*), avg(total) FROM {files} WHERE run = 1 GROUP BY judge"
    found = {judge: (n, round(mean, 9)) for judge, n, mean in duckdb.execute(query).fetchall()}
    assert found == means(bed)


def test_pyarrow_reads_the_same_and_the_records_are_whole(bed: Bed) -> None:
    data = pyarrow.dataset.dataset(export(bed), partitioning="hive").to_table().to_pylist()
    with open_store(bed.store, write=False) as store:
        records = {kept.record["id"]: kept.record for kept in store.verdicts(1)}
    assert {row["verdict"]: json.loads(row["record"]) for row in data} == records
    assert {row["judge"] for row in data} == {bed.judge("a"), bed.judge("100%")}


def test_exporting_again_replaces_and_doubles_nothing(bed: Bed) -> None:
    export(bed)
    out = export(bed)
    assert pyarrow.dataset.dataset(out, partitioning="hive").count_rows() == 24
    assert not list(out.glob(".oyer-*")), "nothing half-written is left"


def test_a_candidate_that_is_nobody_is_null(bed: Bed) -> None:
    files = f"read_parquet('{export(bed, 'candidate')}/**/*.parquet', hive_partitioning = true)"
    query = f"SELECT candidate IS NULL, count(*) FROM {files} GROUP BY 1"
    assert duckdb.execute(query).fetchall() == [(True, 24)]


def test_a_column_that_cannot_part_is_refused(bed: Bed, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(bed.folder / "archive")
    words = ["export", "1", "-o", out, "--partition-by", "total", "--store", bed.store]
    assert main(words) == 2
    assert "run, judge, candidate, status" in capsys.readouterr().err

"""Files that claim more than a machine has: a sentence, and memory that stays small."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from oyer.cases import BadRow, load
from oyer.errors import InputError
from oyer.protocols.catalogue import find_protocol
from oyer.runs.suite import read_suite

LOCK = find_protocol("judge-lock")
GOOD = {"id": "good", "article": "a", "summary": "b"}
_READ = """
import json, re, sys
from oyer.cases import BadRow, load
from oyer.protocols.catalogue import find_protocol
said = []
try:
    for row in load(sys.argv[1], find_protocol("judge-lock")):
        said.append(str(row.error) if isinstance(row, BadRow) else row.id)
except Exception as error:
    said.append(f"{type(error).__name__}: {error}")
peak = int(re.search("VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(json.dumps({"rows": len(said), "said": [s[:300] for s in said[:3]], "peak": peak}))
"""


def read(path: Path) -> tuple[list[str], int]:
    """What a process of its own said of the file, and its peak memory in MB."""
    run = subprocess.run(
        [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
    )
    told = json.loads(run.stdout)
    return told["said"], told["peak"] // 1024


def test_an_archive_of_one_endless_line(tmp_path: Path) -> None:
    """400 MB of one line in 400 kB; the row behind it is judged."""
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=9) as out:
        block = b"x" * 10_000_000
        for _ in range(40):
            out.write(block)
        out.write(b"\n" + json.dumps(GOOD).encode() + b"\n")
    said, peak = read(path)
    assert "longer than" in said[0]
    assert said[1:] == ["good"]
    assert peak < 500


def test_a_parquet_of_one_text_many_times(tmp_path: Path) -> None:
    """A dictionary of one text of 4 MB in 200 rows: 800 MB for whoever writes them all out."""
    pyarrow = pytest.importorskip("pyarrow", reason="LOUD: no pyarrow")
    from pyarrow import parquet

    text = pyarrow.DictionaryArray.from_arrays([0] * 200, ["x" * 4_000_000])
    table = pyarrow.table({"article": text, "summary": ["b"] * 200})
    parquet.write_table(table, tmp_path / "bomb.parquet", use_dictionary=True)
    said, peak = read(tmp_path / "bomb.parquet")
    assert said == ["1", "2", "3"]
    assert peak < 500


def test_a_parquet_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
    with pytest.raises(InputError, match="not Parquet"):
        list(load(tmp_path / "x.parquet", LOCK))


def test_a_table_of_fifty_thousand_columns(tmp_path: Path) -> None:
    columns = [f"c{n}" for n in range(50_000)]
    cells = ["1"] * 50_000
    head, row = ",".join(["article", "summary", *columns]), ",".join(["a", "b", *cells])
    (tmp_path / "wide.csv").write_text(f"{head}\n{row}\n{row}\n")
    said, peak = read(tmp_path / "wide.csv")
    assert said == ["2", "3"]
    assert peak < 500


def test_a_json_row_nested_without_end_is_one_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text('{"article":' + "[" * 100_000 + "\n" + json.dumps(GOOD) + "\n")
    bad, good = load(path, LOCK)
    assert isinstance(bad, BadRow)
    assert good.id == "good"


SUITES = {
    "deep": 'protocol = "judge-lock"\nx = ' + "[" * 100_000,
    "deep inline": "x = " + "{a=" * 100_000,
    "dotted": 'protocol = "judge-lock"\n' + ".".join(["a"] * 100_000) + " = 1",
    "dotted table": "[" + ".".join(["a"] * 100_000) + "]",
    "long": "#" * 2_000_000,
    "repeats": 'protocol = "judge-lock"\ncases = "c.jsonl"\nrepeats = 1_000_000_000_000',
}


@pytest.mark.parametrize("kind", SUITES)
def test_a_suite_without_measure_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(SUITES[kind])
    with pytest.raises(InputError) as refused:
        read_suite(path)
    assert str(path) in str(refused.value)
    assert len(str(refused.value)) < 1000

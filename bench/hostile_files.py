"""Files that claim more than a machine has: memory and time of the command that is given one.

    python bench/hostile_files.py [--src PATH/TO/src] [--only NAME]

Each file is made anew and given to `oyer audit` or `oyer run --dry-run` in a process of its own,
with at most 120 s of CPU and 6 GB of memory. Prints its CPU time, its largest resident memory, its
exit code and what it said last. `--src` measures another revision: docs/benchmarks.md has both.
"""

from __future__ import annotations

import argparse
import decimal
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src"
CPU_SECONDS, MEMORY = 120, 6 * 2**30
REPLY = '{"metric": "coverage"}'
GOOD = {"id": "good", "article": "a", "summary": "b", "reply": REPLY}
SUITE = 'protocol = "judge-lock"\ncases = "c.jsonl"\njudges = ["embedded:light"]\n'


def endless_line(folder: Path) -> Path:
    path = folder / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=9) as out:
        for _ in range(40):
            out.write(b"x" * 10_000_000)
        out.write(b"\n" + json.dumps(GOOD).encode() + b"\n")
    return path


def parquet_of_one_text(folder: Path) -> Path:
    import pyarrow
    from pyarrow import parquet

    text = pyarrow.DictionaryArray.from_arrays([0] * 200, ["x" * 4_000_000])
    rest = {"summary": ["b"] * 200, "reply": [REPLY] * 200}
    table = pyarrow.table({"article": text, **rest})
    parquet.write_table(table, folder / "bomb.parquet", use_dictionary=True)
    return folder / "bomb.parquet"


def typed_columns(folder: Path) -> Path:
    import pyarrow
    from pyarrow import parquet

    columns = {
        "article": ["a"], "summary": ["b"], "reply": [REPLY],
        "price": [decimal.Decimal("1.50")], "day": [datetime(2026, 11, 17, tzinfo=UTC)],
    }  # fmt: skip
    parquet.write_table(pyarrow.table(columns), folder / "typed.parquet")
    return folder / "typed.parquet"


def wide_table(folder: Path) -> Path:
    columns = [f"c{n}" for n in range(50_000)]
    head = ",".join(["article", "summary", "reply", *columns])
    row = ",".join(["a", "b", "no", *["1"] * 50_000])
    (folder / "wide.csv").write_text(f"{head}\n{row}\n{row}\n")
    return folder / "wide.csv"


def deep_row(folder: Path) -> Path:
    path = folder / "deep.jsonl"
    path.write_text('{"article":' + "[" * 100_000 + "\n" + json.dumps(GOOD) + "\n")
    return path


def looping_link(folder: Path) -> Path:
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    return folder / "loop.jsonl"


def suite_of(text: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / "c.jsonl").write_text(json.dumps(GOOD) + "\n")
        (folder / "suite.toml").write_text(text)
        return folder / "suite.toml"

    return make


FILES: dict[str, Callable[[Path], Path]] = {
    "gzip: one line of 400 MB": endless_line,
    "Parquet: 4 MB of text 200 times": parquet_of_one_text,
    "Parquet: Decimal and timestamp": typed_columns,
    "CSV: 50,000 columns": wide_table,
    "JSON: nested 100,000 deep": deep_row,
    "a link to itself": looping_link,
    "TOML: nested 100,000 deep": suite_of(SUITE + "x = " + "[" * 100_000),
    "TOML: a key of 100,000 parts": suite_of(SUITE + ".".join(["a"] * 100_000) + " = 1"),
    "TOML: repeats = 10^12": suite_of(SUITE + "repeats = 1_000_000_000_000"),
    "TOML: NUL in a path": suite_of(SUITE.replace("c.jsonl", "c\\u0000.jsonl")),
}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def measure(path: Path, src: Path, folder: Path) -> tuple[float, int, int, str]:
    """CPU seconds, resident MB, exit code and the last line of what was said."""
    if path.suffix == ".toml":
        command = ["run", path.name, "--dry-run"]
    else:
        command = ["audit", "judge-lock", path.name, "--json"]
    said = folder / "said"
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "oyer", *command],
            cwd=folder, stdout=subprocess.DEVNULL, stderr=out, preexec_fn=limit,  # noqa: PLW1509
            env={**os.environ, "PYTHONPATH": str(src), "OPENAI_API_KEY": ""},
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    lines = said.read_text("utf-8", "replace").strip().splitlines() or [""]
    cpu = usage.ru_utime + usage.ru_stime
    return cpu, usage.ru_maxrss // 1024, process.returncode, lines[-1][:160]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--src", type=Path, default=SRC, help="the revision's src folder")
    parser.add_argument("--only", default="", help="a part of a name")
    args = parser.parse_args()
    print("| file | CPU | memory | exit code | last line |\n|---|---|---|---|---|")
    for name, make in FILES.items():
        if args.only not in name:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            cpu, memory, code, line = measure(make(folder), args.src.resolve(), folder)
        print(f"| {name} | {cpu:.1f} s | {memory} MB | {code} | {line} |", flush=True)


if __name__ == "__main__":
    main()

"""A large store: times and memory of what reads it.

    python bench/store.py [--n 1000000] [--keep FILE] [--older] [--rescore N]

Fills a store with a run of four candidates' texts by two judges, and a second run of an eighth of
them. Every row has a case, an id and scores of its own; the whole records (13 KB of JSON each) are
those of sixty real audits of made-up texts (throughput_material.py), again and again. Columns are
kept on the way, as a run does. Then measures each command that reads a run, in a process of its
own, and rescoring. "cold": no page of the file is in memory. `--older`: a store without columns.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "bench")]

import sqlalchemy  # noqa: E402
import throughput_material as material  # noqa: E402

from oyer.protocols.catalogue import find_protocol  # noqa: E402
from oyer.store import Manifest, Task, case_sha, open_store, rules_sha  # noqa: E402
from oyer.store.codec import OUTCOME, check, verdict_row  # noqa: E402
from oyer.store.kept_columns import keep_new_columns  # noqa: E402
from oyer.store.labels import Label, LabelStore  # noqa: E402
from oyer.store.schema import CHUNK  # noqa: E402
from oyer.store.store import Store  # noqa: E402
from oyer.types import Case, Reply, Usage  # noqa: E402
from oyer.verdicts.core import audit, verdict_id  # noqa: E402

CANDIDATES, JUDGES, BATCH = 4, ("a", "b"), 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", "--verdicts", dest="verdicts", type=int, default=1_000_000)
    parser.add_argument("--keep", help="use this file, and fill it if it is not there")
    parser.add_argument("--whole", action="store_true", help="also what reads whole records")
    parser.add_argument("--older", action="store_true", help="drop the kept columns first")
    parser.add_argument("--rescore", type=int, default=20_000, help="verdicts to rescore; 0: none")
    args = parser.parse_args()
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version},", end=" ")
    print(f"SQLAlchemy {sqlalchemy.__version__}, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(args.keep or Path(folder) / "oyer.db")
        if not file.exists():
            fill(file, args.verdicts)
        if args.older:
            drop_columns(file)
        read(file, whole=args.whole)
        if args.rescore:
            rescore(Path(folder) / "small.db", args.rescore)


# ── filling ───────────────────────────────────────────────────────────────────────────────────


def fill(file: Path, count: int) -> None:
    """A run of `count` verdicts, and a second one of an eighth of its cases."""
    began, made = time.monotonic(), 0
    protocol = find_protocol("judge-lock")
    with open_store(str(file)) as store:
        for number, share in enumerate((1, 8)):
            cases = count // share // (CANDIDATES * len(JUDGES))
            manifest = Manifest(
                f"run{number}", protocol.name, rules_sha(protocol), "", JUDGES, "", 4 * cases
            )
            run = store.begin_run(manifest)
            rows = verdicts(run.id, cases, number)
            while batch := list(islice(rows, BATCH)):
                store.keep_cases([case for case, _ in batch if case is not None])
                store.keep_verdicts([row for _, row in batch]).result()
                keep_new_columns(store, run.id, CHUNK)
                made += len(batch)
            store.end_run(run, "done")
            keep_new_columns(store, run.id)
        label(store)
    size, seconds = file.stat().st_size / 1e9, time.monotonic() - began
    print(f"filled with {made:,} verdicts in {seconds:,.0f} s, {size:.2f} GB")


def label(store: Store) -> None:
    """A thousand labels on texts of the first run, for `oyer trust`."""
    chance, made = random.Random(3), []
    run = store.find_run("1")
    for outcome in islice(store.outcomes(run.id), 0, 4000, 8):
        for metric in ("coverage", "hallucination"):
            made.append(
                Label(
                    case_sha=outcome.case_sha,
                    protocol=run.manifest.protocol,
                    metric=metric,
                    value=str(chance.randrange(11)),
                    reviewer="ann",
                    kind="score",
                    case_id=outcome.case,
                    candidate=outcome.candidate,
                    prob=0.001,
                )
            )
    LabelStore(store).add(made[:1000])


def verdicts(run: int, cases: int, number: int) -> Iterator[tuple[Case | None, dict[str, Any]]]:
    """Rows ready to be kept, and the case of each once."""
    kinds = [kind_of(kind) for kind in range(material.KINDS)]
    chance = random.Random(number)
    for seq in range(cases):
        for candidate in range(CANDIDATES):
            case, row = kinds[seq % len(kinds)]
            named = replace(case, id=f"c{seq}", candidate=f"model-{candidate}")
            sha = case_sha(named)
            for judge in JUDGES:
                total = min(10.0, max(0.0, chance.gauss(6 + candidate / 5 + number / 10, 1.5)))
                own = {
                    "run": run,
                    "task": f"{seq}/{candidate}/{judge}",
                    "ask": f"ask{seq}",
                    "seq": seq,
                    "case_sha": sha,
                    "case_id": named.id,
                    "candidate": named.candidate,
                    "judge": judge,
                    "verdict": verdict_id(f"{seq}/{candidate}/{number}", judge, 0),
                }
                yield (named if judge == "a" else None), scored(row | own, round(total, 2))


def kind_of(kind: int) -> tuple[Case, dict[str, Any]]:
    protocol = find_protocol("judge-lock")
    case = Case.of(material.case(kind), ["article", "summary"])
    usage = Usage(2000, 700, 0.004, 1, 2.5)
    verdict = audit(case, protocol, Reply(material.reply(kind), "a", usage))
    return case, verdict_row(Task(0, "", ""), "", verdict, 0)


def scored(row: dict[str, Any], total: float) -> dict[str, Any]:
    """The row with scores of its own, and the check that fits them."""
    brief = json.loads(row["brief"])
    brief["scores"] = dict.fromkeys(brief["scores"], total)
    row |= {"total": total, "brief": json.dumps(brief, separators=(",", ":"))}
    return row | {"check": check([row[name] for name in OUTCOME[1:]]) + row["check"][8:]}


# ── reading ───────────────────────────────────────────────────────────────────────────────────

COMMANDS = {
    "list runs": ["runs"],
    "leaderboard, cold": ["leaderboard", "1"],
    "leaderboard, warm": ["leaderboard", "1"],
    "compare, cold": ["compare", "1", "2"],
    "compare, warm": ["compare", "1", "2"],
    "gate": ["gate", "2", "--baseline", "1"],
    "report": ["report", "1", "-o", "{folder}/report.html"],
    "trust": ["trust", "1"],
    "export csv": ["export", "1", "--to", "{folder}/out.csv"],
}
WHOLE = {
    "export jsonl": ["export", "1", "--to", "{folder}/out.jsonl"],
    "export parquet": ["export", "1", "--to", "{folder}/out.parquet"],
    "doctor": ["doctor"],
}
STREAM = """
from oyer.store import open_store
with open_store({file!r}, write=False) as store:
    print(sum(1 for _ in store.{what}(1)))
code = 0
"""
COMMAND = """
import sys
from oyer.cli import main
code = main(sys.argv[1:])
"""
#: The child tells its own peak: what wait4 tells includes the parent's memory at the fork.
PEAK = """
import sys
print("PEAK", open("/proc/self/status").read().partition("VmHWM:")[2].split()[0], file=sys.stderr)
sys.exit(code)
"""


def read(file: Path, *, whole: bool) -> None:
    print(f"\n{'':<22} {'seconds':>8} {'peak MB':>8}")
    for what in ("outcomes", "verdicts") if whole else ("outcomes",):
        code = STREAM.format(file=str(file), what=what)
        show(f"stream {what}", [sys.executable, "-c", code + PEAK])
    with tempfile.TemporaryDirectory() as folder:
        for name, args in (COMMANDS | (WHOLE if whole else {})).items():
            words = [arg.format(folder=folder) for arg in args]
            if name.endswith("cold"):
                forget(file)
            show(name, [sys.executable, "-c", COMMAND + PEAK, *words, "--store", str(file)])


def forget(file: Path) -> None:
    """Let the operating system drop the file's pages: the next reader has a cold disk."""
    handle = os.open(file, os.O_RDONLY)
    os.fsync(handle)
    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(handle)


def drop_columns(file: Path) -> None:
    """The store as an Oyer left it that kept no columns."""
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM oyer_columns")


def show(name: str, command: list[str]) -> None:
    """Run it in a process of its own; its time and its peak of memory."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    began = time.monotonic()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=env, check=False
    )
    seconds = time.monotonic() - began
    message, _, peak = done.stderr.rpartition("PEAK")
    note = "" if done.returncode in (0, 1) else f"  exit {done.returncode}: {message[-200:]}"
    print(f"{name:<22} {seconds:>8.1f} {int(peak or 0) / 1024:>8.0f}{note}", flush=True)


# ── rescoring ─────────────────────────────────────────────────────────────────────────────────


def rescore(file: Path, count: int) -> None:
    """Replies of two judges on four candidates' texts on each article, kept and judged, then
    rescored on all cores."""
    protocol = find_protocol("judge-lock")
    with open_store(str(file)) as store:
        manifest = Manifest("r", protocol.name, rules_sha(protocol), "", ("a",), "", count)
        run = store.begin_run(manifest)
        usage = Usage(2000, 700, 0.004, 1, 2.5)
        for number in range(count):
            article, candidate = divmod(number // len(JUDGES), CANDIDATES)
            case = Case.of(material.case(article), ["article", "summary"])
            case = replace(case, candidate=f"model-{candidate}")
            judge = JUDGES[number % len(JUDGES)]
            reply = Reply(material.reply(article % material.KINDS), judge, usage)
            task = Task(run.id, str(number), f"ask{number}", article)
            store.keep_cases([case])
            store.keep_reply(task, 0, reply)
            store.keep_verdict(task, case_sha(case), audit(case, protocol, reply), 1)
        store.end_run(run, "done")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    told = subprocess.run(
        [sys.executable, "-m", "oyer", "rescore", "1", "--store", str(file)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    seconds = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"\nrescore: {count:,} verdicts in {seconds:.1f} s ({count / seconds:,.0f}/s),")
    print(f"{cpu:.1f} s of CPU ({cpu / count * 1e6:,.0f} µs each); load {os.getloadavg()[0]:.1f}")
    print(told.stdout.strip(), told.stderr.strip()[-300:])


if __name__ == "__main__":
    main()

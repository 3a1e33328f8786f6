"""Where the CPU of a judgement goes: python bench/throughput_parts.py [--calls N]

Each part alone, over and over in one process, the least of many turns counting (a busy machine only
ever adds); then a whole run with all its processes, and what the parts leave of it: event loop,
tasks, opening and closing the store, waking each other. Prints what it measured, nothing else.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CASES, TURNS, HEAP = 32, 60, 16


def least(work: Callable[[int], Any]) -> float:
    """Milliseconds of CPU for one case."""
    best = float("inf")
    for _ in range(TURNS):
        began = time.process_time_ns()
        for i in range(CASES):
            work(i)
        best = min(best, time.process_time_ns() - began)
    return best / CASES / 1e6


def parts(folder: Path) -> dict[str, float]:
    """What the run and its workers do for each case, but for asking."""
    from throughput_material import reply, write_suite

    from oyer.engine import Answers, Asking, decide, prompt_of
    from oyer.judges import JudgePool
    from oyer.runs.deciding import BATCH, Undecided, decide_one
    from oyer.runs.plan import make_plan
    from oyer.runs.suite import read_suite
    from oyer.store import open_store
    from oyer.store.codec import case_row, reply_row, verdict_row
    from oyer.types import Reply, Usage
    from oyer.verdicts import as_bytes

    plan = make_plan(read_suite(write_suite(folder, CASES, 64, "http://127.0.0.1:1/v1")))
    name, asking = plan.suite.judges[0], Asking(**plan.suite.asking)
    judge = JudgePool().open(name)
    units = list(plan.units())
    tasks = [plan.task(1, unit, name, 0) for unit in units]
    about = {"stop": "stop", "model": "m", "structured": True, "prompt": "0" * 64}
    said = [Reply(reply(i), name, Usage(1900, 1100, None, 1, 0.05), about) for i in range(CASES)]
    work = [
        Undecided(task, unit.source.sha, Answers(unit.source.case, name, (one,)))
        for task, unit, one in zip(tasks, units, said, strict=True)
    ]
    verdicts = [decide(one.answers, plan.protocol) for one in work]
    records = [as_bytes(verdict) for verdict in verdicts]
    decided = [decide_one(one, plan.protocol) for one in work]

    def there_and_back(i: int) -> None:
        if i % BATCH == 0:
            pickle.loads(pickle.dumps(work[i : i + BATCH], pickle.HIGHEST_PROTOCOL))
            pickle.loads(pickle.dumps(decided[i : i + BATCH], pickle.HIGHEST_PROTOCOL))

    with open_store(str(folder / "parts.db")) as store:
        run, heap = store.begin_run(plan.manifest).id, 0

        def kept(i: int) -> None:
            nonlocal heap
            if i % HEAP == 0:
                heap += 1
                new = [{**decided[n].row, "run": run, "task": f"{heap}/{n}", "ask": f"{heap}/{n}",
                        "verdict": f"{n}/{heap}"} for n in range(i, i + HEAP)]  # fmt: skip
                told = [{**row, "ask": f"{heap}/{n}"} for n, row in enumerate(replies)]
                store.keep_rows(told[i : i + HEAP], new).result()

        replies = [reply_row(task, 0, one) for task, one in zip(tasks, said, strict=True)]
        return {
            "a case read, named, put into its stored form": least(lambda i: i or list(plan.units()))
            + least(lambda i: plan.task(1, units[i], name, 0))
            + least(lambda i: case_row("", units[i].source.body)),
            "its prompt": least(lambda i: prompt_of(units[i].source.case, plan.protocol, judge,
                                                    asking)),
            "the reply's row": least(lambda i: reply_row(tasks[i], 0, said[i])),
            "to a worker and back": least(there_and_back),
            "the audit": least(lambda i: decide(work[i].answers, plan.protocol)),
            "the record": least(lambda i: as_bytes(verdicts[i])),
            "the verdict's row": least(
                lambda i: verdict_row(tasks[i], "", verdicts[i], 1, records[i])
            ),
            f"SQLite, in heaps of {HEAP}": least(kept),
        }  # fmt: skip


def main() -> None:
    from throughput import child, print_settings, sample_body, server
    from throughput_material import write_suite

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1_000)
    calls = parser.parse_args().calls
    print_settings()
    with tempfile.TemporaryDirectory() as name, server(0.05) as url:
        made = parts(Path(name))
        write_suite(Path(name), calls, 64, url)
        sample_body(Path(name), url)
        asked, whole = float("inf"), float("inf")
        for _ in range(3):
            for old in Path(name).glob("run.db*"):
                old.unlink()
            ask = child("ask", name, str(calls), "64", f"{url}/chat/completions")
            asked = min(asked, ask["cpu"] / calls * 1000)
            whole = min(whole, child("oyer", name)["cpu"] / calls * 1000)
    made["asking (HTTP, request, answer, accounts)"] = asked
    made["the rest"] = whole - sum(made.values())
    for what, cost in sorted(made.items(), key=lambda part: -part[1]):
        print(f"{what:45} {cost:6.3f} ms  {cost / whole:6.1%}")
    print(f"{'a judgement':45} {whole:6.3f} ms")


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "src")]
    main()

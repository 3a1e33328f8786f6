"""Several processes on one run: what they gain, what kills cost, what a million would take.

    python bench/scale.py                 all but the model; PostgreSQL, a server of its own
    python bench/scale.py speed           1, 2 and 4 workers; judges of 50 ms and 500 ms
    python bench/scale.py cap             a cap in dollars over 4 workers
    python bench/scale.py kills --n 100   kill -9 of workers, a restart of PostgreSQL every 25
    python bench/scale.py stop            SIGSTOP past the lease, then SIGCONT
    python bench/scale.py ray --n 3       kills of a Ray node and of the head
    python bench/scale.py model           docs/scale.md: cost for 10^6 to 10^9, and a simulation

Each prints the load of the machine before and after. Judges are a server on the loopback that
waits; it writes down what it would bill.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src"), str(ROOT / "bench")]

from scale_forks import Forks  # noqa: E402
from scale_model import print_model  # noqa: E402
from scale_server import Server  # noqa: E402

from oyer.store import open_store  # noqa: E402
from tests.runs.rig import ProcessStarter, Rig  # noqa: E402

#: Waiting dominates: latency / concurrency is many times the CPU that a verdict takes.
SPEED = ((0.05, 1), (0.5, 8))
CASES = 512  # 8 chunks of 64: four workers have two each


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", nargs="*", help="which parts; all but the model")
    parser.add_argument("--n", type=int, default=0, help="kills (100), or kills of nodes (3)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "speed": measure_speed,
        "cap": measure_cap,
        "kills": lambda: kill_workers(args.n or 100, args.seed),
        "stop": stop_worker,
        "ray": lambda: kill_nodes(args.n or 3),
    }
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, seed {args.seed}")
    if "model" in args.what:
        print_model()
    for name in args.what or parts:
        if name != "model":
            part = parts[name]
            print(f"\n{name}: load {loads()}", flush=True)
            part()
            print(f"{name}: load {loads()}", flush=True)


def loads() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def check_verdicts(where: str, cases: int, *, done: bool = True) -> int:
    """Every case has one verdict, and nothing else has; what the run says it spent in calls."""
    with open_store(where, write=False) as store:
        (run,) = store.runs()
        judged = Counter(outcome.case for outcome in store.outcomes(run.id))
        if done:
            assert judged == Counter(f"c{i}" for i in range(cases)), "lost or doubled"
        assert max(judged.values()) == 1
        return store.spent(run.id).calls


# ── gain ──────────────────────────────────────────────────────────────────────────────────────


def measure_speed() -> None:
    with Server() as server, Forks() as forks:
        for latency, concurrency in SPEED:
            first = 0.0
            for workers in (1, 2, 4):
                seconds = time_run(server, forks, workers, latency, concurrency)
                first = first or seconds
                print(
                    f"{latency * 1000:.0f} ms, {concurrency} in flight a worker, {CASES:,} calls, "
                    f"{workers} workers: {seconds:.1f} s, {first / seconds:.2f} x",
                    flush=True,
                )


def time_run(server: Server, forks: Forks, workers: int, latency: float, concurrency: int) -> float:
    with rig_of(CASES, concurrency=concurrency, delay=latency) as rig:
        where = server.new_store()
        began = time.monotonic()
        running = [start(forks, rig, where) for _ in range(workers)]
        codes = [forks.wait(worker) for worker in running]
        seconds = time.monotonic() - began
        assert set(codes) == {0}, rig.said()
        check_verdicts(where, CASES)
        assert rig.billed().total() == CASES, "a question was asked twice"
        return seconds


@contextlib.contextmanager
def rig_of(cases: int, *, concurrency: int, delay: float) -> Iterator[Rig]:
    """Cases, a suite and a server that waits, in a folder of their own."""
    starter = ProcessStarter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Rig(Path(folder), starter, cases, concurrency=concurrency, delay=delay) as rig,
    ):
        yield rig
    starter.close()


def start(forks: Forks, rig: Rig, where: str, **env: str) -> int:
    words = ["run", str(rig.suite), "--store", where]
    return forks.start(words, rig.folder / "said.log", **env)


# ── caps ──────────────────────────────────────────────────────────────────────────────────────


def measure_cap() -> None:
    """25 tokens a call at 40 dollars a million: a thousandth of a dollar each."""
    with Server() as server, Forks() as forks, rig_of(2000, concurrency=8, delay=0.02) as rig:
        prices = {"prices": {rig.judge: {"input": 40.0, "output": 40.0}}}
        (rig.folder / "prices.json").write_text(json.dumps(prices))
        caps = '[budget]\ndollars = 0.5\n[options]\nprices = "prices.json"\n'
        rig.suite.write_text(rig.suite.read_text() + caps)
        where = server.new_store()
        running = [start(forks, rig, where) for _ in range(4)]
        codes = [forks.wait(worker) for worker in running]
        spent = rig.billed().total() * 0.001
        print(f"cap $0.50 over 4 workers: ${spent:.3f} billed, exit codes {codes}")
        assert 0.49 <= spent <= 0.5 + 4 * 0.001, "passed by more than a call a worker"
        assert check_verdicts(where, 2000, done=False) == rig.billed().total()


# ── kills ─────────────────────────────────────────────────────────────────────────────────────


def kill_workers(kills: int, seed: int) -> None:
    """Three workers at a time; each killed one is replaced. At every 25th kill PostgreSQL is
    restarted, too, which ends all three: the same command goes on."""
    chance, in_flight = random.Random(seed), 4
    cases = 40 * kills
    with (
        Server() as server,
        Forks() as forks,
        rig_of(cases, concurrency=in_flight, delay=0.01) as rig,
    ):
        where = server.new_store()
        running = [start(forks, rig, where) for _ in range(3)]
        counts: Counter[str] = Counter()
        while counts["killed"] < kills and rig.billed().total() < cases:
            wanted = min(rig.billed().total() + chance.randrange(5, 35), cases)
            while rig.billed().total() < wanted:
                counts["ended"] += replace_ended(forks, rig, where, running)
                time.sleep(0.01)
            place = chance.randrange(len(running))
            os.kill(running[place], signal.SIGKILL)
            forks.wait(running[place])
            counts["killed"] += 1
            running[place] = start(forks, rig, where)
            if counts["killed"] % 25 == 0:
                server.restart()
                counts["restarts"] += 1
        for worker in running:
            forks.wait(worker)
        forks.wait(start(forks, rig, where))  # what a restart of the server left undone
        check_verdicts(where, cases)
        twice = rig.billed().total() - cases
        most = (counts["killed"] + counts["ended"]) * in_flight
        print(
            f"{counts['killed']} kill -9 of workers, {counts['restarts']} restarts of PostgreSQL "
            f"(which ended {counts['ended']} workers): {cases:,} of {cases:,} judged, 0 lost, "
            f"0 doubled; {twice} questions asked twice, of {most} in flight at the dead"
        )
        assert twice <= most


def replace_ended(forks: Forks, rig: Rig, where: str, running: list[int]) -> int:
    """A restart of the database ends workers: their place is taken, as somebody would do it."""
    ended = 0
    for place, worker in enumerate(running):
        code = forks.poll(worker)
        if code is not None:
            running[place] = start(forks, rig, where)
            ended += code != 0
    return ended


def stop_worker() -> None:
    """A worker sleeps past its lease while others do its work; then it wakes up."""
    with Server() as server, Forks() as forks, rig_of(400, concurrency=8, delay=0.02) as rig:
        where = server.new_store()
        sleeper, other = [start(forks, rig, where, OYER_LEASE="4") for _ in range(2)]
        while rig.billed().total() < 60:
            time.sleep(0.005)
        os.kill(sleeper, signal.SIGSTOP)
        assert forks.wait(other) == 0, rig.said()
        before = rows_of(where)
        os.kill(sleeper, signal.SIGCONT)
        code = forks.wait(sleeper)
        assert before == rows_of(where), "a worker that was given up has written"
        check_verdicts(where, 400)
        twice = rig.billed().total() - 400
        print(
            f"stopped past its lease, then continued: wrote nothing, exit code {code}; {twice} "
            "questions asked twice, of 8 in flight"
        )


def rows_of(where: str) -> list[tuple[int, str]]:
    with open_store(where, write=False) as store:
        return [(outcome.row, outcome.verdict) for outcome in store.outcomes(1)]


# ── Ray ───────────────────────────────────────────────────────────────────────────────────────


def kill_nodes(times: int) -> None:
    """A node is killed in the middle of a run of the embedded judge, then the head."""
    from tests.runs.test_ray import CASES as RAY_CASES
    from tests.runs.test_ray import Cluster, verdicts, wait_for_verdicts, write_suite

    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as folder:
        suite = write_suite(Path(folder))
        cluster = Cluster(Path(folder))
        cluster.start()
        expected: dict[str, str] = {}
        for number in range(times):
            store = Path(folder) / f"{number}.db"
            words = ["run", str(suite), "--store", str(store), "--on", "ray"]
            running = cluster.do("begin", words)
            wait_for_verdicts(store, 10)
            cluster.do("kill", "node")
            wait_for_verdicts(store, 40)
            cluster.do("kill", "head")
            code = cluster.do("finish", running)["code"]
            cluster.start()
            cluster.oyer(*words)
            found = verdicts(str(store))
            expected = expected or found
            assert found == expected
            assert len(found) == RAY_CASES
            print(f"node and head killed: exit code {code}, then the same command: "
                  f"{len(found)} of {RAY_CASES} verdicts, the same bytes", flush=True)  # fmt: skip
        assert cluster.process.stdin is not None
        cluster.process.stdin.close()
        cluster.process.wait()


if __name__ == "__main__":
    main()

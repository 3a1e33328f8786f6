"""The long crash test: kill -9, N times, at random moments and at named points of the write path.

    python bench/crash.py --n 500

Prints what was killed, lost and paid twice; stops with an AssertionError at the first surprise.
"""

from __future__ import annotations

import argparse
import platform
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from oyer.store.crash import POINTS  # noqa: E402
from tests.runs.rig import ProcessStarter, Rig  # noqa: E402

CASES = 1000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=500, help="kills")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, runs of", end=" ")
    print(f"{CASES:,} cases, concurrency {args.concurrency}, seed {args.seed}", flush=True)
    began, starter = time.monotonic(), ProcessStarter()
    sums: Counter[str] = Counter()
    worst = 0
    while sums["killed"] < args.n:
        with (
            tempfile.TemporaryDirectory() as folder,
            Rig(Path(folder), starter, CASES, concurrency=args.concurrency) as rig,
        ):
            counts, most = attack(rig, args.n - sums["killed"], chance)
            sums += counts
            worst = max(worst, most)
        print(f"{sums['killed']:>5,} kills, {time.monotonic() - began:,.0f} s", flush=True)
    starter.close()
    for name, n in sums.most_common():
        print(f"{name:<26} {n:>7,}")
    print(f"{'lost at most at once':<26} {worst:>7,}")


def attack(rig: Rig, kills: int, chance: random.Random) -> tuple[Counter[str], int]:
    """Kill until `kills` sessions have died or the run is done; let it finish; check it."""
    made: Counter[str] = Counter(runs=1, cases=rig.cases)
    kept = lost = worst = 0
    while made["killed"] < kills:
        point, status = kill(rig, chance)
        if status == 0:
            break
        assert status == -9, rig.said()
        made += Counter({"killed": 1, f"killed {point}": 1})
        before, kept = kept, rig.kept()
        assert kept >= before, "a kept reply is gone"
        now = rig.billed().total() - kept
        worst, lost = max(worst, now - lost), now
        assert worst <= rig.concurrency, f"{worst} replies were lost at once"
    assert rig.sit() == 0, rig.said()
    rig.check_done()
    paid = rig.billed().total()
    assert paid == rig.cases + lost, "something was asked twice without need"
    return made + Counter({"replies lost": lost, "answers billed": paid}), worst


def kill(rig: Rig, chance: random.Random) -> tuple[str, int]:
    """One session that dies: at a named point, at any time, or amid the answers."""
    how = chance.randrange(4)
    if how == 0:
        point = chance.choice(POINTS)
        return f"at {point}", rig.sit(crash_at=f"{point}:{chance.randint(1, 30)}")
    if how == 1:
        return "at any time", rig.sit(kill_after=chance.uniform(0.01, 0.5))
    return "amid answers", rig.sit(kill_after_answers=chance.randint(1, 60))


if __name__ == "__main__":
    main()

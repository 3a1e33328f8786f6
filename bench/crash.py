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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from oyer.store.crash import POINTS  # noqa: E402
from tests.runs.rig import Rig, Sitter  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--n", type=int, default=500, help="kills")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    cases = 40 * args.n
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {cases:,} cases,")
    print(f"concurrency {args.concurrency}, seed {args.seed}")
    began, sitter = time.monotonic(), Sitter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Rig(Path(folder), sitter, cases, concurrency=args.concurrency) as rig,
    ):
        report(rig, attack(rig, args.n, chance))
    sitter.close()
    print(f"{time.monotonic() - began:,.0f} s")


def attack(rig: Rig, kills: int, chance: random.Random) -> dict[str, int]:
    """Kill until `kills` sittings have died, then let one finish."""
    died = dict.fromkeys(("at random", *POINTS), 0)
    kept = lost = worst = ended = 0
    while sum(died.values()) < kills:
        point = chance.choice(POINTS) if chance.random() < 0.5 else "at random"
        if point == "at random":
            status = rig.sit(kill_after=chance.uniform(0.0, 0.4))
        else:
            status = rig.sit(crash_at=f"{point}:{chance.randint(1, 40)}")
        died[point] += status == -9
        before, kept = kept, rig.kept()
        assert kept >= before, "a kept reply is gone"
        now = rig.billed().total() - kept
        worst, lost = max(worst, now - lost), now
        assert worst <= rig.concurrency, f"{worst} replies were lost at once"
        if status == 0:
            ended += 1
            if ended > 3:
                break  # everything is judged: further kills would hit nothing
    assert rig.sit() == 0, rig.said()
    return {**died, "lost in all": lost, "lost at most at once": worst}


def report(rig: Rig, counts: dict[str, int]) -> None:
    rig.check_done()
    paid = rig.billed().total()
    assert paid == rig.cases + counts["lost in all"], "something was asked twice without need"
    for name, n in counts.items():
        print(f"{name:<22} {n:>7,}")
    print(f"{rig.cases:,} cases, each with one verdict; {paid:,} answers billed")


if __name__ == "__main__":
    main()

"""Two runs that share every question, on one store, killed again and again: who pays what?

    python bench/kills.py --n 200 --seed 1
    . .ci/postgres; python bench/kills.py --n 200 --seed 1 --postgres

Two processes work at the same time on two runs of the same cases. Each is killed by SIGKILL, at a
named point of the write path, at any time, or amid the answers; both begin again until so many
kills are done, and then go on to their end. Each case must then have one verdict in each run, each
reply must be paid for once, but for those that were in flight when somebody was killed, and
`oyer rescore` must change nothing. Stops with an AssertionError at the first surprise.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import random
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from oyer.cli import main as oyer  # noqa: E402
from oyer.store import open_store  # noqa: E402
from oyer.store.crash import POINTS  # noqa: E402
from oyer.store.doctor import examine  # noqa: E402
from tests.runs.rig import HERE, Rig, Sitter  # noqa: E402

CASES = 400
CONCURRENCY = 8
AT_ONCE = 2  # processes


class TwoRuns:
    """The same cases as two runs on one store, each with a process that sits for it."""

    def __init__(self, rig: Rig, where: str, sitters: tuple[Sitter, ...]) -> None:
        self.rig, self.where, self.sitters = rig, where, sitters
        self.suites = []
        for number in range(AT_ONCE):
            suite = rig.folder / f"run{number}.toml"
            suite.write_text(rig.suite.read_text() + f'name = "run {number}"\n')
            self.suites.append(suite)

    def sit(self, kills: list[dict[str, object]]) -> list[int]:
        """Both processes at the same time, each killed as it says; their exit codes."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(self._sit, range(AT_ONCE), kills))

    def _sit(self, number: int, kill: dict[str, object]) -> int:
        order = {
            "argv": ["run", str(self.suites[number]), "--store", self.where],
            "env": {"OYER_CRASH_AT": kill.get("at", "")},
            "kill_after": kill.get("seconds"),
            "kill_at_lines": kill.get("answers", 0),
            "books": str(self.rig.log),
            "log": str(self.rig.folder / f"run{number}.log"),
        }
        return self.sitters[number].sit(order)

    def kept(self) -> int:
        """Calls that the store counts as paid, of both runs."""
        if "://" not in self.where and not Path(self.where).exists():
            return 0
        with open_store(self.where) as store:
            return sum(store.spent(run.id).calls for run in store.runs())

    def check(self) -> None:
        """Both runs are whole, and rescoring changes nothing."""
        with open_store(self.where, write=False) as store:
            runs = store.runs()
            assert len(runs) == AT_ONCE
            for run in runs:
                assert run.state == "done", run.state
                judged = Counter(outcome.case for outcome in store.outcomes(run.id))
                assert judged == Counter(f"c{i}" for i in range(CASES)), "one verdict a case"
        for run in runs:
            command = ["rescore", str(run.id), "--store", self.where]
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                assert oyer([*command, "--protocol-path", str(HERE / "toy"), "--json"]) == 0
            assert '"changed": 0' in printed.getvalue(), printed.getvalue()
        bad = [finding for finding in examine(self.where) if not finding.well]
        assert not bad, bad


def attack(runs: TwoRuns, kills: int, chance: random.Random) -> Counter[str]:
    """Kill both until so many died or both ended; let them finish; check everything."""
    counts: Counter[str] = Counter(runs=AT_ONCE, cases=CASES)
    lost = 0
    before = 0
    while counts["killed"] < kills:
        billed = runs.rig.billed().total()
        statuses = runs.sit([plan_kill(chance, billed) for _ in range(AT_ONCE)])
        died = statuses.count(-9)
        assert set(statuses) <= {-9, 0}, statuses
        wait_for_books(runs.rig)
        kept = runs.kept()
        assert kept >= before, "a kept reply is gone"
        now = runs.rig.billed().total() - kept
        assert now - lost <= died * CONCURRENCY, f"{now - lost} lost by {died} kills"
        counts += Counter(killed=died, rounds=1)
        counts["most lost in a round"] = max(counts["most lost in a round"], now - lost)
        before, lost = kept, now
        if not died:
            break
    assert runs.sit([{}] * AT_ONCE) == [0] * AT_ONCE
    runs.check()
    paid = runs.rig.billed().total()
    assert paid == CASES + lost, f"{paid} answers billed for {CASES} questions, {lost} were lost"
    return counts + Counter({"billed": paid, "in flight at a kill": lost})


def plan_kill(chance: random.Random, billed: int) -> dict[str, object]:
    how = chance.randrange(4)
    if how == 0:
        return {"at": f"{chance.choice(POINTS)}:{chance.randint(1, 20)}"}
    if how == 1:
        return {"seconds": chance.uniform(0.05, 0.6)}
    return {"answers": billed + chance.randint(1, 30)}


def wait_for_books(rig: Rig) -> None:
    """The server may still answer the dead: its books are closed when nobody is connected."""
    from tests.runs.rig import _DIRECT

    while _DIRECT.open(f"http://127.0.0.1:{rig.port}/").read() != b"0":
        time.sleep(0.01)


@contextlib.contextmanager
def new_store(folder: Path, postgres: bool) -> Iterator[str]:
    """A file, or a schema of its own on the server."""
    if not postgres:
        yield str(folder / "kills.db")
        return
    import psycopg

    server, name = os.environ["OYER_TEST_POSTGRES"], f"kills{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')
    try:
        yield f"{server}?options=-csearch_path%3D{name}"
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'DROP SCHEMA "{name}" CASCADE')


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n", type=int, default=200, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", action="store_true", help="on $OYER_TEST_POSTGRES")
    args = parser.parse_args()
    chance = random.Random(args.seed)
    database = "PostgreSQL" if args.postgres else "SQLite"
    print(
        f"Python {platform.python_version()}, {database}, two runs of {CASES} cases, "
        f"concurrency {CONCURRENCY} each, seed {args.seed}, load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    began = time.monotonic()
    sitters = tuple(Sitter() for _ in range(AT_ONCE))
    sums: Counter[str] = Counter()
    worst = 0
    while sums["killed"] < args.n:
        with (
            tempfile.TemporaryDirectory() as folder,
            new_store(Path(folder), args.postgres) as where,
            Rig(Path(folder), sitters[0], CASES, concurrency=CONCURRENCY) as rig,
        ):
            counts = attack(TwoRuns(rig, where, sitters), args.n - sums["killed"], chance)
        worst = max(worst, counts.pop("most lost in a round", 0))
        sums += counts
        print(f"{sums['killed']:>5} kills, {time.monotonic() - began:,.0f} s", flush=True)
    for sitter in sitters:
        sitter.close()
    print(json.dumps({**sums, "most lost in a round": worst}))


if __name__ == "__main__":
    main()

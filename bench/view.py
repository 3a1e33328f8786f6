"""`oyer view` on a large store: how long people wait, how much memory it takes, what a kill loses.

    python bench/view.py make big.db --verdicts 1000000    # a store, written by SQL; minutes
    python bench/view.py pages big.db                      # each page in headless Chromium
    python bench/view.py kills --kills 200                 # kill -9 while somebody labels
    python bench/view.py live --seconds 20                 # how late a run of another process shows
    python bench/view.py start big.db                      # from the command to the first answer

The verdicts of `make` are those of the example suite, repeated under new ids with other totals;
every row has its true checks. First content is the browser's own "first contentful paint".
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from oyer.cli import main as oyer  # noqa: E402
from oyer.store import open_store  # noqa: E402
from oyer.store.codec import _OUTCOME_CHECKED, check  # noqa: E402
from tests.web.serving import TOKEN, Served, serving, start  # noqa: E402

CANDIDATES = ("careful", "brief", "careless", "curt")
CHUNK = 20_000


# ── a store ───────────────────────────────────────────────────────────────────────────────────


def make(file: Path, verdicts: int) -> None:
    """A store with one run of so many verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / "suite.toml"
        shutil.copy(ROOT / "examples/suite/cases.jsonl", folder)
        text = (ROOT / "examples/suite/suite.toml").read_text(encoding="utf-8")
        suite.write_text(text.replace('["embedded"]', '["embedded:light"]'), encoding="utf-8")
        file.unlink(missing_ok=True)
        oyer(["run", str(suite), "--store", str(file)])
    cases = verdicts // len(CANDIDATES)
    with open_store(str(file)) as store:
        run = store.find_run("1")
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = OFF")
    names = [row[1] for row in database.execute("PRAGMA table_info(oyer_verdicts)")]
    old = [dict(zip(names, row, strict=True))
           for row in database.execute("SELECT * FROM oyer_verdicts ORDER BY id")]  # fmt: skip
    manifest = {**run.manifest.as_json(), "cases": cases, "candidates": CANDIDATES}
    told = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    database.execute("UPDATE oyer_runs SET manifest = ?, \"check\" = ?",
                     (told, check([run.name, run.identity, told])))  # fmt: skip
    indexes = database.execute(
        "SELECT name, sql FROM sqlite_master WHERE tbl_name = 'oyer_verdicts' AND type = 'index' "
        "AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in indexes:
        database.execute(f"DROP INDEX {name}")
    database.execute("DELETE FROM oyer_verdicts")
    marks = ", ".join("?" * len(names))
    rows = _rows(old, names, verdicts)
    while some := [row for _, row in zip(range(CHUNK), rows, strict=False)]:
        database.executemany(f"INSERT INTO oyer_verdicts VALUES ({marks})", some)
        database.commit()
    for _, sql in indexes:
        database.execute(sql)
    database.commit()
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    print(f"{file}: {verdicts:,} verdicts, {file.stat().st_size / 1e9:.1f} GB")


def _rows(old: list[dict[str, Any]], names: list[str], verdicts: int) -> Iterator[tuple[Any, ...]]:
    chance = random.Random(20)
    for number in range(verdicts):
        row = dict(old[number % len(old)])
        case, who = divmod(number, len(CANDIDATES))
        row |= {
            "id": number + 1,
            "task": f"{number:032x}",
            "seq": case,
            "case_id": f"case-{case:06d}",
            "candidate": CANDIDATES[who],
            "verdict": f"{number * 2654435761 % 2**64:016x}",
        }
        if row["total"] is not None:
            row["total"] = round(min(10.0, max(0.0, row["total"] + chance.gauss(0, 1))), 2)
        own = check([row[name] for name in _OUTCOME_CHECKED])
        row["check"] = own + row["check"][8:]
        yield tuple(row[name] for name in names)


# ── pages ─────────────────────────────────────────────────────────────────────────────────────

PAGES = {
    "runs": "/",
    "run": "/runs/1",
    "run, worst first": "/runs/1?order=worst",
    "run, best of one candidate": "/runs/1?order=best&candidate=curt",
    "run, one judge": "/runs/1?judge=embedded@3-light",
    "run, deep in it": "/runs/1?at=after~700000",
    "run, deep in the order of totals": "/runs/1?order=worst&at=after~500000~5.0",
    "run, found by id": "/runs/1?case=case-1234",
    "run, without a score": "/runs/1?unscored=1",
    "run, a rule that nobody broke": "/runs/1?violation=nothing.like.it",
    "case": "/runs/1/case?id=case-123456&at=493827",
    "case, worst first": "/runs/1/case?id=case-123456&order=worst&at=493825~5.0",
    "review": "/review",
    "protocols": "/protocols",
}


def pages(file: Path, rounds: int) -> None:
    """First content and server time of each page; the server's memory before and after."""
    from playwright.sync_api import sync_playwright

    began = time.perf_counter()
    with serving(file) as served, sync_playwright() as playwright:
        print(f"starts in {time.perf_counter() - began:.2f} s (with the first answer)")
        print(f"memory at the start {memory(served):.0f} MB")
        wait_for_standings(served)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(f"{served.url}/?token={TOKEN}")
        print(f"{'page (ms)':34} first content p50 p95 · server p50 p95 · its work p50 p95")
        for name, path in PAGES.items():
            paints, servers, works = [], [], []
            for _ in range(rounds):
                answer = page.goto(served.url + path)
                assert answer is not None
                page.wait_for_selector("main h1")
                paints.append(_first_content(page))
                timing = re.findall(r"dur=([\d.]+)", answer.headers["server-timing"])
                servers.append(float(timing[0]))
                works.append(float(timing[1]))
            told = [f"{_p(ms, 50):7.1f} {_p(ms, 95):7.1f}" for ms in (paints, servers, works)]
            print(f"{name:34}", " · ".join(told), flush=True)
        browser.close()
        print(f"memory at the end {memory(served):.0f} MB (the process that serves)")


def _first_content(page: Any) -> float:
    script = """() => new Promise((done) => {
        const seen = performance.getEntriesByName('first-contentful-paint');
        if (seen.length) return done(seen[0].startTime);
        new PerformanceObserver((list) => {
            const first = list.getEntriesByName('first-contentful-paint')[0];
            if (first) done(first.startTime);
        }).observe({ type: 'paint', buffered: true });
    })"""
    return float(page.evaluate(script))


def wait_for_standings(served: Served) -> None:
    """Ask until the first snapshot is there, and say how long that took."""
    began = time.perf_counter()
    most = memory(served)
    while "are being gathered" in served.ask("/runs/1")[2]:
        most = max(most, memory(served, children=True))
        time.sleep(0.5)
    took = time.perf_counter() - began
    print(
        f"standings gathered in {took:.1f} s, once; all processes at most {most:.0f} MB meanwhile"
    )


def memory(served: Served, children: bool = False) -> float:
    """Resident megabytes of the server (and of what it started)."""
    pids = [served.process.pid]
    if children:
        for listed in Path(f"/proc/{pids[0]}/task").glob("*/children"):  # of every thread
            pids += [int(pid) for pid in listed.read_text().split()]
    total = 0.0
    for pid in pids:
        status = Path(f"/proc/{pid}/status")
        if status.exists():
            for line in status.read_text().splitlines():
                if line.startswith("VmRSS:"):
                    total += int(line.split()[1]) / 1024
    return total


def _p(values: list[float], percent: int) -> float:
    if len(values) < 2:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


# ── start ─────────────────────────────────────────────────────────────────────────────────────


def measure_start(file: Path, rounds: int) -> None:
    """Seconds from the command to the line with the address, and to the first page.

    With compiled files, as an installed package has them: one start before makes them.
    """
    import os
    import subprocess

    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "oyer-view-compiled")
    start(file).kill()
    bare, addressed, answered, work = [], [], [], []
    for _ in range(rounds):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        served = start(file)
        addressed.append(time.perf_counter() - began)
        served.ask("/")
        answered.append(time.perf_counter() - began)
        work.append(_cpu_seconds(served.process.pid))
        served.process.terminate()
        served.process.wait()
    for name, seconds in (("python -c pass", bare), ("its address, and the cookie", addressed),
                          ("with the first page", answered), ("of it work", work)):  # fmt: skip
        print(f"{name:28} {_p(seconds, 50):.2f} s (median), {max(seconds):.2f} at most")


def _cpu_seconds(pid: int) -> float:
    """Of a process so far: on a busy machine the clock tells little."""
    import os

    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ── live ──────────────────────────────────────────────────────────────────────────────────────

WATCH = """() => {
    window.seen = [];
    const place = document.querySelector("tr[data-run] [data-live=verdicts]");
    const count = () => Number(place.textContent.replaceAll(",", ""));
    const watch = new MutationObserver(() => window.seen.push([count(), Date.now()]));
    watch.observe(place, { childList: true, characterData: true, subtree: true });
}"""


def measure_lag(seconds: float) -> None:
    """A run in a process of its own: how long after a verdict is kept does the page count it."""
    import subprocess

    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder:
        suite, store = _many_cases(Path(folder)), Path(folder) / "oyer.db"
        command = [sys.executable, "-m", "oyer", "run", str(suite), "--store", str(store)]
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (store.exists() and _count(store)):
            time.sleep(0.1)
        with serving(store) as served, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page()
            page.goto(f"{served.url}/?token={TOKEN}")
            page.evaluate(WATCH)
            kept = _watch(store, seconds)
            seen = page.evaluate("window.seen")
            browser.close()
        running.terminate()
        running.wait()
    lags = [_lag(kept, count, at / 1000) for count, at in seen]
    known = [lag for lag in lags if lag is not None]
    verdicts = kept[-1][1] - kept[0][1]
    print(f"{len(known)} changes of the page, {verdicts} verdicts in {seconds:.0f} s")
    print(f"lag {_p(known, 50):.2f} s (median), {_p(known, 95):.2f} (p95), {max(known):.2f} (most)")


def _many_cases(folder: Path) -> Path:
    lines = (ROOT / "examples/suite/cases.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [line.replace('"id": "', f'"id": "{n}-', 1) for n in range(200) for line in lines]
    (folder / "cases.jsonl").write_text("\n".join(rows), encoding="utf-8")
    text = (ROOT / "examples/suite/suite.toml").read_text(encoding="utf-8")
    suite = folder / "suite.toml"
    suite.write_text(text.replace('["embedded"]', '["embedded:light"]'), encoding="utf-8")
    return suite


def _count(store: Path) -> int:
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    try:
        return int(database.execute("SELECT count(*) FROM oyer_verdicts").fetchone()[0])
    except sqlite3.OperationalError:  # its tables are not there yet
        return 0
    finally:
        database.close()


def _watch(store: Path, seconds: float) -> list[tuple[float, int]]:
    """(when, verdicts in the store), fifty times a second."""
    until = time.time() + seconds
    seen = []
    while time.time() < until:
        seen.append((time.time(), _count(store)))
        time.sleep(0.02)
    return seen


def _lag(kept: list[tuple[float, int]], count: int, shown: float) -> float | None:
    """From the moment when the store had so many verdicts to the moment when the page said so."""
    before = [when for when, verdicts in kept if verdicts < count]
    since = [when for when, verdicts in kept if verdicts >= count]
    return max(0.0, shown - since[0]) if before and since else None


# ── kills ─────────────────────────────────────────────────────────────────────────────────────


def kills(many: int) -> None:
    """kill -9 the server at a random moment of every label; count what is lost or doubled."""
    import threading

    from oyer.protocols.catalogue import find_protocol
    from oyer.store.labels import LabelStore
    from oyer.trust.queues import Draw, draw_queue

    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "oyer.db"
        make(store, 400)
        with open_store(str(store)) as opened:
            run = opened.find_run("1")
            queue = draw_queue(opened, run, find_protocol(run.manifest.protocol),
                               Draw(n=200, second=0.0, seed=1, metrics=("coverage",)))  # fmt: skip
            items = LabelStore(opened).items(queue.id)
        given: dict[str, int] = {}
        served = start(store)
        for number in range(many):
            item = items[number % len(items)]
            body = {
                "id": f"{chance.getrandbits(128):032x}", "queue": queue.id, "item": item.id,
                "unit": "", "metric": "coverage", "kind": "score",
                "value": str(chance.randrange(11)), "reviewer": f"r{number // len(items)}",
            }  # fmt: skip
            given[str(body["id"])] = number
            killer = threading.Timer(chance.random() * 0.02, served.kill)
            killer.start()
            answered = _try(served, body)
            killer.join()
            served = start(store, port=served.port)
            if not answered or chance.random() < 0.3:  # the page sends again what it is not sure of
                served.send("/api/label", body)
        served.kill()
        with open_store(str(store)) as opened:
            kept = [label.id for label in LabelStore(opened).history(queue=queue.id)]
    lost, doubled = set(given) - set(kept), len(kept) - len(set(kept))
    print(f"{many} kills: {len(kept)} labels kept, {len(lost)} lost, {doubled} doubled")


def _try(served: Served, body: dict[str, Any]) -> bool:
    import http.client

    try:
        return served.ask("/api/label", "POST", body=body)[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("make", "pages", "kills", "live", "start"))
    parser.add_argument("file", nargs="?", default="big.db", type=Path)
    parser.add_argument("--verdicts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    if args.what == "make":
        make(args.file, args.verdicts)
    elif args.what == "pages":
        pages(args.file, args.rounds)
    elif args.what == "live":
        measure_lag(args.seconds)
    elif args.what == "start":
        measure_start(args.file, args.rounds)
    else:
        kills(args.kills)


if __name__ == "__main__":
    main()

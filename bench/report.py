"""How long a report takes to open, in headless Chromium, from disk.

    python bench/report.py [--verdicts 2000] [--runs 5]

Fills a store with audits of made-up summaries (500 cases of 4 candidates; throughput_material.py),
writes its report with every verdict in it, and opens that file again and again: first contentful
paint, the load event, and the time until a case stands open after its permalink was followed.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "bench")]

import throughput_material as material  # noqa: E402

from oyer.cli import main as oyer  # noqa: E402
from oyer.protocols.catalogue import find_protocol  # noqa: E402
from oyer.store import Manifest, Task, case_sha, open_store, rules_sha  # noqa: E402
from oyer.types import Case, Reply  # noqa: E402
from oyer.verdicts.core import audit  # noqa: E402

CANDIDATES = 4
KINDS = 60  # different texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verdicts", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, page = Path(folder) / "oyer.db", Path(folder) / "report.html"
        fill(store, args.verdicts)
        began = time.monotonic()
        code = oyer(
            ["report", "-o", str(page), "--store", str(store), "--cases", str(args.verdicts)]
        )
        assert code == 0
        written = time.monotonic() - began
        size = page.stat().st_size / 1e6
        print(f"{args.verdicts} verdicts: written in {written:.1f} s, {size:.1f} MB")
        times = [open_page(page) for _ in range(args.runs)]
    for name in times[0]:
        values = [one[name] for one in times]
        print(f"{name:<28}{statistics.median(values):>8.0f} ms (max {max(values):.0f})")


def fill(store: Path, verdicts: int) -> None:
    """Real audits, again and again, under ids of their own."""
    protocol = find_protocol("judge-lock")
    manifest = Manifest(
        "bench", protocol.name, rules_sha(protocol), "", ("bench",), "0" * 64, verdicts
    )
    with open_store(str(store)) as opened:
        run = opened.begin_run(manifest)
        for at in range(verdicts):
            kind = at % KINDS
            article, summary = material.texts(kind)
            fields = {"article": article, "summary": summary}
            case = Case(f"case-{at // CANDIDATES}", fields, f"model-{at % CANDIDATES}")
            verdict = audit(case, protocol, Reply(material.reply(kind), "bench"))
            opened.keep_cases([case])
            opened.keep_verdict(Task(run.id, str(at), str(at), at), case_sha(case), verdict, 0)
        opened.end_run(run, "done")


def open_page(page: Path) -> dict[str, float]:
    """A new browser each time: nothing is cached."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.binary_location = shutil.which("chromium") or ""
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    driver: Any = webdriver.Chrome(options=options, service=service)
    try:
        driver.get("about:blank")
        driver.get(page.as_uri())
        paint, load = driver.execute_script(
            "const paint = performance.getEntriesByName('first-contentful-paint')[0];"
            "const page = performance.getEntriesByType('navigation')[0];"
            "return [paint ? paint.startTime : NaN, page.loadEventEnd];"
        )
        opened = driver.execute_script(
            "const began = performance.now(); location.hash = '#case-7'; follow();"
            "document.getElementById('case').getBoundingClientRect();"
            "return performance.now() - began;"
        )
    finally:
        driver.quit()
    return {"first contentful paint": paint, "loaded": load, "a case opened": opened}


if __name__ == "__main__":
    main()

"""What other processes write shows while they write it; a run stops and goes on from the page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from oyer.store import open_store
from tests.web.serving import EXAMPLES, serving

Open = Any


def many_cases(folder: Path, copies: int) -> Path:
    """The example suite, each case many times under other ids."""
    lines = (EXAMPLES / "suite/cases.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [
        line.replace('"id": "', f'"id": "{n}-', 1) for n in range(copies) for line in lines if line
    ]
    (folder / "cases.jsonl").write_text("\n".join(rows), encoding="utf-8")
    text = (EXAMPLES / "suite/suite.toml").read_text(encoding="utf-8")
    suite = folder / "suite.toml"
    suite.write_text(text.replace('["embedded"]', '["embedded:light"]'), encoding="utf-8")
    return suite


def test_a_run_of_another_process_shows_stops_and_goes_on(
    judged: Path, store: Path, new_page: Open, tmp_path: Path
) -> None:
    """A thousand verdicts, so that there is time to stop it: longer than other tests."""
    suite = many_cases(tmp_path, 40)
    command = [sys.executable, "-m", "oyer", "run", str(suite), "--store", str(store)]
    with serving(store) as served:
        page = new_page(served)
        assert page.locator("tbody tr").count() == 1
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        page.wait_for_selector("tr[data-run='2'] .s-running", timeout=30_000)
        page.goto(f"{served.url}/runs/2")
        page.wait_for_selector("[data-live=rate]:has-text('/s')", timeout=30_000)
        page.click("text=Stop")
        page.wait_for_selector(".s-stopped", timeout=30_000)
        assert running.wait(60) in (0, 3, 130)  # 130: as after Ctrl-C
        with open_store(str(store), write=False) as opened:
            half = sum(opened.counts(2).values())
            tasks = opened.find_run("2").manifest.tasks
        assert 0 < half < tasks
        page.click("text=Go on")
        page.wait_for_selector(".s-running", timeout=30_000)
        page.click("text=Stop")
        page.wait_for_selector(".s-stopped", timeout=30_000)
    with open_store(str(store), write=False) as opened:
        assert sum(opened.counts(2).values()) >= half


def test_a_suite_that_changed_does_not_go_on(store: Path, tmp_path: Path, judged: Path) -> None:
    with open_store(str(store)) as opened:
        run = opened.find_run("1")
        opened.end_run(run, "stopped")
        changed = many_cases(tmp_path, 2)
        body = f'{{"file": "{changed}"}}'.encode()
        opened.keep_state("origin", "1", body).result()
    with serving(store) as served:
        status, _, text = served.ask("/api/go-on", "POST", body={"run": 1})
        assert status == 400
        assert "has changed" in text
        assert served.ask("/api/stop", "POST", body={"run": 1})[0] == 400

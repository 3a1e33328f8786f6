"""The process that gathers a large run may be killed: the page asks another one."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

from bench.view import make
from oyer.web.snapshots import AT_ONCE
from tests.web.serving import Served, serving


def children(served: Served) -> list[int]:
    """The processes that the server started, at their work or about to be."""
    found = []
    for listed in Path(f"/proc/{served.process.pid}/task").glob("*/children"):
        found += [int(pid) for pid in listed.read_text().split()]
    return found


def is_gatherer(pid: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False


def test_a_killed_gatherer_is_replaced(tmp_path: Path) -> None:
    store = tmp_path / "oyer.db"
    make(store, AT_ONCE + 500)
    with serving(store) as served:
        assert "are being gathered" in served.ask("/runs/1")[2]
        killed = False
        until = time.monotonic() + 60
        while time.monotonic() < until:
            gatherers = [pid for pid in children(served) if is_gatherer(pid)]
            if gatherers and not killed:
                os.kill(gatherers[0], signal.SIGKILL)
                killed = True
            status, _, text = served.ask("/runs/1")
            assert status == 200, text
            if "are being gathered" not in text:
                break
            time.sleep(0.05)
        assert killed
        assert re.search(r"<h2[^>]*>Standings</h2>", text)

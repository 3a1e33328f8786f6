"""All runs: what state they are in, who leads, what they cost."""

from __future__ import annotations

import time
from dataclasses import dataclass

from oyer.errors import UsageError
from oyer.report.snapshot import Snapshot, SnapshotLine
from oyer.runs.remote import ask_to_stop
from oyer.runs.remote import go_on as start_again
from oyer.store import Run
from oyer.web.render import Page
from oyer.web.site import JsonAnswer, PageRequest, Site

SIZE = 50
PATIENCE = 0.03  # seconds for standings that nobody has gathered yet; the others come later


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run as the list shows it."""

    run: Run
    snapshot: Snapshot | None
    best: SnapshotLine | None

    @property
    def verdicts(self) -> int:
        if self.snapshot is not None:
            return self.snapshot.verdicts
        return self.run.manifest.tasks if self.run.state == "done" else 0

    @property
    def leaders(self) -> int:
        """How many share the first rank."""
        lines = self.snapshot.lines if self.snapshot else ()
        return sum(line.rank == 1 for line in lines)

    @property
    def unscored(self) -> int:
        return sum(self.snapshot.errors.values()) if self.snapshot else 0


def show(site: Site, request: PageRequest) -> Page:
    """The list, newest first."""
    before = request.word("before")
    runs = sorted(site.store.runs(), key=lambda run: -run.id)
    if before.isdigit():
        runs = [run for run in runs if run.id < int(before)]
    find = request.word("find").strip()
    runs = [run for run in runs if _matches(run, find)]
    shown = runs[:SIZE]
    until = time.monotonic() + PATIENCE
    lines = [_line(site, run, time.monotonic() < until) for run in shown]
    older = shown[-1].id if len(runs) > SIZE else None
    return Page("runs.html", {"lines": lines, "older": older, "find": find, "page": "runs"})


def stop(site: Site, request: PageRequest) -> JsonAnswer:
    """Ask a run of any process to stop; what is in flight is kept."""
    run = site.run(_number(request))
    ask_to_stop(site.store, run)
    return {"asked": run.id}


def go_on(site: Site, request: PageRequest) -> JsonAnswer:
    """Go on with a run that has stopped, in a process of its own."""
    run = site.run(_number(request))
    if run.state == "running":
        raise UsageError(f"run {run.id} is running.")
    started = start_again(site.store, run, site.where)
    site.children.append(started)
    return {"started": run.id}


def _matches(run: Run, find: str) -> bool:
    words = (run.name, run.manifest.protocol, *run.manifest.judges)
    return any(find.casefold() in word.casefold() for word in words)


def _number(request: PageRequest) -> int:
    number = request.body.get("run")
    if not isinstance(number, int):
        raise UsageError("'run' must be a number.")
    return number


def _line(site: Site, run: Run, patient: bool) -> RunLine:
    snapshot = site.snapshots.of(run) if patient else site.snapshots.find(run)
    best = next((line for line in snapshot.lines if line.rank == 1), None) if snapshot else None
    return RunLine(run, snapshot, best)

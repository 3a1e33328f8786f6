"""The record that pages show of a run: where rarely broken rules are, and that it comes back."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from oyer.protocols.catalogue import find_protocol
from oyer.report.snapshot import keep_snapshot, load_snapshot
from oyer.report.take_snapshot import RARE, take_snapshot
from oyer.store import open_store
from oyer.store.records import case_sha
from oyer.types import Violation
from tests.store.made import case, manifest, task, verdict


def test_the_rows_of_a_rarely_broken_rule_are_known_and_come_back(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "oyer.db")) as store:
        run = store.begin_run(manifest())
        often = Violation("often", "x", "y")
        for number in range(RARE + 1):
            seldom = (Violation("seldom", "x", "y"),) if number % 300 == 7 else ()
            written = store.keep_verdict(
                task(run.id, number),
                case_sha(case(number)),
                verdict(number, 1.0, violations=(often, *seldom)),
                1,
            )
        written.result()
        snapshot = take_snapshot(store, run, find_protocol("judge-lock"))
        keep_snapshot(store, run.id, snapshot)
        kept = load_snapshot(store, run.id)
        assert kept is not None
        assert json.dumps(asdict(kept)) == json.dumps(asdict(snapshot))
        assert snapshot.rule_rows["often"] is None, "looking finds one soon"
        rows = [o.row for o in store.outcomes(run.id) if "seldom" in o.violations]
        assert snapshot.rule_rows["seldom"] == tuple(rows)
        assert "never" not in snapshot.rule_rows

"""What the goldens hold, made anew by the code under test, as text that diffs well."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import oyer
from oyer.protocols.catalogue import OURS, find_protocol
from oyer.runs.plan import Plan, make_plan
from oyer.runs.suite import read_suite
from oyer.store.records import case_sha, prompt_sha, rules_sha
from oyer.types import Case
from oyer.verdicts import as_bytes, as_json

HERE = Path(__file__).parent
REPLIES, VERDICTS, STORE = HERE / "replies", HERE / "verdicts", HERE / "store"
SUITES = ("judged", "written")  # of the goldens' own protocol


def pretty(value: Any) -> str:
    """JSON with a line a value, so that one changed byte is one changed line."""
    return json.dumps(value, indent=1) + "\n"


def verdicts_of(protocol: str) -> str:
    """The verdicts of the recorded replies of one protocol."""
    rows = json.loads((REPLIES / f"{protocol}.json").read_text("utf-8"))
    return pretty({row["name"]: _verdict(protocol, row) for row in rows})


def _verdict(protocol: str, row: dict[str, Any]) -> dict[str, Any]:
    verdict = oyer.audit(protocol, row["case"], row["reply"])
    stored = as_bytes(verdict)
    return {
        "record": json.loads(stored),
        "printed_sha256": hashlib.sha256(as_json(verdict).encode("utf-8")).hexdigest(),
        "stored_sha256": hashlib.sha256(stored).hexdigest(),
    }


@contextlib.contextmanager
def planned(name: str) -> Iterator[Plan]:
    """The plan of one of the store's suites, in its folder: a bad row's key holds its path."""
    with contextlib.chdir(STORE):
        yield make_plan(read_suite(f"{name}.toml"))


def keys() -> str:
    """The keys of the store's suites: of runs, cases, verdicts and replies."""
    keys = {}
    for name in SUITES:
        with planned(name) as plan:
            keys[name] = _keys(plan)
    return pretty(keys)


def _keys(plan: Plan) -> dict[str, Any]:
    manifest = plan.manifest
    rows: dict[str, Any] = {}
    for unit in plan.units():
        source = unit.source
        where = f"{source.seq} {source.case.id} {unit.candidate or ''}".strip()
        tasks = {}
        for judge in plan.suite.judges:
            for repeat in range(plan.suite.repeats):
                task = plan.task(1, unit, judge, repeat)
                tasks[f"{judge} {repeat}"] = {"task": task.key, "asks": task.ask.split("+")}
        rows[where] = {"case": source.sha, "verdicts": tasks}
        if unit.candidate is not None:
            rows[where]["writing"] = plan.ask_writing(source.sha, unit.candidate)
    return {
        "run": manifest.identity,
        "cases": manifest.cases_sha,
        "manifest": {**manifest.as_json(), "code": "…"},
        "rows": rows,
    }


def rules() -> str:
    """What a run of each protocol is known by: its prompt and its rules."""
    hashes = {}
    for name in OURS:
        protocol = find_protocol(name)
        rows = json.loads((REPLIES / f"{name}.json").read_text("utf-8"))
        case = Case.of(rows[0]["case"], [field.name for field in protocol.fields])
        case = replace(case, judge=None)
        hashes[protocol.name] = {
            "prompt": prompt_sha(protocol, case),
            "rules": rules_sha(protocol),
            "case": case_sha(case),
        }
    return pretty(hashes)


def old_store(folder: Path) -> str:
    """The store of Oyer 0.1 as a file in `folder`."""
    file = folder / "oyer.db"
    with sqlite3.connect(file) as database:
        database.executescript((STORE / "0.1.sql").read_text("utf-8"))
    database.close()
    return str(file)


def rescored(where: str) -> str:
    """What rescoring every run of a store gives."""
    from oyer.runs.rescore import Difference, Job, rescore
    from oyer.store import open_store

    with open_store(where, write=False) as store:
        runs = store.runs()
    results = {}
    for run in runs:
        total = Difference()
        protocol = run.manifest.protocol.partition("@")[0]
        job = Job(where, run.id, protocol, (str(HERE / "protocol"),), {})
        for part in rescore(job, run, workers=1):
            total.merge(part)
        changes = sorted(f"{c.case} / {c.judge}: {c.what}" for c in total.changes)
        results[run.name] = {"same": total.same, "silent": total.silent, "changes": changes}
    return pretty(results)

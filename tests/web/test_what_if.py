"""What the page says a label would do is what `oyer rescore` says of a reply with that label."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.protocols.catalogue import find_protocol, names
from oyer.store import open_store
from tests.summary.good_replies import case, judge_lock, twin_lock, written
from tests.web.serving import Served, serving

RULES = """## Task: letter
## task_type: fact
## Critical Fail Conditions
- CF-1: it is rude
### Logic & Fact (0-60)
### Constraint Adherence (0-30)
### Helpfulness & Creativity (0-10)
"""
RUBRIC = {
    "score": {"logic_and_fact": 50, "constraint_adherence": 30, "helpfulness_and_creativity": 5},
    "critical_fail": False,
    "critical_fail_reason": "CF-1",
    "confidence": "high",
}


@dataclass(frozen=True)
class Judged:
    """A case and a reply to it, as objects that a test can change."""

    fields: dict[str, Any]
    objects: dict[str, dict[str, Any]]  # metric -> verdict object

    def row(self, name: str, changes: dict[str, str] | None = None) -> dict[str, Any]:
        objects = json.loads(json.dumps(self.objects))
        for where, value in (changes or {}).items():
            _put(objects, where, value)
        return {"id": name, "judge": "a-judge", "reply": written(objects), **self.fields}


JUDGED = {
    "judge-lock": Judged(dict(case().fields), judge_lock()),
    "twin-lock": Judged(dict(case().fields), twin_lock()),
    "rubric": Judged(
        {"prompt": "Write a letter.", "response": "Dear all.", "rubric": RULES},
        {"verdict": RUBRIC},
    ),
}


def test_every_protocol_with_labels_is_here() -> None:
    assert {name for name in names(()) if find_protocol(name).label_sites} == set(JUDGED)


@pytest.mark.parametrize("name", list(JUDGED))
def test_what_if_equals_rescore(tmp_path: Path, name: str) -> None:
    judged = JUDGED[name]
    store = tmp_path / "oyer.db"
    audit(store, name, [judged.row("given")], tmp_path)
    with open_store(str(store)) as opened:
        (given,) = opened.outcomes(1)
    with serving(store) as served:
        told = dict(changed_totals(served, given.verdict))
    rows = [judged.row(str(number), {where: value}) for number, (where, value) in enumerate(told)]
    audit(store, name, rows, tmp_path)
    assert main(["rescore", "2", "--store", str(store)]) == 0
    with open_store(str(store)) as opened:
        totals = {int(outcome.case): outcome.total for outcome in opened.outcomes(2)}
    assert len(totals) == len(told) >= 1
    assert [totals[number] for number in range(len(told))] == list(told.values())


def changed_totals(served: Served, verdict: str) -> Iterator[tuple[tuple[str, str], float | None]]:
    """(place, other label) -> the total that the page shows; None: there would be no score."""
    for label in served.send("/api/labels-of", {"verdict": verdict})["labels"]:
        for choice in label["choices"]:
            if choice == label["value"]:
                continue
            body = {"verdict": verdict, "changes": {label["where"]: choice}}
            status, _, text = served.ask("/api/what-if", "POST", body=body)
            answer = json.loads(text)
            assert status == 200 or "no score" in answer["error"]
            yield (label["where"], choice), answer.get("total")


def audit(store: Path, protocol: str, rows: list[dict[str, Any]], folder: Path) -> None:
    file = folder / f"replies-{len(rows)}.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert main(["audit", protocol, str(file), "--store", str(store), "--json"]) in (0, 3)


def _put(objects: dict[str, dict[str, Any]], where: str, value: str) -> None:
    """Put a label in its place: metric.key, or metric.list[2].key."""
    metric, _, place = where.partition(".")
    items, bracket, rest = place.partition("[")
    if not bracket:
        objects[metric][place] = {"True": True, "False": False}.get(value, value)
        return
    at, _, key = rest.partition("].")
    objects[metric][items][int(at)][key] = value

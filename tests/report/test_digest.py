"""A protocol's own report on a run: the same in words and in `--json`, whatever its length."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.protocols.catalogue import find_protocol
from oyer.types import Verdict
from tests.injection.attacked_cases import ATTACKED, as_reply


@pytest.mark.parametrize(
    ("protocol", "head"),
    [("rubric", ["judge", "verdicts"]), ("belgian-law", ["slice", "decisions"])],
)
def test_json_has_the_report_that_people_see(
    protocol: str, head: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    court, store = ATTACKED[protocol], str(tmp_path / "oyer.db")
    case, replies = tmp_path / "case.json", tmp_path / "replies.jsonl"
    case.write_text(json.dumps({"id": "1", **court.case.fields}), encoding="utf-8")
    replies.write_text(json.dumps({"id": "1", "reply": as_reply(court.honest)}), encoding="utf-8")
    judge = ["judge", protocol, str(case), "--judge", f"replay:{replies}", "--store", store]
    assert main(judge) == 0
    capsys.readouterr()
    assert main(["leaderboard", "--json", "--store", store]) == 0
    tables = [p for p in json.loads(capsys.readouterr().out)["digest"] if isinstance(p, dict)]
    assert tables[0]["header"][:2] == head
    assert main(["leaderboard", "--markdown", "--store", store]) == 0
    told = capsys.readouterr().out
    assert f"| {head[0]} | {head[1]} |" in told


def verdicts(protocol: str, count: int) -> Iterator[Verdict]:
    """Verdicts as a store hands them out, one by one, each on the same few responses."""
    made = find_protocol(protocol)
    for n in range(count):
        yield Verdict(
            id=str(n), case=f"c{n % 5}", candidate="a", protocol=made.name, judge=f"j{n % 2}",
            status="scored", sha="", scores={key: float(n % 10) for key in (*made.scale, "total")},
            total=1.0, output={"verdict": "PASS", "confidence": "high", "padding": "x" * 20_000},
        )  # fmt: skip


@pytest.mark.parametrize("protocol", ["rubric", "belgian-law"])
def test_a_report_reads_verdicts_one_by_one(protocol: str) -> None:
    """Of a thousand verdicts of 20 kB each, none is held: 20 MB would be."""
    made = find_protocol(protocol)
    assert made.tally is not None
    assert made.digest is not None
    tally = made.tally
    tracemalloc.start()
    try:
        told = made.digest(tally(verdict) for verdict in verdicts(protocol, 1000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert told == made.digest([tally(verdict) for verdict in verdicts(protocol, 1000)])
    assert peak < 4_000_000

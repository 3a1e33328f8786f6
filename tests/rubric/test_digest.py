"""The rubric's report on many verdicts, from real replies of five judge models."""

from __future__ import annotations

import json
from pathlib import Path

import oyer
from oyer.protocols.rubric import PROTOCOL
from oyer.types import Case


def test_judges_agreement_and_flags_of_the_real_replies(shared: Path) -> None:
    rubrics = {p.name[:2]: p.read_text() for p in (shared / "data/rubric/rubrics-early").iterdir()}
    rows = []
    for line in (shared / "data/rubric/replies.jsonl").read_text().splitlines():
        row = json.loads(line)
        fields = {"prompt": row["prompt"], "response": row["response"],
                  "rubric": rubrics[row["task"]]}  # fmt: skip
        case = Case(row["task"], fields, row["subject"], judge=row["judge"])
        assert PROTOCOL.tally is not None
        rows.append(PROTOCOL.tally(oyer.audit("rubric", case, row["reply"])))
    assert PROTOCOL.digest is not None
    told = PROTOCOL.digest(rows)
    judges = {row.mark.judge for row in rows if row.mark}
    assert all(f"| {judge} |" in told for judge in judges)
    assert "Krippendorff's alpha (interval) 0." in told
    assert "responses are flagged:" in told


def test_no_score_no_report() -> None:
    verdict = oyer.audit("rubric", {"prompt": "p", "response": "r", "rubric": "## Task: t"}, "no")
    assert PROTOCOL.tally is not None
    assert PROTOCOL.digest is not None
    assert PROTOCOL.digest([PROTOCOL.tally(verdict)]) == "no response has a score"

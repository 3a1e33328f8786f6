"""Real replies of four judge models (shared data): all that their authors could read, and more."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from oyer.protocols.rubric.panel import AxisMark, panel
from oyer.types import Verdict
from tests.rubric.rubric_cases import judged

Row = tuple[dict[str, Any], Verdict]


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[Row]:
    folder = shared / "data/rubric"
    lines = (folder / "replies.jsonl").read_text("utf-8").strip().split("\n")
    made = []
    for row in map(json.loads, lines):
        text = (folder / f"rubrics-early/{row['task']}.md").read_text("utf-8")
        made.append((row, judged(row["reply"], text, row["response"])))
    return made


def test_every_reply_that_its_authors_could_read_is_scored(rows: list[Row]) -> None:
    read = [verdict for row, verdict in rows if row["parsed_by_their_code"]]
    assert len(read) == 117
    assert {verdict.status for verdict in read} == {"scored"}


def test_the_scores_are_those_that_the_judges_stated(rows: list[Row]) -> None:
    """These judges add up well, so nothing may have been changed on the way."""
    for row, verdict in rows:
        if row["parsed_by_their_code"]:
            assert verdict.scores is not None
            assert verdict.scores["total"] == verdict.stated["total"]
            assert verdict.extra["critical_fail"] is verdict.stated["critical_fail"]


def test_the_others_are_prose_or_cut_before_what_decides(rows: list[Row]) -> None:
    """docs/protocols/rubric.md names these kinds; none of them becomes a zero."""
    others = [verdict for row, verdict in rows if not row["parsed_by_their_code"]]
    assert Counter(verdict.violations[0].code for verdict in others) == {
        "reply.unreadable": 10, "axis.missing": 9, "critical.missing": 2,
    }  # fmt: skip
    assert all(verdict.scores is None for verdict in others)
    cut = [v for v in others if v.violations[0].code == "critical.missing"]
    assert all(len(v.stated) >= 3 for v in cut), "what was whole is on record"


def test_a_real_response_before_its_panel(rows: list[Row]) -> None:
    marks: dict[tuple[str, str], list[AxisMark]] = {}
    for row, verdict in rows:
        if verdict.scores is not None:
            mark = AxisMark(
                row["judge"].rsplit("/", maxsplit=1)[-1],
                {key: round(value) for key, value in verdict.scores.items()},
                verdict.extra["critical_fail"],
                verdict.extra["confidence"],
            )
            marks.setdefault((row["task"], row["subject"]), []).append(mark)
    made = [panel(heard, subject) for (_, subject), heard in marks.items()]
    assert all(0 <= one.median["total"] <= 100 for one in made)
    assert {len(one.judges) for one in made} <= {2, 3}

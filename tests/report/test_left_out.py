"""`oyer compare`: a case that is not among the pairs is counted and named, with its reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from tests.report.stored_runs import FOLDER, Hearing, keep

Said = pytest.CaptureFixture[str]
SEVEN = [Hearing(f"c{n}", None, 1 + n % 2) for n in range(1, 8)]


def mute(hearings: list[Hearing], *cases: str) -> list[Hearing]:
    """The same, without a score of these cases."""
    return [replace(h, readable=h.case not in cases) for h in hearings]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "oyer.db"


def compare(capsys: Said, store: Path, *more: str) -> str:
    own = ["--store", str(store), "--protocol-path", str(FOLDER)]
    assert main(["compare", "1", "2", *own, *more]) == 0
    return capsys.readouterr().out


def told(capsys: Said, store: Path, *more: str) -> str:
    return " ".join(compare(capsys, store, *more).split())


def left_out(capsys: Said, store: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(compare(capsys, store, "--json"))["left_out"]
    return found


def test_a_case_without_a_score_in_either_run_is_named(capsys: Said, store: Path) -> None:
    keep(store, "one", mute(SEVEN, "c4"))
    keep(store, "two", mute(SEVEN, "c4"))
    text = told(capsys, store)
    assert "6 pairs (same case, same candidate); 1 is left out." in text
    assert "left out, no score before or after (unreadable): c4 (1 case)." in text
    assert "6 of 7 cases" in text  # in the first line, too
    assert "left out, no score before or after (unreadable): c4" in told(
        capsys, store, "--markdown"
    )
    assert left_out(capsys, store) == [
        {
            "reason": "no score before or after",
            "error": "unreadable",
            "candidate": "(no candidate)",
            "count": 1,
            "cases": ["c4"],
        }
    ]


def test_every_reason_has_a_line_of_its_own(capsys: Said, store: Path) -> None:
    keep(store, "one", mute(SEVEN[1:], "c2", "c3"))
    keep(store, "two", mute([*SEVEN[:5], SEVEN[6]], "c1", "c2", "c4"))
    text = told(capsys, store)
    assert "2 pairs (same case, same candidate); 5 are left out." in text
    for line in (
        "no score before (unreadable): c3 (1 case).",
        "no score after (unreadable): c4 (1 case).",
        "no score before or after (unreadable): c2 (1 case).",
        "only in the run before: c6 (1 case).",
        "only in the run after, without a score (unreadable): c1 (1 case).",
    ):
        assert f"left out, {line}" in text
    assert sum(group["count"] for group in left_out(capsys, store)) == 5


def test_nothing_left_out_is_said_too(capsys: Said, store: Path) -> None:
    keep(store, "one", SEVEN)
    keep(store, "two", SEVEN)
    text = told(capsys, store)
    assert "7 pairs (same case, same candidate); no case is left out." in text
    assert "7 of 7" not in text
    assert left_out(capsys, store) == []


def test_a_candidate_that_only_one_run_has_is_left_out_by_name(capsys: Said, store: Path) -> None:
    both = [replace(h, candidate=who) for h in SEVEN for who in ("old", "same")]
    keep(store, "one", both)
    keep(store, "two", [h for h in both if h.candidate == "same" and h.case != "c7"])
    text = told(capsys, store)
    names = "c1, c2, c3, c4, c5, c6, c7 (7 cases)"
    assert f"left out, its candidate is only in the run before: old: {names}." in text
    assert "left out, only in the run before: same: c7 (1 case)." in text


def test_a_text_of_one_candidate_that_nobody_judged(capsys: Said, store: Path) -> None:
    """The other candidate has the case in both runs; this one has it before alone."""
    both = [replace(h, candidate=who) for h in SEVEN for who in ("a", "b")]
    keep(store, "one", both)
    keep(store, "two", [h for h in both if (h.case, h.candidate) != ("c5", "b")])
    assert "left out, only in the run before: b: c5 (1 case)." in told(capsys, store)
    assert json.loads(compare(capsys, store, "--json"))["pairs"] == 13


def test_many_are_counted_and_the_first_named(capsys: Said, store: Path) -> None:
    many = [Hearing(f"n{n}", None, 2) for n in range(30)]
    keep(store, "one", [*SEVEN, *many])
    keep(store, "two", SEVEN)
    assert "n8, n9 and 20 more (30 cases; --json names all)." in told(capsys, store)
    assert len(left_out(capsys, store)[0]["cases"]) == 30


def test_two_rows_of_one_id_are_told(capsys: Said, store: Path) -> None:
    """They count as one case: of seven rows six are compared."""
    twice = [*SEVEN[:6], replace(SEVEN[5], transcript="Ana: We buy the scanner.")]
    keep(store, "one", twice)
    keep(store, "two", SEVEN[:6])
    text = told(capsys, store)
    assert "before, 1 verdict is on rows with the id and candidate of another row" in text
    assert json.loads(compare(capsys, store, "--json"))["doubled"] == [1, 0]


def test_help_and_readme_say_what_is_paired(capsys: Said) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    for text in (capsys.readouterr().out, readme):
        assert "results are paired by case id and candidate" in " ".join(text.split())

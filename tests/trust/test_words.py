"""Verdict words (PASS, FAIL, critical_fail) as labels of people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.protocols.catalogue import find_protocol
from oyer.trust.units import units_of
from oyer.trust.words import find_choice, word_choices
from tests.belgian_law.decision import case, perfect


def extraction(number: int, *, broken: bool) -> dict[str, Any]:
    """A decision with a right extraction, or one with an invented provision."""
    found = case(perfect())
    row = json.loads(json.dumps({"id": f"d{number}", "candidate": "reader", **found.fields}))
    if broken:
        provision = dict(row["extracted"]["citedProvisions"][0])
        provision |= {"provisionNumberKey": "7777", "provisionNumber": "article 7777"}
        row["extracted"]["citedProvisions"].append(provision)
    return row  # type: ignore[no-any-return]


@pytest.fixture
def store_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    rows = [extraction(number, broken=number % 3 == 0) for number in range(24)]
    cases = tmp_path / "cases.jsonl"
    cases.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'name = "law"\nprotocol = "belgian-law"\ncases = "cases.jsonl"\njudges = ["embedded"]\n',
        encoding="utf-8",
    )
    store = str(tmp_path / "law.db")
    main(["run", str(suite), "--store", store])
    capsys.readouterr()
    return store


def test_people_label_verdicts_by_their_word(
    store_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ["case,candidate,metric,value,reviewer"]
    for number in range(24):
        word = "fail" if number % 3 == 0 or number == 1 else "PASS"
        rows.append(f"d{number},reader,verdict,{word},ann")
    labels = tmp_path / "labels.csv"
    labels.write_text("\n".join(rows), encoding="utf-8")
    assert main(["trust", "1", "--store", store_file, "--human", str(labels), "--json"]) == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    [measure] = card["measures"]
    assert (measure["metric"], measure["units"], measure["worst"]) == ("verdict", 24, "FAIL")
    assert measure["choices"] == ["FAIL", "REVIEW_REQUIRED", "PASS"]
    assert measure["statistics"]["agreement"]["value"] == pytest.approx(23 / 24)
    assert measure["corrected"][0]["judge"] == pytest.approx(8 / 24)
    assert measure["corrected"][0]["value"] == pytest.approx(9 / 24)


def test_a_single_word_is_yes_or_no() -> None:
    rubric = find_protocol("rubric")
    assert word_choices(rubric) == {"critical_fail": ("yes", "no")}
    assert find_choice(" Yes ", ("yes", "no")) == "yes"
    assert find_choice("perhaps", ("yes", "no")) is None


def test_people_are_asked_for_the_verdict() -> None:
    law = find_protocol("belgian-law")
    [unit] = [unit for unit in units_of(law, case(perfect())) if unit.metric == "verdict"]
    assert unit.choices == ("FAIL", "REVIEW_REQUIRED", "PASS")
    assert unit.question == "What is the right verdict?"

"""A whole test set: rates and issues by language, court, decision type and length."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from oyer.protocols.belgian_law.slices import (
    as_json,
    court_and_type,
    length_class,
    report,
    slices,
)
from oyer.types import Case, Verdict


def row(
    decision: str, language: str, verdict: str | None, score: float = 0, codes: Iterable[str] = ()
) -> tuple[Case, Verdict]:
    fields = {"decisionId": decision, "proceduralLanguage": language, "sourceText": "x" * 6000}
    scored = verdict is not None
    return Case(decision, fields), Verdict(
        id="v",
        case=decision,
        candidate=None,
        protocol="belgian-law@3.1",
        judge="embedded",
        status="scored" if scored else "unscored",
        sha="",
        scores={"score": score} if scored else None,
        output={"verdict": verdict} if scored else {"error": "refused"},
        extra={"issues": [{"code": code} for code in codes]},
    )


ONE, TWO = "ECLI:BE:CASS:2004:ARR.20041007.6", "ECLI:BE:GBAPD:2023:DEC.20230502.1"


def test_one_ecli_in_two_languages_is_two_decisions() -> None:
    made = slices([row(ONE, "FR", "PASS", 100), row(ONE, "NL", "FAIL", 59, ["enum"])])
    assert made.all.decisions == 2
    by_name = {(s.dimension, s.value): s for s in made.parts}
    assert by_name["language", "FR"].rates == {"PASS": 1, "FAIL": 0, "REVIEW_REQUIRED": 0}
    assert by_name["language", "NL"].issues == {"enum": 1}
    assert by_name["court", "CASS"].decisions == 2


def test_decision_judged_twice_counts_once() -> None:
    again = [row(ONE, "FR", "FAIL", 59, ["id"]), row(ONE, "FR", "FAIL", 59, ["id"])]
    made = slices(again)
    assert (made.all.decisions, made.all.verdicts, made.all.issues) == (1, 2, {"id": 1})


def test_systemic_from_a_tenth_of_the_decisions() -> None:
    rows = [row(f"ECLI:BE:CASS:2004:ARR.{n}", "FR", "PASS", 100) for n in range(18)]
    rows += [
        row("ECLI:BE:CASS:2005:ARR.1", "FR", "REVIEW_REQUIRED", 78, ["key", "date"]),
        row("ECLI:BE:CASS:2005:ARR.2", "FR", "REVIEW_REQUIRED", 78, ["key"]),
    ]
    assert slices(rows).systemic == ("key",), "2 of 20 is a tenth, 1 of 20 is not"


def test_unscored_has_no_score_and_is_counted() -> None:
    made = slices([row(ONE, "FR", None), row(TWO, "FR", "PASS", 90)])
    assert (made.all.unscored, made.all.mean) == (1, Fraction(90))
    assert slices([row(ONE, "FR", None)]).all.mean is None


def test_nothing_judged() -> None:
    made = slices([])
    assert "0 decisions" in report(made)
    assert as_json(made)["systemic"] == []


@pytest.mark.parametrize(
    ("decision", "court", "kind"),
    [
        (ONE, "CASS", "ARR"),
        (TWO, "GBAPD", "DEC"),
        ("ECLI:BE:RVSCE:2025:ARR.262.410", "RVSCE", "ARR"),
        ("ECLI:BE:GHCC:1994:ARR.030", "GHCC", "ARR"),
        ("ECLI:BE:CASS:2004:20041007.6", "CASS", "?"),
        ("P.04.1234.F", "?", "?"),
        ("", "?", "?"),
    ],
)
def test_court_and_type_come_from_the_ecli(decision: str, court: str, kind: str) -> None:
    assert court_and_type(decision) == (court, kind)


def test_length_classes() -> None:
    named = [length_class(n) for n in (0, 4999, 5000, 20_000, 60_000)]
    assert named == ["     0–5000", "     0–5000", "  5000–20000", " 20000–60000", " 60000+"]
    assert sorted(named) == named, "they sort in their order"


def test_report_shows_rates_and_no_markup_of_the_set() -> None:
    text = report(slices([row("<b>|x|</b>", "FR|<script>", "FAIL", 59, ["enum"])]))
    assert "| all | 1 | 0 (0 %) | 0 (0 %) | 1 (100 %) | 0 | 59 |" in text
    assert "| enum | 1 | 100 % | systemic |" in text
    assert "<" not in text

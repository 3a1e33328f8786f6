"""What a reader of the embedded judge's verdict is told of single claims, their details and
questions: by name, and why."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

import oyer
from oyer.cli import main
from oyer.judges.embedded import Embedded, reasons
from oyer.judges.embedded import facts as faults
from oyer.protocols.catalogue import find_protocol
from oyer.records import VerdictRecord
from oyer.report.explain import explain
from oyer.verdicts import record
from tests.embedded.conftest import ARTICLE, GOOD, VARIANTS

Tell: TypeAlias = Callable[..., str]
SPOILED = GOOD.replace("2.4 million pounds", "3,200 pounds").replace("September", "October")
SHORT = {"article": "The bridge is closed. It rained.", "summary": "It is closed."}


@pytest.fixture
def told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tell:
    """What `oyer judge` and then `oyer explain` say of a summary."""

    def tell(summary: str, variant: str = "light", *, full: bool = False) -> str:
        for name, text in (("A.txt", ARTICLE), ("S.txt", summary)):
            (tmp_path / name).write_text(text, "utf-8")
        texts = ["--article", str(tmp_path / "A.txt"), "--summary", str(tmp_path / "S.txt")]
        judge = ["--judge", f"embedded:{variant}", "--json"]
        assert main(["judge", "judge-lock", *texts, *judge]) == 0
        stored = tmp_path / "verdict.jsonl"
        stored.write_text(capsys.readouterr().out, "utf-8")
        assert main(["explain", str(stored), *["--full"] * full]) == 0
        return " ".join(capsys.readouterr().out.split())

    return tell


def judge_lock(article: str, summary: str) -> VerdictRecord:
    fields = {"article": article, "summary": summary}
    return record(oyer.judge("judge-lock", fields, judge=Embedded("light")))


def missed(made: VerdictRecord) -> list[str]:
    sections = explain(made, find_protocol("judge-lock")).sections
    return [r.text for s in sections if s.key == "missed" for r in s.remarks]


def test_details_that_are_missing_are_named_where_they_are_counted(told: Tell) -> None:
    """The gravest first, and no more than two: the rest is counted."""
    shown = told(GOOD.replace("3,200 signatures", "2,300 signatures"))
    first = shown.partition(" case 1 ")[0]
    assert "details of the summary's claims (not “2,300 signatures”" in first
    assert "fact" not in first, "a claim by another name"
    assert first.count("“") <= 4


def test_a_long_detail_is_shortened_and_a_panels_are_not_guessed() -> None:
    made = judge_lock(ARTICLE, GOOD.replace("3,200 signatures", "2,300 signatures"))
    rationale = made["output"][2]["rationale"]  # type: ignore[index, call-overload]
    long = rationale.replace("2,300 signatures", "2,300 " + "signatures " * 9)
    made["output"][2]["rationale"] = long  # type: ignore[index, call-overload]
    shown = explain(made, find_protocol("judge-lock")).headline
    assert "“2,300 signatures signatures signatures…”" in shown
    of_panel: VerdictRecord = {**made, "panel": {"members": []}}  # type: ignore[typeddict-item]
    assert "“" not in explain(of_panel, find_protocol("judge-lock")).headline


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_question_with_another_answer_is_answered_wrongly(told: Tell, variant: str) -> None:
    shown = told(SPOILED, variant)
    assert "1 of 6 questions about the article is answered wrongly: on 2.4 million pounds" in shown
    assert "got no answer" not in shown


def test_a_question_that_is_left_out_is_not_answered() -> None:
    told = missed(judge_lock(ARTICLE, "Staff at Bridge Street will not lose their jobs."))
    assert any("are not answered: on " in text and "2.4 million pounds" in text for text in told)
    assert not any("wrongly" in text for text in told)


TABLE = """# Visitors in May

| Town | Staff | Visitors |
|---|---|---|
| Leeds | 12 | 120 |
| York | 8 | 95 |
| Hull | 7 | 80 |
| Bath | 5 | 60 |
"""


@pytest.mark.parametrize(
    ("summary", "answered"),
    [
        ("York had 300 visitors in May, said the mayor.", "not answered"),
        ("Leeds has a staff of 30, said the mayor.", "not answered"),
        ("Leeds had 60 visitors and a staff of 30.", "answered wrongly"),
    ],
    ids=["another row", "another column", "its own cell"],
)
def test_a_figure_of_a_table_is_answered_wrongly_by_a_rival_alone(
    summary: str, answered: str
) -> None:
    """The question is on the 120 visitors of Leeds."""
    told = [text for text in missed(judge_lock(TABLE, summary)) if "questions" in text]
    assert [text for text in told if f" {answered}: on " in text and "120" in text]
    assert [text for text in told if "wrongly" in text] == [
        text for text in told if "wrongly" in answered and "120" in text
    ]


def test_an_answer_inside_a_claim_that_does_not_hold_is_told_as_such() -> None:
    """The new branch is there, but with a month that the article does not have."""
    (text,) = (text for text in missed(judge_lock(ARTICLE, SPOILED)) if "not hold" in text)
    share = "1 of 6 questions about the article is"
    assert text == f"{share} answered only in a claim that does not hold: on new branch"


def test_questions_that_a_short_text_has_not_are_not_called_unanswered() -> None:
    told = missed(judge_lock(**SHORT))
    assert "3 of 6 questions about the article are not asked, since it is too short" in told
    headline = explain(judge_lock(**SHORT), find_protocol("judge-lock")).headline
    assert "(5 could not be asked, for want of words)" in headline


def test_the_record_says_it_too_and_the_reader_is_not_told_twice() -> None:
    made = judge_lock(ARTICLE, SPOILED)
    assert "Answered wrongly: " in json.dumps(made["output"])
    said = [s for s in explain(made, find_protocol("judge-lock")).sections if s.key == "said"]
    assert not any("Answered" in remark.text for section in said for remark in section.remarks)


#: a change of the good summary: why the claim is not Supported
FAULTS = [
    ("cost 2.4 million pounds", "cost 3,200 pounds",
     "a number, time or day seems to stand with another fact in the article"),
    ("in September", "in October", "the article does not have “October”"),
    ("will not lose", "will lose", "the article seems to say the opposite"),
]  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("was", "now", "why"), FAULTS, ids=lambda text: text[-9:])
def test_why_a_claim_is_not_supported_stands_beside_it(
    told: Tell, variant: str, was: str, now: str, why: str
) -> None:
    """In `oyer explain`, and with --full beside the claim's label."""
    shown = told(GOOD.replace(was, now), variant)
    assert re.search(rf"{re.escape(now)}[^(]*\(support \.\d\d; {re.escape(why)}\)", shown)
    assert shown.count(why) == 1
    assert told(GOOD.replace(was, now), variant, full=True).count("with a fault are never") == 0


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
def test_why_is_in_the_record_in_the_form_of_its_protocol(protocol: str) -> None:
    """twin-lock asks for a justification of each claim; judge-lock has the rationale only."""
    fields = {"article": ARTICLE, "summary": GOOD.replace("will not lose", "will lose")}
    made = record(oyer.judge(protocol, fields, judge=Embedded("light")))
    assert made["violations"] == []
    checked = made["output"][2]  # type: ignore[index, call-overload]
    why = "the article seems to say the opposite"
    if protocol == "twin-lock":
        assert [c["justification"] for c in checked["claims_checked"]] == ["", "", "", "", why]
        assert "fault" not in checked["rationale"]
    else:
        assert f"Claims with a fault are never Supported: claim 5 ({why})." in checked["rationale"]
        assert all(claim.keys() == {"claim", "status"} for claim in checked["claims_checked"])


def test_a_panels_claims_are_not_told_by_one_members_numbers() -> None:
    made = judge_lock(ARTICLE, GOOD.replace("will not lose", "will lose"))
    of_panel: VerdictRecord = {**made, "panel": {"members": []}}  # type: ignore[typeddict-item]
    sections = explain(of_panel, find_protocol("judge-lock")).sections
    assert not any("opposite;" in r.note or "seems" in r.note for s in sections for r in s.remarks)


HARBOUR = """The harbour of Marle was closed on Monday after a storm broke the northern pier. \
Repairs of the pier will cost 450 euros a metre and last until June. The ferry to Tonning carries \
120 passengers and leaves at nine. Fishermen lost 38 boats in the storm. The mayor of Marle \
promised to pay for 12 new boats. A second ferry, built in 1998, will carry 60 passengers in the \
summer. The museum of the harbour stays open every day."""
PIER = "Repairs of the pier will cost 450 euros a metre and last until June."


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
@pytest.mark.parametrize(
    ("summary", "label", "why"),
    [
        (PIER, "Fully", "as the article has it"),
        (PIER.replace("450", "120"), "Partial", "all its words but one, in a claim with a fault"),
        (f"Fishermen lost 12 boats in the storm. {PIER}", "Fully", "the fault is in another claim"),
    ],
)
def test_no_point_is_told_fully_by_a_claim_with_a_fault(
    protocol: str, summary: str, label: str, why: str
) -> None:
    fields = {"article": HARBOUR, "summary": summary}
    made = record(oyer.judge(protocol, fields, judge=Embedded("light")))
    points = made["output"][0]["key_points"]  # type: ignore[index, call-overload]
    assert [p["coverage"] for p in points if p["point"] == PIER] == [label], why


def test_every_fault_has_words() -> None:
    assert set(faults.FAULTS) == {*reasons.WORDS, "strange"}

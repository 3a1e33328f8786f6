"""A verdict speaks: what decided it, what is invented, what is missed, whether to trust it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oyer
from oyer.cli import main
from oyer.protocols.catalogue import OURS, find_protocol
from oyer.records import VerdictRecord, ViolationRecord
from oyer.report.explain import count_faults, explain, place, trust
from oyer.report.speak import as_text
from oyer.types import Wording
from oyer.verdicts import record
from tests.engine.test_panel_findings import alone, changed, claim, panel_of
from tests.goldens.files import REPLIES

ROOT = Path(__file__).resolve().parents[2]
FIRST = ROOT / "examples/first/replies.jsonl"


def first() -> VerdictRecord:
    """The README's reply: one invented sentence, one point missed, one made-up quotation."""
    row = json.loads(FIRST.read_text("utf-8"))
    return record(oyer.audit("judge-lock", row, row["reply"]))


def test_the_first_line_has_the_total_and_what_decided_it() -> None:
    words = explain(first(), find_protocol("judge-lock"))
    assert words.headline == (
        "4.1 of 10: one claim is not in the article, which caps coverage and relevance at 3"
    )


def test_what_is_invented_and_what_is_missed_is_told_by_name() -> None:
    words = explain(first(), find_protocol("judge-lock"))
    found = {section.key: [remark.text for remark in section.remarks] for section in words.sections}
    assert found["invented"] == ["Passengers get free travel in the first month"]
    assert found["missed"][0].startswith("Engineer Marta Oduya's study")
    assert "1 of 6 questions about the article is not answered, or wrongly" in found["missed"][1]
    assert found["said"][2] == "One claim is invented."


def test_the_invented_sentence_is_marked_where_it_stands() -> None:
    words = explain(first(), find_protocol("judge-lock"))
    (invented,) = words.sections[0].remarks
    ((source, start, end),) = invented.spans
    row = json.loads(FIRST.read_text("utf-8"))
    assert row[source][start:end] == "Passengers will get free travel in the first month."


def test_for_people_there_are_no_paths_and_no_fractions() -> None:
    shown = as_text(first(), find_protocol("judge-lock"))
    for technical in ("qag_results", "[3]", "JL-", "150/19", "summary["):
        assert technical not in shown
    assert "relevance counts words that the article has too" in shown


def test_what_the_judge_got_wrong_is_counted_in_words() -> None:
    told = count_faults(first()["violations"])
    assert "7 numbers counted wrong" in told
    assert "1 quotation that is not in the text" in told


def unfound(objects: dict[str, dict[str, Any]]) -> None:
    for point in objects["coverage"]["key_points"]:
        point["coverage"] = "Not"


SUPPORTED = (claim(0, status="Supported"), claim(1, status="Supported"))
CAUSES = [
    (SUPPORTED, "4.18 of 10: the article fully bears out only 2 of 6 details of the summary's "
                "claims; also, 2 of 4 key points are missing"),
    ((*SUPPORTED, unfound), "2.63 of 10: 4 of 4 key points are missing; also, the article fully "
                            "bears out only 2 of 6 details of the summary's claims"),
    ((), "2.58 of 10: one claim is not in the article, which caps coverage and relevance at 3"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "wanted"), CAUSES)
def test_the_cause_follows_the_findings(changes: tuple[Any, ...], wanted: str) -> None:
    made = record(alone("judge-lock", changed("judge-lock", *changes)))
    assert explain(made, find_protocol("judge-lock")).headline == wanted


SUITE = [json.loads(line) for line in (ROOT / "examples/suite/cases.jsonl").open(encoding="utf-8")]


def judged(case: str, candidate: str) -> VerdictRecord:
    """A text of the example suite, judged by the embedded judge."""
    (row,) = (r for r in SUITE if r["id"] == case and r["candidate"] == candidate)
    verdict = oyer.judge("judge-lock", {key: row[key] for key in ("article", "summary")})
    return record(verdict)


def half_told(objects: dict[str, dict[str, Any]]) -> None:
    unfound(objects)
    for checked in objects["hallucination"]["claims_checked"]:
        checked["status"] = "Partial"


@pytest.mark.parametrize(("change", "first"), [
    (unfound, "one claim is not in the article"),
    (half_told, "2 claims are only partly in the article"),
])  # fmt: skip
def test_what_is_invented_comes_before_what_is_missing(change: Any, first: str) -> None:
    made = record(alone("judge-lock", changed("judge-lock", change)))
    told = explain(made, find_protocol("judge-lock")).headline.partition(": ")[2]
    assert told.startswith(first)
    assert "4 of 4 key points are missing" in told


@pytest.mark.parametrize("case", ["otters", "library"])
def test_an_invention_is_in_the_first_line_whatever_decided_the_total(case: str) -> None:
    words = explain(judged(case, "careless"), find_protocol("judge-lock"))
    invented = next(section for section in words.sections if section.key == "invented")
    number = len(invented.remarks)
    count = "one claim is" if number == 1 else f"{number} claims are"
    assert f" of 10: {count} not in the article" in words.headline


def test_the_embedded_judge_says_nothing_that_it_says_of_every_text() -> None:
    words = explain(judged("otters", "careless"), find_protocol("judge-lock"))
    assert "said" not in {section.key for section in words.sections}


def test_what_the_embedded_judge_says_of_this_text_stays() -> None:
    article = "The council closed the bridge."
    made = record(oyer.judge("judge-lock", {"article": article, "summary": article}))
    words = explain(made, find_protocol("judge-lock"))
    said = next(section for section in words.sections if section.key == "said")
    told = " ".join(remark.text for remark in said.remarks)
    assert "of the article's length: it hardly shortens it." in told
    assert "is too short for six questions." in told
    assert "mask" not in told


def test_tone_names_the_words_once_and_then_what_is_wrong() -> None:
    words = explain(judged("heating", "careless"), find_protocol("judge-lock"))
    tone = next(section for section in words.sections if section.key == "tone")
    assert tone.title == "Tone and choice of words"
    assert [(r.text, r.note) for r in tone.remarks] == [("greedy", "subjectivity")]


def departures(objects: dict[str, dict[str, Any]]) -> None:
    objects["alignment"]["deviations"] = [
        {"aspect": "Meaning", "summary_text": "was rejected", "issue": "it was approved"},
        {"aspect": "tone", "summary_text": "at last", "issue": "cheers"},
        {"aspect": "stance", "summary_text": "a waste", "issue": "the article takes no side"},
        "leaves out who paid",
    ]
    objects["bias_toxicity"]["issues_found"] = [
        {"type": "subjectivity", "text": "at last"},
        {"type": "stereotype", "text": "as the French do"},
    ]


def test_each_kind_of_departure_has_a_title_that_fits_it() -> None:
    made = record(alone("judge-lock", changed("judge-lock", departures)))
    words = explain(made, find_protocol("judge-lock"))
    shown = {
        section.title: [(r.text, r.note) for r in section.remarks] for section in words.sections
    }
    assert "Manner" not in shown
    assert shown["Meaning changed"] == [("was rejected", "it was approved")]
    assert shown["Tone and choice of words"] == [
        ("at last", "cheers"), ("as the French do", "stereotype"),
    ]  # fmt: skip
    assert shown["Other departures from the article"] == [
        ("a waste", "stance: the article takes no side"), ("leaves out who paid", ""),
    ]  # fmt: skip


def test_a_turned_sentence_is_told_as_a_changed_meaning() -> None:
    fields = {
        "article": "The council of Halden approved the new footbridge over the river on Monday. "
        "The bridge will cost 12 million euros, and work is to begin in March of next year.",
        "summary": "The council of Halden rejected the new footbridge over the river on Monday.",
    }
    words = explain(record(oyer.judge("judge-lock", fields)), find_protocol("judge-lock"))
    changed_meaning = next(s for s in words.sections if s.title == "Meaning changed")
    assert changed_meaning.remarks[0].note == "a negation or an opposite differs"


def test_a_text_that_is_too_short_says_so_in_the_first_line() -> None:
    fields = {"article": "The bridge is closed.", "summary": "It is closed."}
    words = explain(record(oyer.judge("judge-lock", fields)), find_protocol("judge-lock"))
    assert "too short to be judged reliably (article 4 words, summary 3 words)" in words.headline
    assert "too short" not in words.trust


def test_a_refusal_has_no_id_of_a_rule() -> None:
    words = explain(judged("hafen", "careless"), find_protocol("judge-lock"))
    (section,) = words.sections
    assert section.remarks[0].text.startswith("the judge says: the article seems to be German")


def test_every_fault_is_told_in_words() -> None:
    broken: list[ViolationRecord] = [
        {"code": code, "where": "", "detail": ""} for code in ("points.count", "odd.thing")
    ]
    assert (
        count_faults(broken)
        == "1 list of too few or too many key points, 1 other fault (odd.thing)"
    )


@pytest.mark.parametrize("name", OURS)
def test_every_golden_verdict_speaks(name: str) -> None:
    """Odd replies, refusals, empty texts: a sentence comes out, and the record is not changed."""
    protocol = find_protocol(name)
    for row in json.loads((REPLIES / f"{name}.json").read_text("utf-8")):
        made = record(oyer.audit(name, row["case"], row["reply"]))
        before = json.dumps(made)
        words = explain(made, protocol)
        assert words.headline[0].isdigit() or words.headline.startswith("No score: ")
        assert (made["scores"] is None) == words.headline.startswith("No score: ")
        assert as_text(made, protocol)
        assert json.dumps(made) == before


@pytest.mark.parametrize("name", OURS)
def test_a_protocol_says_what_a_good_score_is(name: str) -> None:
    wording = find_protocol(name).wording
    assert isinstance(wording, Wording)
    assert wording.good


@pytest.mark.parametrize(("name", "others", "bound"), [("judge-lock", 3, 5), ("twin-lock", 4, 6)])
def test_the_bound_that_the_scale_states_holds(name: str, others: int, bound: int) -> None:
    """With one invented claim: capped metrics at their cap, the others at ten."""
    weights = find_protocol(name).weights
    tops = {"alignment": 10, "bias_toxicity": 10, "hallucination": 4}
    best = sum(weight * tops.get(metric, others) for metric, weight in weights.items())
    assert best / sum(weights.values()) < bound
    wording = find_protocol(name).wording
    assert wording is not None
    assert f"under {bound}" in wording.good


def test_a_panel_says_how_far_its_members_agree() -> None:
    one = changed("judge-lock", claim(0, status="Partial"))
    told = trust(record(panel_of("judge-lock", one, changed("judge-lock"))))
    assert told.startswith("A panel: j0 total ")
    assert "they differ on " in told


def test_trust_is_one_sentence() -> None:
    case = json.loads(FIRST.read_text("utf-8"))
    judged = record(oyer.judge("judge-lock", {k: case[k] for k in ("article", "summary")}))
    assert "on 5 sets that people labelled" in trust(judged)
    assert "17 of its 18 quotations stand where it said" in trust(first())


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("coverage.qag_results[3]", "coverage, question 4"),
        ("hallucination.claims_checked[0].span", "hallucination, claim 1"),
        ("bias_toxicity.overall_score", "bias toxicity, overall score"),
    ],
)
def test_places_are_words(where: str, words: str) -> None:
    assert place(where, find_protocol("judge-lock").wording) == words


@given(st.text())
def test_any_place_has_words(where: str) -> None:
    assert isinstance(place(where), str)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)


def test_a_notebook_shows_the_same_words_escaped() -> None:
    row = json.loads(FIRST.read_text("utf-8"))
    reply = row["reply"].replace("Passengers get free", "<script>alert(1)</script> get free")
    page = oyer.audit("judge-lock", row, reply)._repr_html_()
    tags = Tags()
    tags.feed(page)
    assert tags.seen == {"p", "strong", "ul", "li", "table", "tr", "td"}
    assert "which caps coverage and relevance at 3" in page


def test_one_case_on_the_terminal_has_its_text_with_marks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["audit", "judge-lock", str(FIRST)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ">>Passengers will get free travel in the first month.<<" in shown
    assert shown.startswith("4.1 of 10: one claim is not in the article")

"""What the embedded judge's verdicts say of themselves: who judged, how well, what to do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import oyer
from oyer.cli import main
from oyer.judges.embedded import Embedded
from oyer.judges.embedded.assess import Variant
from oyer.protocols.catalogue import find_protocol
from oyer.report.explain import explain
from oyer.report.speak import as_text
from oyer.verdicts import record
from tests.report.test_words import judged

FRENCH = {
    "article": "Le conseil communal de Namur a approuvé lundi la construction d'une passerelle sur "
    "la Meuse. Le projet coûtera 12 millions d'euros et les travaux commenceront en mars. Les "
    "habitants la demandaient depuis vingt ans, car le bac ne circule pas en hiver.",
    "summary": "Le conseil communal de Namur a approuvé lundi une passerelle sur la Meuse.",
}


@pytest.mark.parametrize("variant", ["light", "full"])
def test_a_french_verdict_says_in_its_head_that_light_judged(variant: Variant) -> None:
    """The encoders of `full` read English only: whoever asked it is told who judged."""
    judge = Embedded(variant)
    made = record(oyer.judge("judge-lock", FRENCH, judge=judge))
    light = Embedded("light").name
    first, second, *_ = as_text(made, find_protocol("judge-lock"), 200).splitlines()
    assert made["judge"] == judge.name, "runs go by the judge that was asked"
    assert f"judged by {light}" in second
    assert (f"judged by {light}" in first) == (variant == "full")
    assert (f"asked as {judge.name}" in second) == (variant == "full")


def test_a_french_verdict_says_once_how_far_to_trust_it() -> None:
    made = record(oyer.judge("judge-lock", FRENCH, judge=Embedded("light")))
    shown = " ".join(as_text(made, find_protocol("judge-lock")).split())
    assert shown.count("Judged by embedded:light") == 1
    assert "Trust: In this language (fr) this judge tells a true sentence from a false one" in shown
    assert "Nobody has measured this judge" not in shown


def test_one_sentence_says_how_such_texts_are_judged_beside_others() -> None:
    """Of a kind that is judged badly: two figures, each with its task and its texts."""
    article = "Sales by region\n\nNorth | 12.4 | 13.1\nSouth | 8.9 | 8.2\nEast | 5.0 | 5.6\n"
    fields = {"article": article, "summary": "Sales rose in the North and in the East."}
    made = record(oyer.judge("judge-lock", fields, judge=Embedded("light")))
    shown = " ".join(as_text(made, find_protocol("judge-lock")).split())
    (trust,) = re.findall(r"Trust: (.*? of either)", shown)
    assert re.fullmatch(
        r"This judge tells faithful from unfaithful summaries in \d+% \(worst\) to \d+% \(best\) "
        r"of cases on \d sets that people labelled, most of them of news; this article looks like "
        r"a table, and on such texts it was measured by pairs of single sentences of our own: it "
        r"tells the true from the false one in \d+% of pairs; a coin would in 50% of either",
        trust,
    )
    assert shown.count("a coin") == shown.count("looks like") == 1
    assert "coin" not in json.dumps(made["output"])


def test_of_ordinary_prose_only_people_s_labels_are_told() -> None:
    made = record(oyer.judge("judge-lock", PARAPHRASED, judge=Embedded("light")))
    shown = " ".join(as_text(made, find_protocol("judge-lock")).split())
    assert "sets that people labelled; a coin would in 50%" in shown
    assert "looks like" not in shown


def test_questions_without_an_answer_are_told_by_what_they_ask_for() -> None:
    words = explain(judged("otters", "careless"), find_protocol("judge-lock"))
    missed = next(section for section in words.sections if section.key == "missed")
    told = missed.remarks[-1].text
    assert re.match(r"\d of 6 questions about the article are not answered: on \w", told)
    wrong = int(told[0])
    assert told.count("; ") == wrong - 1


PARAPHRASED = {
    "article": "The council of Halden voted on Monday to build a footbridge over the river Tiste. "
    "The bridge will cost 12 million euros, and work is to begin in March 2026. Councillor Marit "
    "Sand said that people now walk twenty minutes to reach the trains. The Greens voted against "
    "the plan because forty lime trees have to be felled.",
    "summary": "Halden's council has approved a footbridge across the Tiste. One party was opposed "
    "to it, since dozens of trees must go.",
}


def test_a_point_in_other_words_is_told_as_not_found_in_these_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It finds points by shared words: that one is missing it does not know. The same words in
    `oyer explain` and in the report."""
    store, report = tmp_path / "my.db", tmp_path / "report.html"
    (tmp_path / "case.jsonl").write_text(json.dumps({"id": "bridge", **PARAPHRASED}), "utf-8")
    options = ["--judge", "embedded:light", "--store", str(store)]
    assert main(["judge", "judge-lock", str(tmp_path / "case.jsonl"), *options]) == 0
    capsys.readouterr()
    assert main(["explain", "1", "--case", "bridge", "--store", str(store)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "key points are not found in the summary's words" in told
    assert "Not found in these words – " in told
    assert main(["report", "1", "-o", str(report), "--store", str(store)]) == 0
    page = report.read_text("utf-8")
    assert "Not found in these words" in page
    for certain in ("are missing", "Missing from the summary", "Told only in part"):
        assert certain not in told + page


def test_of_a_judge_that_does_not_say_so_a_missing_point_is_missing() -> None:
    """A language model reads meaning: its verdicts say what they said."""
    made = record(oyer.judge("judge-lock", PARAPHRASED, judge=Embedded("light")))
    made["reliability"] = {}
    words = explain(made, find_protocol("judge-lock"))
    assert "Missing from the summary" in {section.title for section in words.sections}
    assert "key points are missing" in words.headline


def test_the_support_of_each_claim_is_shown_and_in_the_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In what `oyer judge --json` prints, beside each claim of `oyer explain --full`, also of those
    that are supported, and beside those that are not in the article."""
    case, stored = tmp_path / "case.jsonl", tmp_path / "verdicts.jsonl"
    summary = f"{PARAPHRASED['summary']} Martians will paint the bridge in 1999."
    case.write_text(json.dumps({"id": "bridge", **PARAPHRASED, "summary": summary}), "utf-8")
    assert main(["judge", "twin-lock", str(case), "--judge", "embedded:light", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    (step,) = (step for step in made["trace"] if step["rule"] == "TL-HAL-SUPPORT")
    shares = step["inputs"]["support"]
    claims = made["output"][2]["claims_checked"]
    assert len(shares) == step["inputs"]["N"] == len(claims)
    assert sum(shares) / len(shares) == pytest.approx(step["value"], abs=1e-6)
    assert all(claim.keys() == {"claim", "status", "justification"} for claim in claims)
    stored.write_text(json.dumps(made), "utf-8")
    assert main(["explain", str(stored), "--full"]) == 0
    told = capsys.readouterr().out
    for share in shares:
        assert f"support {share:.2f}".replace(" 0.", " .") in told
    wrong = shares[[claim["status"] for claim in claims].index("Unsupported")]
    listed = " ".join(told.partition("Not in the article")[2].split())
    assert f"(support {wrong:.2f};".replace(" 0.", " .") in listed.partition("Not found")[0]


def test_a_verdict_without_a_score_has_no_scale_and_no_rate_of_the_judge() -> None:
    words = explain(judged("hafen", "careless"), find_protocol("judge-lock"))
    assert (words.scale, words.trust) == ("", "")
    assert words.sections[0].remarks[0].text.endswith("name a language model with --judge")

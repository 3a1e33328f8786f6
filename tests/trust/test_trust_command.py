"""`oyer trust`: one sentence for each judge, then the card; on the screen, as files, as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.store.cards import merge_cards, read_card, read_cards
from oyer.store.labels import Label, LabelStore
from tests.trust.runs_for_labels import judged_run


@pytest.fixture
def store_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = judged_run(tmp_path, cases=12)
    capsys.readouterr()
    return file


def label_all(store_file: str) -> None:
    """A person labels each sentence of the bad summaries `not`, of the good ones `supported`."""
    protocol = find_protocol("judge-lock")
    assert protocol.units is not None
    with open_store(store_file) as store:
        labels = []
        for outcome in store.outcomes(store.find_run("latest").id):
            case = store.cases([outcome.case_sha])[outcome.case_sha].case
            for unit in protocol.units(case):
                if unit.metric == "supported":
                    value = "supported" if outcome.candidate == "good" else "not"
                    label = Label(outcome.case_sha, protocol.name, "supported", value, "ann",
                                  unit=unit.where, case_id=case.id, candidate=case.candidate,
                                  prob=0.5)  # fmt: skip
                    labels.append(label)
        LabelStore(store).add(labels)


def trust(store_file: str, *options: str) -> int:
    return main(["trust", "latest", "--store", store_file, *options])


def test_without_labels_the_card_says_that_nobody_knows(
    store_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trust(store_file) == 0
    first = capsys.readouterr().out
    assert re.search(r"embedded@\S+-light: not measured against people", first.replace("\n", " "))
    assert "verdicts that break no rule" in first
    assert "Keeping to the protocol" not in first
    assert trust(store_file, "--full") == 0
    assert "Keeping to the protocol" in capsys.readouterr().out


def test_with_labels_it_holds_the_judge_against_people(
    store_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    label_all(store_file)
    assert trust(store_file, "--json") == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    [measure] = card["measures"]
    assert (measure["metric"], measure["cases"], measure["units"]) == ("supported", 12, 48)
    assert 0 <= measure["statistics"]["agreement"]["value"] <= 1
    run, alike = measure["corrected"]
    assert 0 <= run["low"] <= 0.5 <= run["high"] <= 1
    assert alike["low"] <= run["low"]
    assert measure["needs"][0]["half"] == 0.1


def test_labels_come_from_a_file(
    store_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "labels.csv"
    rows = ["case,candidate,metric,value,reviewer"]
    for number in range(12):
        rows += [
            f"case-{number},good,hallucination,9,ann",
            f"case-{number},bad,hallucination,1,ann",
        ]
    file.write_text("\n".join(rows), encoding="utf-8")
    assert trust(store_file, "--human", str(file), "--json") == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    [measure] = card["measures"]
    assert measure["metric"] == "hallucination"
    assert measure["statistics"]["spearman"]["value"] > 0
    assert measure["corrected"][0]["value"] == pytest.approx(5)


def test_the_card_is_written_as_page_markdown_and_json(
    store_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label_all(store_file)
    files = [tmp_path / f"card{ending}" for ending in (".html", ".md", ".json")]
    options = [word for file in files for word in ("--card", str(file))]
    assert trust(store_file, *options) == 0
    page, text, data = (file.read_text(encoding="utf-8") for file in files)
    assert "<svg" in page
    assert "http://" not in page.replace("http-equiv", "")
    assert "https://" not in page
    assert "### Beside people: labels" in text
    assert json.loads(data)["cards"][0]["judge"].startswith("embedded@")


def test_the_newest_card_stays_in_the_store(store_file: str) -> None:
    assert trust(store_file) == 0
    label_all(store_file)
    assert trust(store_file) == 0
    with open_store(store_file) as store:
        [card] = read_cards(store)
    assert card.body["labels"] == 48


def test_a_kept_card_is_found_by_its_judge(store_file: str) -> None:
    label_all(store_file)
    assert trust(store_file) == 0
    with open_store(store_file, write=False) as store:
        [card] = read_cards(store)
        assert read_card(store, card.judge, card.protocol) == card
        assert read_card(store, "nobody", card.protocol) is None
    assert [part.name for part in card.parts] == ["people", "protocol"]
    assert dict(card.parts[0].facts)["supported: same label as people"].endswith("12 cases")


def body(use: str, date: str, **fields: object) -> dict[str, object]:
    """A stored card with as little as the store looks at."""
    parts = {"protocol": {"run": 1, "date": date, "facts": []}}
    if use != "untold":
        parts["people"] = {"run": 1, "date": date, "facts": []}
    if fields.get("probes"):
        parts["probes"] = {"run": 2, "date": date, "facts": []}
    known = {"sentence": f"{use}.", "labels": 0, "measures": [], "biases": [], "reviewed": []}
    empty = {"probes": [], "probe_sentence": ""}
    return {"judge": "j", "protocol": "p", "run": 1, "use": use, **known, **empty, **fields,
            "parts": parts}  # fmt: skip


def test_a_later_card_without_probes_keeps_those_there_were() -> None:
    first = body("untold", "2026-01-01", probes=[1], probe_sentence="Of 9 …")
    second = merge_cards(first, body("ranking", "2026-02-02"))
    assert (second["sentence"], second["probe_sentence"]) == ("ranking.", "Of 9 …")
    dates = {name: part["date"] for name, part in second["parts"].items()}
    assert dates == {"protocol": "2026-02-02", "people": "2026-02-02", "probes": "2026-01-01"}


def test_a_later_card_without_labels_keeps_what_people_said() -> None:
    first = body("single", "2026-01-01", labels=400)
    second = merge_cards(first, body("untold", "2026-02-02", probes=[1]))
    assert (second["use"], second["sentence"], second["labels"]) == ("single", "single.", 400)
    assert second["parts"]["people"]["date"] == "2026-01-01"
    assert second["parts"]["probes"]["date"] == "2026-02-02"
    assert merge_cards(first, body("none", "2026-03-03"))["use"] == "none"


def test_a_card_of_an_unknown_form_is_refused(
    store_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trust(store_file, "--card", "card.pdf") == 2
    assert "card.pdf" in capsys.readouterr().err


def test_a_run_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust"]) == 2
    assert "--demo" in capsys.readouterr().err


def test_the_demo_needs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust", "--demo", "--json"]) == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    assert card["compliance"]["verdicts"] == 20
    assert card["measures"][0]["people_agree"] is not None
    assert "agrees with people on" in card["sentence"]


def test_the_card_is_shown_where_the_judge_is(
    store_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    label_all(store_file)
    assert trust(store_file, "--json") == 0
    sentence = json.loads(capsys.readouterr().out)["cards"][0]["sentence"]
    assert main(["leaderboard", "latest", "--store", store_file, "--markdown"]) == 0
    assert "labelled cases are too few" in capsys.readouterr().out
    assert main(["leaderboard", "latest", "--store", store_file, "--json"]) == 0
    [shown] = json.loads(capsys.readouterr().out)["trust"]
    assert re.fullmatch(re.escape(sentence) + r" \(run 1, \d{4}-\d\d-\d\d\)", shown)
    page = tmp_path / "report.html"
    assert main(["report", "latest", "--store", store_file, "-o", str(page)]) == 0
    assert "how far a judge can be trusted" in page.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["judges", "--store", store_file, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [embedded] = [row for row in rows if row["judge"].startswith("embedded")]
    assert embedded["cards"][0]["sentence"] == sentence


def test_a_card_is_made_and_kept_in_either_database(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged_run(tmp_path, 6, where)
    labels = tmp_path / "labels.csv"
    rows = ["case,candidate,metric,value"]
    for number in range(6):
        rows += [f"case-{number},good,coverage,8", f"case-{number},bad,coverage,2"]
    labels.write_text("\n".join(rows), encoding="utf-8")
    capsys.readouterr()
    assert trust(where, "--human", str(labels), "--json") == 0
    [card] = json.loads(capsys.readouterr().out)["cards"]
    assert card["compliance"]["verdicts"] == card["labels"] == 12
    with open_store(where, write=False) as store:
        assert read_card(store, card["judge"], card["protocol"]) is not None

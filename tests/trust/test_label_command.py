"""`oyer label`: a queue is drawn and kept; labels go out and come in as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from oyer.cli import main
from oyer.store import open_store
from oyer.store.labels import Label, LabelStore, label_item
from tests.trust.runs_for_labels import judged_run


@pytest.fixture
def store_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = judged_run(tmp_path)
    capsys.readouterr()
    return file


def _label(store_file: str, *options: str) -> int:
    return main(["label", "latest", "--store", store_file, *options])


def test_a_queue_is_drawn_with_its_chances(
    store_file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--n", "4", "--second", "0.5", "--by", "candidate", "--metrics", "supported"]
    assert _label(store_file, *options, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["items"], answer["twice"], answer["mode"]) == (4, 2, "blind")
    assert "oyer view" in answer["message"]
    with open_store(store_file) as store:
        labels = LabelStore(store)
        queue = labels.queue(answer["queue"])
        items = labels.items(queue.id)
    assert queue.drawn["population"] == 8
    assert {item.prob for item in items} == {0.5}
    assert sorted(item.candidate or "" for item in items) == ["bad", "bad", "good", "good"]
    assert {metric for item in items for _, metric in item.units} == {"supported"}
    assert all(item.verdict is None for item in items), "nothing of a judge in a blind queue"


def test_a_review_shows_verdicts(store_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _label(store_file, "--n", "3", "--review", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    with open_store(store_file) as store:
        items = LabelStore(store).items(answer["queue"])
    assert len(items) == 3
    assert all(item.verdict for item in items)
    assert all(where.endswith("]") for item in items for where, _ in item.units)


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_labels_go_out_and_come_back(
    store_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    assert _label(store_file, "--n", "2", "--metrics", "supported,coverage") == 0
    with open_store(store_file) as store:
        labels = LabelStore(store)
        queue = labels.queues()[0]
        for item in labels.items(queue.id):
            for where, metric in item.units:
                kind = "score" if metric == "coverage" else "label"
                value = "7.5" if metric == "coverage" else "partly"
                labels.add([label_item(queue, item, metric, value, "ann", unit=where, kind=kind,
                                       note='a "note", with comma\nand line')])  # fmt: skip
        before = labels.current()
    file = str(tmp_path / f"labels.{ending}")
    assert _label(store_file, "--export", file) == 0
    other = judged_run(_folder(tmp_path))
    assert _label(other, "--import", file) == 0
    assert _label(other, "--import", file) == 0, "a second time changes nothing"
    with open_store(other) as store:
        after = LabelStore(store).current()

    def told(labels: list[Label]) -> set[tuple[object, ...]]:
        return {
            (one.id, one.case_sha, one.unit, one.metric, one.value, one.kind, one.prob, one.note)
            for one in labels
        }

    assert told(after) == told(before)
    assert len(after) > 2


def _folder(parent: Path) -> Path:
    folder = parent / "other"
    folder.mkdir()
    return folder


def test_labels_made_elsewhere_come_in(store_file: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(
        "case,candidate,metric,value,reviewer\n"
        "case-0,good,coverage,8,ann\ncase-0,bad,coverage,2,ann\n",
        encoding="utf-8",
    )
    assert _label(store_file, "--import", str(file)) == 0
    with open_store(store_file) as store:
        kept = LabelStore(store).current()
    assert [(one.candidate, one.number, one.kind, one.prob) for one in kept] == [
        ("good", 8.0, "score", None),
        ("bad", 2.0, "score", None),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case,metric,value\ncase-9,coverage,8\n", "labels.csv:2: field 'case'"),
        ("case,metric,value\ncase-0,coverage,8\n", "name the candidate"),
        ("case,candidate,value\ncase-0,good,8\n", "field 'metric'"),
        ("case,candidate,metric\ncase-0,good,coverage\n", "field 'value'"),
        ("case,candidate,metric,value,prob\ncase-0,good,coverage,8,2\n", "probability"),
        ("case,candidate,metric,value,prob\ncase-0,good,coverage,8,x\n", "field 'prob'"),
        ("case,candidate,metric,value\n", "no label"),
    ],
)
def test_a_bad_file_of_labels_is_refused_whole(
    store_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    file = tmp_path / "labels.csv"
    file.write_text(text, encoding="utf-8")
    assert _label(store_file, "--import", str(file)) == 2
    assert message in capsys.readouterr().err
    with open_store(store_file) as store:
        assert LabelStore(store).current() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "colour"], "--by takes candidate and score"),
        (["--n", "1", "--by", "candidate"], "2 strata"),
        (["--metrics", "charm"], "no 'charm' to label"),
        (["--review", "--metrics", "coverage"], "blind"),
        (["--dev", "1"], "dev share"),
    ],
)
def test_a_draw_that_cannot_be_is_refused(
    store_file: str, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert _label(store_file, *options) == 2
    assert message in capsys.readouterr().err

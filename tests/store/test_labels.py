"""People's labels: kept for good, corrected by more rows, counted once."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from oyer.errors import StoreDamaged, StoreError, UsageError
from oyer.store import open_store
from oyer.store.doctor import examine
from oyer.store.labels import Label, LabelStore, QueueItem, label_item
from tests.store.made import HOSTILE

UNITS = (("summary[0:5]", "supported"), ("", "coverage"))


def label(value: str | None = "not", reviewer: str = "ann", **changed: object) -> Label:
    known: dict[str, object] = {
        "case_sha": "c" * 64,
        "protocol": "toy@1",
        "metric": "supported",
        "unit": "summary[0:5]",
        "value": value,
        "reviewer": reviewer,
    }
    return Label(**(known | changed))  # type: ignore[arg-type]


def item(number: int, people: int = 1) -> QueueItem:
    return QueueItem(f"sha{number}", f"c{number}", "someone", UNITS, prob=0.25, people=people)


def test_a_label_comes_back_as_it_was_given(where: str) -> None:
    given = label(
        prob=0.125, split="test", seconds=3.5, note="why", shown_sha="s", verdict="v", queue=7,
        candidate="m", case_id="c1", blind=False,
    )  # fmt: skip
    with open_store(where) as store:
        labels = LabelStore(store)
        labels.add([given])
        (kept,) = labels.history()
        assert kept.row > 0
        assert {**_values(kept), "row": 0} == _values(given)
        assert labels.find(given.id) == kept
        with pytest.raises(StoreError, match="no label"):
            labels.find("nothing")


def _values(label: Label) -> dict[str, object]:
    return {name: getattr(label, name) for name in Label.__dataclass_fields__}


@pytest.mark.parametrize("kind", [kind for kind in HOSTILE if kind != "empty"])
def test_any_text_survives_in_a_label(where: str, kind: str) -> None:
    text = HOSTILE[kind]
    with open_store(where) as store:
        labels = LabelStore(store)
        labels.add([label(value=text, note=text, candidate=text)])
        assert len(list(labels.history())) == 1


def test_a_label_sent_twice_is_kept_once(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        given = label()
        labels.add([given])
        labels.add([given, label(reviewer="bob")])
        assert [kept.reviewer for kept in labels.history()] == ["ann", "bob"]


def test_a_correction_counts_and_the_old_row_stays(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        labels.add([label("not")])
        (old,) = labels.current()
        labels.supersede(old, value="partly")
        assert [kept.value for kept in labels.current()] == ["partly"]
        assert [kept.value for kept in labels.history()] == ["not", "partly"]


def test_what_is_withdrawn_counts_no_more(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        labels.add([label()])
        labels.withdraw(labels.current()[0])
        assert labels.current() == []
        assert len(list(labels.history())) == 2


def test_of_two_rows_of_one_reviewer_the_newest_counts(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        labels.add([label("not"), label("supported"), label("partly", "bob")])
        assert {(kept.reviewer, kept.value) for kept in labels.current()} == {
            ("ann", "supported"),
            ("bob", "partly"),
        }


def test_labels_are_found_by_case_and_by_queue(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        labels.add([label(case_sha=f"sha{n}", queue=n % 2) for n in range(1200)])
        wanted = [f"sha{n}" for n in range(700)]
        assert len(list(labels.history(case_shas=wanted))) == 700
        assert len(list(labels.history(queue=1))) == 600
        assert len(list(labels.history(case_shas=wanted, queue=0))) == 350


def test_a_queue_is_done_when_its_people_have_labelled_every_unit(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        queue = labels.create_queue(1, "blind", "toy@1", [item(0, people=2), item(1)], {"n": 2})
        assert labels.queue(queue.id) == queue
        assert labels.queues(run=1) == [queue]
        assert labels.queues(run=2) == []

        def give(reviewer: str, at: int, *, skip: bool = False) -> None:
            chosen = labels.items(queue.id)[at]
            labels.add([
                label_item(queue, chosen, "supported", "not", reviewer, unit="summary[0:5]"),
                label_item(queue, chosen, "coverage", None if skip else "7", reviewer,
                           kind="skip" if skip else "score"),
            ])  # fmt: skip

        first = labels.next_item(queue.id, "ann")
        assert first is not None
        assert first.case_sha == "sha0"
        assert labels.next_item(queue.id, "bob", avoid=[first.id]).case_sha == "sha1"  # type: ignore[union-attr]
        give("ann", 0)
        assert labels.next_item(queue.id, "ann").case_sha == "sha1"  # type: ignore[union-attr]
        assert labels.next_item(queue.id, "bob").case_sha == "sha0"  # type: ignore[union-attr]
        give("bob", 0, skip=True)
        assert labels.next_item(queue.id, "cara").case_sha == "sha1", "two people had the first"  # type: ignore[union-attr]
        give("bob", 1)
        assert labels.next_item(queue.id, "ann") is None
        progress = labels.progress(queue.id)
        assert (progress.wanted, progress.done) == (3, 3)
        assert progress.by_reviewer == {"ann": 1, "bob": 2}
        kept = labels.current(queue=queue.id)
        assert {one.prob for one in kept} == {0.25}


def test_half_an_item_is_not_done(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        queue = labels.create_queue(1, "blind", "toy@1", [item(0)], {})
        labels.add([label(case_sha="sha0", queue=queue.id)])
        assert labels.progress(queue.id).done == 0
        assert labels.next_item(queue.id, "ann") is not None


def test_differing_opinions_wait_for_a_decision(where: str) -> None:
    with open_store(where) as store:
        labels = LabelStore(store)
        queue = labels.create_queue(1, "blind", "toy@1", [item(0, people=2)], {})
        labels.add([label("not", "ann", queue=queue.id), label("partly", "bob", queue=queue.id)])
        (differ,) = labels.disagreements(queue.id)
        assert {one.reviewer for one in differ} == {"ann", "bob"}
        decision = labels.adjudicate(differ, "partly", "cara")
        assert decision.role == "adjudication"
        assert labels.disagreements(queue.id) == []
        assert len(labels.current(queue=queue.id)) == 3, "the opinions stay"
        with pytest.raises(StoreError, match="one thing"):
            labels.adjudicate([differ[0], label(unit="summary[6:9]")], "not", "cara")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"prob": 0.0}, "inclusion probability"),
        ({"prob": 1.5}, "inclusion probability"),
        ({"kind": "score", "value": "high"}, "must be a number"),
        ({"kind": "score", "value": "nan"}, "must be a number"),
        ({"kind": "guess"}, "kind"),
        ({"role": "boss"}, "role"),
        ({"split": "train"}, "split"),
        ({"reviewer": " "}, "reviewer"),
        ({"value": None}, "needs a value"),
    ],
)
def test_a_label_that_cannot_be_is_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        label(**changed)  # type: ignore[arg-type]


def test_a_changed_row_is_found(tmp_path: Path) -> None:
    file = tmp_path / "oyer.db"
    with open_store(str(file)) as store:
        LabelStore(store).add([label()])
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE oyer_labels SET value = 'supported'")
    with open_store(str(file), write=False) as store, pytest.raises(StoreDamaged, match="label"):
        list(LabelStore(store).history())


def test_the_doctor_reads_labels_too(tmp_path: Path) -> None:
    file = tmp_path / "oyer.db"
    with open_store(str(file)) as store:
        LabelStore(store).add([label(), label(reviewer="bob")])
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE oyer_labels SET value = 'supported' WHERE reviewer = 'bob'")
    found = {finding.what: finding for finding in examine(str(file))}["labels"]
    assert not found.well
    assert "1 are well, 1 damaged" in found.detail

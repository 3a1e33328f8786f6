"""People label in a real browser: by keyboard, blind, together, and with a server that dies."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.store.labels import Label, LabelStore, Queue
from oyer.trust.queues import Draw, draw_queue
from tests.web.serving import serving, start

Open = Any


def draw(store: Path, **how: Any) -> Queue:
    with open_store(str(store)) as opened:
        run = opened.find_run("1")
        protocol = find_protocol(run.manifest.protocol)
        return draw_queue(opened, run, protocol, Draw(seed=7, **how))


def labels(store: Path, queue: Queue) -> list[Label]:
    with open_store(str(store)) as opened:
        return LabelStore(opened).current(queue=queue.id)


def history(store: Path, queue: Queue) -> list[Label]:
    with open_store(str(store)) as opened:
        return list(LabelStore(opened).history(queue=queue.id))


def press(page: Any, key: str) -> None:
    """Press a key for the current unit and wait until the page has moved on."""
    page.wait_for_selector("body[data-ready]")
    with page.expect_response("**/api/label") as answered:
        page.keyboard.press(key)
    assert answered.value.ok


def test_60_findings_by_keyboard_alone(store: Path, new_page: Open) -> None:
    queue = draw(store, n=20, mode="review", second=0.0)
    with serving(store) as served:
        page = new_page(served, f"/review/{queue.id}")
        page.keyboard.type("ann")
        page.keyboard.press("Enter")
        for number in range(60):
            page.wait_for_selector(".unit.current")
            press(page, "s" if number % 7 == 0 else "1")
    kept = labels(store, queue)
    assert len(kept) == 60
    assert {label.reviewer for label in kept} == {"ann"}
    assert {label.kind for label in kept} == {"agree", "skip"}
    assert all(label.seconds is not None and label.prob and label.shown_sha for label in kept)
    assert not any(label.blind for label in kept)


def test_a_label_is_taken_back_with_a_key(store: Path, new_page: Open) -> None:
    queue = draw(store, n=2, metrics=("supported",), second=0.0)
    with serving(store) as served:
        page = new_page(served, f"/review/{queue.id}?as=ann")
        press(page, "1")
        with page.expect_navigation():
            page.keyboard.press("u")
        assert page.locator(".unit.current[data-given]").count() == 0
        press(page, "3")
    assert [label.value for label in labels(store, queue)] == ["supported"]
    assert [label.kind for label in history(store, queue)] == ["label", "withdrawn", "label"]


def test_nothing_of_any_judge_reaches_a_blind_browser(store: Path, new_page: Open) -> None:
    """All that goes over the wire while a whole blind queue is labelled: no judge's name, no
    verdict, no score, no judge's words, and not who wrote the text."""
    queue = draw(store, n=3, second=0.0, metrics=("supported",))
    received: list[str] = []

    def pass_on(route: Any) -> None:
        answer = route.fetch()
        if "/static/" not in route.request.url:
            received.append(f"{route.request.url} {answer.headers} {answer.text()}")
        route.fulfill(response=answer)

    with serving(store) as served:
        page = new_page(served, "/protocols")  # a page that asks for nothing more by itself
        page.route("**/*", pass_on)
        page.goto(f"{served.url}/review/{queue.id}?as=ann")
        while page.locator(".unit").count():
            if page.locator(".unit:not([data-given])").count() == 1:
                with page.expect_navigation():
                    press(page, "1")
            else:
                press(page, "1")
        page.wait_for_selector("h1:has-text('Nothing left')")
    assert len(labels(store, queue)) > 3
    told = "".join(received)
    assert "/api/label" in told
    for word in judges_words(store):
        assert word not in told


def judges_words(store: Path) -> set[str]:
    """What judges said in run 1, the ids of their verdicts, their names, and the candidates'."""
    words = {"embedded", "verdict="}
    with open_store(str(store)) as opened:
        for kept in opened.verdicts(1):
            record = kept.record
            words |= {str(record["id"]), str(record["judge"]), f">{record['candidate']}<"}
            words |= {f'"{record["candidate"]}"', f'"total": {record["total"]}'}
            words |= {str(one["detail"]) for one in record["violations"]}
    return words


def test_a_correction_shows_the_new_score(store: Path, new_page: Open) -> None:
    queue = draw(store, n=20, mode="review", second=0.0)
    with serving(store) as served:
        page = new_page(served, f"/review/{queue.id}?as=ann")
        page.wait_for_selector("body[data-ready]")
        unit = page.locator(".unit:has([data-kind=label])").first
        unit.locator("[data-kind=label]").first.click()
        page.wait_for_selector(".outcome:text('The total would be')")
    (label,) = labels(store, queue)
    assert (label.kind, label.blind) == ("label", False)


def test_two_people_share_a_queue_and_a_third_decides(store: Path, new_page: Open) -> None:
    """Every text goes to as many people as it should; where they differ a decision is kept."""
    queue = draw(store, n=4, metrics=("supported",), second=0.5)
    with serving(store) as served:
        pages = {name: new_page(served, f"/review/{queue.id}?as={name}") for name in ("ann", "bob")}
        left = dict(pages)
        while left:
            for name, page in list(left.items()):
                if page.locator("h1:has-text('Nothing left')").count():
                    del left[name]
                else:
                    last = page.locator(".unit:not([data-given])").count() == 1
                    key = "1" if name == "ann" else "3"
                    if last:
                        with page.expect_navigation():
                            press(page, key)
                    else:
                        press(page, key)
        given = labels(store, queue)
        doubled = {label.subject for label in given if label.reviewer == "ann"} & {
            label.subject for label in given if label.reviewer == "bob"
        }
        with open_store(str(store)) as opened:
            items = LabelStore(opened).items(queue.id)
            progress = LabelStore(opened).progress(queue.id)
        twice = {item.case_sha for item in items if item.people == 2}
        assert {subject[0] for subject in doubled} == twice
        assert len(given) == len(doubled) + sum(len(item.units) for item in items)
        assert progress.done == progress.wanted
        assert progress.disagreements == len(doubled)

        page = pages["ann"]
        page.goto(f"{served.url}/review/{queue.id}/decide?as=cara")
        for left_over in range(len(doubled), 0, -1):
            assert page.locator(".decision").count() == left_over
            page.locator(".decision .choice").nth(1).click()
            page.locator(".decision").nth(left_over - 1).wait_for(state="detached")
        page.locator(".decision").wait_for(state="detached")
    with open_store(str(store)) as opened:
        assert LabelStore(opened).disagreements(queue.id) == []
        decided = [one for one in LabelStore(opened).current() if one.role == "adjudication"]
    assert {(one.reviewer, one.value) for one in decided} == {("cara", "partly")}
    assert len(decided) == len(doubled)


def test_a_server_that_dies_loses_and_doubles_nothing(store: Path, new_page: Open) -> None:
    """Kills at random moments while somebody labels; `bench/view.py --kills` does 200. Each takes
    the start of a server, so a few must do here."""
    queue = draw(store, n=20, mode="review", second=0.0)
    chance = random.Random(1)
    served = start(store)
    page = new_page(served, f"/review/{queue.id}?as=ann")
    page.on("pageerror", lambda _: None)
    wanted = 8
    try:
        for number in range(wanted):
            page.wait_for_selector("body[data-ready]")
            page.wait_for_selector(".unit.current")
            dies = number % 2 == 1
            if dies:
                timer = threading.Timer(chance.random() * 0.03, served.kill)
                timer.start()
            page.keyboard.press("1")
            if dies:
                timer.join()
                served = start(store, port=served.port)
            page.wait_for_selector("body[data-waiting='0'], #main-frame-error")
            if page.locator("#main-frame-error").count():  # the next sheet met a dead server
                page.goto(f"{served.url}/review/{queue.id}?as=ann")
                page.wait_for_selector("body[data-waiting='0']")
    finally:
        served.kill()
    rows = history(store, queue)
    assert len(rows) == len({row.id for row in rows}) == wanted
    assert len({(row.subject, row.reviewer) for row in rows}) == wanted


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": "excellent"}, "none of"),
        ({"kind": "agree", "value": "yes"}, "takes no 'agree'"),
        ({"unit": "summary[0:1]"}, "no unit"),
        ({"reviewer": " "}, "Who are you"),
        ({"item": 999}, "no item"),
        ({"item": "1"}, "whole number"),
        ({"id": "x"}, "32 hexadecimal"),
    ],
)
def test_a_label_that_nobody_can_give_is_refused(
    store: Path, change: dict[str, Any], message: str
) -> None:
    queue = draw(store, n=2, metrics=("supported",), second=0.0)
    with open_store(str(store)) as opened:
        item = LabelStore(opened).items(queue.id)[0]
    good = {
        "id": "0" * 32, "queue": queue.id, "item": item.id, "unit": item.units[0][0],
        "metric": "supported", "kind": "label", "value": "not", "reviewer": "ann",
    }  # fmt: skip
    with serving(store) as served:
        status, _, text = served.ask("/api/label", "POST", body=good | change)
        assert status == 400
        assert message in json.loads(text)["error"]
        assert served.send("/api/label", good) == served.send("/api/label", good)
    assert len(history(store, queue)) == 1


def test_a_score_lies_on_its_scale(store: Path, new_page: Open) -> None:
    queue = draw(store, n=1, metrics=("coverage",), second=0.0)
    with serving(store) as served:
        page = new_page(served, f"/review/{queue.id}?as=ann")
        page.wait_for_selector("body[data-ready]")
        page.keyboard.type("11")
        page.keyboard.press("Enter")
        page.keyboard.press("Backspace")
        with page.expect_response("**/api/label"):
            page.keyboard.press("Enter")
        page.wait_for_selector("h1:has-text('Nothing left')")
    (label,) = labels(store, queue)
    assert (label.kind, label.value, label.blind) == ("score", "1", True)


def test_a_sample_is_drawn_on_the_page(store: Path, new_page: Open) -> None:
    with serving(store) as served:
        page = new_page(served, "/review?run=1")
        page.fill("[name=n]", "6")
        page.check("[name=by_candidate]")
        page.click("#draw button")
        page.wait_for_url("**/review/1")
    with open_store(str(store)) as opened:
        items = LabelStore(opened).items(1)
    assert len(items) == 6
    assert {item.stratum for item in items} == {"careful", "brief", "careless"}


def test_on_a_phone_the_texts_hide_no_finding(store: Path, new_page: Open) -> None:
    queue = draw(store, n=2, mode="review", second=0.0)
    with serving(store) as served:
        page = new_page(served, f"/review/{queue.id}?as=ann")
        page.set_viewport_size({"width": 390, "height": 844})
        page.wait_for_selector("body[data-ready]")
        assert page.locator(".source").bounding_box()["height"] < 60
        page.locator(".handle").click()
        assert page.locator(".source .text").first.is_visible()


def test_a_sheet_says_how_many_texts_and_speaks_plainly(store: Path, new_page: Open) -> None:
    """Four texts of which one goes to two people are five sheets: nobody should have to guess."""
    queue = draw(store, n=4, mode="review", second=0.2)
    with serving(store) as served:
        page = new_page(served, f"/review/{queue.id}?as=ann")
        assert page.locator("#far").inner_text() == "0 of 5: 4 texts, 1 of them twice"
        points = page.locator(".unit[data-unit*=key_points] .about").all_inner_texts()
        assert points
        plain = ("told in full", "told in part", "not told")
        assert all(text.startswith(tuple(f"The judge says: {word}." for word in plain))
                   for text in points), points  # fmt: skip
        page.goto(f"{served.url}/review")
        assert "4 texts, 1 of them twice" in page.locator("tbody").inner_text()

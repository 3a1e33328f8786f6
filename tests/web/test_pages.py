"""Each page in a real browser: what it shows, where it leads, what its keys do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.verdicts.what_if import rule_with, verdict_objects
from tests.web.serving import Served

Open = Any


def test_from_the_runs_to_a_case_by_keyboard(served: Served, new_page: Open) -> None:
    page = new_page(served)
    assert page.title() == "Runs · Oyer"
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2#standings")
    assert page.locator(".board tbody tr").count() == 3
    assert page.locator(".matrix tbody tr").count() == 8
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("article.verdict")
    assert page.locator("article.verdict").count() == 3
    page.keyboard.press("n")
    page.wait_for_url("**id=otters**")
    page.keyboard.press("p")
    page.wait_for_url("**id=bridge**")
    page.keyboard.press("g")
    page.keyboard.press("p")
    page.wait_for_url("**/protocols")


def test_the_keys_of_a_page_are_listed(served: Served, new_page: Open) -> None:
    page = new_page(served, "/runs/1")
    page.keyboard.press("?")
    told = page.locator("dialog[open] dl").inner_text()
    assert "Next row" in told
    assert "Find a case" in told
    page.keyboard.press("Escape")
    themes = []
    for _ in range(2):
        page.keyboard.press("t")
        themes.append(page.evaluate("document.documentElement.dataset.theme"))
    assert sorted(themes) == ["dark", "light"], "from whichever the system has to the other"


@pytest.mark.parametrize(
    ("query", "cases"),
    [
        ("order=name", ["bridge", "ferries", "heating", "library", "musee", "otters", "planet",
                        "vaccine"]),
        ("case=fer", ["ferries"]),
        ("unscored=1", ["musee"]),
        ("candidate=nobody", []),
    ],
)  # fmt: skip
def test_cases_are_filtered_and_ordered(served: Served, query: str, cases: list[str]) -> None:
    _, _, text = served.ask(f"/runs/1?{query}")
    rows = text.split('scope="row"')[1:]
    assert [row.split("</a>")[0].rpartition(">")[2] for row in rows] == cases


def test_the_worst_first_follows_the_totals(served: Served, judged: Path, new_page: Open) -> None:
    with open_store(str(judged), write=False) as store:
        totals = [(o.total, o.case) for o in store.outcomes(1) if o.total is not None]
    expected = list(dict.fromkeys(case for _, case in sorted(totals)))
    page = new_page(served, "/runs/1?order=worst")
    assert page.locator(".matrix tbody a.row").all_inner_texts() == expected


def test_a_claim_lights_its_evidence(served: Served, new_page: Open) -> None:
    page = new_page(served, "/runs/1/case?id=bridge")
    page.keyboard.press("f")
    finding = page.locator(".finding[data-names]").first
    finding.hover()
    names = set((finding.get_attribute("data-names") or "").split())
    lit = page.locator("mark.on")
    assert lit.count() > 0
    for mark in lit.all():
        assert names & set((mark.get_attribute("data-marks") or "").split())
    page.keyboard.press("j")
    assert page.locator("[data-names].on").count() > 0


def test_raw_reply_and_prompt_are_there(served: Served, judged: Path, new_page: Open) -> None:
    page = new_page(served, "/runs/1/case?id=bridge")
    details = page.locator("details.rawer").first
    details.locator("summary").click()
    details.locator("pre").nth(2).wait_for()
    verdict = page.locator("article.verdict").first.get_attribute("data-verdict")
    with open_store(str(judged), write=False) as store:
        kept = store.verdict(verdict)
        (reply,) = store.replies([kept.task.ask])[kept.task.ask]
    assert details.locator("pre").first.text_content() == reply.reply.text
    assert json.loads(details.locator("pre").last.text_content()) == kept.record


def test_what_if_is_what_the_protocols_own_code_gives(
    served: Served, judged: Path, new_page: Open
) -> None:
    page = new_page(served, "/runs/1/case?id=bridge")
    page.keyboard.press("f")
    column = page.locator("article.verdict").last
    choice = column.locator("[data-where='hallucination.claims_checked[0]'] select")
    choice.wait_for()
    before = column.locator("[data-total]").inner_text()
    verdict = column.get_attribute("data-verdict")
    with open_store(str(judged), write=False) as store:
        kept = store.verdict(verdict)
        case = store.cases([kept.case_sha])[kept.case_sha].case
        (reply,) = store.replies([kept.task.ask])[kept.task.ask]
    protocol = find_protocol(kept.record["protocol"])
    objects = verdict_objects(case, protocol, reply.reply)
    for value in ("Supported", "Partial", "Unsupported"):
        where = "hallucination.claims_checked[0].status"
        expected = rule_with(case, protocol, objects, {where: value})
        choice.select_option(value)
        column.locator(f"[data-what-if='{float(round(expected.total, 2)):g}']").wait_for()
    column.locator(".outcome button").click()
    assert column.locator("[data-total]").inner_text() == before


def test_a_verdict_has_its_own_address(served: Served, new_page: Open) -> None:
    page = new_page(served, "/runs/1/case?id=otters")
    link = page.locator("article.verdict footer a").first
    verdict = link.inner_text()
    link.click()
    page.wait_for_url(f"**id=otters**#{verdict}")


@pytest.mark.parametrize("path", ["/compare?before=1&after=1", "/protocols", "/judges", "/review"])
def test_the_other_pages_open(served: Served, new_page: Open, path: str) -> None:
    page = new_page(served, path)
    assert page.locator("main h1").count() == 1


def test_a_protocols_rules_have_anchors(served: Served, new_page: Open, judged: Path) -> None:
    with open_store(str(judged), write=False) as store:
        name = store.find_run("1").manifest.protocol.partition("@")[0]
    page = new_page(served, f"/protocols/{name}")
    rules = list(find_protocol(name).rules)
    assert page.locator("tbody tr").count() == len(rules)
    assert page.locator(f"#{rules[0]}").count() == 1


@pytest.mark.parametrize("path", ["/", "/runs/1", "/runs/1/case?id=bridge", "/protocols"])
def test_a_phone_scrolls_only_inside_tables(served: Served, new_page: Open, path: str) -> None:
    page = new_page(served, path)
    page.set_viewport_size({"width": 390, "height": 800})
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0

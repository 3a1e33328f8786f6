"""Each page in a real browser: what it shows, where it leads, what its keys do."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.protocols.catalogue import find_protocol
from oyer.report.found import conclude_findings, findings_sheets, read_findings
from oyer.report.open_run import open_run
from oyer.report.standings import standings
from oyer.store import open_store
from oyer.store.cards import keep_card
from oyer.verdicts.what_if import rule_with, verdict_objects
from tests.web.serving import EXAMPLES, Served, serving

Open = Any


def test_from_the_runs_to_a_case_by_keyboard(served: Served, new_page: Open) -> None:
    page = new_page(served)
    assert page.title() == "Runs · Oyer"
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2#standings")
    assert page.locator(".board tbody tr").count() == 3
    assert page.locator(".matrix tbody tr").count() == 9
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
        ("order=name", ["bridge", "ferries", "hafen", "heating", "library", "musee", "otters",
                        "planet", "vaccine"]),
        ("case=fer", ["ferries"]),
        ("unscored=1", ["hafen"]),
        ("candidate=nobody", []),
        ("violation=reply.refused", ["hafen"]),
        ("violation=reply.refused&candidate=nobody", []),
        ("violation=a.rule.that.nobody.broke", []),
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
    page.mouse.move(0, 0)
    page.keyboard.press("j")
    assert page.locator("[data-names].on").count() > 0
    assert page.locator(".source mark.on").count() > 0, "by key as by pointer"


def test_a_key_point_told_in_part_is_no_doubtful_claim(served: Served, new_page: Open) -> None:
    """Only claims and issues colour the judged text; what was quoted for a point is quiet."""
    page = new_page(served, "/runs/1/case?id=heating")
    fine = page.locator("article.verdict", has=page.locator("h2", has_text="brief"))
    assert fine.get_by_role("heading", name="Found only in part").count() == 1
    assert fine.get_by_role("heading", name="Only partly in the article").count() == 0
    quoted = fine.locator(".judged mark[data-kinds~=point]")
    assert quoted.count() > 0
    assert fine.locator(".judged :is(.m-partial, .m-bad, .m-missed)").count() == 0
    page = new_page(served, "/runs/1/case?id=ferries")
    doubtful = page.locator("article.verdict", has=page.locator("h2", has_text="careful"))
    assert doubtful.get_by_role("heading", name="Only partly in the article").count() == 1
    assert doubtful.locator(".judged .m-partial").count() > 0
    assert "quoted for a key point" in page.locator(".legend").inner_text()


def test_texts_begin_on_one_line_and_findings_follow_at_once(
    served: Served, new_page: Open
) -> None:
    page = new_page(served, "/runs/1/case?id=heating")
    texts = [box.bounding_box() for box in page.locator("article .judged").all()]
    found = [box.bounding_box() for box in page.locator("article .remarks").all()]
    assert len(texts) == len(found) == 3
    assert len({text["y"] for text in texts}) == 1
    assert [text["y"] + text["height"] for text in texts] == [box["y"] for box in found]


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
        column.locator(
            f"[data-what-if='{float(round(Fraction(str(expected.total)), 2)):g}']"
        ).wait_for()
    column.locator(".outcome button").click()
    assert column.locator("[data-total]").inner_text() == before


def test_a_verdict_has_its_own_address(served: Served, new_page: Open) -> None:
    page = new_page(served, "/runs/1/case?id=otters")
    link = page.locator("article.verdict footer a").first
    verdict = link.inner_text()
    link.click()
    page.wait_for_url(f"**id=otters**#{verdict}")


def two_judges(folder: Path) -> Path:
    """One case whose reply two judges gave, as `oyer audit` keeps it."""
    row = json.loads((EXAMPLES / "first/replies.jsonl").read_text(encoding="utf-8").splitlines()[0])
    rows = [{**row, "judge": judge} for judge in ("judge-a", "judge-b")]
    file, store = folder / "replies.jsonl", folder / "oyer.db"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = [sys.executable, "-m", "oyer", "audit", "judge-lock", str(file)]
    subprocess.run([*command, "--store", str(store)], check=True, capture_output=True)
    return store


def test_the_judges_of_a_case_are_a_key_apart(tmp_path: Path, new_page: Open) -> None:
    with serving(two_judges(tmp_path)) as served:
        page = new_page(served, "/runs/1/case?id=ferries")
        current = page.locator("nav.tabs [aria-current]")
        assert current.inner_text().startswith("judge-a")
        page.keyboard.press("]")
        page.wait_for_url("**by=judge-b**")
        assert current.inner_text().startswith("judge-b")
        page.keyboard.press("[")
        page.wait_for_url("**by=judge-a**")


def test_a_run_begins_with_its_conclusion(served: Served, new_page: Open) -> None:
    page = new_page(served, "/runs/1")
    assert "careless" in page.locator(".conclusion").inner_text()
    assert page.locator(".matrix .opening").first.inner_text().startswith("The town council")


def test_a_run_says_what_was_found_and_why_there_is_no_score(
    served: Served, judged: Path, new_page: Open
) -> None:
    """The same words as the report: who invents, in how many texts, an example of each."""
    with open_run(str(judged), "1") as opened:
        rows = standings(opened.gathered, opened.protocol.scale)
        found = read_findings(opened)
    page = new_page(served, "/runs/1")
    section = page.locator("section:has(#found)")
    assert conclude_findings(found, rows) in section.inner_text()
    bodies = "\n".join(section.locator("tbody").all_inner_texts())
    shown = [line.split("\t") for line in bodies.splitlines()]
    expected = [list(row) for sheet in findings_sheets(found, rows) for row in sheet.rows]
    assert shown == expected
    assert "the article seems to be German" in page.locator(".head").inner_text()


def test_judges_have_their_cards(store: Path, new_page: Open) -> None:
    part = {"run": 1, "date": "2026-11-17T05:00:00+00:00", "facts": [["same label", "81%"]]}
    card = {
        "judge": "embedded@2-light", "protocol": "judge-lock@4.3-S", "run": 1, "use": "rank",
        "sentence": "embedded@2-light: good enough to rank.", "parts": {"people": part},
    }  # fmt: skip
    with open_store(str(store)) as opened:
        keep_card(opened, card)
    with serving(store) as served:
        page = new_page(served, "/judges")
        assert page.locator("article.card p").first.inner_text() == "good enough to rank."
        page.click("text=The whole card")
        page.wait_for_selector("h1:text('embedded@2-light')")
        assert page.locator("dl.facts dd").inner_text() == "81%"
        assert served.ask("/judges/card?judge=nobody&protocol=x")[0] == 404


def test_a_run_is_found_by_a_word(served: Served, new_page: Open) -> None:
    page = new_page(served)
    page.keyboard.press("/")
    page.keyboard.type("embedded")
    page.keyboard.press("Enter")
    page.wait_for_url("**find=embedded")
    assert page.locator("tbody tr").count() == 1
    page.goto(f"{served.url}/?find=nothing+like+it")
    assert page.locator(".empty").count() == 1


@pytest.mark.parametrize("path", ["/compare?before=1&after=1", "/protocols", "/judges", "/review"])
def test_the_other_pages_open(served: Served, new_page: Open, path: str) -> None:
    page = new_page(served, path)
    assert page.locator("main h1").count() == 1


def test_a_comparison_names_what_it_leaves_out(served: Served) -> None:
    """The German case has no score in either run; it is not dropped without a word."""
    page = served.ask("/compare?before=1&after=1")[2]
    assert "left out, no score before or after: careful: hafen (1 case)." in page


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


def test_a_phone_shows_where_it_is_and_breaks_no_name(served: Served, new_page: Open) -> None:
    phone = {"width": 390, "height": 800}
    page = new_page(served, "/")
    page.set_viewport_size(phone)
    page.goto(f"{served.url}/judge")
    nav = page.locator(".top nav").bounding_box()
    here = page.locator(".top nav [aria-current]").bounding_box()
    assert nav["x"] <= here["x"]
    assert here["x"] + here["width"] <= nav["x"] + nav["width"]
    page.goto(f"{served.url}/runs/1")
    names = page.locator(".matrix thead th.n a")
    heights = [names.nth(at).bounding_box()["height"] for at in range(names.count())]
    assert len(heights) == 3
    assert max(heights) < 30, "a name on one line"


def test_on_a_phone_the_source_is_one_line_until_it_is_opened(
    served: Served, new_page: Open
) -> None:
    page = new_page(served, "/runs/1/case?id=heating")
    assert not page.locator(".handle").is_visible(), "a wide screen has room for it"
    assert page.locator(".source .text").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    source = page.locator(".source")
    assert source.bounding_box()["height"] < 60
    assert page.locator(".legend").is_visible()
    page.locator(".handle").click()
    assert page.locator(".source .text").is_visible()
    page.locator(".handle").click()
    assert not page.locator(".source .text").is_visible()
    page.locator(".t-missed [data-names]").first.click()
    assert page.locator(".source mark.on").first.is_visible(), "a finding opens its evidence"


def test_on_a_phone_the_report_shows_its_examples(
    served: Served, judged: Path, tmp_path: Path, new_page: Open
) -> None:
    report = tmp_path / "report.html"
    assert main(["report", "1", "--store", str(judged), "-o", str(report)]) == 0
    page = new_page(served)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(report.as_uri())
    examples = page.locator("#found table").last.locator("td.words")
    assert examples.count() == 3
    for box in [cell.bounding_box() for cell in examples.all()]:
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390

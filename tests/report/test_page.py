"""The report in a real browser: it loads, shows the evidence, and runs nothing of a model's."""

from __future__ import annotations

import html
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.report.highlight import kind_of, label_of
from oyer.store import open_store
from oyer.web.marks import TextMark, cut
from tests.report.stored_runs import FOLDER, ROOT, Hearing, keep

PAYLOADS = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'>",
    "</style><script>document.title='owned'</script>",
    "</script><script>document.title='owned'</script>",
    "javascript:document.title='owned'",
    "{{ 7*7 }}{% for x in y %}",
    "$\\frac{1}{0}$ & <b>bold</b>",
    "<a href=\"javascript:document.title='owned'\">x</a>",
    "' onmouseover='document.title=1",
)


def report(tmp_path: Path, hearings: list[Hearing], *more: str) -> Path:
    store, page = tmp_path / "oyer.db", tmp_path / "report.html"
    keep(store, PAYLOADS[0], hearings)
    args = ["report", "-o", str(page), "--store", str(store), "--protocol-path", str(FOLDER)]
    assert main([*args, *more]) == 0
    return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("LOUD: no chromium and chromedriver on this machine; .ci/tools installs them")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                 "--disable-dev-shm-usage",
                 "--disable-background-networking", "--disable-component-update",
                 "--disable-sync", "--disable-quic", "--window-size=1280,1600"):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    yield driver
    driver.quit()


def attacked() -> list[Hearing]:
    """Every field a stranger fills holds a payload."""
    return [
        Hearing(
            case=f"{payload}-{n}",
            candidate=payload,
            recorded=2,
            judge=payload,
            minutes=f"Closing at eight was agreed. {payload}",
            transcript=f"Ana: We agree to close at eight. {payload} We buy the scanner.",
            readable=n != 1,
        )
        for n, payload in enumerate(PAYLOADS)
    ]


def test_it_loads_without_an_error_and_runs_nothing_of_a_models(
    tmp_path: Path, browser: Any
) -> None:
    page = report(tmp_path, attacked())
    browser.get(page.as_uri())
    assert "owned" not in browser.title.replace("document.title='owned'", "")
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []
    for at in range(len(PAYLOADS)):
        assert opened(browser, at).find_element("tag name", "h2").text.endswith(f"-{at}")
    assert "owned" not in browser.title.replace("document.title='owned'", "")
    assert "<script>" in browser.find_element("css selector", "h1").text  # shown as text
    assert not browser.find_elements("css selector", "img, iframe, .text script, .text svg")
    links = browser.find_elements("css selector", "a")
    assert all(link.get_dom_attribute("href").startswith("#") for link in links)
    active = "script:not([type='application/json'])"
    assert len(browser.find_elements("css selector", active)) == 1


def opened(browser: Any, at: int) -> Any:
    """Open a case as a permalink does; its place on the page."""
    browser.execute_script("location.hash = arguments[0]; follow()", f"#case-{at}")
    return browser.find_element("id", "case")


def test_the_evidence_of_a_case_is_marked_where_it_stands(tmp_path: Path, browser: Any) -> None:
    page = report(tmp_path, [Hearing("one", "a", 2), Hearing("one", "b", 1)])
    browser.get(page.as_uri())
    case = opened(browser, 0)
    marks = [mark.text for mark in case.find_elements("css selector", "mark")]
    assert "We agree to close at eight" in marks
    assert "MN-RECORDED" in case.get_property("textContent"), "the derivation is folded"
    assert "MN-RECORDED" not in case.find_element("css selector", ".headline").text
    assert len(case.find_elements("css selector", "article")) == 2, "candidates side by side"
    assert len(browser.find_elements("css selector", "main svg")) >= 3


def test_the_filter_hides_what_does_not_fit(tmp_path: Path, browser: Any) -> None:
    page = report(tmp_path, [Hearing("one", "anna", 2), Hearing("two", "anna", 1, "judy")])
    browser.get(page.as_uri())
    box = browser.find_element("id", "filter")
    for words, left in (("two", ["two"]), ("judy", ["two"]), ("nosuch", [])):
        box.clear()
        box.send_keys(words)
        assert cases(browser) == left


def cases(browser: Any) -> list[str]:
    """The cases of the table, as they are shown."""
    rows = browser.find_elements("css selector", "#matrix tbody tr")
    return [row.text.split()[0] for row in rows if row.is_displayed()]


def test_the_table_is_sorted_by_a_candidate(tmp_path: Path, browser: Any) -> None:
    values = {"one": 2, "two": 1, "three": 3}
    page = report(tmp_path, [Hearing(name, "anna", value) for name, value in values.items()])
    browser.get(page.as_uri())
    head = browser.find_elements("css selector", "#matrix thead button")[1]
    head.click()
    assert cases(browser) == ["two", "one", "three"]
    head.click()
    assert cases(browser) == ["three", "one", "two"]


def test_a_link_to_a_verdict_opens_its_case(tmp_path: Path, browser: Any) -> None:
    page = report(tmp_path, [Hearing("one", "a", 2), Hearing("two", "a", 1)])
    with open_store(str(tmp_path / "oyer.db"), write=False) as store:
        wanted = next(one for one in store.outcomes(1) if one.case == "two").verdict
    browser.get("about:blank")
    browser.get(f"{page.as_uri()}#v-{wanted}")
    assert browser.find_element("css selector", "#case h2").text == "two"
    assert f"oyer explain {wanted} --full" in browser.find_element("id", "case").text


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the demo suite: three candidates, the embedded judge, a German case."""
    folder = tmp_path_factory.mktemp("demo")
    store, page = str(folder / "oyer.db"), folder / "report.html"
    suite = ROOT / "examples/suite/suite.toml"
    assert main(["run", str(suite), "--store", store]) == 3  # the German cases have no score
    assert main(["report", "-o", str(page), "--store", store]) == 0
    return page


def test_the_answer_comes_first(demo: Path, browser: Any) -> None:
    browser.get(demo.as_uri())
    lead = browser.find_element("css selector", ".lead").text
    assert "careless" in lead
    assert "clearly behind" in lead
    found = browser.find_element("id", "found").text
    assert "Not in the article" in found
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []


def test_no_debug_output_and_axes_to_the_maximum(demo: Path) -> None:
    text = demo.read_text(encoding="utf-8")
    assert "<image" not in text
    for technical in ("structured", "reliability", '"mode"'):
        assert technical not in text
    assert "coverage (of 10)" in text


def test_pointing_at_a_claim_shows_its_evidence(demo: Path, browser: Any) -> None:
    """An invented sentence in the list lights up where it stands in the summary."""
    browser.get(demo.as_uri())
    case = opened(browser, 0)
    invented = case.find_element("css selector", "li.bad[data-groups*=claims_checked]")
    browser.execute_script(
        "arguments[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))", invented
    )
    lit = case.find_elements("css selector", "mark.hover")
    assert "".join(mark.text for mark in lit)[:20] in invented.text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(demo: Path, browser: Any, theme: str) -> None:
    """Colours, names, roles: by axe-core, in both themes, with a case open."""
    rules = ROOT / ".ci/node_modules/axe-core/axe.min.js"
    if not rules.exists():
        pytest.skip("LOUD: no axe-core; .ci/tools installs it")
    scheme = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", scheme)
    browser.get(demo.as_uri())
    opened(browser, 0)
    browser.execute_script(rules.read_text(encoding="utf-8"))
    found = browser.execute_async_script(
        "axe.run(document).then(arguments[arguments.length - 1], arguments[arguments.length - 1])"
    )
    grave = [
        (one["id"], [node["target"] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert grave == []


def test_a_phone_need_not_scroll_sideways(demo: Path, browser: Any) -> None:
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        browser.get(demo.as_uri())
        opened(browser, 0)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_it_is_one_file_that_loads_nothing(tmp_path: Path) -> None:
    text = report(tmp_path, [Hearing("one", "a", 2)]).read_text(encoding="utf-8")
    for loads in ("<link", "<img", "src=", "@import", "url(http"):
        assert loads not in text


def test_a_large_run_is_sampled_and_says_so(tmp_path: Path) -> None:
    hearings = [Hearing(f"c{n}", "a", n % 4 / 2, readable=n % 50 != 0) for n in range(300)]
    text = report(tmp_path, hearings, "--cases", "40").read_text(encoding="utf-8")
    assert text.count('<script type="application/json"') == 40
    assert text.count("<tr data-words=") == 300, "every case has its row"
    none = report(tmp_path, hearings, "--cases", "0").read_text(encoding="utf-8")
    assert '<script type="application/json"' not in none
    assert "40 of 300 verdicts: cases with the lowest totals" in text


def test_markdown_for_a_pull_request(tmp_path: Path) -> None:
    store, page = tmp_path / "oyer.db", tmp_path / "report.md"
    keep(store, PAYLOADS[0], [Hearing(n, PAYLOADS[0], 2, readable=n == "two")
                              for n in ("one", "two")])  # fmt: skip
    main(["report", "-o", str(page), "--store", str(store), "--protocol-path", str(FOLDER)])
    text = page.read_text(encoding="utf-8")
    assert "| rank | candidate |" in text
    assert "### Violations by kind and judge" in text
    assert "<script>" not in text


@pytest.mark.filterwarnings("error")
def test_names_in_japanese_are_drawn(tmp_path: Path) -> None:
    """matplotlib has no glyphs for them, the browser has."""
    names = ("日本語の候補者モデル", "한국어 <b>", "plain")
    page = report(tmp_path, [Hearing(str(n), who, 2) for n in range(3) for who in names])
    drawn = page.read_text(encoding="utf-8").split("<svg")[1]
    for name in names:
        assert f">{html.escape(name)}</text>" in drawn


def test_overlapping_spans_are_cut_and_the_text_stays_whole() -> None:
    text = "abcdefghij"
    output = [{"metric": "m", "claims": [{"status": "Supported"}, {"status": "Unsupported"}]}]
    evidence = [
        (1, 6, "m.claims[0].span"),
        (4, 8, "m.claims[1].span"),
        (9, 99, "outside"),
    ]
    marks = [
        TextMark("text", start, end, kind_of(label_of(where, output)), where)
        for start, end, where in evidence
    ]
    parts = cut(text, marks)
    assert "".join(part.text for part in parts) == text
    assert [(p.text, p.kind) for p in parts if p.kind] == [
        ("bcd", "good"), ("ef", "bad"), ("gh", "bad"),
    ]  # fmt: skip

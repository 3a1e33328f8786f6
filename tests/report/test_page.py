"""The report in a real browser: it loads, shows the evidence, and runs nothing of a model's."""

from __future__ import annotations

import html
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oyer.cli import main
from oyer.report.highlight import segments
from tests.report.court import FOLDER, ROOT, Hearing, keep

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
    for element in browser.find_elements("css selector", "details.case"):
        browser.execute_script("arguments[0].open = true", element)
    assert "<script>" in browser.find_element("css selector", "h1").text  # shown as text
    assert not browser.find_elements("css selector", "img, a, iframe, .text script, .text svg")
    assert len(browser.find_elements("tag name", "script")) == 1


def test_the_evidence_of_a_case_is_marked_where_it_stands(tmp_path: Path, browser: Any) -> None:
    page = report(tmp_path, [Hearing("one", "a", 2), Hearing("two", "b", 1)])
    browser.get(page.as_uri())
    case = browser.find_element("css selector", "details.case")
    browser.execute_script("arguments[0].open = true", case)
    marks = [mark.text for mark in case.find_elements("css selector", "mark")]
    assert "We agree to close at eight" in marks
    assert "MN-RECORDED" in case.text
    assert len(browser.find_elements("css selector", "main svg")) >= 3


def test_the_filter_hides_what_does_not_fit(tmp_path: Path, browser: Any) -> None:
    page = report(tmp_path, [Hearing("one", "anna", 2), Hearing("two", "bert", 1)])
    browser.get(page.as_uri())
    browser.find_element("id", "filter").send_keys("anna")
    shown = [e for e in browser.find_elements("css selector", "details.case") if e.is_displayed()]
    assert len(shown) == 1


def test_it_is_one_file_that_loads_nothing(tmp_path: Path) -> None:
    text = report(tmp_path, [Hearing("one", "a", 2)]).read_text(encoding="utf-8")
    for loads in ("<link", "<img", "src=", "@import", "url(http"):
        assert loads not in text


def test_the_heat_map_is_drawn_not_embedded(tmp_path: Path, browser: Any) -> None:
    """A run of judge-lock by the embedded judge: five metrics, every plot, nothing blocked."""
    store, page = str(tmp_path / "oyer.db"), tmp_path / "report.html"
    suite = ROOT / "examples/suite/suite.toml"
    assert main(["run", str(suite), "--store", store]) == 3  # the French cases have no score
    assert main(["report", "-o", str(page), "--store", store]) == 0
    assert "<image" not in page.read_text(encoding="utf-8")
    browser.get(page.as_uri())
    assert [row for row in browser.get_log("browser") if row["level"] == "SEVERE"] == []
    assert "Metric by metric" in browser.find_element("tag name", "main").text


def test_a_large_run_is_sampled_and_says_so(tmp_path: Path) -> None:
    hearings = [Hearing(f"c{n}", "a", n % 4 / 2, readable=n % 50 != 0) for n in range(300)]
    text = report(tmp_path, hearings, "--cases", "40").read_text(encoding="utf-8")
    assert 10 <= text.count('<details class="case">') <= 40
    none = report(tmp_path, hearings, "--cases", "0").read_text(encoding="utf-8")
    assert '<details class="case">' not in none
    assert "of 300 verdicts: the lowest totals" in text


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
        {"start": 1, "end": 6, "where": "m.claims[0].span"},
        {"start": 4, "end": 8, "where": "m.claims[1].span"},
        {"start": 9, "end": 99, "where": "outside"},
    ]
    parts = segments(text, evidence, json.loads(json.dumps(output)))
    assert "".join(part.text for part in parts) == text
    assert [(p.text, p.kind) for p in parts if p.kind] == [
        ("bcd", "good"), ("ef", "bad"), ("gh", "bad"),
    ]  # fmt: skip

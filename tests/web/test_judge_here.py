"""A pasted case is judged and kept; what costs is said first; what is wrong is said in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oyer.store import open_store
from tests.web.serving import EXAMPLES, serving

ARTICLE = (EXAMPLES / "first/article.txt").read_text(encoding="utf-8")
SUMMARY = (EXAMPLES / "first/summary.txt").read_text(encoding="utf-8")


def test_a_pasted_case_gets_its_verdict(store: Path, new_page: Any) -> None:
    with open_store(str(store)) as opened:
        name = opened.find_run("1").manifest.protocol.partition("@")[0]
    with serving(store) as served:
        page = new_page(served, f"/judge?protocol={name}")
        page.fill("[name=article]", ARTICLE)
        page.fill("[name=summary]", SUMMARY)
        page.fill("[name=judge]", "embedded:light")
        page.click("#judge button")
        page.wait_for_selector("article.verdict [data-total]", timeout=30_000)
        total = float(page.locator("[data-total]").inner_text())
    with open_store(str(store)) as opened:
        (outcome,) = opened.outcomes(opened.find_run("judged here").id)
    assert outcome.total == total


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"judge": "openai:gpt-5"}, "key"),
        ({"judge": "openai:x@http://127.0.0.1:1/v1"}, "without an address"),
        ({"judge": "nobody"}, "nobody"),
        ({"fields": {}}, "article"),
        ({"protocol": "nothing"}, "no protocol"),
    ],
)
def test_what_cannot_be_judged_is_said(
    store: Path, change: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with open_store(str(store)) as opened:
        name = opened.find_run("1").manifest.protocol.partition("@")[0]
    good = {"protocol": name, "fields": {"article": ARTICLE, "summary": SUMMARY}}
    with serving(store) as served:
        status, _, text = served.ask("/api/judge", "POST", body=good | change)
    assert status == 400
    assert message in json.loads(text)["error"]


def test_an_estimate_asks_nobody(store: Path) -> None:
    with open_store(str(store)) as opened:
        name = opened.find_run("1").manifest.protocol.partition("@")[0]
    body = {"protocol": name, "fields": {"article": ARTICLE, "summary": SUMMARY}}
    with serving(store, OPENAI_API_KEY="sk-nothing") as served:
        assert served.send("/api/estimate", body)["free"]
        paid = served.send("/api/estimate", {**body, "judge": "openai:gpt-4o"})
    assert not paid["free"]
    assert paid["calls"] == 1
    with open_store(str(store)) as opened:
        assert len(opened.runs()) == 1

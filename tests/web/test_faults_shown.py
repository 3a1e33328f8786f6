"""The page says beside a claim why it is not Supported, where another has less support and is."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from oyer.cli import main
from tests.embedded.conftest import ARTICLE, GOOD
from tests.web.serving import serving

WHY = "a number, time or day seems to stand with another fact in the article"


@pytest.mark.parametrize("protocol", ["judge-lock", "twin-lock"])
def test_why_a_claim_is_not_supported_is_on_the_page(protocol: str, tmp_path: Path) -> None:
    """Among what is only partly in the article, and among all findings."""
    store, summary = tmp_path / "my.db", GOOD.replace("2.4 million pounds", "3,200 pounds")
    case = {"id": "library", "article": ARTICLE, "summary": summary}
    (tmp_path / "case.jsonl").write_text(json.dumps(case), "utf-8")
    options = ["--judge", "embedded:light", "--store", str(store)]
    assert main(["judge", protocol, str(tmp_path / "case.jsonl"), *options]) == 0
    with serving(store) as served:
        status, _, page = served.ask("/runs/1/case?id=library")
    assert status == 200
    section, _, every = html.unescape(page).partition("All findings, and what if")
    assert re.search(rf"3,200 pounds\.</span><span[^>]*>support \.\d\d; {WHY}<", section)
    (finding,) = re.findall(r'data-where="hallucination\.claims_checked\[1\]".*?</div>', every)
    assert WHY in finding

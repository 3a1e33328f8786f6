"""A hundred hostile strings in every field a stranger fills: no script runs, no request leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.trust.queues import Draw, draw_queue
from tests.web.serving import serving

Open = Any
MARK = "document.title='owned'"
LEAVE = "http://203.0.113.7/leak"

_TAGS = [
    "<script>{js}</script>", "<img src=x onerror=\"{js}\">", "<svg onload={js}>",
    "<body onload={js}>",
    "<iframe src=\"javascript:{js}\"></iframe>", "<iframe srcdoc=\"<script>{js}</script>\">",
    "<a href=\"javascript:{js}\">x</a>",
    "<form action=\"{url}\"><input autofocus onfocus={js}></form>",
    "<details open ontoggle={js}>", "<video src={url} onerror={js}>", "<audio src={url}>",
    "<object data=\"{url}\">", "<embed src=\"{url}\">", "<link rel=stylesheet href=\"{url}\">",
    "<style>@import '{url}';</style>", "<style>body{{background:url({url})}}</style>",
    "<meta http-equiv=refresh content=\"0;url={url}\">", "<base href=\"{url}/\">",
    "<img src=\"{url}\">", "<input type=image src=\"{url}\">", "<math><mi xlink:href=\"{url}\">",
    "<marquee onstart={js}>", "<select autofocus onfocus={js}>", "<template><script>{js}</script>",
    "<svg><script href=\"{url}\"/></svg>", "<svg><use href=\"{url}#x\"/></svg>",
]  # fmt: skip
_BREAKS = ["{0}", "\"'>{0}", "</mark></p>{0}", "--></title></textarea></script>{0}"]
HOSTILE = [
    *(frame.format(tag.format(js=MARK, url=LEAVE)) for tag in _TAGS for frame in _BREAKS),
    "{{ 7*7 }}", "{% for x in y %}", "${7*7}", "' onmouseover='" + MARK,
    "\" autofocus onfocus=\"" + MARK,
    "javascript:" + MARK, "\u202egnp.exe", "\x1b[31mred\x07", "a" * 5000, "\u2028\u2029",
]  # fmt: skip


def attacked(folder: Path) -> Path:
    """A run whose ids, candidates, texts, judge's words and notes are all hostile."""
    file, store = folder / "cases.jsonl", folder / "oyer.db"
    rows = []
    for n, text in enumerate(HOSTILE):
        claim = {"claim": text, "status": "Supported", "evidence": text, "justification": text}
        objects = [
            {"metric": "coverage", "key_points": [{"point": text, "coverage": "Not"}],
             "qag_results": [{"q": text, "status": "Wrong", "evidence": text}], "rationale": text},
            {"metric": "hallucination", "claims_checked": [claim], "rationale": text},
            {"metric": "alignment", "aspects": {text: text}, "deviations": [text]},
        ]  # fmt: skip
        rows.append({
            "id": f"{n} {text}", "candidate": f"c{n % 3} {text}"[:3000],
            "article": f"The town closed. {text} It rained all day on the hill.",
            "summary": f"It rained. {text} The town closed.",
            "judge": text[:200], "reply": json.dumps(objects),
        })  # fmt: skip
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = [sys.executable, "-m", "oyer", "audit", "judge-lock", str(file)]
    ended = subprocess.run(
        [*command, "--store", str(store), "--json"], capture_output=True, check=False
    )
    assert ended.returncode in (0, 3), ended.stderr
    return store


@pytest.fixture(scope="module")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return attacked(tmp_path_factory.mktemp("hostile"))


def test_there_are_a_hundred() -> None:
    assert len(set(HOSTILE)) >= 100


def test_nothing_of_a_strangers_runs_or_leaves(hostile_store: Path, new_page: Open) -> None:
    """Opens every case, so it takes longer than other tests."""
    with open_store(str(hostile_store)) as store:
        run = store.runs()[-1]
        cases = list(dict.fromkeys(outcome.case for outcome in store.outcomes(run.id)))
        verdicts = [outcome.verdict for outcome in store.outcomes(run.id)]
        protocol = find_protocol(run.manifest.protocol)
        blind = draw_queue(store, run, protocol, Draw(n=3, seed=3))
    assert len(cases) >= 100
    with serving(hostile_store) as served:
        page = new_page(served)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: asked.append("a dialog opened"))
        paths = [
            "/", f"/runs/{run.id}", f"/runs/{run.id}?order=name", "/compare?before=1&after=1",
            f"/review/{blind.id}?as={quote(HOSTILE[0])}", f"/runs/1?case={quote(HOSTILE[1])}",
            *(f"/runs/{run.id}/case?id={quote(case)}" for case in cases),
        ]  # fmt: skip
        titles = set()
        for path in paths:
            page.goto(served.url + path, wait_until="domcontentloaded")
            titles.add(page.title())
        page.locator("summary").first.click()
        for verdict in verdicts[:3]:
            served.send("/api/raw", {"verdict": verdict})
    assert "owned" not in titles
    assert [url for url in asked if not url.startswith(served.url)] == []

"""A hundred hostile strings in every field a stranger fills: no script runs, no request leaves."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.store.cards import keep_card
from oyer.store.codec import check
from oyer.store.labels import LabelStore, Queue, label_item
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


def add_people(file: Path) -> Queue:
    """The names, notes and values of people, a judge's card and a run's name are hostile, too."""
    with open_store(str(file)) as store:
        run = store.runs()[-1]
        protocol = find_protocol(run.manifest.protocol)
        queue = draw_queue(store, run, protocol, Draw(n=6, seed=3))
        labels = LabelStore(store)
        words = iter(HOSTILE)
        for item in labels.items(queue.id):
            unit, metric = item.units[0]
            for _ in range(2):
                value, reviewer, note = next(words), next(words), next(words)
                label = label_item(queue, item, metric, value, reviewer, unit=unit, note=note)
                labels.add([label])
        part = {"run": run.id, "date": "2026-11-17", "facts": [[word, word] for word in HOSTILE]}
        card = {
            "judge": HOSTILE[0],
            "protocol": run.manifest.protocol,
            "run": run.id,
            "use": "rank",
        }
        keep_card(store, {**card, "sentence": HOSTILE[1], "parts": {HOSTILE[2]: part}})
    database = sqlite3.connect(file)
    row = database.execute("SELECT identity, manifest FROM oyer_runs").fetchone()
    new = (HOSTILE[3], check([HOSTILE[3], *row]))
    database.execute('UPDATE oyer_runs SET name = ?, "check" = ?', new)
    database.commit()
    database.close()
    return queue


@pytest.fixture(scope="module")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return attacked(tmp_path_factory.mktemp("hostile"))


def test_there_are_a_hundred() -> None:
    assert len(set(HOSTILE)) >= 100


def test_nothing_of_a_strangers_runs_or_leaves(hostile_store: Path, new_page: Open) -> None:
    """Opens every case, so it takes longer than other tests."""
    queue = add_people(hostile_store)
    with open_store(str(hostile_store)) as store:
        cases = list(dict.fromkeys(outcome.case for outcome in store.outcomes(1)))
        name = store.runs()[0].manifest.protocol
    assert len(cases) >= 100
    with serving(hostile_store) as served:
        page = new_page(served)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: asked.append("a dialog opened"))
        titles = set()
        for path in [
            "/", "/runs/1", "/runs/1?order=name", "/compare?before=1&after=1", "/review", "/judges",
            f"/review/{queue.id}?as={quote(HOSTILE[0])}", f"/runs/1?case={quote(HOSTILE[1])}",
            f"/review/{queue.id}/decide?as={quote(HOSTILE[2])}", f"/?find={quote(HOSTILE[3])}",
            f"/judges/card?judge={quote(HOSTILE[0])}&protocol={quote(name)}",
            *(f"/runs/1/case?id={quote(case)}" for case in cases),
        ]:  # fmt: skip
            page.goto(served.url + path, wait_until="domcontentloaded")
            titles.add(page.title())
        for case in cases[::25]:  # what scripts add: raw replies, prompts, other labels
            page.goto(f"{served.url}/runs/1/case?id={quote(case)}")
            for fold in page.locator("details > summary").all():
                fold.click()
            page.locator("details.rawer pre").nth(1).wait_for()
            titles.add(page.title())
    assert "owned" not in titles
    assert [url for url in asked if not url.startswith(served.url)] == []

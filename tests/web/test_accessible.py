"""Colours, names, roles and keyboard: axe finds nothing serious on any page, in either theme."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oyer.protocols.catalogue import find_protocol
from oyer.store import open_store
from oyer.store.cards import keep_card
from oyer.store.labels import LabelStore, Queue, label_item
from oyer.store.store import Store
from oyer.trust.queues import Draw, draw_queue
from tests.web.serving import serving

RULES = Path(__file__).resolve().parents[2] / ".ci/node_modules/axe-core/axe.min.js"


CARD = {
    "judge": "embedded", "protocol": "judge-lock@4.3-S", "run": 1, "use": "rank",
    "sentence": "embedded: good enough to rank.",
    "parts": {"people": {"run": 1, "date": "2026-11-17", "facts": [["same label", "81%"]]}},
}  # fmt: skip


def disagree(store: Store, queue: Queue) -> None:
    """Two people on one unit, for the page that decides."""
    labels = LabelStore(store)
    item = labels.items(queue.id)[0]
    unit, metric = item.units[0]
    labels.add([
        label_item(queue, item, metric, value, who, unit=unit)
        for who, value in (("ann", "not"), ("bob", "supported"))
    ])  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(store: Path, new_page: Any, theme: str) -> None:
    """All pages with one server and one browser: longer than other tests."""
    if not RULES.exists():
        pytest.skip("LOUD: no axe-core; .ci/tools installs it")
    with open_store(str(store)) as opened:
        run = opened.find_run("1")
        protocol = find_protocol(run.manifest.protocol)
        blind = draw_queue(opened, run, protocol, Draw(n=2, seed=1))
        review = draw_queue(opened, run, protocol, Draw(n=2, seed=1, mode="review"))
        keep_card(opened, CARD)
        disagree(opened, blind)
    grave = []
    with serving(store) as served:
        page = new_page(served, color_scheme=theme)
        for path in (
            "/", "/runs/1", "/runs/1/case?id=bridge", "/compare?before=1&after=1", "/protocols",
            f"/protocols/{protocol.id}", "/judges", "/judge", "/review", f"/review/{blind.id}",
            f"/review/{blind.id}?as=cara", f"/review/{review.id}?as=ann", "/runs/99",
            f"/review/{blind.id}/decide", "/?find=nothing",
            "/judges/card?judge=embedded&protocol=judge-lock%404.3-S",
        ):  # fmt: skip
            page.goto(served.url + path)
            if "case?" in path:
                page.keyboard.press("f")
                page.wait_for_selector("select.whatif")
            page.evaluate(RULES.read_text(encoding="utf-8"))
            found = page.evaluate("axe.run(document)")
            grave += [
                (path, one["id"], [node["target"] for node in one["nodes"]][:3])
                for one in found["violations"]
                if one["impact"] in ("serious", "critical")
            ]
    assert not grave, "\n".join(map(str, grave))

"""`oyer trust --demo`: twenty short cases with people's labels, judged here; nothing is kept."""

from __future__ import annotations

import json
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from oyer.protocols.catalogue import find_protocol, names
from oyer.runs.plan import make_plan
from oyer.runs.session import run_session
from oyer.runs.suite import read_suite
from oyer.store import case_sha, open_store
from oyer.store.labels import Label
from oyer.trust.card import Card, make_cards
from oyer.types import AnyProtocol, Case

SUITE = """name = "demo"
protocol = "{protocol}"
cases = "cases.jsonl"
judges = ["embedded:light"]
"""


def demo_cards() -> list[Card]:
    """Judge the demo's cases in a store that is thrown away, and hold the judge against people."""
    protocol = _protocol()
    rows = _rows()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cases.jsonl"
        file.write_text("".join(json.dumps(_as_case(row)) + "\n" for row in rows), "utf-8")
        suite = Path(folder) / "suite.toml"
        suite.write_text(SUITE.format(protocol=protocol.id), "utf-8")
        with open_store(str(Path(folder) / "demo.db")) as store:
            session = run_session(make_plan(read_suite(suite)), store)
            return make_cards(store, session.run, protocol, _labels(protocol, rows))


def _protocol() -> AnyProtocol:
    """The first protocol that judges summaries and cuts them into units."""
    known = [find_protocol(name) for name in names()]
    return next(
        protocol
        for protocol in known
        if protocol.summary is not None and protocol.units is not None
    )


def _rows() -> list[dict[str, object]]:
    text = resources.files("oyer.trust").joinpath("demo_data/cases.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _as_case(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "labels"}


def _labels(protocol: AnyProtocol, rows: list[dict[str, Any]]) -> list[Label]:
    """The demo's labels: one for each sentence of the summary, in order."""
    labels = []
    for row in rows:
        case = Case.of(_as_case(row), [field.name for field in protocol.fields])
        assert protocol.units is not None
        sentences = [unit for unit in protocol.units(case) if unit.metric == "supported"]
        for reviewer, values in row["labels"].items():
            for unit, value in zip(sentences, values, strict=True):
                label = Label(
                    case_sha=case_sha(case),
                    protocol=protocol.name,
                    metric=unit.metric,
                    value=value,
                    reviewer=reviewer,
                    unit=unit.where,
                    case_id=case.id,
                    candidate=case.candidate,
                )
                labels.append(label)
    return labels

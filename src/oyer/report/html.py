"""`report.html`: one self-contained file. Works from disk, prints well, dark and light.

Everything a model or a case says passes through Jinja's autoescaping, or is JSON that our script
puts into text nodes; the only markup let in is our own CSS, our script (allowed by its hash alone)
and matplotlib's SVG.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from itertools import chain
from typing import Any

from oyer.errors import UsageError
from oyer.records import JsonObject
from oyer.report.costs import candidates_sheet, costs_of, judges_cost_sheet
from oyer.report.explain import score_name, total_top
from oyer.report.found import conclusions, find_findings, findings_sheets
from oyer.report.judges import judges_sheet, side_by_side
from oyer.report.matrix import MOST, case_rows, metric_rows
from oyer.report.open_run import (
    Opened,
    compare_prompts,
    digest_of,
    panels_of,
    reasons_of,
    trust_of,
)
from oyer.report.page_data import (
    ReportCase,
    as_script,
    collect,
)
from oyer.report.panels import panel_sheet
from oyer.report.prompts import prompt_sheet
from oyer.report.protocols import protocol_rows, protocols_sheet
from oyer.report.sample import Sample, choose
from oyer.report.standings import Standing, standings
from oyer.report.tables import Sheet, TitledSheet, leaderboard, parts
from oyer.store import store_option
from oyer.store.records import StoredVerdict


@dataclass(frozen=True, slots=True)
class Plots:
    """A section of plots."""

    title: str
    svgs: tuple[object, ...]
    note: str = ""


def render(opened: Opened, most: int = 200) -> str:
    """The whole page."""
    environment, markup = _jinja()
    rows = standings(opened.gathered, opened.protocol.scale)
    sample = choose(opened.outcomes(), most)
    option = store_option(opened.store.where)
    pages = collect(_read_verdicts(opened, sample.rows), opened.protocol, option)
    found = find_findings(chain.from_iterable(page.explanations for page in pages.values()))
    script = _template("report.js")
    judged = _judged_field(opened)
    return str(
        environment.get_template("report.html").render(
            title=f"{opened.run.name} · {opened.protocol.title}",
            subtitle=subtitle(opened),
            conclusion=" ".join(conclusions(opened, rows, found)),
            unfinished=opened.unfinished,
            css=markup(_template("report.css")),
            script=markup(script),
            script_hash=_hash(script),
            board=leaderboard(opened.gathered, rows),
            trust=trust_of(opened),
            found=findings_sheets(found, rows),
            matrix=_matrix(opened, rows, pages),
            sampled=_describe_sample(sample, opened),
            data=[markup(as_script(page.as_json(judged))) for page in pages.values()],
            metrics=_metrics(opened, rows),
            plots=[replace(p, svgs=tuple(map(markup, p.svgs))) for p in _plots(opened, rows)],
            sheets=list(sheets(opened)),
            digest=parts(digest_of(opened) or ""),
            scale=opened.protocol.wording.good if opened.protocol.wording else "",
            commands=commands(opened),
            footer=describe_origin(opened),
        )
    )


def _jinja() -> tuple[Any, Any]:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        need = "A report needs matplotlib and Jinja2: pip install 'oyer[report]'"
        raise UsageError(need) from None
    loader = PackageLoader("oyer.report")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined), Markup


def _template(name: str) -> str:
    return resources.files("oyer.report").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _judged_field(opened: Opened) -> str:
    return opened.protocol.wording.judged if opened.protocol.wording else ""


# ── what the run is ───────────────────────────────────────────────────────────────────────────


def subtitle(opened: Opened) -> str:
    """Which run this is, and how much of it there is."""
    gathered, run = opened.gathered, opened.run
    return (
        f"{opened.protocol.name} · run {run.id} · {run.state} · {_format_time(run.updated)} · "
        f"{gathered.verdicts:,} verdicts of {len(gathered.cases):,} cases"
    )


def _format_time(stamp: str) -> str:
    """2026-11-16T03:18:40+00:00 -> 2026-11-16 03:18 UTC."""
    return f"{stamp[:16].replace('T', ' ')} UTC" if stamp.endswith("+00:00") else stamp


def describe_origin(opened: Opened) -> str:
    """What the numbers were made with."""
    manifest = opened.run.manifest
    return (
        f"Oyer {manifest.code} · rules {manifest.rules_sha[:12]} · prompt "
        f"{manifest.prompt_sha[:12] or '—'} · cases {manifest.cases_sha[:12]}. Every number here "
        "was recomputed by code from the judges' findings; it can be re-scored without a model."
    )


def commands(opened: Opened) -> list[tuple[str, str]]:
    """How to see the same in a terminal, and to make it again."""
    run = opened.run.id
    option = store_option(opened.store.where)
    return [
        ("the standings", f"oyer leaderboard {run}{option}"),
        ("the lowest totals, and why", f"oyer cases {run} --worst 10{option}"),
        ("this page", f"oyer report {run}{option}"),
        ("the numbers again, from the stored replies", f"oyer rescore {run}{option}"),
    ]


# ── cases ─────────────────────────────────────────────────────────────────────────────────────


def _read_verdicts(
    opened: Opened, rows: tuple[int, ...]
) -> Iterator[tuple[StoredVerdict, JsonObject]]:
    """The chosen verdicts whole, each with its case's fields in the protocol's order."""
    order = {field.name: at for at, field in enumerate(opened.protocol.fields)}
    for row in rows:
        for kept in opened.store.verdicts(opened.run.id, row - 1, row):
            stored = opened.store.cases([kept.case_sha])
            fields = stored[kept.case_sha].case.fields if kept.case_sha in stored else {}
            names = sorted(fields, key=lambda name: order.get(name, len(order)))
            yield kept, {name: fields[name] for name in names}


def _matrix(
    opened: Opened, rows: list[Standing], pages: Mapping[str, ReportCase]
) -> dict[str, object]:
    gathered = opened.gathered
    scale = opened.protocol.scale
    low = min((low for low, _ in scale.values()), default=0)
    ends = (float(low), total_top(opened.protocol) or 10.0)
    candidates = [row.candidate for row in rows]
    places = {case: at for at, case in enumerate(pages)}
    words = {case: page.words for case, page in pages.items()}
    body = [
        (row, places.get(row.name), " ".join(sorted(words.get(row.name, ()))))
        for row in case_rows(gathered, candidates, ends, places)
    ]
    return {"header": candidates, "rows": body, "hidden": max(len(gathered.cases) - MOST, 0)}


def _describe_sample(sample: Sample, opened: Opened) -> str:
    few = len(sample.rows) < sample.of
    option = store_option(opened.store.where)
    more = f" oyer report {opened.run.id} --cases {sample.of}{option} opens all." if few else ""
    return f"Can be opened: {sample.description}.{more}"


# ── scores ────────────────────────────────────────────────────────────────────────────────────


def _metrics(opened: Opened, rows: list[Standing]) -> dict[str, object] | None:
    gathered = opened.gathered
    scale = opened.protocol.scale
    *metrics, _ = gathered.metrics
    if len(metrics) < 2:
        return None
    tops = opened.tops
    wording = opened.protocol.wording
    names = [f"{score_name(key, wording)} (of {tops[key]:g})" for key in metrics]
    lows = {key: float(low) for key, (low, _) in scale.items()}
    caveats = wording.caveats if wording else {}
    notes = [f"{score_name(key)} {caveat}" for key, caveat in caveats.items()]
    return {"header": names, "rows": metric_rows(metrics, rows, lows, tops), "notes": notes}


def _plots(opened: Opened, rows: list[Standing]) -> Iterator[Plots]:
    from oyer.report import plots

    gathered = opened.gathered
    scored = [row for row in rows if row.cases]
    top = total_top(opened.protocol) or 10.0
    if not scored:
        return
    yield Plots("Totals with their intervals", (plots.intervals(scored, top),))
    yield Plots("Distributions", (plots.distributions(gathered, scored, top),))
    stated = {key: pairs for key, pairs in gathered.stated.items() if key in opened.tops}
    if stated:
        yield Plots(
            "What the judge said, and what its findings give",
            tuple(plots.plot_stated(pairs, key, opened.tops[key]) for key, pairs in stated.items()),
            "On the line the judge counted right; under it, it gave more than its own findings do.",
        )
    if gathered.by_judge:
        yield Plots("Violations by kind and judge", (plots.violations(gathered.by_judge),))


def sheets(opened: Opened) -> Iterator[TitledSheet]:
    """Protocols and judges side by side, panels and their members, costs, what has no score."""
    gathered = opened.gathered
    beside = protocol_rows(opened)
    if beside:
        yield TitledSheet("Protocols side by side", protocols_sheet(beside))
    side = side_by_side(gathered)
    if side is not None:
        yield TitledSheet("Judges side by side", judges_sheet(side))
    for name, panel in panels_of(opened).items():
        yield TitledSheet(f"Panel {name}", panel_sheet(name, panel))
    if prompts := compare_prompts(opened):
        yield TitledSheet("Prompts side by side", prompt_sheet(prompts))
    costs = costs_of(opened, standings(gathered, opened.protocol.scale))
    if not costs.is_free:
        yield TitledSheet("What it cost", candidates_sheet(costs))
        yield TitledSheet("Cost of judging, by judge", judges_cost_sheet(costs))
    if gathered.errors:
        head = ("candidate", "why", "verdicts")
        why = tuple(reasons_of(opened))
        rows = []
        for who, kinds in gathered.errors.items():
            rows += [(who, kind, str(n)) for kind, n in kinds.items()]
        yield TitledSheet("Without a score", Sheet(head, tuple(rows), why, names=2))

"""`report.html`: one self-contained file. Works from disk, prints well, dark and light.

Everything a model or a case says passes through Jinja's autoescaping; the only markup let in is
our own CSS, our script (allowed by its hash alone) and matplotlib's SVG.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from oyer.errors import UsageError
from oyer.records import VerdictRecord
from oyer.report.derivation import said
from oyer.report.explain import why_unheard
from oyer.report.highlight import FOUND, Segment, kind_of, label_of, segments
from oyer.report.open_run import Opened, digest_of, panels_of, reasons_of
from oyer.report.panel_votes import flags, outcome, split, standing, summary
from oyer.report.panels import panel_sheet
from oyer.report.sample import choose
from oyer.report.standings import Standing, standings
from oyer.report.tables import Sheet, leaderboard, parts
from oyer.types import Protocol
from oyer.verdicts.record import extra_of
from oyer.verdicts.violations import caution, incomplete, parted

LONGEST = 60_000  # characters of one field that a page shows
SHORT = 60  # characters of a field that stands on a line with others


@dataclass(frozen=True, slots=True)
class Plots:
    """A section of plots."""

    title: str
    svgs: tuple[Any, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Titled:
    """A sheet with its heading."""

    title: str
    sheet: Sheet


def render(opened: Opened, most: int = 200) -> str:
    """The whole page."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        need = "A report needs matplotlib and Jinja2: pip install 'oyer[report]'"
        raise UsageError(need) from None
    made, run = opened.gathered, opened.run
    rows = standings(made, opened.protocol.scale)
    sample = choose(opened.store.outcomes(run.id), most)
    script = _template("report.js")
    environment = Environment(
        loader=PackageLoader("oyer.report"), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("report.html").render(
        title=f"{run.name} · {opened.protocol.title}",
        subtitle=subtitle(opened),
        css=Markup(_template("report.css")),
        script=Markup(script),
        script_hash=_hash(script),
        board=leaderboard(made, rows),
        plots=[
            Plots(p.title, tuple(Markup(svg) for svg in p.svgs), p.note)
            for p in _plots(opened, rows)
        ],
        sheets=list(sheets(opened)),
        digest=parts(digest_of(opened) or ""),
        sampled=sample.told,
        cases=list(_cases(opened, sample.rows)),
        footer=made_by(opened),
    )


def subtitle(opened: Opened) -> str:
    """Which run this is, and how much of it there is."""
    made, run = opened.gathered, opened.run
    return (
        f"{opened.protocol.name} · run {run.id} · {run.state} · {_when(run.updated)} · "
        f"{made.verdicts:,} verdicts of {len(made.cases):,} cases"
    )


def made_by(opened: Opened) -> str:
    """What the numbers were made with."""
    manifest = opened.run.manifest
    return (
        f"Oyer {manifest.code} · rules {manifest.rules_sha[:12]} · prompt "
        f"{manifest.prompt_sha[:12] or '—'} · cases {manifest.cases_sha[:12]}. Every number here "
        "was recomputed by code from the judges' findings; it can be re-scored without a model."
    )


def _when(stamp: str) -> str:
    """2026-11-16T03:18:40+00:00 -> 2026-11-16 03:18 UTC."""
    return f"{stamp[:16].replace('T', ' ')} UTC" if stamp.endswith("+00:00") else stamp


def _template(name: str) -> str:
    return resources.files("oyer.report").joinpath("templates", name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _plots(opened: Opened, rows: list[Standing]) -> Iterator[Plots]:
    from oyer.report import plots

    made, scale = opened.gathered, opened.protocol.scale
    scored = [row for row in rows if row.cases]
    if not scored:
        return
    yield Plots("Totals with their intervals", (plots.intervals(scored),))
    yield Plots("Distributions", (plots.distributions(made, scored),))
    if len(made.metrics) > 2:
        yield Plots("Metric by metric", (plots.heat_map(made, scored, scale),))
    if made.stated:
        tops = {metric: float(scale[metric][1]) for metric in made.stated if metric in scale}
        yield Plots(
            "What the judge said, and what its findings give",
            tuple(plots.stated(made.stated[m], m, top) for m, top in tops.items()),
            "On the line the judge counted right; under it, it gave more than its own findings do.",
        )
    if made.by_judge:
        yield Plots("Violations by kind and judge", (plots.violations(made.by_judge),))


def sheets(opened: Opened) -> Iterator[Titled]:
    """Panels beside their members, what it cost, and what has no score."""
    made = opened.gathered
    for name, panel in panels_of(opened).items():
        yield Titled(f"Panel {name}", panel_sheet(name, panel))
    cost = tuple(
        (who, "unknown" if spent is None else f"${spent:.4f}") for who, spent in made.cost.items()
    )
    yield Titled("Cost of judging", Sheet(("candidate", "cost"), cost))
    if made.errors:
        rows = tuple(
            (who, kind, str(n)) for who, kinds in made.errors.items() for kind, n in kinds.items()
        )
        head, why = ("candidate", "why", "verdicts"), tuple(reasons_of(opened))
        yield Titled("Without a score", Sheet(head, rows, why, names=2))


def _cases(opened: Opened, chosen: frozenset[int]) -> Iterator[dict[str, Any]]:
    if not chosen:
        return
    kept = (k for row in sorted(chosen) for k in opened.store.verdicts(opened.run.id, row - 1, row))
    for verdict in kept:
        stored = opened.store.cases([verdict.case_sha])
        fields = stored[verdict.case_sha].case.fields if verdict.case_sha in stored else {}
        order = {field.name: at for at, field in enumerate(opened.protocol.fields)}
        names = sorted(fields, key=lambda name: order.get(name, len(order)))
        yield _case(verdict.record, {name: fields[name] for name in names}, opened.protocol)


def _is_short(name: str, value: Any, record: VerdictRecord) -> bool:
    """A field that needs no box of its own: a language, an id."""
    marked = any(e["source"] == name for e in record["evidence"])
    return isinstance(value, str) and len(value) <= SHORT and "\n" not in value and not marked


def _case(
    record: VerdictRecord, fields: Mapping[str, Any], protocol: Protocol[Any]
) -> dict[str, Any]:
    broken, unheard = parted(record["violations"])
    codes = Counter(v["code"] for v in broken)
    short = {name: value for name, value in fields.items() if _is_short(name, value, record)}
    return {
        "name": record["case"],
        "candidate": record["candidate"] or "",
        "judge": record["judge"],
        "total": record["error"] if record["total"] is None else f"{record['total']:.2f}",
        "marks": [mark for mark in (incomplete(record), caution(record)) if mark],
        "codes": [f"{code}×{n}" if n > 1 else code for code, n in codes.items()],
        "panel": _panel(record),
        "scores": _scores(record),
        "short": list(short.items()),
        "texts": [
            {"name": name, "parts": _parts(name, value, record)}
            for name, value in fields.items()
            if name not in short
        ],
        "trace": [_step(step, protocol) for step in record["trace"]],
        "violations": broken,
        "unheard": unheard,
        "why": why_unheard(record),
        "evidence": [_quote(e, record["output"]) for e in record["evidence"]],
        "extra": [(k, said(value)) for k, value in extra_of(record).items() if k != "panel"],
    }


def _quote(evidence: Mapping[str, Any], output: Any) -> dict[str, Any]:
    """A quote that was found, and apart from that what the judge made of it."""
    label = label_of(evidence["where"], output)
    found = FOUND[evidence["match"]]
    return {**evidence, "label": label, "kind": kind_of(label), "found": found}


def _panel(record: VerdictRecord) -> Sheet | None:
    """The members; under them, how they voted where they differ, and where ties went."""
    panel = record.get("panel")
    if not panel:
        return None
    rows = tuple((member["judge"], *standing(member)) for member in panel["members"])
    told = [f"{b.finding} at {b.where}: {said(b.said)} → {outcome(b)}" for b in split(panel)]
    notes = (*summary(record), *told, *flags(panel))
    return Sheet(("member", "total", ""), rows, notes, words=(1, 2))


def _scores(record: VerdictRecord) -> Sheet:
    stated = record["stated"] or {}
    rows = []
    for key, score in (record["scores"] or {}).items():
        said = stated.get(key)
        if isinstance(said, Mapping):
            said = said.get("overall_score")
        rows.append((key, f"{score:.2f}", "—" if said is None else str(said)))
    return Sheet(("metric", "score", "the judge said"), tuple(rows))


def _parts(name: str, value: Any, record: VerdictRecord) -> list[Segment]:
    if not isinstance(value, str):
        return [Segment(json.dumps(value, ensure_ascii=False, indent=1)[:LONGEST])]
    here = [e for e in record["evidence"] if e["source"] == name]
    parts = segments(value[:LONGEST], here, record["output"])
    if len(value) > LONGEST:
        parts.append(Segment(f"\n[… {len(value) - LONGEST:,} more characters are not shown]"))
    return parts


def _step(step: Mapping[str, Any], protocol: Protocol[Any]) -> dict[str, Any]:
    rule = step["rule"]
    lowered = step["inputs"].get("before") != step["value"]
    return {
        "rule": rule,
        "formula": step["formula"],
        "inputs": ", ".join(f"{key} {said(value)}" for key, value in step["inputs"].items()),
        "value": f"{step['value']} ({step['exact']})" if "exact" in step else step["value"],
        "cap": protocol.is_cap(rule) and lowered,
    }
